import { setTimeout } from 'node:timers/promises';

/**
 * Waits until a condition is true, and fails the test after 50 s.
 * @param intervalMs the time between two checks; longer where a check is work for another program
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  intervalMs = 5,
): Promise<void> {
  const deadlineMs = performance.now() + 50_000;
  while (!(await holds())) {
    if (performance.now() > deadlineMs) throw new Error(`Not true within 50 s: ${holds}`);
    await setTimeout(intervalMs);
  }
}
