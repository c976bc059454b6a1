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
  /**
   * The address to post to. Messages only name its origin, since path and query may contain a
   * secret.
   */
  readonly url: string;
  /** What a document is called in messages: `event` or `reading`. */
  readonly noun: string;
  /** Called with a sentence if documents of a call of `post` could not be delivered. */
  readonly onTrouble: (sentence: string) => void;
}

interface Message {
  readonly document: PostDocument;
  /** When to give up posting the document, milliseconds since 1970. */
  readonly untilMs: number;
}

/** How long to retry posting a document before giving up. */
const MAX_RETRY_MS = 600_000;
/** Minimum wait before a retry, so that `Retry-After: 0` does not cause a flood. */
const MIN_WAIT_MS = 1000;
/** Maximum number of queued documents. When more come, the oldest are dropped. */
const MAX_WAITING = 1000;
/** How long `close` waits for queued documents. */
const GRACE_MS = 10_000;

const NO_RESPONSE = 'no response';

/**
 * Creates a poster of documents. It posts them in order, and retries each until the server accepts
 * it or its time is over.
 */
export function createPoster(options: PosterOptions) {
  const { url, noun, now, sleep, random, onTrouble } = options;
  const { origin } = new URL(url);
  const transport = createTransport(options);
  const quit = new AbortController();
  /** Documents that the server has not accepted yet. The first one is being sent. */
  const waiting: Message[] = [];
  let work = Promise.resolve();
  /** Why the latest attempt failed, for the message about documents that were not delivered. */
  let reason = NO_RESPONSE;

  /** How many documents were not delivered, and why the last one failed. */
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
   * Posts one document, with retries.
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
      // Report all failed documents of one call of `post` in a single line.
      if (failed > 0 && waiting[0]?.untilMs === message.untilMs) continue;
      if (failed > 0) giveUp(failed, reason);
      failed = 0;
      reason = NO_RESPONSE;
    }
  }

  return {
    /** Queues documents for posting, in this order, and returns at once. */
    post(documents: readonly PostDocument[]): void {
      const untilMs = now() + MAX_RETRY_MS;
      waiting.push(...documents.map((document) => ({ document, untilMs })));
      const dropped = waiting.splice(1, Math.max(0, waiting.length - MAX_WAITING)).length;
      if (dropped > 0) giveUp(dropped, `more than ${MAX_WAITING} were waiting`);
      work = work.then(deliverAll);
    },
    /**
     * Waits at most 10 s until the server has accepted all documents, then gives up.
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

/** Creates the error for a response that a retry cannot change. Redirects are not followed. */
function refusal({ status, header }: HttpResponse, url: string): RefusedError {
  const location = header('location');
  const target = location !== undefined && URL.canParse(location, url) && new URL(location, url);
  const redirect = target ? `, a redirect to ${target.origin}, which is not followed` : '';
  return new RefusedError(`it responded with ${status}${redirect}`, status);
}
