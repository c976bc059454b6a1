import { expect } from 'vitest';

/** Waits until a condition is true, and fails the test after 50 s. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(holds, { timeout: 50_000, interval: 1 }).toBe(true);
}
