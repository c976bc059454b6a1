import { resolve } from 'node:path';
import { formatDate } from '../../domain/dates.ts';
import { countOf } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';
import { drawTable } from '../../formats/columns.ts';
import { ARCHIVE_FORMATS } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import { checkTarget } from '../../output/write.ts';
import { archivePath } from '../../wire/requests.ts';
import { needsList, readNamed, resolveStations } from '../shared/history.ts';
import { type Session, withService } from '../shared/session.ts';
import { lockFiles } from './append/lock.ts';
import { runExport } from './export.ts';
import { continuePlan, type Destination, planExport, requestsOf } from './plan.ts';
import type { ArchiveRequest } from './request.ts';

/** Resolves the stations, plans the export, and runs it or shows the plan. */
export async function runArchive(request: ArchiveRequest, io: Io): Promise<void> {
  const { connection, output, template, report, append, now } = request;
  if (template === undefined) await checkTarget(output.target, io);
  if (report !== undefined) await checkTarget(report, io);
  const named = await readNamed(request, io);
  await withService(connection, io, async (session) => {
    for (const note of request.notes) session.reporter.note(note);
    const plan = planExport(await findStations(named, request, session), request);
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

async function findStations(
  named: readonly number[] | 'all',
  request: ArchiveRequest,
  session: Session,
): Promise<ReadonlyMap<number, string | undefined>> {
  const { template, output, isDryRun } = request;
  const isSeries = ARCHIVE_FORMATS[output.format].isSeries && !isDryRun;
  const isNameNeeded = isSeries || (template?.uses.has('name') ?? false);
  if (isDryRun && (needsList(named, request) || isNameNeeded)) {
    throw new UsageError(
      '--dry-run sends no request for the list of stations: name stations by id, without a selection and {name}.',
    );
  }
  return resolveStations(named, request, isNameNeeded, session);
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
