import type { Io } from '../../io.ts';
import { startServer } from '../../server/server.ts';
import { simulatedService } from '../../service/simulated/service.ts';

/** The simulated network over HTTP on a free port of this machine. */
export function startDemo({ now }: Io) {
  return startServer({ service: simulatedService(now), host: '127.0.0.1', port: 0, now });
}
