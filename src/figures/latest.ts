import { HOUR_MS } from '../domain/dates.ts';
import {
  columnsOfRows,
  type ReadingColumns,
  withoutImpossibleValues,
} from '../domain/readings/columns.ts';
import type { Station } from '../domain/station.ts';
import { samplesOfLastHour } from '../domain/watching/diagnostics.ts';
import { observationOfMeasurements } from '../domain/watching/observe.ts';
import {
  addArchiveReadings,
  isStale,
  type RecentMeasurements,
  type WindSample,
} from '../domain/watching/recentMeasurements.ts';
import type { FigureOptions } from './figureOptions.ts';
import type { PlotData, PlotStation } from './plotData.ts';

/** The latest wind of a station, for its dial. */
export interface LatestWind {
  readonly sample: WindSample | undefined;
  /** The measurements of the hour up to the latest one, in order of time. */
  readonly hour: readonly WindSample[];
  /** The directions of the last hour, latest first, degrees. */
  readonly directions: readonly number[];
  /** Why the dial is grey; undefined if the wind is current. */
  readonly trouble: 'off' | 'old' | 'no data' | undefined;
  readonly isCalm: boolean;
  /** Whether the picture's condition is true; undefined without a condition. */
  readonly isHeld: boolean | undefined;
  readonly ageMs: number;
}

/** Finds the latest wind of a station, and whether it is current at the end of the period. */
export function latestWindOf(
  { live, readings }: PlotStation,
  { period }: PlotData,
  { calmKmh, heldNow }: FigureOptions,
): LatestWind {
  const now = period.stop;
  const recent = live && [measured(live), ...readings].reduce(addArchiveReadings, recentOf(live));
  const sample = recent?.samples.at(-1);
  const hour = samplesOfLastHour(recent?.samples ?? []);
  const isCalm = sample?.avgKmh != null && sample.avgKmh < calmKmh;
  const trouble = troubleOf(recent, now);
  const seen = recent && observationOfMeasurements(recent, undefined, now);
  const holds = seen && heldNow?.holds(isCalm ? { ...seen, dirDeg: null } : seen);
  return {
    sample,
    hour,
    directions: hour
      .filter(({ timeMs, avgKmh }) => timeMs > now - HOUR_MS && avgKmh != null && avgKmh >= calmKmh)
      .flatMap(({ headingDeg }) => headingDeg ?? [])
      .reverse(),
    trouble,
    isCalm,
    isHeld: heldNow && trouble === undefined && holds === true,
    ageMs: now - (sample?.timeMs ?? now),
  };
}

/** The initial state of a station, before its measurements are added. */
const recentOf = (station: Station): RecentMeasurements => {
  return { station, samples: [], before: undefined, isGone: false };
};

/** Converts the latest measurement to a row of readings, without impossible values. */
function measured({ measurements }: Station): ReadingColumns {
  const { date, wind_speed_min, wind_speed_avg, wind_speed_max, wind_heading } = measurements;
  const row = {
    time: Date.parse(date ?? ''),
    latitude: Number.NaN,
    longitude: Number.NaN,
    windSpeedMin: wind_speed_min ?? Number.NaN,
    windSpeedAvg: wind_speed_avg ?? Number.NaN,
    windSpeedMax: wind_speed_max ?? Number.NaN,
    windHeading: wind_heading ?? Number.NaN,
    pressure: Number.NaN,
  };
  return withoutImpossibleValues(columnsOfRows(date === null ? [] : [row])).possible;
}

function troubleOf(recent: RecentMeasurements | undefined, now: number): LatestWind['trouble'] {
  if (recent?.station.status.state === 'off') return 'off';
  const latest = recent?.samples.at(-1);
  if (latest && isStale({ samples: [latest] }, now)) return 'old';
  return latest?.avgKmh == null ? 'no data' : undefined;
}
