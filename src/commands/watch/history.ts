import type { LiveStations } from '../../domain/envelope.ts';
import type { SelectedStation } from '../../domain/selection.ts';
import { TREND_SPAN_MS } from '../../domain/watching/recentMeasurements.ts';
import { VaneError } from '../../errors.ts';
import { fetchChunk } from '../../service/chunks.ts';
import { mapOrdered } from '../../service/ordered.ts';
import type { Watch } from './watch.ts';

/** A watch of more stations than this does not request their last hour from the archive. */
const MAX_HISTORY_STATIONS = 10;

/**
 * Requests the last hour of the stations selected from the first response, and adds it to their
 * recent measurements. If a request fails, that station has no trend, and a note says so.
 */
export async function fetchHistory(
  { options, state, service, reporter, io, signal }: Watch,
  response: LiveStations,
): Promise<void> {
  const now = io.now();
  const selected = state.selectForHistory(response, now);
  if (!options.wantsHistory || selected.length > MAX_HISTORY_STATIONS) return;
  const period = { start: now - TREND_SPAN_MS, stop: now };
  const fetchHour = async ({ station: { id } }: SelectedStation, stationSignal: AbortSignal) => {
    try {
      const { columns } = await fetchChunk(service, id, period, stationSignal);
      return { id, columns };
    } catch (error) {
      if (!(error instanceof VaneError) || signal.aborted) throw error;
      reporter.note(`Station ${id} has no trend from the last hour: ${error.message}`);
      return { id };
    }
  };
  try {
    for await (const { id, columns } of mapOrdered(selected, fetchHour, {
      concurrency: 4,
      signal,
    })) {
      if (columns) state.addHistory(id, columns);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
