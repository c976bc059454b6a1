import { describe, expect, it } from 'vitest';
import { createUnsentLimiter } from '../../../src/server/edge/unsent.ts';

describe('a body that two clients receive', () => {
  it('a response body that two clients wait for counts once in the total, and in full for the client with more bodies, which then loses a response', () => {
    const unsent = createUnsentLimiter(1_300_000);
    const [early, late, another, small] = [
      { client: 'a' },
      { client: 'b' },
      { client: 'b' },
      { client: 'c' },
    ] as const;
    const shared = Buffer.alloc(1_000_000);
    for (const request of [early, late]) {
      unsent.add(request);
      unsent.addBody(request, shared);
    }
    expect(unsent.bytes).toBe(1_010_000);
    unsent.add(another);
    unsent.addBody(another, Buffer.alloc(300_000));
    unsent.add(small);
    expect(unsent.requestToDropFor(small)).toBe(late);
    unsent.remove(late);
    expect(unsent.bytes).toBe(1_315_000);
    expect(unsent.requestToDropFor(small)).toBe(early);
    unsent.remove(early);
    expect(unsent.bytes).toBe(310_000);
    expect(unsent.requestToDropFor(small)).toBeUndefined();
  });
});
