import type { ArchiveHead } from '../../domain/envelope.ts';
import { describePeriod } from '../../domain/period.ts';
import type { ChunkArchive, ChunkRequest } from '../../service/chunks.ts';
import { type ColumnChange, compareColumns, isSame } from '../../service/columns.ts';

/** More changes than these are counted only. */
const MOST_LISTED = 8;
/** More changes than these are not even counted. */
const MOST_COUNTED = 10_000;

/** Notices where the columns of an export's answers are not those of its first. */
export class ColumnChanges {
  #first: ArchiveHead | undefined;
  #latest: ArchiveHead | undefined;
  readonly #known = new Set<string>();
  /** Each change once, as a clause: `“rain” (mm) appears with station 110 from … to …`. */
  readonly clauses: string[] = [];

  /** @param wanted names of the columns that are written; undefined for all */
  take({ request, archive }: ChunkArchive, wanted: readonly string[] | undefined): void {
    if (this.#latest !== undefined && isSame(archive, this.#latest)) return;
    this.#first ??= archive;
    this.#latest = archive;
    for (const change of compareColumns(archive, this.#first)) {
      if (wanted === undefined || wanted.includes(change.name)) this.#add(change, request);
    }
  }

  /** A sentence on all changes, or undefined where there was none. */
  describe(): string | undefined {
    if (this.clauses.length === 0) return undefined;
    const more = this.#known.size - this.clauses.length;
    const rest = more > 0 ? ` and ${more} more` : '';
    return (
      `Columns differ between the answers: ${this.clauses.join('; ')}${rest}. ` +
      'A file has the columns of its first answer: others are left out, missing ones are empty.'
    );
  }

  #add(change: ColumnChange, { station, period }: ChunkRequest): void {
    const { kind, name, unit } = change;
    const key = JSON.stringify([kind, name, unit]);
    if (this.#known.has(key) || this.#known.size >= MOST_COUNTED) return;
    this.#known.add(key);
    if (this.clauses.length === MOST_LISTED) return;
    this.clauses.push(`${word(change)} with station ${station} ${describePeriod(period)}`);
  }
}

function word({ kind, name, unit, unitBefore = '' }: ColumnChange): string {
  const column = `“${cut(name)}”`;
  if (kind === 'unit') return `${column} changes its unit from ${cut(unitBefore)} to ${cut(unit)}`;
  const whole = unit === '' ? column : `${column} (${cut(unit)})`;
  return kind === 'twice' ? `${whole} stands twice` : `${whole} ${kind}`;
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
