import type { LiveStations } from '../../domain/envelope.ts';
import type { Reading } from '../../domain/reading.ts';
import { type SelectedStation, type Selection, selectStations } from '../../domain/selection.ts';
import { OLD_MEASUREMENT_MS, type Station } from '../../domain/station.ts';
import {
  type Alarm,
  type AlarmRule,
  type AlarmUpdate,
  checkStale,
  evaluateAlarm,
  INITIAL_ALARM,
} from '../../domain/watching/alarm.ts';
import { addHistory, markGone, type Track, updateTrack } from '../../domain/watching/track.ts';
import type { StreamRecord } from '../../formats/format.ts';
import type { Watched } from '../../formats/screen/scene.ts';

export interface WatchStateOptions {
  readonly stations: readonly number[] | 'all';
  readonly selection: Selection;
  /** Undefined without an alarm. */
  readonly rule: AlarmRule | undefined;
  /** Milliseconds since 1970. */
  readonly startedMs: number;
}

/** The tracks and alarms of the watched stations. */
export interface WatchState {
  /** Takes the answer of a poll. Returns new measurements and events, in order of stations. */
  takeAnswer(answer: LiveStations, now: number): StreamRecord[];
  /** Takes a failed poll. Returns events of stations that have become stale. */
  takeFailure(now: number): StreamRecord[];
  /** Ids of the stations in an answer that are watched. */
  select(answer: LiveStations, now: number): number[];
  /** Adds the archive of a station, before or after its first live answer is taken. */
  addHistory(station: number, readings: readonly Reading[]): void;
  /** Stations to show, in the order asked for. */
  readonly watched: readonly Watched[];
}

export function createWatchState(options: WatchStateOptions): WatchState {
  const { stations, selection, rule, startedMs } = options;
  const tracks = new Map<number, Track>();
  const alarms = new Map<number, Alarm>();
  /** Archives that came before the first live answer of their station. */
  const history = new Map<number, readonly Reading[]>();
  let shown: readonly { readonly id: number; readonly distanceKm: number | undefined }[] = [];

  const isNamed = (id: number): boolean => stations !== 'all' && stations.includes(id);
  const trackOf = (id: number): Track => tracks.get(id) as Track;
  const alarmOf = (id: number): Alarm => alarms.get(id) ?? INITIAL_ALARM;
  const distanceOf = (id: number) => shown.find((one) => one.id === id)?.distanceKm;

  function select(answer: LiveStations, now: number): SelectedStation[] {
    const data = stations === 'all' ? answer.data : answer.data.filter(({ id }) => isNamed(id));
    return selectStations(data, selection, now);
  }

  /** Updates the alarm of a station. Returns a record of the event if there is one. */
  function updateAlarm(id: number, update: (alarm: Alarm) => AlarmUpdate, now: number) {
    if (rule === undefined) return [];
    const { alarm, event: kind } = update(alarmOf(id));
    alarms.set(id, alarm);
    if (kind === undefined) return [];
    const { station, samples } = trackOf(id);
    const event = { kind, condition: rule.condition.text, atMs: now };
    return [{ station, distanceKm: distanceOf(id), samples, now, event }];
  }

  const updateStale = (id: number, now: number): StreamRecord[] =>
    updateAlarm(id, (alarm) => checkStale(alarm, trackOf(id), now), now);

  function takeStation(station: Station, isSelected: boolean, now: number): StreamRecord[] {
    const { id } = station;
    const isFirst = !tracks.has(id);
    const { track: updated, fresh } = updateTrack(tracks.get(id), station, now);
    const track = addHistory(updated, history.get(id) ?? []);
    history.delete(id);
    tracks.set(id, track);
    if (isFirst && rule && !isNamed(id)) {
      // A network has stations that went silent years ago; only named ones are reported as stale.
      alarms.set(id, checkStale(INITIAL_ALARM, track, now).alarm);
    }
    const records: StreamRecord[] = [];
    if (fresh && isSelected) {
      const { samples } = track;
      records.push({ station: fresh, distanceKm: distanceOf(id), samples, now, event: undefined });
    }
    const isEvaluated = rule && (isSelected || alarmOf(id).isOn);
    if (!isEvaluated && alarms.has(id)) alarms.set(id, { ...alarmOf(id), heldSinceMs: undefined });
    const events = isEvaluated
      ? updateAlarm(id, (alarm) => evaluateAlarm(alarm, rule, track, now), now)
      : [];
    return [...records, ...updateStale(id, now), ...events];
  }

  return {
    takeAnswer(answer, now) {
      const selected = select(answer, now);
      const byId = new Map(answer.data.map((station) => [station.id, station]));
      const gone = shown.filter(({ id }) => !byId.has(id));
      for (const { id } of gone) tracks.set(id, markGone(trackOf(id)));
      shown = [
        ...selected.map(({ station, distanceKm }) => ({ id: station.id, distanceKm })),
        ...gone,
      ];
      const selectedIds = new Set(selected.map(({ station }) => station.id));
      return [...new Set([...selectedIds, ...tracks.keys()])].flatMap((id) => {
        const station = byId.get(id);
        return station ? takeStation(station, selectedIds.has(id), now) : updateStale(id, now);
      });
    },

    takeFailure(now) {
      if (stations !== 'all' && now - startedMs > OLD_MEASUREMENT_MS) {
        // A named station without any answer since the start is stale too.
        for (const id of stations) if (!tracks.has(id)) tracks.set(id, emptyTrack(id));
      }
      return [...tracks.keys()].flatMap((id) => updateStale(id, now));
    },

    select: (answer, now) => select(answer, now).map(({ station }) => station.id),

    addHistory(station, readings) {
      const track = tracks.get(station);
      if (track) tracks.set(station, addHistory(track, readings));
      else history.set(station, readings);
    },

    get watched() {
      return shown.map(({ id, distanceKm }) => ({
        track: trackOf(id),
        distanceKm,
        isAlarmed: alarmOf(id).isOn,
      }));
    },
  };
}

/** The track of a station that no answer has reported yet. */
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
