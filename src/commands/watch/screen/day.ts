import type { Period } from '../../../domain/period.ts';
import {
  firstRowsOfTimes,
  type ReadingColumns,
  withoutImpossibleValues,
} from '../../../domain/readings/columns.ts';
import { positionOf, type Station } from '../../../domain/station.ts';
import { CALM_BELOW_KMH } from '../../../domain/units.ts';
import { drawFigure } from '../../../figures/draw.ts';
import { readFigureOptions } from '../../../figures/figureOptions.ts';
import { cellStyle } from '../../../figures/style.ts';
import { writeTerminal } from '../../../figures/terminal.ts';
import type { StationDetails } from './scene.ts';

/** Draws the last 24 hours of a station as `vane plot` does. Remembers the latest drawing. */
export function drawLast24Hours(
  station: Station,
  columns: ReadingColumns,
  { period, zone }: { period: Period; zone: string },
): StationDetails['draw'] {
  const { id, meta } = station;
  const { possible } = withoutImpossibleValues(firstRowsOfTimes(columns));
  const stations = [{ id, name: meta.name, position: positionOf(station), readings: [possible] }];
  let [drawnFor, lines] = ['', [] as string[]];
  return (unit, { columns: width, rows: height, colour, colours = colour ? 1 : 0, isUnicode }) => {
    const look = `${unit} ${width} ${height}`;
    if (look === drawnFor) return lines;
    // Leave out the credit, which the command prints at its end, so that the picture has more room.
    const data = { stations, period, unit, zone, license: '', attribution: '' };
    const style = cellStyle(width, height, colours > 0 && isUnicode);
    const options = readFigureOptions('series', {}, unit, zone, CALM_BELOW_KMH);
    const figure = drawFigure('series', data, options, style);
    const text = writeTerminal(figure, { colours, isUnicode, theme: 'dark' });
    [drawnFor, lines] = [look, text.trimEnd().split('\n')];
    return lines;
  };
}
