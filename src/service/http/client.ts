import type { Readable } from 'node:stream';

/** Proxies as undici takes them. */
export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** `command`: a few requests and the process ends. `service`: requests for hours or months. */
export type Lifetime = 'command' | 'service';

export interface GetOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** The head of an answer, and its body as a stream. */
export interface RawAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
}

/** Sends requests on kept connections. */
export interface HttpClient {
  /** Rejects with the error of Node or undici. */
  get(url: string, options: GetOptions): Promise<RawAnswer>;
  destroy(): void;
}

/** A failure with the code that undici has for it, so that both clients are explained alike. */
export class RequestFailure extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
