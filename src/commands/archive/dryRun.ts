import { formatDate } from '../../domain/dates.ts';
import { drawTable } from '../../formats/columns.ts';
import type { Io } from '../../io.ts';
import { archivePath } from '../../wire/requests.ts';
import type { Session } from '../shared/session.ts';
import type { Destination } from './plan.ts';
import type { ArchiveRequest } from './request.ts';

/** Prints the requests and files of an export, and sends nothing. */
export async function showPlan(
  { template }: ArchiveRequest,
  plan: readonly Destination[],
  { keeps, baseUrl, reporter }: Session,
  io: Io,
): Promise<void> {
  const rows: string[][] = [];
  let cached = 0;
  for (const { target, requests } of plan) {
    for (const { station, period } of requests) {
      const isCached = await keeps(station, period);
      if (isCached) cached++;
      rows.push([
        String(station),
        formatDate(period.start),
        formatDate(period.stop),
        isCached ? 'yes' : 'no',
        ...(template ? [target.path ?? ''] : []),
        baseUrl + archivePath(station, period, 'json'),
      ]);
    }
  }
  const head = ['station', 'from', 'to', 'cached', ...(template ? ['file'] : []), 'address'];
  io.stdout.write(`${drawTable([head, ...rows]).join('\n')}\n`);
  reporter.note(
    `${rows.length} chunks, ${cached} of them cached; requests to send: ${rows.length - cached}.`,
  );
}
