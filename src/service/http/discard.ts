import { addAbortSignal, type Readable } from 'node:stream';
import { MAX_TIMER_MS } from '../../io.ts';

/** Maximum number of bytes to read of an unneeded body, so that its connection can be reused. */
const MAX_BYTES = 64 * 1024;
/** Maximum number of unneeded bodies that are read at once. */
const MAX_UNDER_WAY = 4;

/**
 * Creates a function that reads and drops a body, so that its connection can be reused. Instead,
 * the connection is closed if the body exceeds 64 KiB or takes longer than `timeoutMs`, or if it is
 * the oldest of five. Otherwise a server with endless responses would keep one connection open per
 * request.
 */
export function createBodyDiscarder(timeoutMs: number): (body: Readable) => void {
  /** The bodies that are being read, oldest first. */
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
