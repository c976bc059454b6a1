import { open } from 'node:fs/promises';
import { indexOfDifference, quoteExcerpt } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';
import type { Io } from '../../io.ts';
import { statIfThere } from '../../output/file.ts';
import { openRotatingFile } from '../../output/rotatingFile.ts';
import { checkOutputTarget, makeParentFolders, writeToStream } from '../../output/write.ts';
import type { RecordStream, WatchOptions } from './options.ts';
import type { RecordStyles, SinkTools, WatchSink } from './sink.ts';

export function recordStylesOf({
  forPrograms,
  unit,
  writeDate,
  rules,
}: WatchOptions): RecordStyles {
  const withEvents = rules.all.length > 0;
  return {
    forPrograms: { ...forPrograms, withEvents },
    forPeople: { unit, writeDate, withEvents },
  };
}

/**
 * Checks, before the first request, that records can be appended to the file of `--output`.
 * @throws UsageError if the file cannot be written, or if its header names other columns or units
 */
export async function checkRecordFile(options: WatchOptions, io: Io): Promise<void> {
  const { stream } = options;
  if (stream?.path === undefined) return;
  const { path, format } = stream;
  await checkOutputTarget({ path, isGzip: false }, io);
  await makeParentFolders(path, io);
  const head = format.head(recordStylesOf(options).forPrograms);
  const inFile = head === '' ? '' : await readFirstLine(path);
  if (inFile === '') return;
  const separator = head.includes('\t') ? '\t' : ',';
  const fieldsOf = (text: string): string[] => text.replace('\n', '').split(separator);
  const [names, written] = [fieldsOf(inFile), fieldsOf(head)];
  const odd = indexOfDifference(names, written);
  if (odd === -1) return;
  throw new UsageError(
    `${path} has ${excerpt(names[odd])} but this watch would write ${excerpt(written[odd])}; ` +
      'use the options that the file was started with, or name another file.',
  );
}

function excerpt(text: string | undefined): string {
  return text === undefined ? 'no column' : quoteExcerpt(text, 80);
}

/** Maximum number of bytes to read of the line with the column names. */
const MAX_HEAD_BYTES = 8192;

/** Reads the first line of a file; an empty text if there is no such file or it cannot be read. */
async function readFirstLine(path: string): Promise<string> {
  if (!(await statIfThere(path))?.isFile()) return '';
  try {
    await using file = await open(path, 'r');
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_HEAD_BYTES));
    return buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0] as string;
  } catch {
    return '';
  }
}

/** Writes each record at once, to stdout or to a file that logrotate may rename. */
export function recordSink(
  { format, path, isOfEvents, isForPeople }: RecordStream,
  { forPrograms, forPeople }: RecordStyles,
  { io, reporter }: SinkTools,
): WatchSink {
  const style = isForPeople ? forPeople : forPrograms;
  const head = () => format.head(style);
  const file = path === undefined ? undefined : openRotatingFile(path, io);
  const stopListening = io.onHangUp(() => {
    file?.reopen().catch((error: Error) => reporter.note(error.message));
  });
  let isBegun = false;
  return {
    async write(records) {
      const wanted = records.filter(({ event }) => event !== undefined || !isOfEvents);
      const text = wanted.map((record) => format.record(record, style)).join('');
      if (text === '') return;
      if (file) return file.write(text, head);
      await writeToStream(io.stdout, (isBegun ? '' : head()) + text);
      isBegun = true;
    },
    close() {
      stopListening();
      return file?.close();
    },
  };
}
