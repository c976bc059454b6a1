import { createProgram } from '../../src/cli.ts';
import type { WatchOptions } from '../../src/commands/watch/options.ts';
import { watchStations } from '../../src/commands/watch/run.ts';
import type { LiveStations } from '../../src/domain/envelope.ts';
import type { Station } from '../../src/domain/station.ts';
import { VaneError } from '../../src/errors.ts';
import { createReporter } from '../../src/output/reporter.ts';
import type { StationService } from '../../src/service/service.ts';
import { type FakeIo, type FakeIoOptions, fakeIo } from './fake-io.ts';
import { fixtureService, LIVE_PROVENANCE, NOW } from './fixture-service.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';

export interface WatchOutcome {
  /** Exit code of `vane watch`. */
  readonly code: number;
  readonly message: string;
  readonly out: string;
  readonly err: string;
  readonly io: FakeIo;
}

export interface WatchRunOptions extends FakeIoOptions {
  readonly service: Partial<StationService>;
  /**
   * Whether the watch's time passes by itself; false if the test moves the clock, as for two
   * watches at once.
   */
  readonly letTimePass?: boolean;
  readonly clock?: VirtualClock;
  /** Called with the Io before the watch starts. */
  readonly prepare?: (io: FakeIo) => void;
}

/** Runs `vane watch` with these arguments on a virtual clock. */
export async function watching(
  args: readonly string[],
  { service, clock = virtualClock(NOW), letTimePass = true, prepare, ...options }: WatchRunOptions,
): Promise<WatchOutcome> {
  const io: FakeIo = { ...fakeIo(options), now: clock.now, sleep: clock.sleep };
  prepare?.(io);
  const watchOptions = await readOptions(args, io);
  const session = {
    service: { ...fixtureService, ...service },
    serviceName: 'http://wind.example',
    reporter: createReporter(io, watchOptions.connection),
    signal: io.signal,
  };
  const outcome = { code: 0, message: '' };
  try {
    const work = watchStations(watchOptions, session, io);
    await (letTimePass ? clock.run(work) : work);
  } catch (error) {
    if (!(error instanceof VaneError)) throw error;
    Object.assign(outcome, { code: error.exitCode, message: error.message });
  }
  return { ...outcome, out: io.out(), err: io.err(), io };
}

async function readOptions(args: readonly string[], io: FakeIo) {
  let parsedOptions: WatchOptions | undefined;
  const program = await createProgram(io, async (parsed) => {
    parsedOptions = parsed as WatchOptions;
  });
  await program.parseAsync(['watch', ...args], { from: 'user' });
  return parsedOptions as WatchOptions;
}

export interface Measured {
  readonly id?: number;
  readonly name?: string;
  readonly timeMs: number;
  readonly avg?: number | null;
  readonly max?: number | null;
  readonly min?: number | null;
  readonly heading?: number | null;
  readonly state?: string | null;
}

/** A station with a measurement. */
export function station({
  id = 110,
  name = `Station ${id}`,
  timeMs,
  avg = 20,
  max = avg === null ? null : avg + 10,
  min = avg === null ? null : avg / 2,
  heading = 270,
  state = 'on',
}: Measured): Station {
  const date = new Date(timeMs).toISOString();
  return {
    id,
    meta: { name },
    location: { latitude: 45, longitude: 6, date, success: true },
    measurements: {
      date,
      pressure: null,
      wind_heading: heading,
      wind_speed_avg: avg,
      wind_speed_max: max,
      wind_speed_min: min,
    },
    status: { date, snr: 20, state },
  };
}

/**
 * A service whose stations at each request are those that `say` gives; `requested` lists the
 * requests.
 */
export function scripted(say: () => readonly Station[]): StationService & { requested: string[] } {
  const requested: string[] = [];
  const find = (id: number): Station => {
    const found = say().find((one) => one.id === id);
    if (found === undefined) throw new Error(`no station ${id}`);
    return found;
  };
  return {
    requested,
    async live(id) {
      requested.push(`live ${id}`);
      return { ...LIVE_PROVENANCE, data: find(id) };
    },
    async liveAll(): Promise<LiveStations> {
      requested.push('live all');
      return { ...LIVE_PROVENANCE, data: say() };
    },
    async archive(id, period) {
      requested.push(`archive ${id}`);
      return fixtureService.archive(110, period);
    },
  };
}

const resources = (): number =>
  process.getActiveResourcesInfo().filter((name) => /^(Process|Pipe)Wrap$/.test(name)).length;

/** A clock that stands still while commands of `--exec` run. */
export function clockFor(): VirtualClock {
  const before = resources();
  return virtualClock(NOW, () => resources() <= before);
}
