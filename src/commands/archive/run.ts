import { resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import { ARCHIVE_FORMATS } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import { lockFiles } from '../../output/lockFiles.ts';
import { checkOutputTarget } from '../../output/write.ts';
import { openSession, type Session } from '../../session/session.ts';
import {
  needsStationList,
  readNamedStations,
  requestStationNames,
  resolveStations,
} from '../../session/stations.ts';
import { showEstimate, showRequests } from './dryRun.ts';
import { runExport } from './export.ts';
import type { ArchiveOptions } from './options.ts';
import { continuePlan, type PlannedFile, planExport } from './plan.ts';

/** For more stations than this, `--dry-run` prints an estimate instead of a list. */
const MAX_LISTED = 10;

/** Finds the stations, plans the export, and runs it; `--dry-run` only shows the plan. */
export async function runArchive(options: ArchiveOptions, io: Io): Promise<void> {
  const { output, template, report, append, now } = options;
  if (template === undefined) await checkOutputTarget(output.target, io);
  if (report !== undefined) await checkOutputTarget(report, io);
  const named = await readNamedStations(options, io);
  await using session = await openSession(options.connection, io, options.notes);
  const begun = io.now();
  const stations = await findStations(named, options, session);
  const plan = planExport(stations, options);
  const listMs = session.counters.requests > 0 ? io.now() - begun : undefined;
  refuseSharedReport(options, plan);
  if (options.isDryRun) {
    const rest = append ? await continuePlan(plan, append, now) : plan;
    const isMany = needsStationList(named, options.selection) || stations.size > MAX_LISTED;
    const show = isMany ? showEstimate : showRequests;
    return await show(options, rest, listMs, session, io);
  }
  if (!append) return await runExport(options, plan, session, io);
  const paths = plan.map(({ target }) => target.path as string);
  const onWait = (path: string): void =>
    session.reporter.note(
      `Another vane process is appending to ${path}; waiting for it to finish.`,
    );
  await using locks = await lockFiles(paths, { io, onWait });
  await runExport(options, await continuePlan(plan, append, now), session, io, locks);
}

async function findStations(
  named: readonly number[] | 'all',
  options: ArchiveOptions,
  session: Session,
): Promise<ReadonlyMap<number, string | undefined>> {
  const { template, output, report, isDryRun } = options;
  const isSeries = ARCHIVE_FORMATS[output.format].isSeries && !isDryRun;
  const isNameNeeded = isSeries || (template?.uses.has('name') ?? false);
  const stations = await resolveStations(named, options, isNameNeeded, session);
  if (needsStationList(named, options.selection) || isNameNeeded) return stations;
  return report && !isDryRun ? requestStationNames(stations, 'The report', session) : stations;
}

function refuseSharedReport({ report }: ArchiveOptions, plan: readonly PlannedFile[]): void {
  if (report?.path === undefined) return;
  const file = resolve(report.path);
  if (plan.some(({ target }) => target.path !== undefined && resolve(target.path) === file)) {
    throw new UsageError(
      `--report and --output are both ${report.path}; name two different files.`,
    );
  }
}
