import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDateWriter, formatDate } from '../../src/domain/dates.ts';
import type { WrittenColumnName } from '../../src/domain/readings/archiveColumns.ts';
import {
  DEPRECATED_PRESSURE_UNIT,
  SERVICE_COLUMNS,
} from '../../src/domain/readings/archiveColumns.ts';
import { Chunk, type ChunkMetadata } from '../../src/domain/readings/chunk.ts';
import { ArchiveLines } from '../../src/domain/readings/lines.ts';
import { convertSpeed, SPEED_UNIT_NAMES, SPEED_UNITS } from '../../src/domain/units.ts';
import {
  describeArchive,
  writeArchiveRows,
  writtenColumns,
} from '../../src/formats/archiveRows.ts';
import type { ArchiveLayout } from '../../src/formats/format.ts';
import { ARCHIVE_LEGEND, ARCHIVE_UNITS, type ArchiveRow } from '../../src/wire/archive.ts';
import { ARCHIVE_PROVENANCE } from '../support/fixture-service.ts';
import { archiveLayout } from '../support/layout.ts';

const NAMES: readonly WrittenColumnName[] = SERVICE_COLUMNS.map(({ name }) => name);
const PERIOD = { start: 0, stop: 4e12 };
const HEAD: ChunkMetadata = { ...ARCHIVE_PROVENANCE, pressureUnit: DEPRECATED_PRESSURE_UNIT };

const chunkOf = (lines: ArchiveLines): Chunk => Chunk.ofLines(PERIOD, HEAD, lines);
const textOf = (chunk: Chunk, layout: ArchiveLayout): string =>
  String(writeArchiveRows({ station: 110, chunk }, layout));

/** A chunk whose rows a step has changed: it has no lines. */
const computed = ({ columns }: Chunk): Chunk => Chunk.ofColumns(PERIOD, HEAD, columns);

const speed = fc.option(fc.integer({ min: -5, max: 20_000 }).map((n) => n / 100));
const number = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0));
const row = fc.tuple(
  fc.integer({ min: 0, max: 4e12 - 1 }).map(formatDate),
  ...[number, number, speed, speed, speed, number, number],
) as fc.Arbitrary<ArchiveRow>;
const anyLayout = fc
  .record({
    unit: fc.constantFrom(...SPEED_UNIT_NAMES),
    zone: fc.constantFrom('utc', 'Europe/Paris', 'America/St_Johns', 'Asia/Kathmandu'),
    columns: fc.shuffledSubarray<WrittenColumnName>(['station', ...NAMES], { minLength: 1 }),
  })
  .map(archiveLayout);

/** A line of the service with its cells rewritten one by one, as text. */
function rewritten(line: string, { unit, zone, columns }: ArchiveLayout): string {
  const cells = line.split(',');
  return columns
    .map((name) => {
      if (name === 'station') return '110';
      const place = ARCHIVE_LEGEND.indexOf(name);
      const cell = cells[place] as string;
      if (name === 'time') return `"${createDateWriter(zone)(cell.slice(1, -1))}"`;
      if (ARCHIVE_UNITS[place] !== 'km/h' || cell === 'null') return cell;
      return String(convertSpeed(Number(cell), unit));
    })
    .join();
}

describe('the rows of an archive', () => {
  it('the rows of an archive in the layout of the service are the bytes of the service, whatever the header and the texts of numbers', () => {
    const text = '"2024-05-01T12:00:00.000Z",45.50,6,-0,1.50,1e1,null,null\n';
    const lines = new ArchiveLines(Buffer.from(text), 1);
    for (const header of ['service', 'names', 'none'] as const) {
      const layout = archiveLayout({ header });
      expect(writeArchiveRows({ station: 110, chunk: chunkOf(lines) }, layout)).toBe(lines.bytes);
    }
  });

  it('the rows of an archive in the layout of the service are written as the service writes them after a step has changed a row', () => {
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const chunk = chunkOf(ArchiveLines.ofRows(rows));
        expect(textOf(computed(chunk), archiveLayout())).toBe(chunk.lines?.text);
      }),
    );
  });

  it('the rows of an archive in any other layout have the cells of the service in the chosen columns, with speeds and times rewritten', () => {
    fc.assert(
      fc.property(fc.array(row), anyLayout, (rows, layout) => {
        const chunk = chunkOf(ArchiveLines.ofRows(rows));
        const lines = (chunk.lines?.text ?? '').split('\n').slice(0, -1);
        const expected = lines.map((line) => `${rewritten(line, layout)}\n`).join('');
        expect(textOf(chunk, layout)).toBe(expected);
        expect(textOf(computed(chunk), layout)).toBe(expected);
      }),
    );
  });

  it.each([0, 3, 8])(
    'the rows of an archive have the id of the station in column %i, where the layout puts it',
    (place) => {
      const rows = [1, 2].map(
        (avg): ArchiveRow => ['2024-01-01T00:00:00.000Z', null, null, 1, avg, 3, 0, null],
      );
      const layout = archiveLayout({ columns: NAMES.toSpliced(place, 0, 'station') });
      const { legend, units } = describeArchive(layout, HEAD);
      expect(legend).toEqual(ARCHIVE_LEGEND.toSpliced(place, 0, 'station'));
      expect(units).toEqual(ARCHIVE_UNITS.toSpliced(place, 0, 'id'));
      const text = textOf(chunkOf(ArchiveLines.ofRows(rows)), layout);
      const expected = rows.map((reading) => [...reading].toSpliced(place, 0, 110));
      expect(text).toBe(ArchiveLines.ofRows(expected).text);
      expect(textOf(chunkOf(ArchiveLines.ofRows([])), layout)).toBe('');
    },
  );

  it('the rows of an archive have the further columns that a step has added, with null for a missing value', () => {
    const { columns } = chunkOf(
      ArchiveLines.ofRows([
        ['2024-05-01T12:00:00.000Z', 45.5, 6.25, 1, 2.5, 4, 270, null],
        ['2024-05-01T13:00:00.000Z', 45.5, 6.25, 1, 2.5, 4, 270, null],
      ]),
    );
    const chunk = Chunk.ofColumns(PERIOD, HEAD, {
      ...columns,
      ...{ readings: Float64Array.of(12, 0), coverage: Float64Array.of(1 / 3, Number.NaN) },
      flag: Float64Array.of(1, 9),
    });
    const all = archiveLayout({ columns: ['readings', 'coverage', 'flag', 'wind_speed_avg'] });
    expect(textOf(chunk, all)).toBe(`12,${1 / 3},1,2.5\n0,null,9,2.5\n`);
    // The service's own columns are as before.
    expect(textOf(chunk, archiveLayout())).toBe(textOf(computed(chunk), archiveLayout()));
  });
});

describe('the columns of an archive', () => {
  it.each(SPEED_UNIT_NAMES)(
    'the columns of an archive name the unit %s, and except for km/h the name of a speed ends in it',
    (unit) => {
      const layout = archiveLayout({ unit, zone: 'Europe/Paris' });
      const { label, suffix } = SPEED_UNITS[unit];
      expect(suffix === '').toBe(unit === 'kmh');
      const found = writtenColumns(layout, { ...HEAD, pressureUnit: 'hPa' });
      const expected = SERVICE_COLUMNS.map((column) => {
        const isSpeed = column.unit === 'km/h';
        const units: Record<string, string> = { time: 'Europe/Paris', pressure: 'hPa' };
        return {
          name: column.name,
          unitName: isSpeed ? column.name + suffix : column.name,
          unit: units[column.name] ?? (isSpeed ? label : column.unit),
        };
      });
      expect(found).toEqual(expected);
    },
  );

  it('the columns of an archive that steps have added have the units of their values', () => {
    const columns = ['readings', 'coverage', 'flag'] as const;
    const { units } = describeArchive(archiveLayout({ unit: 'kn', columns }), HEAD);
    expect(units).toEqual(['count', 'share', 'qartod']);
  });

  it('the columns and the head of an archive contain no control character of the service', () => {
    const hostile = { license: 'l\u001b[2J', attribution: 'a\r\nb', pressureUnit: 'h\u009bPa' };
    const { doc, license, attribution, units } = describeArchive(archiveLayout(), hostile);
    expect(`${license}${attribution}${units}`).not.toMatch(/\p{Cc}/u);
    expect(doc).toBe('');
    const bare = describeArchive(archiveLayout(), { pressureUnit: DEPRECATED_PRESSURE_UNIT });
    expect(bare).toMatchObject({ doc: '', license: '', attribution: '' });
  });
});
