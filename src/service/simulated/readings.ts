import type { Period } from '../../domain/period.ts';
import type { Reading } from '../../domain/reading.ts';
import { createInstrument } from './instrument.ts';
import { chance } from './noise.ts';
import type { Closure, SimulatedStation } from './station.ts';

/*
 * A slot is the number of a reading: its time since 1970 divided by the station's cadence. Station
 * and slot determine the reading, so a row is the same in every period.
 */

/** Share of readings that come double on a station that doubles. */
const DOUBLE_SHARE = 0.125;

function phaseS({ id, hardware: { cadenceS } }: SimulatedStation): number {
  return (id * 37) % cadenceS;
}

/** When the reading of a slot was taken. Jitter is shorter than the cadence, so times ascend. */
function slotTimeMs(station: SimulatedStation, slot: number): number {
  const { cadenceS, jitterS } = station.hardware;
  const lateS = Math.floor(chance(station.id, 'jitter', slot) * (jitterS + 1));
  return (slot * cadenceS + phaseS(station) + lateS) * 1000;
}

/** The last slot due by a time; its reading may be late, those before it are not. */
function slotDue(station: SimulatedStation, timeMs: number): number {
  return Math.floor((timeMs / 1000 - phaseS(station)) / station.hardware.cadenceS);
}

/**
 * Every row of a station in a period, ascending, none later than `now`.
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
    const closed = closureAt(station.closure, timeMs);
    if (closed !== undefined) slot = Math.max(slot, slotDue(station, closed.stop) - 1);
    else if (isReceived(station, slot)) {
      rows.push(measure(slot, timeMs));
      if (isDoubled(station, slot)) rows.push(measure(slot, timeMs, true));
    }
  }
}

/** The last row of a station no later than `now`, or undefined before its first. */
export function lastReading(station: SimulatedStation, now: number): Reading | undefined {
  const latest = Math.min(now, station.retiredMs - 1);
  for (let slot = slotDue(station, latest); ; slot--) {
    const timeMs = slotTimeMs(station, slot);
    if (timeMs < station.installedMs) return undefined;
    if (timeMs > latest) continue;
    const closed = closureAt(station.closure, timeMs);
    // One step back from here is the reading before the closure, however long it was.
    if (closed !== undefined) slot = Math.min(slot, slotDue(station, closed.start) + 1);
    else if (isReceived(station, slot)) {
      return createInstrument(station)(slot, timeMs, isDoubled(station, slot));
    }
  }
}

function isReceived(station: SimulatedStation, slot: number): boolean {
  return chance(station.id, 'loss', slot) >= station.lossRate;
}

function isDoubled(station: SimulatedStation, slot: number): boolean {
  return station.doubles !== 'none' && chance(station.id, 'double', slot) < DOUBLE_SHARE;
}

/** The closure that holds a time, if one does. */
function closureAt(closure: Closure | undefined, timeMs: number): Period | undefined {
  if (closure === undefined) return undefined;
  const date = new Date(timeMs);
  const month = date.getUTCMonth() + 1;
  if (month < closure.first && month > closure.last) return undefined;
  const year = date.getUTCFullYear() - (month < closure.first ? 1 : 0);
  return { start: Date.UTC(year, closure.first - 1), stop: Date.UTC(year + 1, closure.last) };
}
