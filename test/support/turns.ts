/**
 * Counts events in each turn of the event loop.
 * @returns `count`, which counts an event; `begin`, which begins to tell turns apart; and `end`,
 *   which stops and gives the most events of one turn. The mark of a new turn may run before or
 *   after the first event of the turn, so one event a turn may give 2.
 */
export function countInTurns() {
  let inThisTurn = 0;
  let most = 0;
  let isOver = false;
  const begin = (): void => {
    inThisTurn = 0;
    if (!isOver) setImmediate(begin);
  };
  return {
    begin,
    count(): void {
      most = Math.max(most, ++inThisTurn);
    },
    end(): number {
      isOver = true;
      return most;
    },
  };
}
