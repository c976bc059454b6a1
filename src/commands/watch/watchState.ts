import type { LiveStations } from '../../domain/envelope.ts';
import type { Reading } from '../../domain/reading.ts';
import { type SelectedStation, type Selection, selectStations } from '../../domain/selection.ts';
import { OLD_MEASUREMENT_MS, type Station } from '../../domain/station.ts';
import {
  type Alarm,
  type AlarmRule,
  checkStale,
  judge,
  QUIET,
  type Step,
} from '../../domain/watching/alarm.ts';
import { follow, lose, recall, type Track } from '../../domain/watching/track.ts';
import type { StreamRecord } from '../../formats/format.ts';
import type { Watched } from '../../formats/screen/screen.ts';

export interface WatchStateOptions {
  readonly stations: readonly number[] | 'all';
  readonly selection: Selection;
  /** Undefined where no alarm is armed. */
  readonly rule: AlarmRule | undefined;
  /** Milliseconds since 1970. */
  readonly startedMs: number;
}

/** Knows the stations that are watched, and tells what each poll has brought. */
export interface WatchState {
  /** What is new in an answer: measurements and events, by station. */
  take(answer: LiveStations, now: number): StreamRecord[];
  /** What a failed poll means: only that time has passed. */
  wait(now: number): StreamRecord[];
  /** The stations that an answer has to watch. */
  choose(answer: LiveStations, now: number): number[];
  /** Adds what the archive has of a station, before or after it was first seen. */
  recall(station: number, readings: readonly Reading[]): void;
  /** The stations to show, in the order asked for. */
  readonly watched: readonly Watched[];
}

export function createWatchState(options: WatchStateOptions): WatchState {
  const { stations, selection, rule, startedMs } = options;
  const tracks = new Map<number, Track>();
  const alarms = new Map<number, Alarm>();
  const recalled = new Map<number, readonly Reading[]>();
  let shown: readonly { readonly id: number; readonly distanceKm: number | undefined }[] = [];

  const isNamed = (id: number): boolean => stations !== 'all' && stations.includes(id);
  const trackOf = (id: number): Track => tracks.get(id) as Track;
  const alarmOf = (id: number): Alarm => alarms.get(id) ?? QUIET;

  function pick(answer: LiveStations, now: number): SelectedStation[] {
    const data = stations === 'all' ? answer.data : answer.data.filter(({ id }) => isNamed(id));
    return selectStations(data, selection, now);
  }

  /** Takes a step of an alarm, and tells of it if there is something to tell. */
  function step(id: number, next: (alarm: Alarm) => Step, now: number): StreamRecord[] {
    if (rule === undefined) return [];
    const { alarm, event } = next(alarmOf(id));
    alarms.set(id, alarm);
    if (event === undefined) return [];
    const { station, samples } = trackOf(id);
    const told = { kind: event, condition: rule.condition.text, atMs: now };
    return [{ station, distanceKm: distanceOf(id), samples, now, event: told }];
  }

  const distanceOf = (id: number) => shown.find((one) => one.id === id)?.distanceKm;

  const stale = (id: number, now: number): StreamRecord[] =>
    step(id, (alarm) => checkStale(alarm, trackOf(id), now), now);

  function takeStation(station: Station, isSelected: boolean, now: number): StreamRecord[] {
    const { id } = station;
    const known = tracks.get(id);
    const { track: followed, fresh } = follow(known, station, now);
    const track = recall(followed, recalled.get(id) ?? []);
    recalled.delete(id);
    tracks.set(id, track);
    if (known === undefined && rule && !isNamed(id)) {
      // Of all the stations there are, those that went silent years ago are no news.
      alarms.set(id, checkStale(QUIET, track, now).alarm);
    }
    const measurement =
      fresh && isSelected
        ? [
            {
              station: fresh,
              distanceKm: distanceOf(id),
              samples: track.samples,
              now,
              event: undefined,
            },
          ]
        : [];
    const isJudged = rule && (isSelected || alarmOf(id).isOn);
    if (!isJudged && alarms.has(id)) alarms.set(id, { ...alarmOf(id), heldSinceMs: undefined });
    const events = isJudged ? step(id, (alarm) => judge(alarm, rule, track, now), now) : [];
    return [...measurement, ...stale(id, now), ...events];
  }

  return {
    take(answer, now) {
      const selected = pick(answer, now);
      const byId = new Map(answer.data.map((station) => [station.id, station]));
      const gone = shown.filter(({ id }) => !byId.has(id));
      shown = [
        ...selected.map(({ station, distanceKm }) => ({ id: station.id, distanceKm })),
        ...gone,
      ];
      for (const { id } of gone) tracks.set(id, lose(trackOf(id)));
      const chosen = new Set(selected.map(({ station }) => station.id));
      const others = [...tracks.keys()].filter((id) => !chosen.has(id));
      const ids = [...chosen, ...others];
      return ids.flatMap((id) => {
        const station = byId.get(id);
        return station ? takeStation(station, chosen.has(id), now) : stale(id, now);
      });
    },

    wait(now) {
      if (stations !== 'all' && now - startedMs > OLD_MEASUREMENT_MS) {
        // Never heard of since the start, which is as good a reason to tell as any.
        for (const id of stations) if (!tracks.has(id)) tracks.set(id, unheard(id));
      }
      return [...tracks.keys()].flatMap((id) => stale(id, now));
    },

    choose: (answer, now) => pick(answer, now).map(({ station }) => station.id),

    recall(station, readings) {
      const track = tracks.get(station);
      if (track) tracks.set(station, recall(track, readings));
      else recalled.set(station, readings);
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

/** A station that no answer has told of yet. */
function unheard(id: number): Track {
  const nothing = { date: null, pressure: null, wind_heading: null };
  const station: Station = {
    id,
    meta: { name: `Station ${id}` },
    location: { latitude: null, longitude: null, date: null, success: false },
    measurements: {
      ...nothing,
      wind_speed_avg: null,
      wind_speed_max: null,
      wind_speed_min: null,
    },
    status: { date: null, snr: null, state: null },
  };
  return { station, samples: [], before: undefined, isGone: false };
}
