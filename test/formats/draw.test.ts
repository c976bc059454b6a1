import { expect, it } from 'vitest';
import { cutText } from '../../src/formats/table/cut.ts';
import { drawTable } from '../../src/formats/table/draw.ts';

it('keeps the order and the columns of a table with thousands of rows', () => {
  const rows = Array.from({ length: 3000 }, (_, index) => [String(index), 'x']);
  const lines = drawTable([['id', 'name'], ...rows, ['the widest', '']]);
  expect(lines).toHaveLength(3002);
  expect(lines[0]).toBe('id          name');
  expect(lines[2345]).toBe('2344        x');
  expect(lines.at(-1)).toBe('the widest');
});

it('cuts a cell of a table between emoji, and closes the colours that the cell opens', () => {
  expect(cutText('👨‍👩‍👧👨‍👩‍👧', 3, '…')).toBe('👨‍👩‍👧…');
  expect(cutText('\u001b[1mname\u001b[22m', 3, '…')).toBe('\u001b[1mna…\u001b[22m');
});
