import { formatDate } from '../../domain/dates.ts';
import { renderTable, type TableColumn } from '../../formats/table/render.ts';
import type { Io } from '../../io.ts';
import type { ChunkRequest } from '../../service/chunks.ts';
import { archivePath } from '../../wire/requests.ts';
import type { Session } from '../shared/session.ts';
import type { Destination } from './plan.ts';
import type { ArchiveRequest } from './request.ts';

interface PlannedChunk extends ChunkRequest {
  readonly isKept: boolean;
  readonly address: string;
  readonly file: string | undefined;
}

/** Prints what an export would ask for and where it would go; sends nothing. */
export async function showPlan(
  { template }: ArchiveRequest,
  plan: readonly Destination[],
  { keeps, baseUrl, reporter }: Session,
  io: Io,
): Promise<void> {
  const chunks: PlannedChunk[] = [];
  for (const { target, requests } of plan) {
    for (const { station, period } of requests) {
      const isKept = await keeps(station, period);
      const address = baseUrl + archivePath(station, period, 'json');
      chunks.push({ station, period, isKept, address, file: target.path });
    }
  }
  const column = (
    head: string,
    text: (chunk: PlannedChunk) => string,
  ): TableColumn<PlannedChunk> => ({
    head,
    rank: 0,
    cell: (chunk) => ({ text: text(chunk) }),
  });
  const columns = [
    column('station', ({ station }) => String(station)),
    column('from', ({ period }) => formatDate(period.start)),
    column('to', ({ period }) => formatDate(period.stop)),
    column('cached', ({ isKept }) => (isKept ? 'yes' : 'no')),
    ...(template ? [column('file', ({ file }) => file ?? '')] : []),
    column('address', ({ address }) => address),
  ];
  const look = { colour: false, columns: undefined };
  io.stdout.write(renderTable(columns, chunks, look, (head) => head));
  const kept = chunks.filter(({ isKept }) => isKept).length;
  reporter.note(
    `${chunks.length} windows, ${kept} of them cached: ${chunks.length - kept} requests would be sent, none was.`,
  );
}
