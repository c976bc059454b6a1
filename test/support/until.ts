import { expect } from 'vitest';

/**
 * Waits until a condition is true, and fails the test after 50 s.
 * @param intervalMs the time between two checks; longer where a check is work for another program
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  intervalMs = 10,
): Promise<void> {
  await expect.poll(holds, { timeout: 50_000, interval: intervalMs }).toBe(true);
}
