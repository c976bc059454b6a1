import { resolve } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { formatDate } from '../../domain/dates.ts';
import { selectStations } from '../../domain/selection.ts';
import { countOf } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';
import { drawTable } from '../../formats/columns.ts';
import { ARCHIVE_FORMATS } from '../../formats/index.ts';
import { abortable, type Io } from '../../io.ts';
import { checkTarget } from '../../output/write.ts';
import { archivePath } from '../../wire/requests.ts';
import { isEverything, readStations } from '../shared/selection.ts';
import { refuseUnknown, type Session, withService } from '../shared/session.ts';
import { lockFiles } from './append/lock.ts';
import { runExport } from './export.ts';
import { continuePlan, type Destination, planExport, requestsOf } from './plan.ts';
import type { ArchiveRequest } from './request.ts';

/** Resolves the stations, plans the export, and runs it or shows the plan. */
export async function runArchive(request: ArchiveRequest, io: Io): Promise<void> {
  const { connection, output, template, report, append, now } = request;
  if (template === undefined) await checkTarget(output.target, io);
  if (report !== undefined) await checkTarget(report, io);
  const named = request.stations === 'stdin' ? await readStdin(request, io) : request.stations;
  await withService(connection, io, async (session) => {
    for (const note of request.notes) session.reporter.note(note);
    const plan = planExport(await resolveStations(named, request, session), request);
    refuseSharedReport(request, plan);
    if (request.isDryRun) {
      await showPlan(request, append ? await continuePlan(plan, append, now) : plan, session, io);
      return;
    }
    if (!append) return runExport(request, plan, session, io);
    const paths = plan.map(({ target }) => target.path as string);
    const onWait = (path: string): void =>
      session.reporter.note(`Waiting for another vane process that appends to ${path}.`);
    const lock = await lockFiles(paths, { io, onWait });
    try {
      await runExport(request, await continuePlan(plan, append, now), session, io, lock);
    } finally {
      await lock.release();
    }
  });
}

async function readStdin({ favourites }: ArchiveRequest, io: Io): Promise<readonly number[]> {
  const text = await abortable(readText(io.stdin), io.signal);
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) throw new UsageError('stdin names no station.');
  const stations = readStations(words, favourites);
  if (stations === 'all') {
    throw new UsageError('stdin takes stations by id or favourite; “all” is for the command line.');
  }
  return stations;
}

/**
 * The stations to export with their names. Requests the list of stations only for a selection or
 * for names, which are undefined otherwise.
 */
async function resolveStations(
  named: readonly number[] | 'all',
  { selection, template, output, isDryRun, keepGoing, now }: ArchiveRequest,
  session: Session,
): Promise<ReadonlyMap<number, string | undefined>> {
  const { service, signal, reporter } = session;
  const ids = named === 'all' ? [] : named;
  const isSeries = ARCHIVE_FORMATS[output.format].isSeries && !isDryRun;
  const isNameNeeded = isSeries || template?.uses.has('name');
  if (named !== 'all' && isEverything(selection) && !isNameNeeded) {
    return new Map(ids.map((id) => [id, undefined]));
  }
  if (isDryRun) {
    throw new UsageError(
      '--dry-run sends no request for the list of stations: name stations by id, without a selection and {name}.',
    );
  }
  const { data } = await service.liveAll({ withMeta: false, signal });
  const candidates = named === 'all' ? data : data.filter(({ id }) => ids.includes(id));
  // With --keep-going an unknown station is a missing range, and the others are exported.
  if (!keepGoing) refuseUnknown(ids, candidates, session);
  const selected = selectStations(candidates, selection, now);
  const known = new Set(candidates.map(({ id }) => id));
  const stations = new Map<number, string | undefined>([
    ...selected.map(({ station: { id, meta } }) => [id, meta.name] as const),
    ...ids.filter((id) => !known.has(id)).map((id) => [id, undefined] as const),
  ]);
  if (stations.size === 0) reporter.note('No station matches.');
  return stations;
}

function refuseSharedReport({ report }: ArchiveRequest, plan: readonly Destination[]): void {
  if (report?.path === undefined) return;
  const file = resolve(report.path);
  if (plan.some(({ target }) => target.path !== undefined && resolve(target.path) === file)) {
    throw new UsageError(
      `--report and --output are both ${report.path}; name another file for one.`,
    );
  }
}

/** Prints the requests and files of an export, and sends nothing. */
async function showPlan(
  { template }: ArchiveRequest,
  plan: readonly Destination[],
  { keeps, baseUrl, reporter }: Session,
  io: Io,
): Promise<void> {
  const head = ['station', 'from', 'to', 'cached', ...(template ? ['file'] : []), 'address'];
  const rows: string[][] = [];
  let cached = 0;
  for (const destination of plan) {
    for (const { station, period } of requestsOf([destination])) {
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
  io.stdout.write(`${drawTable([head, ...rows]).join('\n')}\n`);
  reporter.note(
    `${countOf(rows.length, 'chunk')}, ${cached} of them cached; requests to send: ${rows.length - cached}.`,
  );
}
