import { compassPoint } from '../../domain/compass.ts';
import { convertSpeed, isCalm, SPEED_UNITS } from '../../domain/units.ts';
import type { AlarmEvent } from '../../domain/watching/event.ts';
import { ageSeconds, gustFactorOf, trendOf } from '../../formats/stream/derived.ts';
import { ndjson } from '../../formats/stream/ndjson.ts';
import type { StreamRecord, StreamStyle } from '../../formats/stream/stream.ts';
import { createHook, type HookOptions } from '../../output/hook.ts';
import type { Sink } from './sink.ts';

/** Runs the command of `--exec` at each event. */
export function execSink(options: HookOptions, style: StreamStyle): Sink {
  const hook = createHook(options);
  return {
    tell(records) {
      for (const record of records) {
        if (record.event === undefined) continue;
        const variables = describe(record, record.event, style);
        hook.run({ variables, input: ndjson.record(record, style) });
      }
    },
    // What was begun is seen through, unless somebody waits for the end.
    close: (ending) => (ending === 'ended' ? hook.end() : hook.settle()),
  };
}

/** An event in the environment of a command; what is not known is empty. */
function describe(
  record: StreamRecord,
  event: AlarmEvent,
  { unit, writeDate }: StreamStyle,
): Record<string, string> {
  const { id, meta, measurements, status } = record.station;
  const { wind_heading: headingDeg, wind_speed_avg: avgKmh } = measurements;
  const text = (value: number | string | null | undefined): string => String(value ?? '');
  const speed = (speedKmh: number | null) => text(convertSpeed(speedKmh, unit));
  return {
    VANE_EVENT: event.kind,
    VANE_CONDITION: event.condition,
    VANE_STATION: text(id),
    VANE_NAME: meta.name,
    VANE_DATE: measurements.date === null ? '' : writeDate(measurements.date),
    VANE_AVG: speed(avgKmh),
    VANE_MAX: speed(measurements.wind_speed_max),
    VANE_MIN: speed(measurements.wind_speed_min),
    VANE_UNIT: SPEED_UNITS[unit].label,
    VANE_DIR: text(headingDeg),
    VANE_POINT: headingDeg === null || isCalm(avgKmh) ? '' : compassPoint(headingDeg),
    VANE_AGE: text(ageSeconds(record)),
    VANE_STATE: text(status.state),
    VANE_GUST_FACTOR: text(gustFactorOf(record)),
    VANE_TREND: text(trendOf(record, unit)),
  };
}
