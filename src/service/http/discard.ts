import { addAbortSignal, type Readable } from 'node:stream';
import { MAX_TIMER_MS } from '../../io.ts';

/** Most bytes that are read of a body that nobody needs, to use its connection again. */
const MAX_BYTES = 64 * 1024;
/** How many of these bodies may be under way. */
const MAX_UNDER_WAY = 4;

/**
 * Makes a function that reads a body without keeping it, so that its connection can be used again.
 * The connection is closed instead if the body is longer than 64 KiB or takes longer than
 * `timeoutMs`, or if it is the oldest of five: a receiver whose responses never end would otherwise
 * keep one connection open for each request.
 */
export function createBodyDiscarder(timeoutMs: number): (body: Readable) => void {
  /** The bodies under way, the oldest first. */
  const bodies = new Set<Readable>();
  return (body) => {
    let bytes = 0;
    addAbortSignal(AbortSignal.timeout(Math.min(timeoutMs, MAX_TIMER_MS)), body);
    body
      .on('error', () => {})
      .on('close', () => bodies.delete(body))
      .on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > MAX_BYTES) body.destroy();
      });
    bodies.add(body);
    const [oldest] = bodies;
    if (bodies.size > MAX_UNDER_WAY) oldest?.destroy();
  };
}
