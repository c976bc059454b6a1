import { selectStations } from '../domain/selection.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { checkTarget } from '../output/write.ts';
import type { ArchiveRequest } from './archiveRequest.ts';
import { type Session, withService } from './connection.ts';
import { runExport } from './export.ts';
import { continuePlan, type ExportStation, planExport } from './exportPlan.ts';
import { isEverything, readStations, refuseUnknown } from './selection.ts';
import { showPlan } from './showPlan.ts';

/** Resolves the stations, plans the export, and carries it out or shows it. */
export async function runArchive(request: ArchiveRequest, io: Io): Promise<void> {
  const { connection, output, template, isDryRun } = request;
  if (template === undefined) await checkTarget(output.target);
  if (request.report !== undefined) await checkTarget({ path: request.report, isGzip: false });
  const named = request.stations === 'stdin' ? await readStdin(io) : request.stations;
  await withService(connection, io, async (session) => {
    const stations = await resolveStations(named, request, session);
    const whole = planExport({ ...request, stations, target: output.target });
    const { append, now } = request;
    const plan = append ? await continuePlan(whole, append, now) : whole;
    await (isDryRun ? showPlan : runExport)(request, plan, session, io);
  });
}

async function readStdin(io: Io): Promise<readonly number[]> {
  let text = '';
  for await (const piece of io.stdin) text += piece;
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) throw new UsageError('No station came on stdin.');
  const stations = readStations(words);
  if (stations === 'all') throw new UsageError('Stations on stdin are ids, not all.');
  return stations;
}

/** Who is to be exported. The list of stations is asked for only where it is needed. */
async function resolveStations(
  named: readonly number[] | 'all',
  { selection, template, isDryRun, now }: ArchiveRequest,
  { service, signal, baseUrl, reporter }: Session,
): Promise<readonly ExportStation[]> {
  const isNameNeeded = template?.uses.has('name') ?? false;
  if (named !== 'all' && isEverything(selection) && !isNameNeeded) {
    return named.map((id) => ({ id, name: undefined }));
  }
  if (isDryRun) throw new UsageError('--dry-run sends nothing, so it takes ids and no selection.');
  const { data } = await service.liveAll({ withMeta: false, signal });
  const candidates = named === 'all' ? data : data.filter(({ id }) => named.includes(id));
  if (named !== 'all') {
    const known = new Set(candidates.map(({ id }) => id));
    refuseUnknown(
      named.filter((id) => !known.has(id)),
      baseUrl,
    );
  }
  const selected = selectStations(candidates, selection, now);
  if (selected.length === 0) reporter.note('No station matches.');
  return selected.map(({ station: { id, meta } }) => ({ id, name: meta.name }));
}
