/** Exit codes of the command. Their meanings are in docs/reference/configuration.md. */
export const EXIT_CODES = {
  done: 0,
  defect: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  unavailable: 5,
  partial: 6,
  ranOut: 7,
  flagged: 8,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

/**
 * A failure for the user to read: its message says in one or two sentences what failed, for which
 * station and period, and what to do.
 */
export abstract class VaneError extends Error {
  abstract readonly exitCode: number;
  override get name(): string {
    return this.constructor.name;
  }
}

/** A mistake in the command line, the configuration or a file, mostly found before any request. */
export class UsageError extends VaneError {
  readonly exitCode = EXIT_CODES.usage;
  /** The faulty text with a caret under the fault; it contains no control characters. */
  readonly excerpt: string | undefined;

  constructor(message: string, excerpt?: string) {
    super(message);
    this.excerpt = excerpt;
  }
}

/** Thrown when the service does not know the station. */
export class NotFoundError extends VaneError {
  readonly exitCode = EXIT_CODES.notFound;
  readonly serviceMessage: string | undefined;

  constructor(message: string, serviceMessage?: string) {
    super(message);
    this.serviceMessage = serviceMessage;
  }
}

/** Thrown for a 4xx status of the service other than that of an unknown station. */
export class RefusedError extends VaneError {
  readonly exitCode = EXIT_CODES.refused;
  readonly status: number;
  readonly errorCode: string | undefined;
  readonly serviceMessage: string | undefined;

  constructor(message: string, status: number, errorCode?: string, serviceMessage?: string) {
    super(message);
    this.status = status;
    this.errorCode = errorCode;
    this.serviceMessage = serviceMessage;
  }
}

/** Thrown for a response that does not have the form of the interface. */
export class UnexpectedResponseError extends VaneError {
  readonly exitCode = EXIT_CODES.refused;
}

/** Thrown for a damaged response of the service, such as JSON cut short; a retry may help. */
export class BrokenResponseError extends UnexpectedResponseError {}

export interface UnavailableOptions {
  readonly cause?: unknown;
  readonly retryAfterMs?: number | undefined;
  readonly wasSent?: boolean;
}

/** Thrown when the service could not be reached or kept failing; trying again may help. */
export class UnavailableError extends VaneError {
  readonly exitCode = EXIT_CODES.unavailable;
  /** The Retry-After of the service in milliseconds; undefined without one. */
  readonly retryAfterMs: number | undefined;
  /** Whether the failed request may have reached the service. */
  readonly wasSent: boolean;

  constructor(message: string, options: UnavailableOptions = {}) {
    super(message, { cause: options.cause });
    this.retryAfterMs = options.retryAfterMs;
    this.wasSent = options.wasSent ?? true;
  }
}

/** Thrown when a watch ended before the condition that the user waits for became true. */
export class ConditionNotMetError extends VaneError {
  readonly exitCode = EXIT_CODES.ranOut;
}

/** Thrown with `--fail-on` when a check found a fault that the flag names, or a station is gone. */
export class FaultsFoundError extends VaneError {
  readonly exitCode = EXIT_CODES.flagged;
}

/** Thrown when `--keep-going` left out some periods of stations. */
export class PartialError extends VaneError {
  readonly exitCode = EXIT_CODES.partial;
}

/** Thrown when the output could not be written: disk full, no permission. */
export class OutputError extends VaneError {
  readonly exitCode = EXIT_CODES.defect;
}

/** Signals that end vane, with the code that a shell then shows: 128 plus the signal's number. */
export const SIGNALS = {
  SIGINT: { message: 'Interrupted.', exitCode: EXIT_CODES.interrupted },
  SIGTERM: { message: 'Terminated.', exitCode: EXIT_CODES.terminated },
  SIGHUP: { message: 'The terminal was closed.', exitCode: EXIT_CODES.hungUp },
} as const;
export type SignalName = keyof typeof SIGNALS;

export class InterruptedError extends VaneError {
  readonly exitCode: number;
  readonly signal: SignalName;

  /** @param message what to print; nothing where it is empty */
  constructor(signal: SignalName, message: string = SIGNALS[signal].message) {
    super(message);
    this.signal = signal;
    this.exitCode = SIGNALS[signal].exitCode;
  }
}

/** The code of a system error (`ENOSPC`, `ECONNRESET`), or undefined for any other value. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

const FILE_CAUSES: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  ENOTDIR: 'there is a file where a folder should be',
  EEXIST: 'there is a file where a folder should be',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  ENOENT: 'it does not exist',
  ENOSPC: 'the disk is full',
  ENXIO: 'no program reads from it',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EFBIG: 'it would be too large',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links go round in circles',
};

/** The cause of a failure of the file system as the end of a sentence: “permission is denied”. */
export function describeFileError(error: unknown): string {
  const [cause] = (error as Error).message.split(', ', 1) as [string];
  return FILE_CAUSES[errorCode(error) ?? ''] ?? cause;
}
