import { SPEED_NAMES } from '../domain/stationFields.ts';
import { SPEED_UNITS } from '../domain/units.ts';
import { convertStation, insertStation } from './convert.ts';
import type { Format, StatisticsFormat } from './format.ts';
import { flatRows, SPEED_FIELDS } from './summary/fields.ts';

/**
 * Characters that act on a terminal, but that JSON.stringify leaves as they are: DEL and C1
 * controls, line separators, and marks that reorder text.
 */
const LEFT_BY_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Escapes control characters in JSON as `\u009b`, so that they do not act on a terminal. A parser
 * reads the same values.
 */
export function escapeControls(json: string): string {
  return json.replace(
    LEFT_BY_JSON,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * One JSON document, built like the service's answers: license and source, then all stations, or
 * the rows of all chunks.
 */
export const json: Format & StatisticsFormat = {
  *stations(list) {
    const stations = list.stations.map((selected) => convertStation(selected, list));
    const envelope = {
      ...list.provenance,
      // Name the unit unless it is km/h: live answers of the service name none, so a reader would
      // expect km/h.
      ...(list.unit !== 'kmh' && {
        units: Object.fromEntries(SPEED_NAMES.map((name) => [name, SPEED_UNITS[list.unit].label])),
      }),
      data: list.isSingle ? stations[0] : stations,
    };
    yield `${escapeControls(JSON.stringify(envelope, null, 2))}\n`;
  },

  async *archive(chunks, { stationAt }) {
    let isFirstRow = true;
    let isFirstChunk = true;
    for await (const chunk of chunks) {
      const { doc, license, attribution, legend, units, rows } = insertStation(chunk, stationAt);
      const envelope = { doc, license, attribution, legend, units };
      if (isFirstChunk) yield `${escapeControls(JSON.stringify(envelope)).slice(0, -1)},"data":[`;
      isFirstChunk = false;
      if (rows.count === 0) continue;
      const lines = rows.lines.slice(0, -1).replaceAll('\n', '],\n[');
      yield `${isFirstRow ? '' : ','}\n[${lines}]`;
      isFirstRow = false;
    }
    yield isFirstRow ? ']}\n' : '\n]}\n';
  },

  async *statistics(list) {
    const { unit, classes } = list;
    let separator = '';
    const head = (): string => {
      const envelope = {
        ...list.provenance(),
        ...(unit !== 'kmh' && {
          units: Object.fromEntries(
            (classes ? ['classes'] : SPEED_FIELDS).map((name) => [name, SPEED_UNITS[unit].label]),
          ),
        }),
        ...(classes && { classes: classes.lowest }),
      };
      const text = escapeControls(JSON.stringify(envelope)).slice(0, -1);
      return `${text}${text === '{' ? '' : ','}"data":[`;
    };
    for await (const station of list.stations) {
      for (const row of flatRows(station, list, { isUnitInName: false, isText: false })) {
        yield `${separator === '' ? head() : separator}\n${escapeControls(JSON.stringify(row))}`;
        separator = ',';
      }
    }
    yield separator === '' ? `${head()}]}\n` : '\n]}\n';
  },
};
