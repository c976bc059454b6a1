import type { LiveStations } from '../../domain/envelope.ts';
import type { Reading } from '../../domain/reading.ts';
import {
  distanceFrom,
  type SelectedStation,
  type Selection,
  type SortKey,
  selectStations,
  sortStations,
} from '../../domain/selection.ts';
import { measurementAgeMs, OLD_MEASUREMENT_MS, type Station } from '../../domain/station.ts';
import {
  type Alarm,
  type AlarmRule,
  type AlarmUpdate,
  checkStale,
  evaluateAlarm,
  heldSince,
  INITIAL_ALARM,
} from '../../domain/watching/alarm.ts';
import { observeTrack } from '../../domain/watching/observe.ts';
import {
  addHistory,
  markGone,
  type Track,
  updateTrack,
} from '../../domain/watching/recentMeasurements.ts';
import type { Credit, StreamRecord } from '../../formats/format.ts';
import type { WatchRequest } from './request.ts';
import type { Watched } from './screen/scene.ts';

export type WatchState = ReturnType<typeof createWatchState>;

/**
 * The memory of a watch: the recent measurements of its stations, and their alarms.
 * @param startedMs when the watch started, milliseconds since 1970
 */
export function createWatchState(
  { stations, selection, rule, isChosenByTrend }: WatchRequest,
  startedMs: number,
) {
  const tracks = new Map<number, Track>();
  const alarms = new Map<number, Alarm>();
  /** Readings of the last hour that came before the first live response about their station. */
  const history = new Map<number, readonly Reading[]>();
  /** The latest measurement of each station that was not recorded, as it was not selected. */
  const unrecorded = new Map<number, Station>();
  let shown: readonly number[] = [];
  let credit: Credit | undefined;
  // --where may compare trends, so keep the measurements of every station that may match later.
  const candidates: Selection =
    selection.where === undefined
      ? selection
      : { ...selection, where: undefined, limit: undefined };

  const isNamed = (id: number): boolean => stations !== 'all' && stations.includes(id);
  const trackOf = (id: number): Track => tracks.get(id) as Track;
  const alarmOf = (id: number): Alarm => alarms.get(id) ?? INITIAL_ALARM;
  const distanceOf = (id: number) => distanceFrom(selection.near, trackOf(id).station);
  const observe = (id: number, now: number) => observeTrack(trackOf(id), distanceOf(id), now);
  const namedIn = ({ data }: LiveStations): readonly Station[] =>
    data.filter(({ id }) => stations === 'all' || isNamed(id));

  function recordOf(id: number, now: number): StreamRecord {
    const { station, samples } = trackOf(id);
    return { station, distanceKm: distanceOf(id), samples, now, event: undefined, credit };
  }

  /** Updates the alarm of a station. Returns its new event as a record, if there is one. */
  function updateAlarm(id: number, { alarm, event: kind }: AlarmUpdate, now: number) {
    if (rule === undefined) return [];
    alarms.set(id, alarm);
    if (kind === undefined) return [];
    const record = recordOf(id, now);
    const ageMs = measurementAgeMs(record.station, now);
    const measuredMs = ageMs === undefined ? undefined : now - ageMs;
    const sinceMs = { true: alarm.heldSinceMs, false: now, stale: measuredMs }[kind];
    return [{ ...record, event: { kind, condition: rule.condition.text, atMs: now, sinceMs } }];
  }

  const updateStale = (id: number, now: number): StreamRecord[] =>
    updateAlarm(id, checkStale(alarmOf(id), trackOf(id), now), now);

  function takeStation(station: Station, now: number): void {
    const { id } = station;
    const { track, fresh } = updateTrack(tracks.get(id), station, now);
    tracks.set(id, addHistory(track, history.get(id) ?? []));
    history.delete(id);
    if (fresh) unrecorded.set(id, fresh);
  }

  function takeMeasurement(id: number, now: number): StreamRecord[] {
    const station = unrecorded.get(id);
    unrecorded.delete(id);
    return station ? [{ ...recordOf(id, now), station }] : [];
  }

  /** The alarm of a station at its first poll, with the time of --for that lies before it. */
  const lookBack = (id: number, rule: AlarmRule): Alarm => ({
    ...alarmOf(id),
    heldSinceMs: heldSince(rule, trackOf(id), distanceOf(id)),
  });

  function takeAlarm(id: number, isSelected: boolean, now: number): StreamRecord[] {
    if (rule === undefined) return [];
    const isFirst = !alarms.has(id);
    if (isFirst && !isNamed(id)) {
      // Some stations fell silent years ago: report a stale station only if the user named it.
      alarms.set(id, checkStale(INITIAL_ALARM, trackOf(id), now).alarm);
    }
    const alarm = isFirst ? lookBack(id, rule) : alarmOf(id);
    const isEvaluated = isSelected || alarm.isOn;
    if (!isEvaluated) alarms.set(id, { ...alarm, heldSinceMs: undefined });
    const update = isEvaluated && evaluateAlarm(alarm, rule, observe(id, now), now);
    const events = update ? updateAlarm(id, update, now) : [];
    return [...updateStale(id, now), ...events];
  }

  return {
    /** Stations to request the last hour of; where --where compares trends, all that may match. */
    selectForHistory(response: LiveStations, now: number): SelectedStation[] {
      return selectStations(namedIn(response), isChosenByTrend ? candidates : selection, now);
    },

    /** Takes a poll's response. @returns records of new measurements and events, by station */
    addResponse(response: LiveStations, now: number): StreamRecord[] {
      credit = { license: response.license, attribution: response.attribution };
      const byId = new Map(response.data.map((station) => [station.id, station]));
      const named = namedIn(response);
      const found = selectStations(named, candidates, now).map(({ station: { id } }) => id);
      for (const id of new Set([...found, ...tracks.keys()])) {
        const station = byId.get(id);
        if (station) takeStation(station, now);
      }
      const gone = shown.filter((id) => !byId.has(id));
      for (const id of gone) tracks.set(id, markGone(trackOf(id)));
      const selected = new Set(
        selectStations(named, selection, now, ({ station }) => observe(station.id, now)).map(
          ({ station: { id } }) => id,
        ),
      );
      shown = [...selected, ...gone];
      return [...new Set([...selected, ...alarms.keys()])].flatMap((id) => {
        if (!byId.has(id)) return updateStale(id, now);
        const isSelected = selected.has(id);
        const measurements = isSelected ? takeMeasurement(id, now) : [];
        return [...measurements, ...takeAlarm(id, isSelected, now)];
      });
    },

    /** Notes that a poll failed. Returns events of stations whose measurements have become old. */
    takeFailure(now: number): StreamRecord[] {
      if (stations !== 'all' && now - startedMs > OLD_MEASUREMENT_MS) {
        // A station that the user named, and no response has reported since the start, is stale
        // too.
        for (const id of stations.filter((one) => !tracks.has(one))) {
          tracks.set(id, emptyTrack(id));
          alarms.set(id, INITIAL_ALARM);
        }
      }
      return [...alarms.keys()].flatMap((id) => updateStale(id, now));
    },

    /**
     * Adds the readings of the last hour to a station's trend. They may arrive before or after the
     * station's first live response.
     */
    addHistory(station: number, readings: readonly Reading[]): void {
      const track = tracks.get(station);
      if (track) tracks.set(station, addHistory(track, readings));
      else history.set(station, readings);
    },

    /** Stations for the screen: first those with an alarm, last those that left the network. */
    watched(key: SortKey): Watched[] {
      const stations = shown.map((id) => {
        const track = trackOf(id);
        const { isOn: isAlarmed } = alarmOf(id);
        return { track, station: track.station, distanceKm: distanceOf(id), isAlarmed };
      });
      const place = ({ isAlarmed, track }: Watched): number =>
        isAlarmed ? 0 : track.isGone ? 2 : 1;
      return sortStations(stations, key).sort((a, b) => place(a) - place(b));
    },
  };
}

/** A placeholder for a station that no response of the service has reported yet. */
function emptyTrack(id: number): Track {
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
