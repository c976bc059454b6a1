import { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { formatDate } from '../../domain/dates.ts';
import { errorCode, VaneError } from '../../errors.ts';
import type { Outcome } from '../cache/answers.ts';

/** A request that is over, for the access log. */
export interface AccessLine {
  /** The client's. */
  readonly address: string;
  readonly method: string;
  /** The target as it arrived. */
  readonly url: string;
  /** As sent, 499 for a client that left. */
  readonly status: number;
  /** Length of the body sent. */
  readonly bytes: number;
  readonly ms: number;
  /** Undefined for an answer without data. */
  readonly cache?: Outcome | undefined;
  readonly referer?: string | undefined;
  readonly agent?: string | undefined;
}

export interface AccessLogOptions {
  /** Appends whole lines; never called before the last call is settled. */
  readonly write: (text: string) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Rejects when the signal aborts. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Told in a sentence that writing fails, once until it has succeeded again. */
  readonly onTrouble: (sentence: string) => void;
}

export interface AccessLog {
  /** Adds a line to be written soon; never throws, and does nothing after `close`. */
  log(line: AccessLine): void;
  /** Writes the lines that are left; as slow as `write`, and never rejects. */
  close(): Promise<void>;
}

/** Each text that a client sends is cut to so many characters; a head may be 16 kB of one. */
const MAX_TEXT_LENGTH = 2000;

/**
 * A log of one JSON object a line, written in batches. Where writing is slower than the requests,
 * or fails, lines are left out, and `{"time":…,"dropped":n}` behind the next batch counts them.
 */
export function createAccessLog(options: AccessLogOptions): AccessLog {
  const time = () => `"time":"${formatDate(options.now())}"`;
  const batches = new Batches(options, time);
  const logger = pino(
    // The time is the first field: the level before it, and the comma behind that, are left out.
    { base: null, timestamp: time, formatters: { level: () => ({}) } },
    { write: (line) => batches.add(line.replace(NOT_ASCII, escapeUnit)) },
  );
  return {
    log({ address, method, url, status, bytes, ms, cache, referer, agent }) {
      logger.info({
        ...{ address: cut(address), method, url: cut(url), status, bytes },
        ...{ ms: Math.round(ms * 10) / 10, cache, referer: cut(referer), agent: cut(agent) },
      });
    },
    close: () => batches.close(),
  };
}

function cut<T extends string | undefined>(text: T): T | string {
  if (text === undefined || text.length <= MAX_TEXT_LENGTH) return text;
  return `${text.slice(0, MAX_TEXT_LENGTH - 1)}…`;
}

/** JSON escapes no controls past ASCII (C1), which a terminal obeys. */
const NOT_ASCII = /[\x7f-\uffff]/g;

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** How long a line waits for others to be written with it. */
const GATHER_MS = 1000;
/** Lines of so many bytes are written at once. */
const BATCH_LENGTH = 64 * 1024;
/** Most that may wait for a disk that is slow or stuck. */
const MAX_UNWRITTEN_LENGTH = 4 * 1024 * 1024;

/** Lines on their way to a slow `write`: corked while they gather. */
class Batches {
  readonly #options: AccessLogOptions;
  readonly #time: () => string;
  readonly #stream: Writable;
  #dropped = 0;
  #isFailing = false;
  /** Ends the wait for more lines. */
  #gathering: AbortController | undefined;

  constructor(options: AccessLogOptions, time: () => string) {
    this.#options = options;
    this.#time = time;
    this.#stream = new Writable({
      decodeStrings: false,
      writev: (lines, done) => {
        this.#write(lines.map(({ chunk }) => chunk as string)).then(() => done());
      },
      final: (done) => {
        (this.#dropped > 0 ? this.#write([]) : Promise.resolve()).then(() => done());
      },
    });
  }

  add(line: string): void {
    if (this.#stream.writableEnded) return;
    if (this.#stream.writableLength + line.length > MAX_UNWRITTEN_LENGTH) {
      this.#dropped += 1;
      return;
    }
    if (this.#stream.writableLength === 0) void this.#gather();
    this.#stream.write(line);
    if (this.#stream.writableLength >= BATCH_LENGTH) this.#gathering?.abort();
  }

  async close(): Promise<void> {
    this.#gathering?.abort();
    await new Promise<void>((resolve) => {
      this.#stream.once('close', resolve);
      this.#stream.end();
      if (this.#stream.closed) resolve();
    });
  }

  async #gather(): Promise<void> {
    const { sleep = sleepReally } = this.#options;
    this.#gathering = new AbortController();
    this.#stream.cork();
    await sleep(GATHER_MS, this.#gathering.signal).catch(() => {});
    this.#gathering = undefined;
    this.#stream.uncork();
  }

  async #write(lines: readonly string[]): Promise<void> {
    const dropped = this.#dropped;
    this.#dropped = 0;
    try {
      const note = dropped === 0 ? '' : `{${this.#time()},"dropped":${dropped}}\n`;
      await this.#options.write(lines.join('') + note);
      this.#isFailing = false;
    } catch (error) {
      // Not tried again: a part of the lines may have been written.
      this.#dropped += dropped + lines.length;
      this.#tell(error);
    }
  }

  #tell(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    const failure =
      error instanceof VaneError
        ? error.message
        : `The access log could not be written (${errorCode(error) ?? String(error)}).`;
    this.#options.onTrouble(`${failure} It is tried on, and will say how many are missing.`);
  }
}

async function sleepReally(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal });
}
