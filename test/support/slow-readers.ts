import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('slow_readers.py', import.meta.url));

/** Why no slow readers can be started; undefined if they can. */
export const whyNoSlowReaders = (): string | undefined =>
  spawnSync('python3', ['--version']).status === 0 ? undefined : 'python3 is not installed';

/**
 * Starts a program whose connections have a small receive buffer, of which it reads 12 bytes.
 * @param localAddress the address of this machine that the connections come from
 */
export function startSlowReaders(baseUrl: string, localAddress: string) {
  const { hostname, port } = new URL(baseUrl);
  const child = spawn('python3', [SCRIPT, hostname, port, localAddress], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    /** Opens a connection, sends bytes, and further ones once the first response begins. */
    async open(first: string, second: string): Promise<void> {
      const parts = [first, second].map((bytes) => Buffer.from(bytes).toString('base64'));
      child.stdin.write(`${parts.join()}\n`);
      if ((await lines.next()).done) throw new Error('The slow readers ended.');
    },
    close: () =>
      new Promise<void>((resolve) => {
        child.once('close', () => resolve());
        child.stdin.end();
      }),
  };
}
