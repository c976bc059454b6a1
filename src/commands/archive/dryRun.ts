import pMap from 'p-map';
import { DAY_MS, formatDate } from '../../domain/dates.ts';
import { cutPeriodAtNow } from '../../domain/period.ts';
import { formatSize } from '../../domain/sizes.ts';
import { formatCount } from '../../domain/text.ts';
import { drawTable } from '../../formats/textTable.ts';
import type { Io } from '../../io.ts';
import { writeToStream } from '../../output/write.ts';
import { requestsOfPlan } from '../../readings/service.ts';
import type { ChunkRequest } from '../../service/chunks.ts';
import type { Session } from '../../session/session.ts';
import { archivePath } from '../../wire/requests.ts';
import type { ArchiveOptions } from './options.ts';
import { type PlannedFile, planStationRequests } from './plan.ts';

/**
 * Prints the requests that an export would send, and the files that it would write.
 * @param listMs duration of the request for the station list; undefined if none was sent
 */
export async function showRequests(
  { template }: ArchiveOptions,
  plan: readonly PlannedFile[],
  listMs: number | undefined,
  { keeps, baseUrl, reporter }: Session,
  io: Io,
): Promise<void> {
  const head = ['station', 'from', 'to', 'cached', ...(template ? ['file'] : []), 'address'];
  const rows: string[][] = [];
  let cached = 0;
  for (const destination of plan) {
    for (const { station, period } of requestsOfPlan(planStationRequests([destination]))) {
      const isCached = await keeps(station, period);
      if (isCached) cached++;
      rows.push([
        String(station),
        formatDate(period.start),
        formatDate(period.stop),
        isCached ? 'yes' : 'no',
        ...(template ? [destination.target.path ?? ''] : []),
        baseUrl + archivePath(station, period, 'json'),
      ]);
    }
  }
  await writeToStream(io.stdout, `${drawTable([head, ...rows]).join('\n')}\n`);
  noteList(listMs, reporter);
  reporter.note(
    `${formatCount(rows.length, 'chunk')}, ${cached} of them cached; requests to send: ${rows.length - cached}.`,
  );
}

function noteList(listMs: number | undefined, reporter: Session['reporter']): void {
  if (listMs === undefined) return;
  const took = `${(listMs / 1000).toFixed(1)} s`;
  reporter.note(`One request was sent, for the list of stations; it took ${took}.`);
}

/** Maximum number of rows of a station per day, at one reading every 4 minutes. */
const ROWS_A_DAY = 360;
/** Bytes of a row, including its comma, in the JSON of the public service. */
const BYTES_A_ROW = 70;
/** The assumed duration of a request, for an estimate without any measured request. */
const ASSUMED_REQUEST_MS = 1000;
const LOOK_UPS_AT_ONCE = 32;

/**
 * Estimates requests, bytes and seconds of an export of many stations. A request is assumed to take
 * as long as the one for the station list, whose response is about as large as a chunk.
 * @param listMs duration of the request for the list; undefined if the list was cached
 */
export async function showEstimate(
  { template, period, now, concurrency }: ArchiveOptions,
  plan: readonly PlannedFile[],
  listMs: number | undefined,
  { keeps, reporter, signal }: Session,
  io: Io,
): Promise<void> {
  let chunks = 0;
  let cached = 0;
  let days = 0;
  const count = async ({ station, period: chunk }: ChunkRequest): Promise<void> => {
    signal.throwIfAborted();
    chunks++;
    const { start, stop } = cutPeriodAtNow(now, chunk);
    if (await keeps(station, chunk)) cached++;
    else days += (stop - start) / DAY_MS;
  };
  await pMap(requestsOfPlan(planStationRequests(plan)), count, { concurrency: LOOK_UPS_AT_ONCE });
  const requests = chunks - cached;
  const bytes = Math.round(days * ROWS_A_DAY) * BYTES_A_ROW;
  const rows = [
    ['stations', formatInteger(new Set(plan.flatMap(({ stations }) => stations)).size)],
    ['from', formatDate(period.start)],
    ['to', formatDate(period.stop)],
    ...(template ? [['files', `up to ${formatInteger(plan.length)}`]] : []),
    ['chunks', formatInteger(chunks)],
    ['cached', formatInteger(cached)],
    ['requests', formatInteger(requests)],
    ['bytes', `up to ${formatSize(bytes)}`],
    ['time', `about ${describeTime((requests / concurrency) * (listMs ?? ASSUMED_REQUEST_MS))}`],
  ];
  await writeToStream(io.stdout, `${drawTable(rows).join('\n')}\n`);
  noteList(listMs, reporter);
  const length =
    listMs === undefined ? 'of 1 s each' : 'each as long as the one for the list of stations';
  reporter.note(
    `Size, before compression: ${ROWS_A_DAY} rows per station and day, ${BYTES_A_ROW} bytes per row. ` +
      `Time: ${formatCount(concurrency, 'request')} at once, ${length}.`,
  );
}

const formatInteger = (count: number): string => count.toLocaleString('en');

function describeTime(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
