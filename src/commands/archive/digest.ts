import type { Period } from '../../domain/period.ts';
import type { Reading } from '../../domain/reading.ts';
import { convertSpeed, round2, SPEED_UNITS } from '../../domain/units.ts';
import { formatTime } from '../../formats/words.ts';
import type { ChunkArchive } from '../../service/chunks.ts';
import type { ArchiveRequest } from './request.ts';

/** Stations send a reading every 4 or 5 minutes, so one covers this long before and after its time. */
const REACH_MS = 300_000;

/** Mean, strongest gust, coverage and position of an export, for the note under its table. */
export class Digest {
  #sumKmh = 0;
  #known = 0;
  #coveredMs = 0;
  #coveredUntilMs = Number.NEGATIVE_INFINITY;
  #station: number | undefined;
  #gust: { readonly kmh: number; readonly time: string; readonly station: number } | undefined;
  #position: string | undefined;
  #hasMoved = false;
  readonly #period: Period;

  /** @param now milliseconds since 1970; no reading is expected after it */
  constructor({ period: { start, stop }, now }: Pick<ArchiveRequest, 'period' | 'now'>) {
    this.#period = { start, stop: Math.max(start, Math.min(stop, now)) };
  }

  /** Takes the next chunk of a station, or the first of another. */
  take({ request: { station }, archive }: ChunkArchive): void {
    if (station !== this.#station) {
      this.#station = station;
      this.#coveredUntilMs = this.#period.start;
    }
    for (const reading of archive.rows.readings) this.#takeReading(reading, station);
  }

  #takeReading([time, latitude, longitude, , avg, max]: Reading, station: number): void {
    if (avg !== null) {
      this.#sumKmh += avg;
      this.#known++;
    }
    if (max !== null && max > (this.#gust?.kmh ?? Number.NEGATIVE_INFINITY)) {
      this.#gust = { kmh: max, time, station };
    }
    if (latitude !== null && longitude !== null) {
      const position = `${latitude}, ${longitude}`;
      this.#position ??= position;
      this.#hasMoved ||= position !== this.#position;
    }
    const timeMs = Date.parse(time);
    const fromMs = Math.max(timeMs - REACH_MS, this.#coveredUntilMs);
    const untilMs = Math.min(timeMs + REACH_MS, this.#period.stop);
    if (untilMs <= fromMs) return;
    this.#coveredMs += untilMs - fromMs;
    this.#coveredUntilMs = untilMs;
  }

  /**
   * The sentences of the note.
   * @param stations how many were asked for
   */
  describe({ output, columns }: Pick<ArchiveRequest, 'output' | 'columns'>, stations: number) {
    const { unit, zone, writeDate } = output;
    const write = (kmh: number): string =>
      `${round2(convertSpeed(kmh, unit) ?? 0)} ${SPEED_UNITS[unit].label}`;
    const mean = this.#known === 0 ? [] : [`mean ${write(round2(this.#sumKmh / this.#known))}`];
    const gust =
      this.#gust &&
      [
        `strongest gust ${write(this.#gust.kmh)} at ${formatTime(writeDate(this.#gust.time))}`,
        ...(zone === 'utc' ? [' UTC'] : []),
        ...(stations > 1 ? [` (station ${this.#gust.station})`] : []),
      ].join('');
    const wind = [...mean, ...(gust ? [gust] : [])].join(', ');
    const periodMs = (this.#period.stop - this.#period.start) * Math.max(1, stations);
    const share = periodMs === 0 ? 1 : this.#coveredMs / periodMs;
    const isPositionHidden = columns === undefined && stations === 1;
    const position =
      isPositionHidden && this.#position
        ? ` Position${this.#hasMoved ? ' at first' : ''}: ${this.#position}.`
        : '';
    return [
      ...(wind === '' ? [] : [`${wind.charAt(0).toUpperCase()}${wind.slice(1)}.`]),
      `Readings cover ${describeShare(share)} of the period.${position}`,
    ];
  }
}

/** Whole percent, rounded down, so that 100 % has no gap. */
function describeShare(share: number): string {
  return share > 0 && share < 0.01 ? 'less than 1 %' : `${Math.floor(share * 100 + 1e-9)} %`;
}
