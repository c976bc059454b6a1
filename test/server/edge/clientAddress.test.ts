import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { clientAddress, readTrustProxy } from '../../../src/server/edge/clientAddress.ts';
import { clientAddressReader } from '../../support/client-address.ts';
import { naming } from '../../support/naming.ts';

fc.configureGlobal({ seed: 20240115, numRuns: 100 });

const read = (trusted: string | undefined, peer: string, forwarded?: string): Promise<string> =>
  clientAddressReader(trusted)(peer, forwarded);

describe('the client address', () => {
  it.each([undefined, '203.0.113.7', 'garbage'])(
    'the client address is the address of the peer without --trust-proxy, with X-Forwarded-For: %s',
    async (forwarded) => {
      expect(await read(undefined, '127.0.0.1', forwarded)).toBe('127.0.0.1');
    },
  );
});

describe('the client address behind a peer that is not trusted', () => {
  it.each(['203.0.113.7', '127.0.0.1', '127.0.0.1, 127.0.0.1', 'x'])(
    'the client address behind a peer that is not trusted is the address of the peer, with X-Forwarded-For: %s',
    async (forwarded) => {
      expect(await read('loopback', '198.51.100.1', forwarded)).toBe('198.51.100.1');
    },
  );
});

describe('the client address behind a trusted peer', () => {
  it.each([
    ['loopback', '127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['loopback', '127.8.8.8', '203.0.113.7', '203.0.113.7'],
    ['loopback', '::1', '2001:db8::7', '2001:db8::7'],
    ['loopback', '::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['linklocal', 'fe80::1', '203.0.113.7', '203.0.113.7'],
    ['uniquelocal', '192.168.1.1', '203.0.113.7', '203.0.113.7'],
    ['198.51.100.1', '198.51.100.1', '203.0.113.7', '203.0.113.7'],
    ['2001:db8::/32', '2001:db8:5::1', '203.0.113.7', '203.0.113.7'],
    ['198.51.100.0/255.255.255.0', '198.51.100.9', '203.0.113.7', '203.0.113.7'],
    [' 198.51.100.0/24 , loopback ', '198.51.100.9', '203.0.113.7', '203.0.113.7'],
  ])(
    'the client address behind a trusted peer is the address in X-Forwarded-For, with --trust-proxy %s and the peer %s',
    async (trusted, peer, forwarded, client) => {
      expect(await read(trusted, peer, forwarded)).toBe(client);
    },
  );

  it.each([
    ['198.18.0.1, 203.0.113.7', '203.0.113.7'],
    ['198.18.0.1, 203.0.113.7, 10.0.0.3', '203.0.113.7'],
    ['198.18.0.1,203.0.113.7,10.0.0.3,10.0.0.2', '203.0.113.7'],
    ['10.0.0.3, 203.0.113.7', '203.0.113.7'],
    ['10.0.0.4,10.0.0.3', '10.0.0.4'],
    ['203.0.113.7,, ,', '203.0.113.7'],
    ['\t203.0.113.7 ', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
  ])(
    'the client address is the rightmost address of X-Forwarded-For that is no trusted proxy: in %j it is %s',
    async (forwarded, client) => {
      expect(await read('10.0.0.0/8', '10.0.0.1', forwarded)).toBe(client);
    },
  );

  it.each([undefined, '', ' ', ',', ' , ,'])(
    'the client address behind a trusted peer is the address of the peer if X-Forwarded-For names no address: %j',
    async (forwarded) => {
      expect(await read('loopback', '127.0.0.1', forwarded)).toBe('127.0.0.1');
    },
  );
});

describe('text in X-Forwarded-For that is no address', () => {
  const garbage = [
    'unknown',
    '_hidden',
    '203.0.113.7:4711',
    '[2001:db8::7]',
    '[2001:db8::7]:4711',
    '"203.0.113.7"',
    'for=203.0.113.7',
    '203.0.113',
    '203.0.113.256',
    '0x7f000001',
    '2130706433',
    '167772163',
    '010.0.0.3',
    'client.example',
    '__proto__',
    '\u0000',
    'é',
    'x'.repeat(16_000),
    '1'.repeat(16_000),
    ':'.repeat(16_000),
  ];

  it.each(garbage.map((text) => [JSON.stringify(text.slice(0, 40)), text]))(
    'text in X-Forwarded-For that is no address ends the search for the client address, which goes from right to left: %s',
    async (_shown, text = '') => {
      expect(await read('10.0.0.0/8', '10.0.0.1', text)).toBe('10.0.0.1');
      expect(await read('10.0.0.0/8', '10.0.0.1', `203.0.113.7, ${text}`)).toBe('10.0.0.1');
      expect(await read('10.0.0.0/8', '10.0.0.1', `203.0.113.7, ${text}, 10.0.0.2`)).toBe(
        '10.0.0.2',
      );
      expect(await read('10.0.0.0/8', '10.0.0.1', `${text}, 203.0.113.7`)).toBe('203.0.113.7');
    },
  );

  it('a trusted proxy is the client address if X-Forwarded-For has 16,000 characters of text or a list of 1,800 proxies', async () => {
    for (const forwarded of ['10.0.0.3,'.repeat(1800), ','.repeat(16_000), 'x,'.repeat(8000)]) {
      expect(await read('10.0.0.0/8', '10.0.0.1', forwarded)).toMatch(/^10\.0\.0\.[13]$/);
    }
  });

  it('the client address is an IP address even if X-Forwarded-For mixes text and addresses at random', async () => {
    const unit = fc.nat(0xff).map((code) => String.fromCharCode(code));
    const item = fc.oneof(
      fc.string({ unit, maxLength: 8 }),
      fc.ipV4Extended(),
      fc.ipV6(),
      fc.constantFrom(...garbage, '10.0.0.3', '203.0.113.7', '::ffff:10.0.0.1', 'fe80::1%eth0'),
    );
    const readAny = clientAddressReader('loopback,linklocal,uniquelocal');
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 5 }), async (items) => {
        expect(isIP(await readAny('10.0.0.1', items.join(',')))).not.toBe(0);
      }),
    );
  });
});

describe('the client address of a closed connection', () => {
  it('the client address of a closed connection is empty', () => {
    expect(clientAddress({ ip: undefined } as never)).toBe('');
    expect(clientAddress({ ip: undefined, ips: [undefined] } as never)).toBe('');
  });
});

describe('the client address on a socket for IPv4 and IPv6', () => {
  it.each([undefined, '10.0.0.1'])(
    'the client address on a socket for IPv4 and IPv6 is written as IPv4 for an IPv4 client, with --trust-proxy %s',
    async (trusted) => {
      expect(await read(trusted, '::ffff:203.0.113.7')).toBe('203.0.113.7');
    },
  );
});

describe('a wrong list of --trust-proxy', () => {
  it.each([
    '',
    'loopback,',
    'localhost',
    'Loopback',
    'all',
    '*',
    '10',
    '0x7f.1',
    '10.0.0.0/0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '10.0.0.0/255.0.255.0',
    '2001:db8::/129',
    '[::1]',
    '10.0.0.1:80',
    '10.0.0.1;10.0.0.2',
    '__proto__',
  ])('the wrong list %j of --trust-proxy is refused', (list) => {
    expect(() => readTrustProxy(list)).toThrow(UsageError);
    expect(() => readTrustProxy(`10.0.0.1,${list}`)).toThrow(UsageError);
  });

  it('a wrong list of --trust-proxy is refused with an error that quotes the wrong item', () => {
    expect(() => readTrustProxy('loopback, 10.0.0.0/99\u001b,x')).toThrow(
      naming('--trust-proxy', 'loopback', 'linklocal', 'uniquelocal', '“10.0.0.0/99␛”'),
    );
  });
});
