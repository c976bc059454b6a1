import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import WORKER from './png.worker.cjs?text';

const { resolve } = createRequire(import.meta.url);

/** An idle thread ends after this time, since WebAssembly's memory never shrinks. */
const IDLE_MS = 60_000;
/** A thread that needs longer than this for one picture is ended; most need about a second. */
const TIMEOUT_MS = 30_000;

/**
 * Creates a renderer from SVG to PNG in a separate thread, so that other responses are not delayed.
 * It renders one picture at a time.
 */
export function createPngRenderer() {
  const oneAtATime = pLimit(1);
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  const end = (): void => {
    worker?.terminate();
    worker = undefined;
  };
  async function start(): Promise<Worker> {
    const { readPngRenderer } = await import('../../figures/index.ts');
    const workerData = { resvg: resolve('@resvg/resvg-wasm'), ...(await readPngRenderer()) };
    const started = new Worker(WORKER, { eval: true, workerData });
    started.unref();
    // Listen to errors, since an unhandled one would end vane. While a picture is drawn, `once`
    // reports it.
    started.on('error', () => {});
    // Forget a thread that ends between two pictures. The next picture starts a new one.
    started.once('exit', () => {
      if (worker === started) worker = undefined;
    });
    return started;
  }
  /** Draws a picture, unless `signal` aborts first. */
  return (svg: string, signal?: AbortSignal): Promise<Buffer> =>
    oneAtATime(async () => {
      signal?.throwIfAborted();
      clearTimeout(idle);
      worker ??= await start();
      try {
        const drawn = once(worker, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) });
        worker.postMessage(svg);
        const [png] = await drawn;
        idle = setTimeout(end, IDLE_MS).unref();
        return Buffer.from(png.buffer, png.byteOffset, png.byteLength);
      } catch (error) {
        end();
        throw error;
      }
    });
}
