import { SPEED_NAMES } from '../domain/stationFields.ts';
import { SPEED_UNITS } from '../domain/units.ts';
import { escapeControls } from './controls.ts';
import { convertStation, distanceField } from './convert.ts';
import type { Format } from './format.ts';

/** The interface's envelope, one document for all stations or chunks. */
export const json: Format = {
  *stations(list) {
    const stations = list.stations.map(({ station, distanceKm }) => ({
      ...convertStation(station, list),
      ...distanceField(distanceKm),
    }));
    const envelope = {
      ...list.provenance,
      // The interface has no units here, so a reader would take converted speeds for km/h.
      ...(list.unit !== 'kmh' && {
        units: Object.fromEntries(SPEED_NAMES.map((name) => [name, SPEED_UNITS[list.unit].label])),
      }),
      data: list.isSingle ? stations[0] : stations,
    };
    yield `${escapeControls(JSON.stringify(envelope, null, 2))}\n`;
  },

  async *archive(chunks) {
    let isFirstRow = true;
    let isFirstChunk = true;
    for await (const { station: _, rows, ...envelope } of chunks) {
      if (isFirstChunk) yield `${escapeControls(JSON.stringify(envelope)).slice(0, -1)},"data":[`;
      isFirstChunk = false;
      if (rows.count === 0) continue;
      const lines = `[${rows.lines.slice(0, -1).replaceAll('\n', '],\n[')}]`;
      yield escapeControls(isFirstRow ? `\n${lines}` : `,\n${lines}`);
      isFirstRow = false;
    }
    yield isFirstRow ? ']}\n' : '\n]}\n';
  },
};
