import { expect } from 'vitest';

/** Waits until a condition is true, and fails the test after 20 s. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(holds, { timeout: 20_000, interval: 1 }).toBe(true);
}
