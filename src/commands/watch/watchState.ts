import type { LiveStations } from '../../domain/envelope.ts';
import type { Reading } from '../../domain/reading.ts';
import { type SelectedStation, selectStations } from '../../domain/selection.ts';
import { OLD_MEASUREMENT_MS, type Station } from '../../domain/station.ts';
import {
  type Alarm,
  type AlarmUpdate,
  checkStale,
  evaluateAlarm,
  INITIAL_ALARM,
} from '../../domain/watching/alarm.ts';
import { addHistory, markGone, type Track, updateTrack } from '../../domain/watching/track.ts';
import type { StreamRecord } from '../../formats/format.ts';
import type { Watched } from '../../formats/screen/scene.ts';
import type { WatchRequest } from './request.ts';

export type WatchState = ReturnType<typeof createWatchState>;

/**
 * The tracks and alarms of the watched stations.
 * @param startedMs milliseconds since 1970
 */
export function createWatchState(
  { stations, selection, rule }: Pick<WatchRequest, 'stations' | 'selection' | 'rule'>,
  startedMs: number,
) {
  const tracks = new Map<number, Track>();
  const alarms = new Map<number, Alarm>();
  /** Archives that came before the first live answer of their station. */
  const history = new Map<number, readonly Reading[]>();
  let shown: readonly { readonly id: number; readonly distanceKm: number | undefined }[] = [];

  const isNamed = (id: number): boolean => stations !== 'all' && stations.includes(id);
  const trackOf = (id: number): Track => tracks.get(id) as Track;
  const alarmOf = (id: number): Alarm => alarms.get(id) ?? INITIAL_ALARM;

  /** The stations in an answer that are watched. */
  function select(answer: LiveStations, now: number): SelectedStation[] {
    const data = answer.data.filter(({ id }) => stations === 'all' || isNamed(id));
    return selectStations(data, selection, now);
  }

  function recordOf(id: number, now: number): StreamRecord {
    const { station, samples } = trackOf(id);
    const distanceKm = shown.find((one) => one.id === id)?.distanceKm;
    return { station, distanceKm, samples, now, event: undefined };
  }

  /** Updates the alarm of a station. Returns a record of the event if there is one. */
  function updateAlarm(id: number, { alarm, event: kind }: AlarmUpdate, now: number) {
    if (rule === undefined) return [];
    alarms.set(id, alarm);
    if (kind === undefined) return [];
    const event = { kind, condition: rule.condition.text, atMs: now };
    return [{ ...recordOf(id, now), event }];
  }

  const updateStale = (id: number, now: number): StreamRecord[] =>
    updateAlarm(id, checkStale(alarmOf(id), trackOf(id), now), now);

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
    const measurements = fresh && isSelected ? [{ ...recordOf(id, now), station: fresh }] : [];
    const alarm = alarmOf(id);
    const isEvaluated = rule && (isSelected || alarm.isOn);
    if (!isEvaluated) alarms.set(id, { ...alarm, heldSinceMs: undefined });
    const events = isEvaluated ? updateAlarm(id, evaluateAlarm(alarm, rule, track, now), now) : [];
    return [...measurements, ...updateStale(id, now), ...events];
  }

  return {
    select,

    /** Takes the answer of a poll. Returns new measurements and events, in order of stations. */
    takeAnswer(answer: LiveStations, now: number): StreamRecord[] {
      const selected = select(answer, now);
      const byId = new Map(answer.data.map((station) => [station.id, station]));
      const gone = shown.filter(({ id }) => !byId.has(id));
      for (const { id } of gone) tracks.set(id, markGone(trackOf(id)));
      const found = selected.map(({ station: { id }, distanceKm }) => ({ id, distanceKm }));
      shown = [...found, ...gone];
      const selectedIds = new Set(found.map(({ id }) => id));
      return [...new Set([...selectedIds, ...tracks.keys()])].flatMap((id) => {
        const station = byId.get(id);
        return station ? takeStation(station, selectedIds.has(id), now) : updateStale(id, now);
      });
    },

    /** Takes a failed poll. Returns events of stations that have become stale. */
    takeFailure(now: number): StreamRecord[] {
      if (stations !== 'all' && now - startedMs > OLD_MEASUREMENT_MS) {
        // A named station without any answer since the start is stale too.
        for (const id of stations) if (!tracks.has(id)) tracks.set(id, emptyTrack(id));
      }
      return [...tracks.keys()].flatMap((id) => updateStale(id, now));
    },

    /** Adds the archive of a station, before or after its first live answer is taken. */
    addHistory(station: number, readings: readonly Reading[]): void {
      const track = tracks.get(station);
      if (track) tracks.set(station, addHistory(track, readings));
      else history.set(station, readings);
    },

    /** Stations to show, in the order asked for. */
    watched: (): Watched[] =>
      shown.map(({ id, distanceKm }) => ({
        track: trackOf(id),
        distanceKm,
        isAlarmed: alarmOf(id).isOn,
      })),
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
