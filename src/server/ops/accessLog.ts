import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { formatDate } from '../../domain/dates.ts';
import { errorCode, VaneError } from '../../errors.ts';

declare module 'fastify' {
  interface FastifyBaseLogger {
    /** Writes a line of the access log; undefined without a log. */
    access?(line: object): void;
  }
}

interface AccessLogOptions {
  /** Appends whole lines to the log. Only called when the previous call has settled. */
  readonly write: (text: string) => Promise<void>;
  readonly now: () => number;
  /** Called with a sentence when writing first fails after a success. */
  readonly onTrouble: (sentence: string) => void;
}

/** Maximum number of characters that wait for a slow disk. Further lines are dropped. */
const MAX_UNWRITTEN_LENGTH = 4 * 1024 * 1024;

/**
 * Creates a log with one JSON object per line. Lines that arrive during a write are collected for
 * the next one. If writing is too slow or fails, lines are dropped, and a line
 * `{"time":…,"dropped":n}` after the next write counts them.
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
      // Do not retry these lines after a failure: some of them may be in the file.
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
    /**
     * Fastify's logger. It only writes what is passed to `log.access`, and nothing that Fastify
     * logs itself.
     */
    logger: {
      level: 'access',
      // This level is above all levels that Fastify uses.
      customLevels: { access: 100 },
      base: null,
      // Without a level, the time is the first field, and needs no comma before it.
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
    /** Writes the remaining lines. Never rejects. */
    async close(): Promise<void> {
      batches.end();
      await finished(batches);
    },
  };
}

/**
 * Escapes JSON to ASCII: C1 control characters and marks of text direction would affect a terminal.
 */
function inAscii(json: string): string {
  return json.replace(
    /[\x7f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Maximum number of characters to log of a text from a client, such as a User-Agent. */
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
