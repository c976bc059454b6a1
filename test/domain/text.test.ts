import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldForComparison,
  hideAddressCredentials,
  hideCredentialsInText,
  printable,
  printableLines,
  printableText,
  quoteExcerpt,
} from '../../src/domain/text.ts';
import { anyCharacter } from '../support/anyCharacter.ts';

fc.configureGlobal({ seed: 20240115, numRuns: 500 });

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom(' ', '\t', '\r', '\n', '\u2028', '\u00a0', 'a', '\u001b') }),
);

describe('printableText', () => {
  it('printableText keeps line ends and makes all other control characters visible', () => {
    expect(printableText('a\n\n b\u001b[2J\u009b\u2028\n')).toBe('a\n\n b␛[2J\ufffd\ufffd\n');
  });
});

describe('quoteExcerpt', () => {
  it.each([
    ['12 345', '“12 345”'],
    ['1234567', '“123456…”'],
    ['a\nb\u001b', '“a b␛”'],
    ['🌬🌬🌬🌬🌬🌬🌬', '“🌬🌬🌬🌬🌬🌬…”'],
    ['', '“”'],
  ])('quoteExcerpt quotes at most six characters of %j as %s', (text, expected) => {
    expect(quoteExcerpt(text, 6)).toBe(expected);
  });
});

describe('hideAddressCredentials', () => {
  it.each([
    ['http://me:pw@host/a', 'http://…@host/a'],
    ['http://me:p@w/x@host', 'http://…@host'],
    ['me:pw@host:80', '…@host:80'],
    ['http://host:80/a', 'http://host:80/a'],
    ['', ''],
  ])('hideAddressCredentials shows the address %j as %j', (address, expected) => {
    expect(hideAddressCredentials(address)).toBe(expected);
  });
});

describe('hideCredentialsInText', () => {
  it('hideCredentialsInText hides user and password of each address in a sentence and keeps every other @', () => {
    const text = 'from http://me:pw@a/x (see https://tok@b, http://c/@d or me@example.org).';
    expect(hideCredentialsInText(text)).toBe(
      'from http://…@a/x (see https://…@b, http://c/@d or me@example.org).',
    );
  });
});

describe('printable', () => {
  it.each([
    ['Dune du Pilat', 'Dune du Pilat'],
    ['Décollage “nord” ’ ☀️', 'Décollage “nord” ’ ☀️'],
    [' two  spaces ', ' two  spaces '],
    ['a\r\nb', 'a b'],
    ['a \n\n  b', 'a b'],
    ['a\n', 'a '],
    ['a\tb', 'a b'],
    ['a\t\tb', 'a  b'],
    ['a \t b', 'a   b'],
    ['\u001b[2J', '␛[2J'],
    ['\u0000\u0007\u0008', '␀␇␈'],
    ['\u007f', '␡'],
    ['\u009b2J', '\ufffd2J'],
    ['\u0085', '\ufffd'],
    ['a\u2028b\u2029c', 'a\ufffdb\ufffdc'],
    ['a\u202eb\u2066c\u200e', 'a\ufffdb\ufffdc\ufffd'],
    ['', ''],
  ])('printable shows the text %j as %j', (text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it('printable leaves no control character and no line break in any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
      }),
    );
  });

  it('printable does not change a text that is printable already', () => {
    fc.assert(fc.property(anyText, (text) => printable(printable(text)) === printable(text)));
  });

  it('printable needs linear time for a long run of spaces', () => {
    // A pattern that tries each space as a start would take hours.
    const spaces = ' '.repeat(5_000_000);
    expect(printable(spaces)).toBe(spaces);
  });
});

describe('printableLines', () => {
  it.each([
    ['one', ['one']],
    ['one\r\ntwo\nthree\rfour', ['one', 'two', 'three', 'four']],
    ['one\n\ntwo', ['one', '', 'two']],
    ['\u001b[2J\n\ttab', ['␛[2J', ' tab']],
    ['', ['']],
  ])('printableLines splits %j into %j', (text, lines) => {
    expect(printableLines(text)).toEqual(lines);
  });
});

describe('fold', () => {
  it.each([
    ['Décollage', 'decollage'],
    ['ÉTÉ', 'ete'],
    ['Ångström', 'angstrom'],
    ['e\u0301', 'e'],
    ['ﬁn', 'fin'],
    ['Straße', 'straße'],
    ['東京', '東京'],
  ])('fold turns %s into %s, for searches without case and accents', (text, folded) => {
    expect(foldForComparison(text)).toBe(folded);
  });
});
