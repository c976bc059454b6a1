import { createDateWriter } from '../../src/domain/dates.ts';
import { SERVICE_COLUMNS } from '../../src/domain/readings/archiveColumns.ts';
import type { ArchiveLayout } from '../../src/formats/format.ts';

/** The layout of an archive in a unit, zone and columns; by default the service's own. */
export function archiveLayout(
  shown: Partial<Omit<ArchiveLayout, 'writeDate'>> = {},
): ArchiveLayout {
  const { unit = 'kmh', zone = 'utc', header = 'service', isChosen = false } = shown;
  const columns = shown.columns ?? SERVICE_COLUMNS.map(({ name }) => name);
  return { unit, zone, writeDate: createDateWriter(zone), header, columns, isChosen };
}
