import { afterEach } from 'vitest';
import { simulatedService } from '../../src/service/simulated/simulatedService.ts';
import { fixtureService } from '../support/fixture-service.ts';
import { type FrontOptions, startFront, startUpstream } from '../support/fronts.ts';
import { handClock } from '../support/hand-clock.ts';
import { openRaw, type RawConnection, requestBytes } from '../support/raw-connection.ts';

/** The connections and servers that a test opened. */
export const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A cache server in front of a service, by a clock of the test. */
export async function setUp(options: Partial<FrontOptions> = {}, isSimulated = true) {
  const clock = handClock();
  const service = isSimulated ? simulatedService(clock.now) : fixtureService;
  const upstream = await startUpstream(clock, service);
  closers.push(upstream.close);
  const front = await startFront(upstream.baseUrl, { clock, ...options });
  closers.push(front.close);
  return { upstream, front };
}

/** Connections whose other end reads nothing. */
export async function openSlow(baseUrl: string, count: number): Promise<RawConnection[]> {
  const connections = await Promise.all(Array.from({ length: count }, () => openRaw(baseUrl)));
  closers.push(async () => {
    for (const { socket } of connections) socket.destroy();
  });
  for (const { socket } of connections) socket.pause();
  return connections;
}

/** The request of a client for all stations, whose response no other request shares. */
export const listFor = (client: number, nth: number) =>
  requestBytes(`/v1/live-with-meta/all?callback=f${client}_${nth}`);
