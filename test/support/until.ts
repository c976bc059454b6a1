import { expect } from 'vitest';

/** Waits for what only the event loop brings about; a test that waits in vain fails and stops. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(holds, { timeout: 20_000, interval: 1 }).toBe(true);
}
