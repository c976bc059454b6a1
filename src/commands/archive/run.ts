import { resolve } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { selectStations } from '../../domain/selection.ts';
import { UsageError } from '../../errors.ts';
import { abortable, type Io } from '../../io.ts';
import { checkTarget } from '../../output/write.ts';
import type { Favourites } from '../shared/config/favourites.ts';
import { isEverything, readStations, refuseUnknown } from '../shared/selection.ts';
import { type Session, withService } from '../shared/session.ts';
import type { AppendLayout } from './append/layout.ts';
import { lockFiles } from './append/lock.ts';
import { showPlan } from './dryRun.ts';
import { runExport } from './export.ts';
import { continuePlan, type Destination, type ExportStation, planExport } from './plan.ts';
import type { ArchiveRequest } from './request.ts';

/** Resolves the stations, plans the export, and runs it or shows the plan. */
export async function runArchive(request: ArchiveRequest, io: Io): Promise<void> {
  const { connection, output, template, isDryRun } = request;
  if (template === undefined) await checkTarget(output.target, io);
  if (request.report !== undefined) await checkTarget({ path: request.report, isGzip: false }, io);
  const named =
    request.stations === 'stdin' ? await readStdin(request.favourites, io) : request.stations;
  await withService(connection, io, async (session) => {
    const stations = await resolveStations(named, request, session);
    const plan = planExport({ ...request, stations, target: output.target });
    refuseSharedReport(request, plan);
    const { append, now } = request;
    if (isDryRun) {
      const rest = append ? await continuePlan(plan, append, now) : plan;
      await showPlan(request, rest, session, io);
    } else if (append) await continueFiles(request, append, plan, session, io);
    else await runExport(request, plan, session, io);
  });
}

/** Continues each file after its last row, under a lock against other processes. */
async function continueFiles(
  request: ArchiveRequest,
  layout: AppendLayout,
  plan: readonly Destination[],
  session: Session,
  io: Io,
): Promise<void> {
  const paths = plan.map(({ target }) => target.path as string);
  const onWait = (path: string): void =>
    session.reporter.note(`Waiting for another vane process that appends to ${path}.`);
  const lock = await lockFiles(paths, { io, onWait });
  try {
    const rest = await continuePlan(plan, layout, request.now, lock);
    await runExport(request, rest, session, io);
  } finally {
    await lock.release();
  }
}

async function readStdin(favourites: Favourites, io: Io): Promise<readonly number[]> {
  const text = await abortable(readText(io.stdin), io.signal);
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) throw new UsageError('stdin names no station.');
  const stations = readStations(words, favourites);
  if (stations === 'all') {
    throw new UsageError('stdin takes stations by id or favourite; “all” is for the command line.');
  }
  return stations;
}

function refuseSharedReport({ report }: ArchiveRequest, plan: readonly Destination[]): void {
  if (report === undefined) return;
  const file = resolve(report);
  if (plan.some(({ target }) => target.path !== undefined && resolve(target.path) === file)) {
    throw new UsageError(`--report and --output are both ${report}; name another file for one.`);
  }
}

/** The stations to export. Requests the list of stations only for a selection or for names. */
async function resolveStations(
  named: readonly number[] | 'all',
  { selection, template, isDryRun, keepGoing, now }: ArchiveRequest,
  { service, signal, baseUrl, reporter }: Session,
): Promise<readonly ExportStation[]> {
  const isNameNeeded = template?.uses.has('name') ?? false;
  if (named !== 'all' && isEverything(selection) && !isNameNeeded) {
    return named.map((id) => ({ id, name: undefined }));
  }
  if (isDryRun) {
    throw new UsageError(
      '--dry-run sends no request for the list of stations: name stations by id, without a selection and {name}.',
    );
  }
  const { data } = await service.liveAll({ withMeta: false, signal });
  const candidates = named === 'all' ? data : data.filter(({ id }) => named.includes(id));
  // With --keep-going an unknown station is a missing range, and the others are exported.
  if (named !== 'all' && !keepGoing) refuseUnknown(named, candidates, baseUrl);
  const selected = selectStations(candidates, selection, now);
  const found = selected.map(({ station: { id, meta } }) => ({ id, name: meta.name }));
  const unknown =
    named === 'all' ? [] : named.filter((id) => !candidates.some((known) => known.id === id));
  if (found.length + unknown.length === 0) reporter.note('No station matches.');
  return [...found, ...unknown.map((id) => ({ id, name: undefined }))];
}
