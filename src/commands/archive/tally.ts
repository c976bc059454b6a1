import { formatDate } from '../../domain/dates.ts';
import type { Provenance } from '../../domain/envelope.ts';
import { describePeriod, type Period } from '../../domain/period.ts';
import { printableMessage } from '../../domain/text.ts';
import type { VaneError } from '../../errors.ts';
import { escapeControls } from '../../formats/controls.ts';
import type { ChunkArchive, ChunkRequest, Repairs } from '../../service/chunks.ts';
import type { Counters } from '../../service/counters.ts';
import { ColumnChanges } from './columnChanges.ts';

/** A stretch of a station's history that could not be had. */
export interface MissingRange {
  readonly station: number;
  readonly period: Period;
  readonly failure: VaneError;
}

/** Counts what passes through an export. */
export class ExportTally {
  chunks = 0;
  rows = 0;
  /** Rows that files which are continued did not have. */
  added = 0;
  /** Rows that these files lack before their last one. */
  late = 0;
  readonly stations = new Set<number>();
  readonly files: string[] = [];
  readonly missing: MissingRange[] = [];
  readonly repairs = { outside: 0, disordered: 0, repeated: 0, conflicting: 0 };
  /** Stations that lack something, and why. */
  readonly gaps = new Map<number, VaneError>();
  readonly columns = new ColumnChanges();
  provenance: Provenance | undefined;

  /** Counts a window's rows as written. */
  take({ request, archive, repairs }: ChunkArchive): void {
    this.#pass(request);
    this.rows += archive.rows.count;
    this.provenance ??= archive;
    for (const kind of Object.keys(this.repairs) as (keyof Repairs)[]) {
      this.repairs[kind] += repairs[kind];
    }
  }

  /** Counts a window as missing. */
  miss(request: ChunkRequest, failure: VaneError): void {
    this.#pass(request);
    this.#addMissing({ ...request, failure });
  }

  #pass({ station }: ChunkRequest): void {
    this.chunks++;
    this.stations.add(station);
  }

  /** Ranges that meet and lack for the same reason are one. */
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

/** A sentence on what was put right, or undefined where nothing had to be. */
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

/** A sentence on rows that came too late to be appended, or undefined where there are none. */
export function describeLate(late: number): string | undefined {
  if (late === 0) return undefined;
  const readings = late === 1 ? '1 reading' : `${late.toLocaleString('en')} readings`;
  return (
    `${readings} came late: the service has now what lies before the last one in its file, which was ` +
    'left as it is. An export without --append has it.'
  );
}

export function describeMissing({ station, period, failure }: MissingRange): string {
  return `Missing: station ${station} ${describePeriod(period)}. ${failure.message}`;
}

/** The machine-readable account of an export that `--report` writes. */
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
