import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { ArchiveRow } from '../../src/wire/archive.ts';
import { type FaultyServer, startFaultyServer } from './faulty-server.ts';
import { networkWith } from './fixture-service.ts';
import { vane } from './run.ts';

/** Chunks begin at the start, and 31 days later: at the midnight of 2023-12-21. */
const START_MS = Date.UTC(2023, 10, 20);
const DAYS = 50;
export const PERIOD = ['--start', '2023-11-20', '--stop', '2024-01-09'];
const STEP_MS = 300_000;

type Row = [string, number, number, number | null, number | null, number | null, number, null];

/** Readings every five minutes without a fault, each changed by `change`. */
function readings(change: (row: Row, at: string) => readonly Row[] = (row) => [row]): ArchiveRow[] {
  return Array.from({ length: (DAYS * 86_400_000) / STEP_MS }, (_, i): Row => {
    const time = new Date(START_MS + i * STEP_MS).toISOString();
    const average = 14 + (i % 7);
    return [time, 44.5, -1.2, average - 4, average, average + 8, (i * 7) % 360, null];
  }).flatMap((row) => change(row, row[0].slice(0, 16)));
}

const within = (from: string, to: string) => (at: string) => at >= from && at <= to;
const stuckOverCut = within('2023-12-20T22:00', '2023-12-21T01:30');
const calmOverCut = within('2023-12-19T00:00', '2023-12-22T00:00');

/** The readings of six stations: 110 has no fault, each other station has faults of its own. */
export const ROWS: Readonly<Record<number, readonly ArchiveRow[]>> = {
  // Silent for two days, in which the calendar year ends.
  7: readings((row, at) => (at >= '2024-01-07T00:00' ? [] : [row])),
  19: readings((row, at) => {
    if (at === '2023-11-25T12:00') return [row, row.with(4, 20) as Row];
    if (at >= '2023-12-01T00:00') row[1] = 44.51;
    return within('2023-12-24T00:05', '2023-12-24T02:00')(at) ? [] : [row];
  }),
  41: readings((row, at) => {
    if (calmOverCut(at)) [row[3], row[4], row[5]] = [0, 0, 0];
    return [row];
  }),
  110: readings(),
  603: readings((row, at) => {
    if (stuckOverCut(at)) [row[4], row[5]] = [17, 25 + (at.charCodeAt(15) % 5)];
    if (at === '2023-12-21T00:00') row[3] = 18;
    if (at === '2023-12-30T00:00') [row[4], row[5]] = [70, 90];
    return [row];
  }),
  1333: readings((row, at) => (at < '2023-11-24T00:00' ? [row.with(6, 400) as Row] : [row])),
};

/**
 * Serves the stations with faults to the tests of a file, and opens a folder for them.
 * @returns functions that run vane on these stations, and that join the path of a file in the folder
 */
export function serveFaultyReadings() {
  let server: FaultyServer;
  let folder: string;
  beforeAll(async () => {
    server = await startFaultyServer([], networkWith(ROWS));
    folder = await mkdtemp(join(tmpdir(), 'vane-faulty-readings-'));
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const run = (line: string, options = {}) =>
    vane([...line.split(' '), '--base-url', server.baseUrl], options);

  /** Runs a command with `-f ndjson`, and reads what it prints. */
  async function rowsOf(line: string, ...more: string[]) {
    const { code, out, err } = await vane([
      ...[...line.split(' '), ...more, '-f', 'ndjson', '-q'],
      ...(line.includes('--from') ? [] : ['--base-url', server.baseUrl]),
    ]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.trimEnd().split('\n');
    return lines.map((text) => JSON.parse(text));
  }

  return { run, rowsOf, pathOf: (name: string) => join(folder, name) };
}
