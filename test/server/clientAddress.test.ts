import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { clientAddress, readTrustProxy } from '../../src/server/edge/clientAddress.ts';
import { clientAddressReader } from '../support/client-address.ts';

fc.configureGlobal({ seed: 20240115, numRuns: 100 });

const read = (trusted: string | undefined, peer: string, forwarded?: string): Promise<string> =>
  clientAddressReader(trusted)(peer, forwarded);

describe('without a trusted proxy', () => {
  it.each([undefined, '203.0.113.7', 'garbage'])(
    'without --trust-proxy the peer is the client, X-Forwarded-For being %s',
    async (forwarded) => {
      expect(await read(undefined, '127.0.0.1', forwarded)).toBe('127.0.0.1');
    },
  );
});

describe('a peer that is not trusted', () => {
  it.each(['203.0.113.7', '127.0.0.1', '127.0.0.1, 127.0.0.1', 'x'])(
    'a peer that is not trusted is the client, whatever X-Forwarded-For says: %s',
    async (forwarded) => {
      expect(await read('loopback', '198.51.100.1', forwarded)).toBe('198.51.100.1');
    },
  );
});

describe('a trusted peer', () => {
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
    'with --trust-proxy %s the peer %s names the client in X-Forwarded-For',
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
    'X-Forwarded-For is read from the right past trusted proxies: %j',
    async (forwarded, client) => {
      expect(await read('10.0.0.0/8', '10.0.0.1', forwarded)).toBe(client);
    },
  );

  it.each([undefined, '', ' ', ',', ' , ,'])(
    'a trusted peer is the client if X-Forwarded-For names no address: %j',
    async (forwarded) => {
      expect(await read('loopback', '127.0.0.1', forwarded)).toBe('127.0.0.1');
    },
  );
});

describe('text that is no address', () => {
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

  it.each(garbage)(
    'X-Forwarded-For is not read past a text that is no address: %.40j',
    async (text) => {
      expect(await read('10.0.0.0/8', '10.0.0.1', text)).toBe('10.0.0.1');
      expect(await read('10.0.0.0/8', '10.0.0.1', `203.0.113.7, ${text}`)).toBe('10.0.0.1');
      expect(await read('10.0.0.0/8', '10.0.0.1', `203.0.113.7, ${text}, 10.0.0.2`)).toBe(
        '10.0.0.2',
      );
      expect(await read('10.0.0.0/8', '10.0.0.1', `${text}, 203.0.113.7`)).toBe('203.0.113.7');
    },
  );

  it('a very long X-Forwarded-For still gives the address of a proxy', async () => {
    for (const forwarded of ['10.0.0.3,'.repeat(1800), ','.repeat(16_000), 'x,'.repeat(8000)]) {
      expect(await read('10.0.0.0/8', '10.0.0.1', forwarded)).toMatch(/^10\.0\.0\.[13]$/);
    }
  });

  it('any X-Forwarded-For gives an IP address and throws nothing', async () => {
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

describe('a connection that is gone', () => {
  it('the client address of a closed connection is empty', () => {
    expect(clientAddress({ ip: undefined } as never)).toBe('');
    expect(clientAddress({ ip: undefined, ips: [undefined] } as never)).toBe('');
  });
});

describe('an IPv4 client of a socket for both families', () => {
  it.each([undefined, '10.0.0.1'])(
    'an IPv4 client of a socket for both families has its IPv4 address (--trust-proxy %s)',
    async (trusted) => {
      expect(await read(trusted, '::ffff:203.0.113.7')).toBe('203.0.113.7');
    },
  );
});

describe('a list that is wrong', () => {
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
  ])('--trust-proxy refuses the list %j', (list) => {
    expect(() => readTrustProxy(list)).toThrow(UsageError);
    expect(() => readTrustProxy(`10.0.0.1,${list}`)).toThrow(UsageError);
  });

  it('the error for a wrong --trust-proxy quotes the wrong item', () => {
    expect(() => readTrustProxy('loopback, 10.0.0.0/99\u001b,x')).toThrow(
      '--trust-proxy takes addresses, ranges such as 10.0.0.0/8, and the names loopback, linklocal and uniquelocal, separated by commas, not “10.0.0.0/99␛”.',
    );
  });
});
