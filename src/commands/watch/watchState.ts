import type { LiveStations } from '../../domain/envelope.ts';
import type { ReadingColumns } from '../../domain/readings/columns.ts';
import {
  distanceFrom,
  type SelectedStation,
  type StationSelection,
  selectStations,
} from '../../domain/selection.ts';
import { measurementAgeMs, OLD_MEASUREMENT_MS, type Station } from '../../domain/station.ts';
import {
  type AlertRule,
  type AlertState,
  type AlertUpdate,
  checkStaleness,
  conditionHeldSince,
  evaluateAlert,
  INITIAL_ALERT,
} from '../../domain/watching/alert.ts';
import { observationOfMeasurements } from '../../domain/watching/observe.ts';
import {
  addArchiveReadings,
  addLiveMeasurement,
  markStationGone,
  type RecentMeasurements,
} from '../../domain/watching/recentMeasurements.ts';
import type { Credit, WatchRecord } from '../../formats/format.ts';
import type { WatchOptions } from './options.ts';
import { describeAlertRule } from './rules.ts';
import type { WatchedStation, WatchStore } from './watchStore.ts';

export interface WatchState {
  /**
   * Selects the stations whose last hour to request. If --where uses trends, all that may match.
   */
  selectForHistory(response: LiveStations, now: number): SelectedStation[];
  /**
   * Adds the response of a poll.
   * @returns records of new measurements and of events, by station
   */
  addResponse(response: LiveStations, now: number): WatchRecord[];
  /**
   * Notes a failed poll.
   * @returns events of stations whose measurements have become too old
   */
  addFailure(now: number): WatchRecord[];
  /**
   * Adds readings of the last hour to a station's recent measurements. They may arrive before or
   * after the first live response with that station.
   */
  addHistory(station: number, readings: ReadingColumns): void;
}

/**
 * Creates the state of a watch: recent measurements and alerts of its stations.
 * @param store updated with the stations after each change
 * @param startedMs when the watch started, milliseconds since 1970
 */
export function createWatchState(
  { stations, selection, rules, isUntil, isChosenByTrend }: WatchOptions,
  store: Pick<WatchStore, 'update'>,
  startedMs: number,
): WatchState {
  const recentByStation = new Map<number, RecentMeasurements>();
  const alerts = new Map<number, AlertState>();
  /** Readings of the last hour that arrived before the first live response with their station. */
  const history = new Map<number, ReadingColumns>();
  /** The latest measurements of stations that were not selected, and so not yet recorded. */
  const unrecorded = new Map<number, Station>();
  let shown: readonly number[] = [];
  let credit: Credit | undefined;
  // --where may use trends, so remember every station that may match later.
  const candidates: StationSelection =
    selection.where === undefined
      ? selection
      : { ...selection, where: undefined, limit: undefined };

  const isNamed = (id: number): boolean => stations !== 'all' && stations.includes(id);
  const recentOf = (id: number): RecentMeasurements =>
    recentByStation.get(id) as RecentMeasurements;
  const alertOf = (id: number): AlertState => alerts.get(id) ?? INITIAL_ALERT;
  const distanceOf = (id: number) => distanceFrom(selection.near, recentOf(id).station);
  const observe = (id: number, now: number) =>
    observationOfMeasurements(recentOf(id), distanceOf(id), now);
  const namedIn = ({ data }: LiveStations): readonly Station[] =>
    data.filter(({ id }) => stations === 'all' || isNamed(id));

  function publish(): void {
    const watched = shown.map((id): WatchedStation => {
      const rule = rules.of(id);
      return {
        recent: recentOf(id),
        distanceKm: distanceOf(id),
        condition: rule && describeAlertRule(rule, isUntil),
        isAlerting: alertOf(id).isOn,
      };
    });
    store.update({ stations: watched });
  }

  function recordOf(id: number, now: number): WatchRecord {
    const { station, samples } = recentOf(id);
    return { station, distanceKm: distanceOf(id), samples, now, event: undefined, credit };
  }

  /**
   * Updates the alert of a station, and returns its new event as a record; undefined without one.
   */
  function updateAlert(id: number, { alert, event: kind }: AlertUpdate, now: number) {
    const rule = rules.of(id);
    if (rule === undefined) return [];
    alerts.set(id, alert);
    if (kind === undefined) return [];
    const record = recordOf(id, now);
    const ageMs = measurementAgeMs(record.station, now);
    const measuredMs = ageMs === undefined ? undefined : now - ageMs;
    const sinceMs = { true: alert.heldSinceMs, false: now, stale: measuredMs }[kind];
    return [{ ...record, event: { kind, condition: rule.condition.text, atMs: now, sinceMs } }];
  }

  const updateStale = (id: number, now: number): WatchRecord[] =>
    updateAlert(id, checkStaleness(alertOf(id), recentOf(id), now), now);

  function updateStation(station: Station, now: number): void {
    const { id } = station;
    const { recent, fresh } = addLiveMeasurement(recentByStation.get(id), station, now);
    const earlier = history.get(id);
    recentByStation.set(id, earlier ? addArchiveReadings(recent, earlier) : recent);
    history.delete(id);
    if (fresh) unrecorded.set(id, fresh);
  }

  function recordsOfNew(id: number, now: number): WatchRecord[] {
    const station = unrecorded.get(id);
    unrecorded.delete(id);
    return station ? [{ ...recordOf(id, now), station }] : [];
  }

  /**
   * The alert of a station at its first poll. If the condition has held for a while, that time
   * counts for --for.
   */
  const lookBack = (id: number, rule: AlertRule): AlertState => ({
    ...alertOf(id),
    heldSinceMs: conditionHeldSince(rule, recentOf(id), distanceOf(id)),
  });

  function applyUpdate(id: number, isSelected: boolean, now: number): WatchRecord[] {
    const rule = rules.of(id);
    if (rule === undefined) return [];
    const isFirst = !alerts.has(id);
    if (isFirst && !isNamed(id)) {
      // A station that was already silent at the start is only reported if the user named it.
      alerts.set(id, checkStaleness(INITIAL_ALERT, recentOf(id), now).alert);
    }
    const alert = isFirst ? lookBack(id, rule) : alertOf(id);
    const isEvaluated = isSelected || alert.isOn;
    if (!isEvaluated) alerts.set(id, { ...alert, heldSinceMs: undefined });
    const update = isEvaluated && evaluateAlert(alert, rule, observe(id, now), now);
    const events = update ? updateAlert(id, update, now) : [];
    return [...updateStale(id, now), ...events];
  }

  return {
    selectForHistory(response: LiveStations, now: number): SelectedStation[] {
      return selectStations(namedIn(response), isChosenByTrend ? candidates : selection, now);
    },

    addResponse(response: LiveStations, now: number): WatchRecord[] {
      credit = { license: response.license, attribution: response.attribution };
      const byId = new Map(response.data.map((station) => [station.id, station]));
      const named = namedIn(response);
      const found = selectStations(named, candidates, now).map(({ station: { id } }) => id);
      for (const id of new Set([...found, ...recentByStation.keys()])) {
        const station = byId.get(id);
        if (station) updateStation(station, now);
      }
      const gone = shown.filter((id) => !byId.has(id));
      for (const id of gone) recentByStation.set(id, markStationGone(recentOf(id)));
      const selected = new Set(
        selectStations(named, selection, now, ({ station }) => observe(station.id, now)).map(
          ({ station: { id } }) => id,
        ),
      );
      shown = [...selected, ...gone];
      const records = [...new Set([...selected, ...alerts.keys()])].flatMap((id) => {
        if (!byId.has(id)) return updateStale(id, now);
        const isSelected = selected.has(id);
        const measurements = isSelected ? recordsOfNew(id, now) : [];
        return [...measurements, ...applyUpdate(id, isSelected, now)];
      });
      publish();
      return records;
    },

    addFailure(now: number): WatchRecord[] {
      if (stations !== 'all' && now - startedMs > OLD_MEASUREMENT_MS) {
        // A named station that no response has contained since the start becomes stale too.
        for (const id of stations.filter((one) => !recentByStation.has(one))) {
          recentByStation.set(id, noMeasurements(id));
          alerts.set(id, INITIAL_ALERT);
        }
      }
      const records = [...alerts.keys()].flatMap((id) => updateStale(id, now));
      publish();
      return records;
    },

    addHistory(station: number, readings: ReadingColumns): void {
      const recent = recentByStation.get(station);
      if (recent) recentByStation.set(station, addArchiveReadings(recent, readings));
      else history.set(station, readings);
      publish();
    },
  };
}

/** A placeholder for a station that no response has contained yet. */
function noMeasurements(id: number): RecentMeasurements {
  const station: Station = {
    id,
    meta: { name: `Station ${id}` },
    location: { latitude: null, longitude: null, date: null, success: false },
    measurements: {
      date: null,
      pressure: null,
      wind_heading: null,
      wind_speed_avg: null,
      wind_speed_max: null,
      wind_speed_min: null,
    },
    status: { date: null, snr: null, state: null },
  };
  return { station, samples: [], before: undefined, isGone: false };
}
