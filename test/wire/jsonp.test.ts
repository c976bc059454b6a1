import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { isCallbackName, wrapJsonp } from '../../src/wire/jsonp.ts';
import { unwrapJsonp } from '../support/jsonp.ts';

describe('a callback name', () => {
  it.each(['f', '$', '_', 'f1', 'a.b', 'a.b.c', 'a[0]', 'a[0][1].b[2]', 'x'.repeat(128)])(
    'the name of a JSONP callback may be the dotted identifier %s',
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
  ])('the name of a JSONP callback is refused unless it is a dotted identifier: %j', (name) => {
    expect(isCallbackName(name)).toBe(false);
  });
});

describe('JSONP', () => {
  it('a JSONP response begins with an empty comment, calls the callback only if it is a function, and ends with a semicolon', () => {
    expect(wrapJsonp('a.b', '{"c":1}')).toBe(`/**/ typeof a.b === 'function' && a.b({"c":1});`);
  });

  it('a JSONP response calls the callback function with the JSON value', () => {
    const calls: unknown[] = [];
    const show = (value: unknown) => calls.push(value);
    const value = { text: '</script>\u2028\u2029"\\' };
    runInNewContext(wrapJsonp('page.show', JSON.stringify(value)), { page: { show } });
    expect(JSON.stringify(calls)).toBe(JSON.stringify([value]));
  });

  it('a JSONP response does nothing where the callback function does not exist', () => {
    expect(runInNewContext(wrapJsonp('show', '{}'))).toBe(false);
  });

  it.each(['', '{}', 'show({});', `/**/ typeof a === 'function' && b({});`])(
    'unwrapJsonp finds no JSONP in %j',
    (body) => {
      expect(unwrapJsonp(body)).toBeUndefined();
    },
  );
});
