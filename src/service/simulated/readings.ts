import type { Period } from '../../domain/period.ts';
import type { Reading } from '../../domain/reading.ts';
import { createInstrument } from './instrument.ts';
import { chance } from './noise.ts';
import type { SimulatedStation } from './station.ts';

/*
 * A slot is one step of a station's reporting interval, numbered from 1970 on. A reading depends on
 * its station and slot alone, so every period that contains the reading gives the same row.
 */

/** Share of its readings that a station with `doubles` sends twice. */
const DOUBLE_SHARE = 0.125;

function phaseS({ id, hardware: { cadenceS } }: SimulatedStation): number {
  return (id * 37) % cadenceS;
}

/**
 * The time of the reading of a slot. Times ascend: the random delay is shorter than the interval of
 * the station.
 */
function slotTimeMs(station: SimulatedStation, slot: number): number {
  const { cadenceS, jitterS } = station.hardware;
  const lateS = Math.floor(chance(station.id, 'jitter', slot) * (jitterS + 1));
  const ms = station.hasMilliseconds
    ? Math.floor(chance(station.id, 'milliseconds', slot) * 1000)
    : 0;
  return (slot * cadenceS + phaseS(station) + lateS) * 1000 + ms;
}

/** The last slot that begins at or before a time; its reading may come later than the time. */
function slotDue(station: SimulatedStation, timeMs: number): number {
  return Math.floor((timeMs / 1000 - phaseS(station)) / station.hardware.cadenceS);
}

/**
 * The rows of a station in a period until `now`, ascending.
 * @param period milliseconds since 1970, half-open
 */
export function readingsIn(station: SimulatedStation, period: Period, now: number): Reading[] {
  const start = Math.max(period.start, station.installedMs);
  const stop = Math.min(period.stop, station.retiredMs, now + 1);
  const measure = createInstrument(station);
  const rows: Reading[] = [];
  for (let slot = slotDue(station, start); ; slot++) {
    const timeMs = slotTimeMs(station, slot);
    if (timeMs >= stop) return rows;
    if (timeMs < start) continue;
    if (isReceived(station, slot, timeMs)) {
      rows.push(measure(slot, timeMs));
      if (isDoubled(station, slot)) rows.push(measure(slot, timeMs, true));
    }
  }
}

/** The last row of a station until `now`; undefined before its first row. */
export function lastReading(station: SimulatedStation, now: number): Reading | undefined {
  const latest = Math.min(now, station.retiredMs - 1);
  for (let slot = slotDue(station, latest); ; slot--) {
    const timeMs = slotTimeMs(station, slot);
    if (timeMs < station.installedMs) return undefined;
    if (timeMs > latest) continue;
    if (isReceived(station, slot, timeMs)) {
      return createInstrument(station)(slot, timeMs, isDoubled(station, slot));
    }
  }
}

function isReceived(station: SimulatedStation, slot: number, timeMs: number): boolean {
  return !isClosed(station, timeMs) && chance(station.id, 'loss', slot) >= station.lossRate;
}

function isClosed({ closure }: SimulatedStation, timeMs: number): boolean {
  if (closure === undefined) return false;
  const month = new Date(timeMs).getUTCMonth() + 1;
  return month >= closure.first || month <= closure.last;
}

function isDoubled(station: SimulatedStation, slot: number): boolean {
  return station.doubles !== 'none' && chance(station.id, 'double', slot) < DOUBLE_SHARE;
}
