import { once } from 'node:events';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { GlobalFlags } from '../options.ts';
import { createReporter } from '../output/reporter.ts';
import { startServer } from '../server/server.ts';
import { simulatedService } from '../service/simulated.ts';
import { readInteger } from './flags.ts';

/** What `vane serve` was asked. */
export interface ServeRequest {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly isVerbose: boolean;
}

export interface ServeFlags extends GlobalFlags {
  readonly host: string;
  readonly port: string;
}

/** @throws UsageError */
export function readServeRequest(flags: ServeFlags): ServeRequest {
  if (!flags.demo) {
    throw new UsageError(
      'vane serve needs to know what to serve: --demo for the simulated network.',
    );
  }
  if (flags.baseUrl !== undefined) {
    throw new UsageError('vane serve --demo asks nobody; leave --base-url out.');
  }
  if (flags.host.trim() === '') {
    throw new UsageError('--host takes an address such as 127.0.0.1; 0.0.0.0 is every network.');
  }
  return {
    host: flags.host,
    port: readInteger('--port', flags.port, 0, 65_535),
    isVerbose: flags.verbose ?? false,
  };
}

/** Serves until the command is ended. Its stdout is one line: the address, once it answers. */
export async function runServe({ host, port, isVerbose }: ServeRequest, io: Io): Promise<void> {
  const reporter = createReporter(io, { isQuiet: false, isVerbose });
  const server = await startServer({
    service: simulatedService(io.now),
    host,
    port,
    now: io.now,
    onRequest: ({ method, url, status, bytes, ms }) =>
      reporter.detail(`${method} ${url} ${status} ${bytes} bytes ${ms.toFixed(1)} ms`),
  });
  io.stdout.write(`${server.baseUrl}\n`);
  if (!io.signal.aborted) await once(io.signal, 'abort');
  await server.close();
}
