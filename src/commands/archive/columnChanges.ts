import type { ArchiveHead } from '../../domain/envelope.ts';
import { describePeriod } from '../../domain/period.ts';
import { firstCharacters, quoteExcerpt } from '../../domain/text.ts';
import type { ChunkArchive, ChunkRequest } from '../../service/chunks.ts';
import { type ColumnChange, compareColumns, isSame } from '../../service/columns.ts';

/** Most changes of columns that a summary lists; it counts further ones. */
const MAX_LISTED = 8;
/** At most this many changes are counted, since a service may invent columns without end. */
const MAX_COUNTED = 10_000;
/** Most characters shown of a name or unit. */
const MAX_SHOWN = 40;

/** Collects how the columns of later answers differ from those of the first. */
export class ColumnChanges {
  #first: ArchiveHead | undefined;
  #latest: ArchiveHead | undefined;
  readonly #known = new Set<string>();
  /** Each distinct change as a clause: `“rain” (mm) appears with station 110 from … to …`. */
  readonly clauses: string[] = [];

  /**
   * Compares the columns of an answer with those of the first answer.
   * @param wanted names of the columns to compare; undefined for all
   */
  take({ request, archive }: ChunkArchive, wanted: readonly string[] | undefined): void {
    if (this.#latest !== undefined && isSame(archive, this.#latest)) return;
    this.#first ??= archive;
    this.#latest = archive;
    for (const change of compareColumns(archive, this.#first)) {
      if (wanted === undefined || wanted.includes(change.name)) this.#add(change, request);
    }
  }

  /** A sentence about all changes of columns; undefined if there are none. */
  summary(): string | undefined {
    if (this.clauses.length === 0) return undefined;
    const more = this.#known.size - this.clauses.length;
    const rest = more > 0 ? ` and ${more} more` : '';
    return (
      `Columns differ between the answers: ${this.clauses.join('; ')}${rest}. ` +
      'Each file has the columns of its first answer: other columns are left out, missing ones are empty.'
    );
  }

  #add({ kind, name, unit, unitBefore = '' }: ColumnChange, request: ChunkRequest): void {
    const key = JSON.stringify([kind, name, unit]);
    if (this.#known.has(key) || this.#known.size >= MAX_COUNTED) return;
    this.#known.add(key);
    if (this.clauses.length === MAX_LISTED) return;
    const column = quoteExcerpt(name, MAX_SHOWN);
    const inUnit = unit === '' ? '' : ` (${firstCharacters(unit, MAX_SHOWN)})`;
    const words = {
      appears: `${column}${inUnit} appears`,
      vanishes: `${column}${inUnit} vanishes`,
      twice: `${column}${inUnit} stands twice`,
      unit: `${column} changes its unit from ${firstCharacters(unitBefore, MAX_SHOWN)} to ${firstCharacters(unit, MAX_SHOWN)}`,
    };
    const { station, period } = request;
    this.clauses.push(`${words[kind]} with station ${station} ${describePeriod(period)}`);
  }
}
