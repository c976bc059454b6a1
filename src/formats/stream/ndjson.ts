import { formatDate } from '../../domain/dates.ts';
import { SPEED_UNITS } from '../../domain/units.ts';
import { describeStation } from '../convert.ts';
import { jsonLine } from '../ndjson.ts';
import { ageSeconds, gustFactorOf, trendOf } from './derived.ts';
import type { StreamFormat } from './stream.ts';

/** A measurement as `vane live -f ndjson` writes its station; an event as an object around it. */
export const ndjson: StreamFormat = {
  head: () => '',

  record(record, style) {
    const station = describeStation(record, style);
    const { event } = record;
    if (event === undefined) return jsonLine(station);
    return jsonLine({
      event: event.kind,
      condition: event.condition,
      date: style.writeDate(formatDate(event.atMs)),
      age_s: ageSeconds(record),
      gust_factor: gustFactorOf(record),
      [`trend${SPEED_UNITS[style.unit].suffix}`]: trendOf(record, style.unit),
      station,
    });
  },
};
