import { formatDate } from '../domain/dates.ts';
import type { Archive, Provenance } from '../domain/envelope.ts';
import type { Period } from '../domain/period.ts';
import { COLUMNS } from '../domain/reading.ts';
import { UsageError } from '../errors.ts';
import type { ArchiveChunk, Header } from '../formats/format.ts';
import { ARCHIVE_FORMAT_NAMES, type ArchiveFormatName, FORMATS } from '../formats/index.ts';
import { presentArchive } from '../formats/present.ts';
import type { Io } from '../io.ts';
import type { GlobalFlags, OutputFlags } from '../options.ts';
import { checkTarget, writeOutput } from '../output/write.ts';
import { fetchArchive } from '../service/chunks.ts';
import { type Connection, readConnection, withService } from './connection.ts';
import { type Output, readOutput, readPeriod, readStation } from './flags.ts';
import { noteProvenance } from './notes.ts';

/** What `vane archive` was asked. */
export interface ArchiveRequest {
  readonly connection: Connection;
  readonly station: number;
  readonly period: Period;
  readonly header: Header;
  /** Names of the columns wanted, in order; undefined for all. */
  readonly columns: readonly string[] | undefined;
  readonly output: Output<ArchiveFormatName>;
  /** Milliseconds since 1970 when the command began. */
  readonly now: number;
}

export interface ArchiveFlags extends GlobalFlags, OutputFlags {
  readonly start: string;
  readonly stop?: string;
  readonly header?: Header;
  readonly columns?: string;
}

/** @throws UsageError */
export function readArchiveRequest(station: string, flags: ArchiveFlags, io: Io): ArchiveRequest {
  const now = io.now();
  const output = readOutput(flags, ARCHIVE_FORMAT_NAMES, io);
  if (flags.header !== undefined && output.format !== 'csv' && output.format !== 'txt') {
    throw new UsageError(`--header is for csv and txt; ${output.format} has no head to choose.`);
  }
  return {
    connection: readConnection(flags, io),
    station: readStation(station),
    period: readPeriod(flags.start, flags.stop, now),
    header: flags.header ?? 'service',
    columns: flags.columns === undefined ? undefined : readColumns(flags.columns),
    output,
    now,
  };
}

function readColumns(text: string): readonly string[] {
  const known: readonly string[] = COLUMNS.map(({ name }) => name);
  const columns = text.split(',').map((name) => name.trim());
  const odd = columns.find((name, index) => !known.includes(name) || columns.indexOf(name) < index);
  if (odd === undefined) return columns;
  throw new UsageError(
    `--columns takes names of columns, each once, out of ${known.join(',')}; “${odd}” is not one.`,
  );
}

/** Fetches the period chunk by chunk and writes each as it comes. */
export async function runArchive(request: ArchiveRequest, io: Io): Promise<void> {
  const { connection, station, period, header, output, now } = request;
  await checkTarget(output.target);
  await withService(connection, io, async ({ service, reporter, signal }) => {
    const tally: Tally = { rows: 0, provenance: undefined };
    const chunks = fetchArchive(service, station, period, { signal, now });
    const entry = FORMATS[output.format];
    const format = await entry.load();
    const presented = presentChunks(chunks, request, tally);
    await writeOutput(
      format.archive(presented, { header, withStation: false }, output),
      output.target,
      io,
    );
    reporter.note(summarize(request, tally.rows));
    const isCredited = entry.archiveCarriesProvenance && header === 'service';
    if (!isCredited && tally.provenance) noteProvenance(reporter, tally.provenance);
  });
}

/** What passed through an export, for the note at its end. */
interface Tally {
  rows: number;
  provenance: Provenance | undefined;
}

async function* presentChunks(
  chunks: AsyncIterable<Archive>,
  { station, columns, output }: ArchiveRequest,
  tally: Tally,
): AsyncGenerator<ArchiveChunk> {
  for await (const chunk of chunks) {
    tally.rows += chunk.rows.count;
    tally.provenance ??= chunk;
    yield presentArchive(station, chunk, { ...output, columns });
  }
}

function summarize({ station, period, output }: ArchiveRequest, rows: number): string {
  const span = `station ${station} from ${formatDate(period.start)} to ${formatDate(period.stop)}`;
  if (rows === 0) return `No data of ${span}.`;
  const place = output.target.path === undefined ? '' : ` in ${output.target.path}`;
  return `${rows.toLocaleString('en')} readings of ${span}${place}.`;
}
