import type { Provenance } from '../../domain/envelope.ts';
import { describePeriod } from '../../domain/period.ts';
import { countOf } from '../../domain/text.ts';
import type { StationStatistics } from '../../formats/format.ts';
import { STATISTICS_FORMATS, type StatisticsFormatName } from '../../formats/index.ts';
import { formatShare } from '../../formats/summary/cells.ts';
import type { Io } from '../../io.ts';
import { noteProvenance, type Reporter } from '../../output/reporter.ts';

/** A coverage below this share is noted. */
const ENOUGH = 0.9;

/** Collects notes while statistics are written, to print them on stderr after the statistics. */
export class Notes {
  readonly #format: StatisticsFormatName;
  rows = 0;
  readonly #thin: string[] = [];
  readonly #empty: string[] = [];

  constructor(format: StatisticsFormatName) {
    this.#format = format;
  }

  /** Passes statistics on unchanged, and collects notes about them. */
  async *watch(
    stations: AsyncIterable<StationStatistics> | Iterable<StationStatistics>,
  ): AsyncGenerator<StationStatistics> {
    for await (const statistics of stations) {
      const { station, period, groups } = statistics;
      this.rows += groups.length;
      if (groups.every(({ summary }) => summary.readings === 0)) {
        this.#empty.push(`No data of station ${station} ${describePeriod(period)}.`);
      } else {
        for (const { summary } of groups) {
          if (summary.coverage === null || summary.coverage >= ENOUGH) continue;
          this.#thin.push(
            `Readings of station ${station} cover ${formatShare(summary.coverage)} of the period.`,
          );
        }
      }
      yield statistics;
    }
  }

  conclude({ license, attribution }: Partial<Provenance>, { note }: Reporter, io: Io): void {
    for (const sentence of this.#empty) note(sentence);
    if (this.rows === 1) for (const sentence of this.#thin) note(sentence);
    else if (this.#thin.length > 0) {
      const rows = `${countOf(this.#thin.length, 'row')} of ${this.rows.toLocaleString('en')}`;
      note(`In ${rows} the readings cover less than 90 % of the time.`);
    }
    const isCredited = STATISTICS_FORMATS[this.#format].carriesProvenance?.includes('statistics');
    if (isCredited || license === undefined || attribution === undefined) return;
    noteProvenance({ note }, { license, attribution }, io.stderrTerminal);
  }
}
