/**
 * Lets everybody who wants the same thing at the same time have it from one piece of work. A
 * failure goes to all of them; whoever comes after the end starts anew.
 * @param settle what has to be over, too, before work that went well counts as ended
 * @returns `share(key, work)`, which calls `work` unless work under that key is under way
 */
export function singleFlight<T>(
  settle?: () => Promise<void>,
): (key: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, work) => {
    const other = underWay.get(key);
    if (other !== undefined) return other;
    const mine = work();
    underWay.set(key, mine);
    const end = () => void underWay.delete(key);
    mine.then(settle ? () => settle().then(end, end) : end, end);
    return mine;
  };
}
