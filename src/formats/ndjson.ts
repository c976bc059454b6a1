import { formatDate } from '../domain/dates.ts';
import { SPEED_UNITS } from '../domain/units.ts';
import { convertAndNameStation, plainNames } from './convert.ts';
import type { Format, StatisticsFormat, StreamFormat } from './format.ts';
import { escapeControls } from './json.ts';
import { RECORD_FIELDS } from './recordFields.ts';
import { fillTemplate } from './rewriteLines.ts';
import { flatRows } from './summary/fields.ts';

/**
 * One JSON object on each line: a station as the service describes it, a reading with the id of its
 * station, or an event of an alarm that contains its station.
 */
export const ndjson: Format & StatisticsFormat & StreamFormat = {
  *stations(list) {
    for (const selected of list.stations) yield jsonLine(convertAndNameStation(selected, list));
  },

  async *archive(chunks) {
    for await (const chunk of chunks) {
      const { station, legend, rows } = chunk;
      const members = plainNames(chunk).map((name, index) => `"${name}":$${index + 1}`);
      const template = `{"station":${station},${members.join(',')}}\n`;
      if (rows.count > 0) yield fillTemplate(rows.lines, legend.length, template);
    }
  },

  async *statistics(list) {
    for await (const station of list.stations) {
      const rows = flatRows(station, list, { isUnitInName: true, isText: false });
      yield rows.map(jsonLine).join('');
    }
  },

  head: () => '',

  record(record, style) {
    const station = convertAndNameStation(record, style);
    const { event } = record;
    if (event === undefined) return jsonLine(station);
    const { age, gust_factor, trend } = RECORD_FIELDS;
    return jsonLine({
      event: event.kind,
      condition: event.condition,
      date: style.writeDate(formatDate(event.atMs)),
      age_s: age.read(record, style) ?? null,
      gust_factor: gust_factor.read(record, style) ?? null,
      [`trend${SPEED_UNITS[style.unit].suffix}`]: trend.read(record, style) ?? null,
      station,
    });
  },
};

/** An object as one line of JSON; characters that act on a terminal are escaped. */
function jsonLine(value: object): string {
  return `${escapeControls(JSON.stringify(value))}\n`;
}
