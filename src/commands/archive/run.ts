import { resolve } from 'node:path';
import { InterruptedError, UsageError, VaneError } from '../../errors.ts';
import { ARCHIVE_FORMATS } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import { lockFiles } from '../../output/lockFiles.ts';
import { checkTarget } from '../../output/write.ts';
import { openSession, type Session } from '../../session/session.ts';
import { askFor, needsList, readNamed, resolveStations } from '../../session/stations.ts';
import { showEstimate, showRequests } from './dryRun.ts';
import { runExport } from './export.ts';
import { continuePlan, type Destination, planExport } from './plan.ts';
import type { ArchiveRequest } from './request.ts';

/** Finds the stations, plans the export, and runs it; `--dry-run` only shows the plan. */
export async function runArchive(request: ArchiveRequest, io: Io): Promise<void> {
  const { output, template, report, append, now } = request;
  if (template === undefined) await checkTarget(output.target, io);
  if (report !== undefined) await checkTarget(report, io);
  const named = await readNamed(request, io);
  await using session = await openSession(request.connection, io, request.notes);
  const begun = io.now();
  const plan = planExport(await findStations(named, request, session), request);
  const listMs = session.counters.requests > 0 ? io.now() - begun : undefined;
  refuseSharedReport(request, plan);
  if (request.isDryRun) {
    const rest = append ? await continuePlan(plan, append, now) : plan;
    const show = needsList(named, request.selection) ? showEstimate : showRequests;
    return await show(request, rest, listMs, session, io);
  }
  if (!append) return await runExport(request, plan, session, io);
  const paths = plan.map(({ target }) => target.path as string);
  const onWait = (path: string): void =>
    session.reporter.note(`Waiting for another vane process that appends to ${path}.`);
  await using locks = await lockFiles(paths, { io, onWait });
  await runExport(request, await continuePlan(plan, append, now), session, io, locks);
}

async function findStations(
  named: readonly number[] | 'all',
  request: ArchiveRequest,
  session: Session,
): Promise<ReadonlyMap<number, string | undefined>> {
  const { template, output, report, isDryRun } = request;
  const isSeries = ARCHIVE_FORMATS[output.format].isSeries && !isDryRun;
  const isNameNeeded = isSeries || (template?.uses.has('name') ?? false);
  const stations = await resolveStations(named, request, isNameNeeded, session);
  if (needsList(named, request.selection) || isNameNeeded) return stations;
  return report && !isDryRun ? namesForReport([...stations.keys()], session) : stations;
}

/** Names of stations for the report. If the request for names fails, the export goes on. */
async function namesForReport(
  ids: readonly number[],
  session: Session,
): Promise<ReadonlyMap<number, string | undefined>> {
  const names = new Map<number, string | undefined>(ids.map((id) => [id, undefined]));
  try {
    const { data } = await askFor(ids, false, session);
    for (const { id, meta } of data) if (names.has(id)) names.set(id, meta.name);
  } catch (error) {
    if (!(error instanceof VaneError) || error instanceof InterruptedError) throw error;
    session.reporter.note(`The report lacks the names of the stations. ${error.message}`);
  }
  return names;
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
