import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import { readingsOf } from '../../domain/columnReader.ts';
import type { Columns } from '../../domain/columns.ts';
import type { Archive } from '../../domain/envelope.ts';
import type { Period } from '../../domain/period.ts';
import { type CacheCall, isFinal, keyOf, type Validity } from '../cache/cached.ts';
import { cutByChunk } from '../cache/chunkGrid.ts';
import type { Source } from '../cache/source.ts';

/** Chunks of one picture that are requested at once. */
const CHUNK_CONCURRENCY = 4;
/** Bytes of final readings in memory: 500,000 readings, one every 4 minutes for almost 4 years. */
const MAX_FINAL_BYTES = 32e6;
const ROW_BYTES = 64;

/** The readings of a chunk. */
export interface HistoryPart extends Validity, Pick<Archive, 'license' | 'attribution'> {
  readonly columns: Columns;
}

/** Gets the readings of a period, chunk by chunk; keeps the columns, and drops the rows' text. */
export function createHistory(source: Source) {
  const final = new LRUCache<string, HistoryPart>({
    maxSize: MAX_FINAL_BYTES,
    sizeCalculation: ({ columns }) => ROW_BYTES * (columns.count + 10),
  });

  async function fetchPart(station: number, period: Period, call: CacheCall): Promise<HistoryPart> {
    const key = keyOf(station, period);
    const known = final.get(key);
    if (known) return known;
    const { data, ...validity } = await source.archive(station, period, call);
    const columns = readingsOf(data.rows);
    const { license, attribution } = data;
    const part = { ...validity, columns, license, attribution };
    if (isFinal(part)) final.set(key, part);
    return part;
  }

  /** Gets the readings of a station in a period. @param now milliseconds since 1970 */
  return (station: number, period: Period, now: number, call: CacheCall) => {
    const parts = Array.from(cutByChunk(period, now), ({ wanted }) => wanted);
    const concurrency = CHUNK_CONCURRENCY;
    return pMap(parts, (part) => fetchPart(station, part, call), { concurrency });
  };
}
