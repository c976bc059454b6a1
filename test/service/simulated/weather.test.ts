import { describe, expect, it } from 'vitest';
import { distanceKm } from '../../../src/domain/geo.ts';
import { SIMULATED_STATIONS } from '../../../src/service/simulated/network.ts';
import { lineNoise, volumeNoise } from '../../../src/service/simulated/noise.ts';
import type { SimulatedStation } from '../../../src/service/simulated/readings.ts';
import {
  LANDFORM_CLIMATES,
  type Landform,
  type SiteClimate,
  surfaceWind,
} from '../../../src/service/simulated/weather.ts';
import type { ArchiveRow } from '../../../src/wire/archive.ts';
import { DAY_MS, liveAll, ms, rows } from './responses.ts';

const HOUR_MS = DAY_MS / 24;
const [YEAR, NEXT_YEAR] = [ms('2024-01-01'), ms('2025-01-01')];

/** Ordinary stations with readings in all of 2024. */
const STATIONS = [...SIMULATED_STATIONS.values()].filter(
  ({ sensor, isClosedInWinter, installedMs, retiredMs }) =>
    sensor === 'whole' && !isClosedInWinter && installedMs < YEAR && retiredMs > NEXT_YEAR,
);

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function correlation(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  const covariance = (x: readonly number[], mx: number, y: readonly number[], my: number) =>
    mean(x.map((value, i) => (value - mx) * ((y[i] as number) - my)));
  return (
    covariance(a, meanA, b, meanB) /
    Math.sqrt(covariance(a, meanA, a, meanA) * covariance(b, meanB, b, meanB))
  );
}

const standingOn = (landform: Landform): SimulatedStation[] =>
  STATIONS.filter(
    ({ climate }) => climate.roughnessM === LANDFORM_CLIMATES[landform].roughnessM,
  ).filter(({ climate }) => climate.breezeKmh === LANDFORM_CLIMATES[landform].breezeKmh);

const inAlps = ({ climate: { position } }: SimulatedStation): boolean =>
  position.latitude > 44 && position.latitude < 48 && position.longitude > 5.5;

/**
 * Readings of every third day of a month.
 * @param month such as `2024-07`
 */
async function readingsOf({ id }: SimulatedStation, month: string): Promise<readonly ArchiveRow[]> {
  const starts = Array.from({ length: 10 }, (_, i) => ms(`${month}-01`) + 3 * i * DAY_MS);
  return (await Promise.all(starts.map((start) => rows(id, start, start + DAY_MS)))).flat();
}

/** Every 30 hours of 2024: one time of each day, at all times of the day in turn. */
const HOURS = Array.from({ length: 292 }, (_, i) => YEAR / HOUR_MS + 30 * i);

function speedAt(climate: SiteClimate, hour: number): number {
  const { eastKmh, northKmh } = surfaceWind(climate, hour);
  return Math.hypot(eastKmh, northKmh);
}

const winds = new Map<SimulatedStation, readonly number[]>();

/** The eastward wind at a station every 6 hours of a year. */
function eastward(station: SimulatedStation): readonly number[] {
  const first = YEAR / HOUR_MS;
  const known =
    winds.get(station) ??
    Array.from({ length: 1460 }, (_, i) => surfaceWind(station.climate, first + 6 * i).eastKmh);
  winds.set(station, known);
  return known;
}

/** Mean wind by local solar hour, in one month. */
async function byHour(station: SimulatedStation, month: string): Promise<number[]> {
  const speeds = Array.from({ length: 24 }, (): number[] => []);
  for (const [time, , , , avg] of await readingsOf(station, month)) {
    const solar = Date.parse(time) / HOUR_MS + station.climate.position.longitude / 15;
    speeds[Math.floor(solar + 24) % 24]?.push(avg as number);
  }
  return speeds.map(mean);
}

describe('the simulated wind', () => {
  const crests = [...standingOn('crest'), ...standingOn('cape')];

  it('the simulated wind is similar at neighbouring sites and unrelated across the globe', () => {
    const near: number[] = [];
    const far: number[] = [];
    for (const [i, a] of crests.slice(0, 30).entries()) {
      const winds = eastward(a);
      for (const b of crests.slice(i + 1)) {
        const distance = distanceKm(a.climate.position, b.climate.position);
        if (distance < 60) near.push(correlation(winds, eastward(b)));
        if (distance > 5000 && far.length < 60) far.push(correlation(winds, eastward(b)));
      }
    }
    expect(near.length).toBeGreaterThan(10);
    expect(Math.min(...near)).toBeGreaterThan(0.85);
    expect(far.length).toBeGreaterThan(10);
    expect(Math.max(...far.map(Math.abs))).toBeLessThan(0.4);
  });

  it('the simulated wind is as similar across the antimeridian as elsewhere', () => {
    const [west, east] = [179.99, -179.99].map((longitude) =>
      eastward({
        ...(crests[0] as SimulatedStation),
        climate: {
          ...(crests[0] as SimulatedStation).climate,
          position: { latitude: -17, longitude },
        },
      }),
    );
    expect(correlation(west ?? [], east ?? [])).toBeGreaterThan(0.99);
  });

  it('the simulated wind changes within hours to days, not weeks', () => {
    const lagged = (winds: readonly number[], steps: number) =>
      correlation(winds.slice(steps), winds.slice(0, -steps));
    const winds = crests.slice(0, 20).map(eastward);
    expect(mean(winds.map((series) => lagged(series, 1)))).toBeGreaterThan(0.8);
    expect(mean(winds.map((series) => lagged(series, 4)))).toBeGreaterThan(0.2);
    expect(Math.abs(mean(winds.map((series) => lagged(series, 100))))).toBeLessThan(0.15);
  });

  it('the simulated wind is stronger in the afternoon, most of all in valleys in summer', async () => {
    const cycle = async (month: string, station: SimulatedStation) => {
      const hours = await byHour(station, month);
      return mean(hours.slice(13, 17)) - mean(hours.slice(2, 6));
    };
    const valleys = standingOn('valley').filter(inAlps).slice(0, 12);
    for (const valley of valleys) {
      const july = await cycle('2024-07', valley);
      expect(july, valley.name).toBeGreaterThan(4);
      expect(july, valley.name).toBeGreaterThan(await cycle('2024-01', valley));
    }
  });

  it('the simulated wind has a breeze that follows solar time at any longitude', async () => {
    const breezy = standingOn('beach').filter(
      ({ climate: { position } }) => Math.abs(position.longitude) > 50,
    );
    expect(breezy.length).toBeGreaterThan(3);
    for (const station of breezy) {
      const hours = await byHour(station, '2024-03');
      expect(mean(hours.slice(12, 17)), station.name).toBeGreaterThan(mean(hours.slice(0, 6)));
    }
  });

  it('the simulated wind is stronger in the winter of each hemisphere', () => {
    const seasonal = (isNorth: boolean, months: readonly number[]) =>
      mean(
        crests
          .filter(({ climate }) => climate.position.latitude > 0 === isNorth)
          .flatMap(({ climate }) =>
            HOURS.filter((hour) => months.includes(new Date(hour * HOUR_MS).getUTCMonth())).map(
              (hour) => speedAt(climate, hour),
            ),
          ),
      );
    const [january, july] = [
      [11, 0, 1],
      [5, 6, 7],
    ] as const;
    expect(seasonal(true, january)).toBeGreaterThan(1.2 * seasonal(true, july));
    expect(seasonal(false, july)).toBeGreaterThan(1.2 * seasonal(false, january));
  });

  it('the simulated wind in valleys is calm on many nights and few days', async () => {
    const all: ArchiveRow[] = [];
    for (const valley of standingOn('valley').filter(inAlps).slice(0, 15)) {
      all.push(...(await readingsOf(valley, '2024-07')));
    }
    const calm = (utcHour: string) => {
      const then = all.filter(([time]) => time.slice(11, 13) === utcHour);
      return then.filter((row) => row[4] === 0).length / then.length;
    };
    expect(calm('02')).toBeGreaterThan(0.25);
    expect(calm('13')).toBeLessThan(0.1);
  });

  it('the simulated wind on exposed ground reaches storm force now and then in a winter', async () => {
    const gusts = async ({ id }: SimulatedStation) =>
      (await rows(id, YEAR, ms('2024-04-01'))).map((row) => row[5] as number);
    const share = (values: readonly number[]) =>
      values.filter((value) => value > 90).length / values.length;
    for (const crest of standingOn('crest').filter(inAlps).slice(0, 3)) {
      const stormy = share(await gusts(crest));
      expect(stormy, crest.name).toBeGreaterThan(0);
      expect(stormy, crest.name).toBeLessThan(0.05);
    }
  });

  it('the simulated wind is stronger on exposed ground than in valleys', () => {
    const annual = ({ climate }: SimulatedStation) =>
      mean(HOURS.map((hour) => speedAt(climate, hour)));
    const typical = (landform: Landform) => mean(standingOn(landform).slice(0, 20).map(annual));
    expect(typical('cape')).toBeGreaterThan(1.3 * typical('plain'));
    expect(typical('crest')).toBeGreaterThan(1.5 * typical('valley'));
  });

  it('the simulated wind has gusts above the mean and lulls below the mean', async () => {
    const day = (await rows(110, YEAR, YEAR + 31 * DAY_MS)).filter((row) => (row[4] ?? 0) > 20);
    const gustFactors = day.map((row) => (row[5] as number) / (row[4] as number));
    expect(day.length).toBeGreaterThan(100);
    expect(mean(gustFactors)).toBeGreaterThan(1.25);
    expect(mean(gustFactors)).toBeLessThan(1.8);
    expect(new Set(gustFactors).size).toBeGreaterThan(50);
    expect(mean(day.map((row) => (row[3] as number) / (row[4] as number)))).toBeLessThan(0.85);
  });

  it('the simulated wind differs between stations at one time, and is extreme at no station', async () => {
    const { data } = await liveAll(ms('2024-10-10T12:00:00Z'), false);
    const speeds = data.flatMap(({ measurements }) => measurements.wind_speed_avg ?? []);
    expect(new Set(speeds).size).toBeGreaterThan(60);
    expect(Math.max(...speeds)).toBeLessThan(120);
  });
});

describe('noise', () => {
  it('noise of one dimension (noise1) is smooth, within −1 to 1, and uses the whole range', () => {
    const line = Array.from({ length: 40_000 }, (_, i) => lineNoise(7, i / 100));
    expect(Math.max(...line.map(Math.abs))).toBeLessThanOrEqual(1);
    expect(Math.max(...line)).toBeGreaterThan(0.9);
    expect(Math.min(...line)).toBeLessThan(-0.9);
    const steps = line.slice(1).map((value, i) => Math.abs(value - (line[i] as number)));
    expect(Math.max(...steps)).toBeLessThan(0.03);
    expect(Math.abs(mean(line))).toBeLessThan(0.1);
  });

  it('noise of three dimensions (noise3) is smooth and repeats around the Earth', () => {
    const points = Array.from({ length: 2000 }, (_, i) => [i * 0.013, i * 0.007, i * 0.011]);
    const largest = (valueAt: (x: number, y: number, z: number) => number) =>
      Math.max(...points.map(([x = 0, y = 0, z = 0]) => Math.abs(valueAt(x, y, z))));
    const noise = (x: number, y: number, z: number) => volumeNoise(7, x, y, z, 30);
    const stepAt = (x: number, y: number, z: number) =>
      noise(x + 0.01, y + 0.01, z + 0.01) - noise(x, y, z);
    expect(largest(noise)).toBeLessThanOrEqual(1);
    expect(largest(stepAt)).toBeLessThan(0.1);
    for (const around of [30, -60]) {
      expect(largest((x, y, z) => noise(x + around, y, z) - noise(x, y, z))).toBeLessThan(1e-9);
    }
  });
});
