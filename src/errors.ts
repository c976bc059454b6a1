/** The exit codes of vane. docs/reference/configuration.md explains them. */
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
 * A failure to report to the user. The message says in one or two sentences what failed, for which
 * station and period, and what to do.
 */
export abstract class VaneError extends Error {
  abstract readonly exitCode: number;
  override get name(): string {
    return this.constructor.name;
  }
}

/**
 * A mistake in the command line, the configuration or a file. Most are found before any request.
 */
export class UsageError extends VaneError {
  readonly exitCode = EXIT_CODES.usage;
  /** The faulty text, with a caret below the fault. Contains no control characters. */
  readonly excerpt: string | undefined;

  constructor(message: string, excerpt?: string) {
    super(message);
    this.excerpt = excerpt;
  }
}

/** The service does not know the station. */
export class NotFoundError extends VaneError {
  readonly exitCode = EXIT_CODES.notFound;
  readonly serviceMessage: string | undefined;

  constructor(message: string, serviceMessage?: string) {
    super(message);
    this.serviceMessage = serviceMessage;
  }
}

/**
 * The service refused the request with a 4xx status, for another reason than an unknown station.
 */
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

/** The response does not have the form that the interface specifies. */
export class UnexpectedResponseError extends VaneError {
  readonly exitCode = EXIT_CODES.refused;
}

/** The response is damaged, for example JSON that is cut off. A retry may help. */
export class BrokenResponseError extends UnexpectedResponseError {}

export interface UnavailableOptions {
  readonly cause?: unknown;
  readonly retryAfterMs?: number | undefined;
  readonly wasSent?: boolean;
}

/** The service could not be reached or kept failing. A later attempt may succeed. */
export class UnavailableError extends VaneError {
  readonly exitCode = EXIT_CODES.unavailable;
  /** The service's Retry-After in milliseconds; undefined without one. */
  readonly retryAfterMs: number | undefined;
  /** Whether the failed request may have reached the service. */
  readonly wasSent: boolean;

  constructor(message: string, options: UnavailableOptions = {}) {
    super(message, { cause: options.cause });
    this.retryAfterMs = options.retryAfterMs;
    this.wasSent = options.wasSent ?? true;
  }
}

/** A watch with `--until` ended before its condition became true. */
export class ConditionNotMetError extends VaneError {
  readonly exitCode = EXIT_CODES.ranOut;
}

/** With `--fail-on`, a check found a fault of that level, or a station is gone. */
export class FaultsFoundError extends VaneError {
  readonly exitCode = EXIT_CODES.flagged;
}

/** `--keep-going` skipped some periods of stations. */
export class PartialError extends VaneError {
  readonly exitCode = EXIT_CODES.partial;
}

/** The output could not be written, for example because the disk is full. */
export class OutputError extends VaneError {
  readonly exitCode = EXIT_CODES.defect;
}

/**
 * The signals that end vane, with the exit code that a shell reports: 128 plus the signal's number.
 */
export const SIGNAL_ENDINGS = {
  SIGINT: { message: 'Interrupted.', exitCode: EXIT_CODES.interrupted },
  SIGTERM: { message: 'Terminated.', exitCode: EXIT_CODES.terminated },
  SIGHUP: { message: 'The terminal was closed.', exitCode: EXIT_CODES.hungUp },
} as const;
export type SignalName = keyof typeof SIGNAL_ENDINGS;

export class InterruptedError extends VaneError {
  readonly exitCode: number;
  readonly signal: SignalName;

  /** @param message text to print; empty to print nothing */
  constructor(signal: SignalName, message: string = SIGNAL_ENDINGS[signal].message) {
    super(message);
    this.signal = signal;
    this.exitCode = SIGNAL_ENDINGS[signal].exitCode;
  }
}

/** The code of a system error (`ENOSPC`, `ECONNRESET`); undefined for any other value. */
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

/** Describes a file system error as the end of a sentence: “permission is denied”. */
export function describeFileError(error: unknown): string {
  const [cause] = (error as Error).message.split(', ', 1) as [string];
  return FILE_CAUSES[errorCode(error) ?? ''] ?? cause;
}
