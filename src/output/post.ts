import { formatCount } from '../domain/text.ts';
import { RefusedError, UnavailableError } from '../errors.ts';
import { anySignal, type Io } from '../io.ts';
import { temporaryFailure } from '../service/http/outcome.ts';
import { describeProxy } from '../service/http/proxies.ts';
import { retry } from '../service/http/retry.ts';
import {
  createTransport,
  type HttpResponse,
  type PostDocument,
  type TransportOptions,
} from '../service/http/transport.ts';

interface PosterOptions extends Pick<Io, 'sleep' | 'random'>, TransportOptions {
  /** Messages name only the origin of this address: path and query may contain a secret. */
  readonly url: string;
  /** The word for a document in messages: `event` or `reading`. */
  readonly noun: string;
  /** Called with a sentence about the documents of one call of `post` that were given up. */
  readonly onTrouble: (sentence: string) => void;
}

interface Message {
  readonly document: PostDocument;
  /** Time when posting of the document is given up, milliseconds since 1970. */
  readonly untilMs: number;
}

/** How long a document is posted again after failures, until it is given up. */
const MAX_RETRY_MS = 600_000;
/** Shortest wait before a retry: a `Retry-After: 0` must not make a flood. */
const MIN_WAIT_MS = 1000;
/** How many documents may wait to be posted; when more come, the oldest are dropped. */
const MAX_WAITING = 1000;
/** How long `close` waits for documents that the server has not accepted yet. */
const GRACE_MS = 10_000;

const NO_RESPONSE = 'no response';

/** Posts documents in order; each is sent again until the server accepts it or its time is over. */
export function createPoster(options: PosterOptions) {
  const { url, noun, now, sleep, random, onTrouble } = options;
  const { origin } = new URL(url);
  const transport = createTransport(options);
  const quit = new AbortController();
  /** Documents that the server has not accepted yet; the first one is being sent. */
  const waiting: Message[] = [];
  let work = Promise.resolve();
  /** Why the latest attempt to post failed, for the message about documents that were given up. */
  let reason = NO_RESPONSE;

  /** How many documents were given up, and the reason of the last. */
  const lost = { count: 0, why: '' };

  function describeLoss(count: number, why: string): string {
    const by = describeProxy(url, options.proxyEnv);
    return `${formatCount(count, noun)} could not be posted to ${origin}${by}: ${why}.`;
  }

  function giveUp(count: number, why: string): void {
    lost.count += count;
    lost.why = why;
    onTrouble(describeLoss(count, why));
  }

  async function send(document: PostDocument, signal: AbortSignal): Promise<void> {
    try {
      const response = await transport.send(url, { document, signal });
      if (response.status >= 200 && response.status <= 299) return;
      throw temporaryFailure(response, now()) ?? refusal(response, url);
    } catch (error) {
      if (!signal.aborted) reason = (error as Error).message.replace(/\.$/, '');
      throw error;
    }
  }

  /**
   * Posts one document, and again after failures.
   * @returns whether the server accepted the document in time
   */
  async function deliver({ document, untilMs }: Message): Promise<boolean> {
    const maxWaitMs = (): number => untilMs - now();
    if (maxWaitMs() <= 0) return false;
    const late = new AbortController();
    const over = new AbortController();
    using ended = anySignal(quit.signal, late.signal);
    const { signal } = ended;
    sleep(maxWaitMs(), over.signal).then(
      () => late.abort(),
      () => {},
    );
    const wait = (waitMs: number) => sleep(Math.max(waitMs, MIN_WAIT_MS), signal);
    const retries = Number.POSITIVE_INFINITY;
    return await retry(() => send(document, signal), { retries, random, maxWaitMs, wait })
      .then(
        () => true,
        () => false,
      )
      .finally(() => over.abort());
  }

  async function deliverAll(): Promise<void> {
    let failed = 0;
    for (let message = waiting[0]; message; message = waiting[0]) {
      const isTaken = await deliver(message);
      if (quit.signal.aborted) return;
      waiting.shift();
      if (!isTaken) failed++;
      // One line reports all failed documents that the same call of `post` queued.
      if (failed > 0 && waiting[0]?.untilMs === message.untilMs) continue;
      if (failed > 0) giveUp(failed, reason);
      failed = 0;
      reason = NO_RESPONSE;
    }
  }

  return {
    /** Queues documents to be posted in this order, without waiting. */
    post(documents: readonly PostDocument[]): void {
      const untilMs = now() + MAX_RETRY_MS;
      waiting.push(...documents.map((document) => ({ document, untilMs })));
      const dropped = waiting.splice(1, Math.max(0, waiting.length - MAX_WAITING)).length;
      if (dropped > 0) giveUp(dropped, `more than ${MAX_WAITING} were waiting`);
      work = work.then(deliverAll);
    },
    /**
     * Waits at most 10 s until the server has accepted all documents, then gives up the rest.
     * @throws UnavailableError if the server did not accept every document
     */
    async close(): Promise<void> {
      const over = new AbortController();
      await Promise.race([work, sleep(GRACE_MS, over.signal)]);
      over.abort();
      quit.abort();
      await work;
      await transport.close();
      const why = waiting.length > 0 ? `${reason}, and the watch ended` : lost.why;
      const count = lost.count + waiting.length;
      if (count > 0) throw new UnavailableError(describeLoss(count, why));
    },
  };
}

/** The error for a response that no later attempt will change. No redirect is followed. */
function refusal({ status, header }: HttpResponse, url: string): RefusedError {
  const location = header('location');
  const target = location !== undefined && URL.canParse(location, url) && new URL(location, url);
  const redirect = target ? `, a redirect to ${target.origin}, which is not followed` : '';
  return new RefusedError(`it responded with ${status}${redirect}`, status);
}
