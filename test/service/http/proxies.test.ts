import { expect, it } from 'vitest';
import { httpService } from '../../../src/service/http/http.ts';
import { describeProxy } from '../../../src/service/http/proxies.ts';
import { createRequestCounters } from '../../../src/service/service.ts';
import { NOW } from '../../support/fixture-service.ts';

const PROXY = 'http://127.0.0.1:1';

it.each([
  ['http', {}, ''],
  ['http', { HTTP_PROXY: PROXY }, ', with HTTP_PROXY set'],
  ['http', { http_proxy: PROXY, HTTP_PROXY: '' }, ', with HTTP_PROXY set'],
  ['http', { http_proxy: '', HTTP_PROXY: PROXY }, ''],
  ['http', { HTTPS_PROXY: PROXY }, ''],
  ['http', { HTTP_PROXY: PROXY, NO_PROXY: 'a' }, ', with HTTP_PROXY and NO_PROXY set'],
  ['http', { HTTP_PROXY: PROXY, NO_PROXY: 'a', no_proxy: '' }, ', with HTTP_PROXY set'],
  ['https', { HTTPS_PROXY: PROXY, HTTP_PROXY: PROXY }, ', with HTTPS_PROXY set'],
  ['https', { HTTP_PROXY: PROXY }, ', with HTTP_PROXY set'],
  ['https', { https_proxy: '', HTTPS_PROXY: PROXY }, ''],
])(
  'the error of a request to %s:// with the environment %j mentions “%s”',
  (scheme, env, mention) => {
    expect(describeProxy(`${scheme}://wind.example`, env)).toBe(mention);
  },
);

it('the error of a request that goes to the service directly names no proxy', async () => {
  const service = httpService({
    ...{ baseUrl: 'http://127.0.0.1:9', timeoutMs: 2000, retries: 0, userAgent: 'vane/test' },
    ...{
      now: () => NOW,
      sleep: async () => {},
      random: () => 0,
      counters: createRequestCounters(),
    },
    proxyEnv: { http_proxy: '', HTTP_PROXY: PROXY },
  });
  await expect(service.live(110, { withMeta: false })).rejects.toThrow(
    /^(?!.*proxy).*http:\/\/127\.0\.0\.1:9\b.*refused/i,
  );
  await service.close();
});
