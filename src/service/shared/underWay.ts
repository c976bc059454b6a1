/**
 * Lets everybody who wants the same thing at the same time have it from one piece of work. A
 * failure goes to all of them; whoever comes after the end starts anew.
 * @returns `share(key, work)`, which calls `work` unless work under that key is under way
 */
export function shareUnderWay<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, work) => {
    const other = underWay.get(key);
    if (other !== undefined) return other;
    const mine = work().finally(() => underWay.delete(key));
    underWay.set(key, mine);
    return mine;
  };
}
