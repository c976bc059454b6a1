import type { FigureTable } from './figure.ts';
import type { PlotStation } from './plotData.ts';

/**
 * A table of the numbers in a picture; with several stations, a column names the station.
 * @param rowsOf gives the rows of a station by its index; called only when `rows` is read
 */
export function stationTable(
  stations: readonly PlotStation[],
  head: readonly string[],
  rowsOf: (index: number) => readonly (readonly string[])[],
): FigureTable {
  const isSeveral = stations.length > 1;
  return {
    head: isSeveral ? ['station', ...head] : head,
    get rows() {
      return stations.flatMap(({ name }, index) => {
        const rows = rowsOf(index);
        return isSeveral ? rows.map((row) => [name.trim(), ...row]) : rows;
      });
    },
  };
}
