import type { Archive, LiveStation, LiveStations } from '../../../src/domain/envelope.ts';
import { planChunks } from '../../../src/domain/period.ts';
import type { Station } from '../../../src/domain/station.ts';
import { simulatedService } from '../../../src/service/simulated/simulatedService.ts';
import { type ArchiveRow, decodeArchive, encodeArchive } from '../../../src/wire/archive.ts';
import { decodeLiveStation, decodeLiveStations } from '../../../src/wire/live.ts';
import { type Plain, plain, rowsOf } from '../../support/archives.ts';

/* The simulated network as a client sees it: through JSON and the wire's decoders. */

export const DAY_MS = 86_400_000;

/** Milliseconds since 1970 of a date. */
export function ms(iso: string): number {
  return Date.parse(iso.length > 10 ? iso : `${iso}T00:00:00Z`);
}

export async function liveResponse(id: number, now: number, withMeta = true): Promise<LiveStation> {
  const response = await simulatedService(() => now).live(id, { withMeta });
  return decodeLiveStation(JSON.stringify(response), id, withMeta);
}

export async function live(id: number, now: number): Promise<Station> {
  return (await liveResponse(id, now)).data;
}

export async function liveAll(now: number, withMeta = true): Promise<LiveStations> {
  const response = await simulatedService(() => now).liveAll({ withMeta });
  return decodeLiveStations(JSON.stringify(response), withMeta);
}

export async function archive(
  id: number,
  start: number,
  stop: number,
  now = stop,
): Promise<Plain<Archive>> {
  const response = await simulatedService(() => now).archive(id, { start, stop });
  return plain(decodeArchive(Buffer.from(encodeArchive(response)), id));
}

/** The rows of a period of any length, fetched in chunks; not through JSON, as these are many. */
export async function rows(
  id: number,
  start: number,
  stop: number,
  now = stop,
): Promise<ArchiveRow[]> {
  const all: ArchiveRow[] = [];
  const service = simulatedService(() => now);
  for (const chunk of planChunks({ start, stop })) {
    all.push(...rowsOf((await service.archive(id, chunk)).rows));
  }
  return all;
}
