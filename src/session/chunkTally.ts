import type { Archive, Provenance } from '../domain/envelope.ts';
import type { ChunkResult } from '../service/chunks.ts';
import { addMissing, type MissingRange } from './missingPeriods.ts';

/** Counts answers with archives and their rows; keeps missing periods and the data's source. */
export class ChunkTally {
  chunks = 0;
  rows = 0;
  readonly missing: MissingRange[] = [];
  provenance: Provenance | undefined;

  /** Counts the result of a request. @returns the answer; undefined if the request failed */
  take(result: ChunkResult): Archive | undefined {
    this.chunks++;
    if ('failure' in result) {
      addMissing(this.missing, result.request, result.failure);
      return undefined;
    }
    const { archive } = result;
    this.rows += archive.rows.count;
    this.provenance ??= archive;
    return archive;
  }
}
