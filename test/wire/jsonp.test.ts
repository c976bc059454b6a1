import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { isCallbackName, wrapJsonp } from '../../src/wire/jsonp.ts';
import { unwrapJsonp } from '../support/jsonp.ts';

describe('a callback name', () => {
  it.each(['f', '$', '_', 'f1', 'a.b', 'a.b.c', 'a[0]', 'a[0][1].b[2]', 'x'.repeat(128)])(
    'a callback name may be a dotted identifier: %.12s',
    (name) => {
      expect(isCallbackName(name)).toBe(true);
    },
  );

  it.each([
    '',
    ' ',
    '1',
    '1a',
    'a b',
    'a.',
    '.a',
    'a..b',
    'a[',
    'a[]',
    'a[b]',
    'a["b"]',
    'a[0]b',
    '[0]',
    'a()',
    'a;b',
    'a-b',
    'a/b',
    'é',
    'f\n',
    '\u2028f',
    'x'.repeat(129),
  ])('a callback name is refused unless it is a dotted identifier: %j', (name) => {
    expect(isCallbackName(name)).toBe(false);
  });
});

describe('JSONP', () => {
  it('JSONP begins with an empty comment and a check, and ends with a semicolon', () => {
    expect(wrapJsonp('a.b', '{"c":1}')).toBe(`/**/ typeof a.b === 'function' && a.b({"c":1});`);
  });

  it('JSONP calls an existing function', () => {
    const calls: unknown[] = [];
    const show = (value: unknown) => calls.push(value);
    const value = { text: '</script>\u2028\u2029"\\' };
    runInNewContext(wrapJsonp('page.show', JSON.stringify(value)), { page: { show } });
    expect(JSON.stringify(calls)).toBe(JSON.stringify([value]));
  });

  it('a JSONP answer does nothing where its callback function does not exist', () => {
    expect(runInNewContext(wrapJsonp('show', '{}'))).toBe(false);
  });

  it.each(['', '{}', 'show({});', `/**/ typeof a === 'function' && b({});`])(
    'unwrapJsonp returns undefined for %j',
    (body) => {
      expect(unwrapJsonp(body)).toBeUndefined();
    },
  );
});
