import { formatDate } from '../../domain/dates.ts';
import type { Provenance } from '../../domain/envelope.ts';
import { describePeriod, type Period } from '../../domain/period.ts';
import { printableMessage } from '../../domain/text.ts';
import type { VaneError } from '../../errors.ts';
import { escapeControls } from '../../formats/json.ts';
import type { ChunkArchive, ChunkRequest, Repairs } from '../../service/chunks.ts';
import type { Counters } from '../../service/service.ts';
import { ColumnChanges } from './columnChanges.ts';

/** A gap in an export: a period of a station whose request failed. */
export interface MissingRange {
  readonly station: number;
  readonly period: Period;
  readonly failure: VaneError;
}

/** Counts the chunks, rows, files and failures of an export. */
export class ExportTally {
  chunks = 0;
  rows = 0;
  /** Rows that `--append` added. */
  added = 0;
  /** Rows older than the last row of their file, which `--append` cannot add. */
  late = 0;
  readonly stations = new Set<number>();
  readonly files: string[] = [];
  readonly missing: MissingRange[] = [];
  readonly repairs = { outside: 0, disordered: 0, repeated: 0, conflicting: 0 };
  /** Stations with a gap, and its reason. */
  readonly gaps = new Map<number, VaneError>();
  readonly columns = new ColumnChanges();
  provenance: Provenance | undefined;

  /** Counts a chunk and its rows. */
  take({ request, archive, repairs }: ChunkArchive): void {
    this.#countChunk(request);
    this.rows += archive.rows.count;
    this.provenance ??= archive;
    for (const kind of Object.keys(this.repairs) as (keyof Repairs)[]) {
      this.repairs[kind] += repairs[kind];
    }
  }

  /** Counts a chunk as missing. */
  miss(request: ChunkRequest, failure: VaneError): void {
    this.#countChunk(request);
    this.#addMissing({ ...request, failure });
  }

  #countChunk({ station }: ChunkRequest): void {
    this.chunks++;
    this.stations.add(station);
  }

  /** Joins a range to the one before it if they are adjacent and failed for the same reason. */
  #addMissing(range: MissingRange): void {
    const last = this.missing.at(-1);
    const continues =
      last?.station === range.station &&
      last.period.stop === range.period.start &&
      last.failure.constructor === range.failure.constructor;
    if (!last || !continues) this.missing.push(range);
    else {
      const period = { start: last.period.start, stop: range.period.stop };
      this.missing[this.missing.length - 1] = { ...last, period };
    }
  }
}

/** A sentence about repaired rows; undefined if there are none. */
export function describeRepairs({
  outside,
  disordered,
  repeated,
  conflicting,
}: Repairs): string | undefined {
  const parts = [
    outside > 0 && `${outside} outside their period left out`,
    disordered > 0 && `${disordered} out of order put in their place`,
    repeated > 0 && `${repeated} that came twice left out`,
    conflicting > 0 && `${conflicting} kept that differ from another of the same time`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : `Of the rows that came, ${parts.join(', ')}.`;
}

/** A sentence about rows that came too late to be appended; undefined if there are none. */
export function describeLate(late: number): string | undefined {
  if (late === 0) return undefined;
  const readings = late === 1 ? '1 reading' : `${late.toLocaleString('en')} readings`;
  return (
    `${readings} came late: measured before the last one in its file, so not appended. ` +
    'An export without --append includes late readings.'
  );
}

export function describeMissing({ station, period, failure }: MissingRange): string {
  return `Missing: station ${station} ${describePeriod(period)}. ${failure.message}`;
}

/** The JSON report of an export for `--report`. */
export function writeReport(tally: ExportTally, counters: Counters, seconds: number): string {
  const report = {
    rows: tally.rows,
    late: tally.late,
    files: tally.files,
    missing: tally.missing.map(({ station, period, failure }) => ({
      station,
      start: formatDate(period.start),
      stop: formatDate(period.stop),
      reason: printableMessage(failure.message),
      exit_code: failure.exitCode,
    })),
    repairs: tally.repairs,
    columns: tally.columns.clauses.map(printableMessage),
    chunks: tally.chunks,
    requests: counters.requests,
    retries: counters.retries,
    cache_hits: counters.cacheHits,
    bytes: counters.bytes,
    seconds,
  };
  return `${escapeControls(JSON.stringify(report, null, 2))}\n`;
}
