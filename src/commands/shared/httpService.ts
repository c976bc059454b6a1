import type { Io } from '../../io.ts';
import type { Reporter } from '../../output/reporter.ts';
import { type HttpService, type HttpServiceOptions, httpService } from '../../service/http/http.ts';
import type { Counters } from '../../service/service.ts';
import { VERSION } from '../../version.ts';

interface Tools {
  readonly io: Io;
  readonly reporter: Reporter;
  readonly counters: Counters;
}

/** The options of an HTTP service that this process does not answer itself. */
export type HttpConnection = Pick<
  HttpServiceOptions,
  'baseUrl' | 'timeoutMs' | 'retries' | 'proxyEnv' | 'onDate' | 'onLongWait'
>;

/** Opens the service at a base address, with the clock, the counters and the log of the caller. */
export function openHttpService(
  connection: HttpConnection,
  { io, reporter, counters }: Tools,
): HttpService {
  return httpService({
    ...connection,
    userAgent: `vane/${VERSION}`,
    now: io.now,
    sleep: io.sleep,
    random: io.random,
    counters,
    log: reporter.detail,
  });
}
