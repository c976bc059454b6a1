import type { Io } from '../../io.ts';

/** The simulated network over HTTP on a free port of this machine. */
export async function startDemo(io: Io) {
  const [{ startServer }, { simulatedService }] = await Promise.all([
    import('../../server/server.ts'),
    import('../../service/simulated/service.ts'),
  ]);
  return startServer({
    service: simulatedService(io.now),
    host: '127.0.0.1',
    port: 0,
    now: io.now,
  });
}
