import type { Readable } from 'node:stream';

/** Proxies as undici takes them. */
export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** How long connections are of use: for a command that ends with its answers, or for months. */
export type Lifetime = 'command' | 'service';

export interface AskOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** The head of an answer, and its body as it comes. */
export interface RawAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
}

/** Connections to a service, kept for as long as it keeps them. */
export interface Connections {
  /** Sends a GET. Rejects with the error of Node or undici. */
  get(url: string, options: AskOptions): Promise<RawAnswer>;
  destroy(): void;
}

/** A failure with the code that Node or undici has for it, so that all are explained alike. */
export class RequestFailure extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
