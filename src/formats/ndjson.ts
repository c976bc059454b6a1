import { escapeControls } from './controls.ts';
import { describeStation, plainNames } from './convert.ts';
import type { Format } from './format.ts';
import { fillTemplate, hasPlainLines } from './rewriteLines.ts';

/** One JSON object a line: a station as the interface describes it, or a reading with its station. */
export const ndjson: Format = {
  *stations(list) {
    for (const selected of list.stations) yield jsonLine(describeStation(selected, list));
  },

  async *archive(chunks) {
    for await (const { station, legend, units, rows } of chunks) {
      const [, ...names] = plainNames(['station', ...legend], ['id', ...units]);
      const keys = names.map((name) => JSON.stringify(name));
      if (hasPlainLines({ legend })) {
        const members = keys.map((key, index) => `${key}:$${index + 1}`);
        const template = `{"station":${station},${members.join(',')}}\n`;
        if (rows.count > 0) yield fillTemplate(rows.lines, keys.length, template);
        continue;
      }
      const lines = rows.readings.map((row) => {
        const members = keys.map((key, index) => `${key}:${JSON.stringify(row[index])}`);
        return `{"station":${station},${members.join(',')}}\n`;
      });
      if (lines.length > 0) yield escapeControls(lines.join(''));
    }
  },
};

/** A value on one line that no terminal obeys. */
export function jsonLine(value: object): string {
  return `${escapeControls(JSON.stringify(value))}\n`;
}
