import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText, wrapText } from '../../src/formats/fitText.ts';
import { COLUMN_GAP, drawTable, fitColumns } from '../../src/formats/textTable.ts';

it('drawTable keeps the order and the columns of a table with thousands of rows', () => {
  const rows = Array.from({ length: 3000 }, (_, index) => [String(index), 'x']);
  const lines = drawTable([['id', 'name'], ...rows, ['the widest', '']]);
  expect(lines).toHaveLength(3002);
  expect(lines[0]).toBe('id          name');
  expect(lines[2345]).toBe('2344        x');
  expect(lines.at(-1)).toBe('the widest');
});

it('cutText cuts a cell of a table between emoji, and closes the colours that the cell opens', () => {
  expect(cutText('👨‍👩‍👧👨‍👩‍👧', 3, '…')).toBe('👨‍👩‍👧…');
  expect(cutText('\u001b[1mname\u001b[22m', 3, '…')).toBe('\u001b[1mna…\u001b[22m');
});

it('wrapText breaks lines at blanks, and leaves a word that is too long whole', () => {
  expect(wrapText('Flat beach, nothing around it.', 11)).toEqual([
    'Flat beach,',
    'nothing',
    'around it.',
  ]);
  expect(wrapText('小浜 の 風', 4)).toEqual(['小浜', 'の', '風']);
  expect(wrapText('see https://example.org', 9)).toEqual(['see', 'https://example.org']);
  expect(wrapText('  kept  as it is', Number.POSITIVE_INFINITY)).toEqual(['  kept  as it is']);
  expect(wrapText('', 9)).toEqual(['']);
});

const column = fc.record({
  width: fc.integer({ min: 1, max: 60 }),
  rank: fc.integer({ min: 0, max: 7 }),
  room: fc.option(fc.constant({ comfortable: 18, tight: 6 }), { nil: undefined }),
});

const totalWidth = (columns: readonly { width: number }[]): number =>
  columns.reduce((sum, { width }) => sum + width + COLUMN_GAP.length, -COLUMN_GAP.length);

describe('fitColumns', () => {
  it('fitColumns keeps every column of a table at its width when no window limits it', () => {
    fc.assert(
      fc.property(fc.array(column), (columns) => {
        expect(fitColumns(columns)).toEqual(columns);
      }),
    );
  });

  it('fitColumns makes a table fit its window, or keeps only the most important columns at their smallest width', () => {
    fc.assert(
      fc.property(
        fc.array(column, { minLength: 1 }),
        fc.integer({ min: 10, max: 120 }),
        (all, limit) => {
          const kept = fitColumns(all, limit);
          const fits = totalWidth(kept) <= limit;
          const isLeast = kept.every(
            ({ rank, width, room }) => rank === 0 && width <= (room?.tight ?? width),
          );
          expect(fits || isLeast).toBe(true);
        },
      ),
    );
  });

  it('fitColumns shortens names a little, then drops the signal, then shortens names more, then drops the gust', () => {
    const name = { width: 40, rank: 0, room: { comfortable: 18, tight: 6 } };
    const gust = { width: 10, rank: 3 };
    const signal = { width: 10, rank: 7 };
    expect(fitColumns([name, gust, signal], 50).map(({ width }) => width)).toEqual([26, 10, 10]);
    expect(fitColumns([name, gust, signal], 40).map(({ width }) => width)).toEqual([28, 10]);
    expect(fitColumns([name, gust, signal], 18).map(({ width }) => width)).toEqual([6, 10]);
    expect(fitColumns([name, gust, signal], 17).map(({ width }) => width)).toEqual([17]);
  });
});
