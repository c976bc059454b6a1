import { setTimeout } from 'node:timers/promises';
import { formatDate } from '../domain/dates.ts';
import { errorCode, VaneError } from '../errors.ts';
import type { AnswerResult } from './metrics.ts';

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
  /** Undefined where no data were asked for. */
  readonly cache?: AnswerResult | undefined;
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
  /** Takes a line down to be written soon; never throws, and does nothing after `close`. */
  log(line: AccessLine): void;
  /** Writes what is left; as slow as `write`, and never rejects. */
  close(): Promise<void>;
}

/** How long a line waits for others to be written with it. */
const GATHER_MS = 1000;
/** What is worth a write of its own, in bytes, as each character of a line is one. */
const BATCH_LENGTH = 64 * 1024;
/** What may wait for a disk that is slow or stuck. */
const MAX_UNWRITTEN_LENGTH = 4 * 1024 * 1024;
/** Of each text a client sends, in characters; its head may be 16 kB of nothing but one. */
const MAX_TEXT_LENGTH = 2000;

/**
 * A log of one JSON object a line, written in batches of a second or 64 kB. Where writing is
 * slower than the requests, or fails, lines are left out, and `{"time":…,"dropped":n}` says how
 * many, behind the lines of the next batch that gets written.
 */
export function createAccessLog(options: AccessLogOptions): AccessLog {
  const log = new BatchedLog(options);
  return { log: (line) => log.add(line), close: () => log.close() };
}

class BatchedLog {
  readonly #options: AccessLogOptions;
  #lines: string[] = [];
  #linesLength = 0;
  /** What is being written at the moment. */
  #writingLength = 0;
  #dropped = 0;
  #timeMs: number | undefined;
  #timeText = '';
  #isFailing = false;
  #closing: Promise<void> | undefined;
  #writing: Promise<void> | undefined;
  /** Ends the wait for more lines. */
  #gathering: AbortController | undefined;

  constructor(options: AccessLogOptions) {
    this.#options = options;
  }

  add(line: AccessLine): void {
    if (this.#closing !== undefined) return;
    const text = formatLine(line, this.#time());
    if (this.#writingLength + this.#linesLength + text.length > MAX_UNWRITTEN_LENGTH) {
      this.#dropped += 1;
      return;
    }
    this.#lines.push(text);
    this.#linesLength += text.length;
    this.#writing ??= this.#writeAll();
    if (this.#linesLength >= BATCH_LENGTH) this.#endGathering();
  }

  close(): Promise<void> {
    this.#closing ??= this.#writeRest();
    return this.#closing;
  }

  async #writeRest(): Promise<void> {
    this.#endGathering();
    await this.#writing;
    if (this.#dropped > 0) await this.#writeBatch();
  }

  /** Formatted once a millisecond, in which a busy server has many lines. */
  #time(): string {
    const nowMs = this.#options.now();
    if (nowMs !== this.#timeMs) {
      this.#timeMs = nowMs;
      this.#timeText = formatDate(nowMs);
    }
    return this.#timeText;
  }

  async #writeAll(): Promise<void> {
    while (this.#lines.length > 0) {
      await this.#gather();
      await this.#writeBatch();
    }
    this.#writing = undefined;
  }

  async #gather(): Promise<void> {
    if (this.#closing !== undefined || this.#linesLength >= BATCH_LENGTH) return;
    const { sleep = sleepReally } = this.#options;
    this.#gathering = new AbortController();
    // However the wait ends, what is there is to be written.
    await sleep(GATHER_MS, this.#gathering.signal).catch(() => {});
    this.#gathering = undefined;
  }

  #endGathering(): void {
    const gathering = this.#gathering;
    // Not aborted line after line, as each time makes an error.
    this.#gathering = undefined;
    gathering?.abort();
  }

  async #writeBatch(): Promise<void> {
    const lines = this.#lines;
    const dropped = this.#dropped;
    this.#lines = [];
    this.#writingLength = this.#linesLength;
    this.#linesLength = 0;
    this.#dropped = 0;
    try {
      const note = dropped === 0 ? '' : `{"time":"${this.#time()}","dropped":${dropped}}\n`;
      await this.#options.write(lines.join('') + note);
      this.#isFailing = false;
    } catch (error) {
      // Not tried again: a part of them may have been written.
      this.#dropped += dropped + lines.length;
      this.#tell(error);
    } finally {
      this.#writingLength = 0;
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

/** By hand, as `JSON.stringify` of the whole takes 3 µs, which at 20,000 requests a second shows. */
function formatLine(line: AccessLine, time: string): string {
  const { address, method, url, status, bytes, ms, cache, referer, agent } = line;
  return (
    `{"time":"${time}","address":${quote(address)},"method":${quote(method)},` +
    `"url":${quote(url)},"status":${status},"bytes":${bytes},"ms":${Math.round(ms * 10) / 10}` +
    `${formatField('cache', cache)}${formatField('referer', referer)}${formatField('agent', agent)}}\n`
  );
}

function formatField(name: string, text: string | undefined): string {
  return text === undefined ? '' : `,"${name}":${quote(text)}`;
}

/** Text that stands in JSON as it is. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** JSON in nothing but ASCII, as it would leave controls past it (C1) for a terminal to obey. */
function quote(text: string): string {
  const short = text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH - 1)}…`;
  if (PLAIN.test(short)) return `"${short}"`;
  return JSON.stringify(short).replace(/[\x7f-\uffff]/g, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
