import type { FigureTable } from './figure.ts';
import type { PlotStation } from './plotData.ts';

/**
 * The numbers of all stations, with a column for the name where there are several stations.
 * @param rowsOf the rows of a station by its index; called only when a writer reads `rows`
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
