import { simulatedService } from '../service/simulated/service.ts';
import { startServer } from './server.ts';

/** Serves the simulated network on a free port of this machine. */
export function startDemo(now: () => number) {
  return startServer({ service: simulatedService(now), host: '127.0.0.1', port: 0, now });
}
