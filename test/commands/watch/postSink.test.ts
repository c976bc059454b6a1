import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Station } from '../../../src/domain/station.ts';
import { InterruptedError } from '../../../src/errors.ts';
import { LIVE_PROVENANCE, NOW } from '../../support/fixture-service.ts';
import { type HookReply, startHookServer } from '../../support/hook-server.ts';
import { naming } from '../../support/naming.ts';
import { vane } from '../../support/run.ts';
import { virtualClock } from '../../support/virtual-clock.ts';
import { scripted, station, type WatchRunOptions, watching } from '../../support/watching.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const MINUTE = 60_000;

interface Posting extends Partial<WatchRunOptions> {
  readonly reply?: (arrival: number) => HookReply;
  readonly stations?: (now: number) => readonly Station[];
}

/** Watches stations, by default one whose mean goes up by 10 km/h a minute, and posts to a server. */
async function posting(args: readonly string[], { reply, stations, ...options }: Posting = {}) {
  let isIdle = (): boolean => true;
  const clock = virtualClock(NOW, () => isIdle());
  const server = await startHookServer(reply, clock.now);
  closers.push(() => server.close());
  isIdle = server.isIdle;
  const say = stations ?? ((now) => [station({ timeMs: now, avg: 10 + (now - NOW) / 6000 })]);
  const outcome = await watching(
    ['110', '--no-history', '-f', 'ndjson', '--post', `${server.baseUrl}/hook?key=secret`, ...args],
    { service: scripted(() => say(clock.now())), clock, ...options },
  );
  return {
    ...outcome,
    clock,
    posted: server.posted,
    bodies: server.posted.map(({ body }) => body),
  };
}

const ABOVE_25 = ['--when', 'avg > 25kmh'];

/** A record on a line of the output as it is posted. */
function asPosted(line: string | undefined): object {
  const { license, attribution } = LIVE_PROVENANCE;
  return { ...JSON.parse(line ?? ''), license, attribution };
}

describe('vane watch --post', () => {
  it('vane watch --post posts the record of each event as json with license and attribution, and no measurement', async () => {
    const { out, posted, code } = await posting([...ABOVE_25, '--count', '4']);
    expect(code).toBe(0);
    const [event] = out.split('\n').filter((line) => line.startsWith('{"event":"true"'));
    expect(posted).toMatchObject([
      { method: 'POST', path: '/hook?key=secret', headers: { 'content-type': 'application/json' } },
    ]);
    expect(JSON.parse(posted[0]?.body ?? '')).toEqual(asPosted(event));
    expect(posted[0]?.atMs).toBe(NOW + 2 * MINUTE);
  });

  it('vane watch --post with --post-each reading posts each measurement in order, and no event', async () => {
    const { out, bodies } = await posting([...ABOVE_25, '--post-each', 'reading', '--count', '4']);
    const lines = out.split('\n').filter((line) => line.startsWith('{"id"'));
    expect(bodies.map((body) => JSON.parse(body))).toEqual(lines.map(asPosted));
    expect(bodies.length).toBe(4);
  });

  it('vane watch --post repeats a failed post before --until ends the watch', async () => {
    const { code, bodies } = await posting(['--until', 'avg > 25kmh', '--post-text', '{avg}'], {
      reply: (arrival) => (arrival < 2 ? 500 : 200),
    });
    expect([code, bodies]).toEqual([0, ['30', '30', '30']]);
  });

  it('vane watch --post keeps recording while the address does not respond, and reports one lost post', async () => {
    const { out, posted, err } = await posting(
      ['--post-each', 'reading', '--count', '12', '--post-text', '{avg}'],
      { reply: (arrival) => (arrival === 0 ? 'hang' : 200) },
    );
    expect(out.trim().split('\n').length).toBe(12);
    expect(posted.map(({ body }) => body)).toEqual(
      Array.from({ length: 12 }, (_, minute) => String(10 + 10 * minute)),
    );
    expect(posted[1]?.atMs).toBe(NOW + 10 * MINUTE);
    expect(err).toMatch(/^1 reading .*http:\/\/127\.0\.0\.1:\d+: no response/m);
    expect(err).not.toContain('secret');
  });

  it('vane watch --post waits for posts under way when a signal ends the watch', async () => {
    const { code, bodies } = await posting(['--post-each', 'reading', '--post-text', '{avg}'], {
      reply: (arrival) => (arrival === 0 ? 503 : 200),
      prepare: (io) => void io.sleep(500).then(() => io.interrupt(new InterruptedError('SIGINT'))),
    });
    expect([code, bodies]).toEqual([130, ['10', '10']]);
  });

  it('vane watch --post with lost posts exits with 5 and an error that counts them, even with --quiet', async () => {
    const args = ['-q', '--post-each', 'reading', '--count', '2'];
    const lost = await posting(args, { reply: () => 404 });
    expect(lost).toMatchObject({ err: '', code: 5 });
    expect(lost.message).toMatch(/^2 readings .*http\S+ .*\b404\b/);
    const late = await posting(args, { reply: () => 'hang' });
    expect(late.code).toBe(5);
    expect(late.message).toMatch(/^2 readings .*no response/);
    const unmet = await posting([...args, '--until', 'avg > 90kmh'], { reply: () => 404 });
    expect([unmet.code, unmet.err]).toEqual([5, '']);
  });

  it('vane watch --post with lost posts writes a line about them, even with --quiet, if a signal ends the watch', async () => {
    const { code, err } = await posting(['-q', '--post-each', 'reading'], {
      reply: () => 'hang',
      prepare: (io) => void io.sleep(500).then(() => io.interrupt(new InterruptedError('SIGINT'))),
    });
    expect(code).toBe(130);
    expect(err).toMatch(/^vane: 1 reading .*no response.*\n$/);
  });

  it('vane watch --post with --verbose writes a line for each post, without the path and query of the address', async () => {
    const { err } = await posting(['-v', '--post-each', 'reading', '--count', '1']);
    expect(err).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+ 200, 0 ms$/m);
    expect(err).not.toContain('secret');
  });
});

/** The text and headers that a station of a name is posted with. */
async function postedFor(name: string, ...args: string[]) {
  const { posted } = await posting(['--post-each', 'reading', '--count', '1', ...args], {
    stations: (now) => [station({ timeMs: now, name })],
  });
  expect(posted.length).toBe(1);
  return { body: posted[0]?.body ?? '', headers: posted[0]?.headers ?? {} };
}

/** Text with its encoded words decoded (RFC 2047). */
const decoded = (text: unknown): string =>
  String(text)
    .replaceAll('?= =?', '?==?')
    .replace(/=\?UTF-8\?B\?([^?]*)\?=/g, (_, word) => `${Buffer.from(word, 'base64')}`);

const HOSTILE = 'A\r\nX-Evil: 1\r\n\r\nbody\u0000\u001b[2J\u2028"\\&chat_id=7<b>{avg}';

describe('vane watch --post-text', () => {
  it('vane watch --post-text posts its text for an event even if the text lacks {event}', async () => {
    const { posted } = await posting([...ABOVE_25, '--count', '3', '--post-text', '{name} {avg}']);
    expect(posted).toMatchObject([
      { body: 'Station 110 30', headers: { 'content-type': 'text/plain; charset=utf-8' } },
    ]);
  });

  it('vane watch --post-text writes for {event} and {since} in plain words what happened, and since when', async () => {
    // The condition holds from minute 2 on, ends at minute 5, and the station then falls silent.
    const stations = (now: number) => {
      const minute = Math.min((now - NOW) / MINUTE, 5);
      const [name, avg] = ['Col du Vent', minute >= 2 && minute < 5 ? 31.484 : 10];
      return [station({ timeMs: NOW + minute * MINUTE, avg, name, heading: 225 })];
    };
    const { bodies, posted } = await posting(
      [
        ...[...ABOVE_25, '--knots', '--tz', 'Europe/Paris', '--duration', '1h'],
        ...['--post-text', '{name}: {wind}, {since}', '--post-header', 'Title: {event}'],
      ],
      { stations },
    );
    expect(bodies).toEqual([
      'Col du Vent: 17 kn SW, right since 13:02',
      'Col du Vent: 5 kn SW, no longer right since 13:05',
      'Col du Vent: 5 kn SW, no data since 13:05',
    ]);
    expect(posted.map(({ headers }) => headers.title)).toEqual(['started', 'ended', 'no data']);
  });

  it('vane watch --post-text writes a station name with control characters on one line', async () => {
    const { body } = await postedFor(HOSTILE, '--post-text', 'at {name}:\\n{avg}');
    expect(body).toMatch(/^at A X-Evil: 1 body\S+.*\{avg\}:\n20$/);
    expect(body.replace('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}]/u);
  });

  it('vane watch --post-text with Content-Type application/json escapes values for JSON, and leaves the template unchanged', async () => {
    const { body, headers } = await postedFor(
      HOSTILE,
      ...['--post-header', 'Content-Type: application/json'],
      ...['--post-text', '{{"text":"{name}\\n{avg}","more":{{"a":1}}}}'],
    );
    expect(headers['content-type']).toBe('application/json');
    const value = JSON.parse(body);
    expect(Object.keys(value)).toEqual(['text', 'more']);
    expect(value.text).toMatch(/^A X-Evil: 1 .*"\\&chat_id=7<b>\{avg\}\n20$/);
  });

  it('vane watch --post-text with the Content-Type of a form escapes values for a form', async () => {
    const { body } = await postedFor(
      HOSTILE,
      ...['--post-header', 'content-type:application/x-www-form-urlencoded; charset=utf-8'],
      ...['--post-text', 'chat_id=42&text={name} {avg}'],
    );
    const form = new URLSearchParams(body);
    expect(form.getAll('chat_id')).toEqual(['42']);
    expect(form.get('text')).toMatch(/^A X-Evil: 1 .*"\\&chat_id=7<b>\{avg\} 20$/);
  });
});

describe('vane watch --post-header', () => {
  it('vane watch --post-header sends each header with its placeholders filled in', async () => {
    const { headers } = await postedFor(
      'Col du Vent',
      ...['--post-header', 'Title: {name}: {avg} {unit}', '--post-header', 'X-Tags:wind,{id}'],
    );
    expect(headers).toMatchObject({ title: 'Col du Vent: 20 km/h', 'x-tags': 'wind,110' });
  });

  it('vane watch --post-header makes no second header of a station name with line ends', async () => {
    const { headers, body } = await postedFor(HOSTILE, '--post-header', 'Title: {name}\\r\\n{id}');
    expect(headers).not.toHaveProperty('x-evil');
    expect(body).toMatch(/^\{"id":110/);
    expect(decoded(headers.title)).toMatch(/^A X-Evil: 1 body/);
    expect(decoded(headers.title)).not.toMatch(/\p{Cc}/u);
  });

  it.each([
    'Crête de l’Aigle',
    'é',
    '風力発電所'.repeat(20),
    '🪁🪁🪁🪁🪁🪁🪁🪁🪁🪁🪁🪁🪁',
    '=?UTF-8?B?DQpYOiAx?=',
  ])(
    'vane watch --post-header writes the station name %s in encoded words (RFC 2047) of at most 75 characters',
    async (name) => {
      const { headers } = await postedFor(name, '--post-header', 'Title: {name}');
      const words = String(headers.title).split(' ');
      for (const word of words) {
        expect(word).toMatch(/^=\?UTF-8\?B\?[\w+/]+=*\?=$/);
        expect(word.length).toBeLessThanOrEqual(75);
      }
      expect(decoded(headers.title)).toBe(name);
    },
  );
});

it('vane watch --post cuts a station name of 5,000 characters in a header, but not in the body', async () => {
  const name = '🪁'.repeat(5000);
  const { headers, body } = await postedFor(name, '--post-header', 'Title: {name} {id}');
  expect(decoded(headers.title)).toBe(`${'🪁'.repeat(200)} 110`);
  expect(JSON.parse(body).meta.name).toBe(name);
});

describe('a file after @ of --post or --post-header', () => {
  async function writeSecret(text: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'vane-secret-'));
    closers.push(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'secret'), text);
    return join(folder, 'secret');
  }

  it('a file after @ of vane watch --post or --post-header contains the address and the headers of each post', async () => {
    const receiver = await startHookServer(undefined, () => NOW);
    closers.push(() => receiver.close());
    const address = await writeSecret(`\uFEFF${receiver.baseUrl}/hook?key=token\r\n`);
    const headers = await writeSecret('Authorization: Bearer {{token}}\r\n\r\nTitle: {name}\r\n');
    const clock = virtualClock(NOW, receiver.isIdle);
    const { code, err } = await watching(
      ['110', '--post-each', 'reading', '--count', '1', '-f', 'ndjson', '-v'].concat(
        ...['--post', `@${address}`, '--post-header', `@${headers}`, '--post-header', 'A: b'],
      ),
      { service: scripted(() => [station({ timeMs: NOW, avg: 10, name: 'Lake' })]), clock },
    );
    expect({ code, err: err.includes('token') }).toEqual({ code: 0, err: false });
    expect(receiver.posted).toMatchObject([
      {
        path: '/hook?key=token',
        headers: { authorization: 'Bearer {token}', title: 'Lake', a: 'b' },
      },
    ]);
  });

  it.each([
    ['an empty file', '\r\n', '--post', 'There is nothing in'],
    ['a file of over 64 KiB', 'a'.repeat(65_537), '--post', 'larger than 64 KiB'],
    ['two addresses', 'http://a/token\nhttp://b/token', '--post', 'Line 2 of'],
    ['no address', 'token', '--post', 'Line 1 of'],
    ['an empty file', '', '--post-header', 'There is nothing in'],
    ['a line that is no header', 'A: token\n\ntoken', '--post-header', 'Line 3 of'],
    ['a header with braces', 'A: Bearer {token}', '--post-header', 'Line 1 of'],
  ])(
    'a file after @ that is %s (%j) makes vane watch %s exit with 2, and the error shows no word of the file',
    async (_, text, option, said) => {
      const file = await writeSecret(text);
      const given = option === '--post' ? [] : ['--post', 'http://127.0.0.1:9'];
      const line = ['watch', '110', ...given, option, `@${file}`, '--post-each', 'reading'];
      const { code, out, err } = await vane(line);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(new RegExp(`${said}.*${file}|${file}.*${said}`));
      expect(err).not.toContain('token');
    },
  );

  it('a file after @ of vane watch --post that is missing makes vane watch exit with 2', async () => {
    const { code, err } = await vane(['watch', '110', '--post', '@no', '--post-each', 'reading']);
    expect([code, err]).toEqual([2, expect.stringMatching(/“no” .*--post.*does not exist/)]);
  });
});

describe('the wrong command line', () => {
  const POST = ['--post', 'https://hooks.example/token'];
  const READING = [...POST, '--post-each', 'reading'];
  const wrong: [args: string[], names: string[]][] = [
    [POST, ['--post', '--when', '--until']],
    [
      ['--post-text', '{name}'],
      ['--post-text', '--post '],
    ],
    [
      ['--post-header', 'A: b'],
      ['--post-header', '--post '],
    ],
    [
      ['--post-each', 'reading'],
      ['--post-each', '--post '],
    ],
    [
      ['--post', 'ftp://x/token', '--post-each', 'reading'],
      ['--post', 'http', 'https'],
    ],
    [
      ['--post', 'hooks/token', '--post-each', 'reading'],
      ['--post', 'http', 'https'],
    ],
    [
      ['--post', 'https://me:token@x/', '--post-each', 'reading'],
      ['--post', 'http', 'https'],
    ],
    [
      [...READING, '--post-text', ''],
      ['--post-text', 'empty'],
    ],
    [
      [...READING, '--post-text', '{nme}'],
      ['--post-text', '{nme}'],
    ],
    [
      [...READING, '--post-header', 'Title'],
      ['--post-header', "'Title: {name}'"],
    ],
    [
      [...READING, '--post-header', 'A b: c'],
      ['--post-header', "'Title: {name}'"],
    ],
    [
      [...READING, '--post-header', 'A\r\nB: c'],
      ['--post-header', "'Title: {name}'"],
    ],
    [
      [...READING, '--post-header', 'Host: c'],
      ['--post-header', 'Host'],
    ],
    [
      [...READING, '--post-header', 'content-length: 3'],
      ['--post-header', 'content-length'],
    ],
    [
      [...READING, '--post-header', 'A: {nme}'],
      ['--post-header', 'placeholder'],
    ],
    [
      [...READING, '--post-header', 'Key: token{nme}'],
      ['--post-header', 'placeholder'],
    ],
    [
      [...READING, '--post-header', 'Key: token}'],
      ['--post-header', '“}”'],
    ],
    [
      [...READING, '--post-header', 'A: b', '--post-header', 'a: c'],
      ['--post-header', ' a twice'],
    ],
    [
      [
        ...READING,
        '--post-header',
        'content-type: application/json',
        '--post-text',
        '{{"a":{avg}}}',
      ],
      ['--post-text', 'JSON', 'Content-Type'],
    ],
    [
      [...POST, ...READING],
      ['--post', 'twice'],
    ],
  ];
  const asTyped = (word: string): string =>
    /^[\w-][^\s{]*$/.test(word) ? word : `'${word.replace('\r\n', '\\r\\n')}'`;
  it.each(wrong.map(([args, names]) => [args.map(asTyped).join(' '), names, args] as const))(
    '`vane watch 110 %s` exits with 2 and an error that names %j',
    async (_, names, args) => {
      const { code, out, err } = await vane(['--demo', 'watch', '110', ...args]);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(naming(...names));
      expect(err.startsWith('vane: --post')).toBe(true);
      expect(err).not.toContain('token');
    },
  );
});
