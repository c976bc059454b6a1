import { DAY_MS } from '../../../domain/dates.ts';
import { fetchChunk } from '../../../service/chunks.ts';
import type { Watch } from '../watch.ts';
import type { StationDetails } from './scene.ts';

/**
 * Requests the metadata and the last 24 hours of a station, and adds the latter to its recent
 * measurements.
 * @throws every failure of a StationService
 */
export async function loadStationDetails(
  { options: { zone }, state, service, io, signal }: Watch,
  id: number,
): Promise<StationDetails> {
  const now = io.now();
  const period = { start: now - DAY_MS, stop: now };
  const [{ data }, { columns }, { drawLast24Hours }] = await Promise.all([
    service.live(id, { withMeta: true, signal }),
    fetchChunk(service, id, period, signal),
    import('./day.ts'),
  ]);
  state.addHistory(id, columns);
  return { station: data, draw: drawLast24Hours(data, columns, { period, zone }) };
}
