import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { formatDate } from '../../domain/dates.ts';
import { errorCode, VaneError } from '../../errors.ts';

declare module 'fastify' {
  interface FastifyBaseLogger {
    /** Writes a line of the access log; undefined without one. */
    access?(line: object): void;
  }
}

interface AccessLogOptions {
  /** Appends whole lines to the log; never called before the previous call is settled. */
  readonly write: (text: string) => Promise<void>;
  readonly now: () => number;
  /** Called with a sentence when writing fails for the first time after a success. */
  readonly onTrouble: (sentence: string) => void;
}

/** How many characters may wait for a slow or stuck disk; further lines are dropped. */
const MAX_UNWRITTEN_LENGTH = 4 * 1024 * 1024;

/**
 * A log of one JSON object a line. Lines that come during a write are written together afterwards.
 * Where writing is slower than the requests, or fails, lines are left out, and a line
 * `{"time":…,"dropped":n}` after the next batch counts the lines left out.
 */
export function createAccessLog({ write, now, onTrouble }: AccessLogOptions) {
  let dropped = 0;
  let isFailing = false;
  const time = (): string => `"time":"${formatDate(now())}"`;

  async function writeBatch(lines: readonly string[]): Promise<void> {
    const missing = dropped;
    dropped = 0;
    try {
      await write(lines.join('') + (missing > 0 ? `{${time()},"dropped":${missing}}\n` : ''));
      isFailing = false;
    } catch (error) {
      // Do not write the lines again after a failure: a part of them may be in the file.
      dropped += missing + lines.length;
      if (!isFailing) onTrouble(describeFailure(error));
      isFailing = true;
    }
  }

  const batches = new Writable({
    decodeStrings: false,
    writev: (lines, done) => void writeBatch(lines.map(({ chunk }) => chunk)).then(() => done()),
    final: (done) => void (dropped > 0 ? writeBatch([]) : Promise.resolve()).then(() => done()),
  });
  return {
    /** Fastify's logger: writes what `log.access` gets, and nothing that Fastify logs itself. */
    logger: {
      level: 'access',
      // Above all levels that Fastify uses.
      customLevels: { access: 100 },
      base: null,
      // Without the field of the level, the field of the time is the first and needs no comma.
      formatters: { level: () => ({}) },
      timestamp: time,
      serializers: {
        address: cut,
        url: cut,
        ms: (ms: number) => Math.round(ms * 10) / 10,
        referer: cut,
        agent: cut,
      },
      stream: {
        write(line: string): void {
          if (batches.writableEnded) return;
          const text = inAscii(line);
          if (batches.writableLength + text.length > MAX_UNWRITTEN_LENGTH) dropped += 1;
          else batches.write(text);
        },
      },
    },
    /** Writes the remaining lines, and takes as long as `write` takes; never rejects. */
    async close(): Promise<void> {
      batches.end();
      await finished(batches);
    },
  };
}

/** JSON in ASCII: a terminal would obey C1 control characters and marks of text direction. */
function inAscii(json: string): string {
  return json.replace(
    /[\x7f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Most characters that are logged of a text that a client sends, such as a User-Agent. */
const MAX_TEXT_LENGTH = 2000;

function cut(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH - 1)}…`;
}

function describeFailure(error: unknown): string {
  const failure =
    error instanceof VaneError
      ? error.message
      : `The access log could not be written (${errorCode(error) ?? String(error)}).`;
  return `${failure} vane keeps trying, and will log how many lines are missing.`;
}
