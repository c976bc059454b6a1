import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyKey } from '../../../src/commands/watch/screen/keys.ts';
import { renderScreen } from '../../../src/commands/watch/screen/renderScreen.ts';
import type { Scene, TerminalWindow } from '../../../src/commands/watch/screen/scene.ts';
import { drawSparkline } from '../../../src/commands/watch/screen/stationColumns.ts';
import type { WatchedStation } from '../../../src/commands/watch/watchStore.ts';
import { createDateWriter } from '../../../src/domain/dates.ts';
import { SORT_KEYS } from '../../../src/domain/selection.ts';
import type { Station } from '../../../src/domain/station.ts';
import { SPEED_UNITS, type SpeedUnit } from '../../../src/domain/units.ts';
import { ALERT_EVENTS } from '../../../src/domain/watching/alert.ts';
import type { WindSample } from '../../../src/domain/watching/recentMeasurements.ts';
import { anyCharacter } from '../../support/anyCharacter.ts';
import { expectColumns, expectLines } from '../../support/fits.ts';

const NOW = Date.UTC(2024, 0, 15, 14, 3, 12);
const MINUTE_MS = 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();

type Latest = Pick<WindSample, 'avgKmh' | 'maxKmh' | 'minKmh' | 'headingDeg'>;

function stationOf(id: number, name: string, ageMs: number | null, latest: Latest): Station {
  return {
    id,
    meta: { name },
    location: { latitude: 45, longitude: 6, date: iso(NOW), success: true },
    measurements: {
      date: ageMs === null ? null : iso(NOW - ageMs),
      pressure: null,
      wind_heading: latest.headingDeg,
      wind_speed_avg: latest.avgKmh,
      wind_speed_max: latest.maxKmh,
      wind_speed_min: latest.minKmh,
    },
    status: { date: iso(NOW), snr: 12, state: 'on' },
  };
}

/** A station with averages four minutes apart, the last of them its latest. */
function watched(
  [id, name, ageMs]: [id: number, name: string, ageMs: number],
  latest: Latest,
  earlierKmh: readonly number[],
): WatchedStation {
  const samples = [...earlierKmh, latest.avgKmh].map((avgKmh, index) => ({
    // Gusts that differ keep a steady wind from looking frozen.
    ...{ maxKmh: index, minKmh: null, headingDeg: 0, avgKmh },
    timeMs: NOW - ageMs - (earlierKmh.length - index) * 4 * MINUTE_MS,
  }));
  const station = stationOf(id, name, ageMs, latest);
  const recent = { station, samples, before: undefined, isGone: false };
  return { recent, distanceKm: undefined, condition: 'when avg > 15kn', isAlerting: false };
}

const freshened = watched(
  [1500, 'Col du Vent', 45_000],
  { avgKmh: 29.25, maxKmh: 41.5, minKmh: 18, headingDeg: 225 },
  [14, 13.5, 15, 15, 16.25, 18, 17.5, 19, 20, 21.75, 23, 22.5, 25, 27],
);
const rising: WatchedStation = {
  ...freshened,
  recent: {
    ...freshened.recent,
    before: { timeMs: NOW - 285_000, avgKmh: 27, maxKmh: 38, minKmh: 18, headingDeg: 202.5 },
  },
};
const falling = watched(
  [603, 'Plage de la Mède', 245_000],
  { avgKmh: 12.5, maxKmh: 19, minKmh: 6, headingDeg: 90 },
  [24, 25, 22, 22.5, 19, 17, 16, 14],
);
const calm = watched(
  [110, 'Săcele', 12 * MINUTE_MS],
  { avgKmh: 0, maxKmh: 1.5, minKmh: 0, headingDeg: 0 },
  [2, 0],
);

const scene: Scene = {
  stations: [rising, falling, calm],
  unit: 'kn',
  now: NOW,
  nextPollMs: NOW + 42_500,
  failures: undefined,
  lastGoodMs: NOW - 17_000,
  events: [],
  condition: undefined,
  writeDate: createDateWriter('utc'),
  hasKeys: true,
  order: 'id',
  top: 0,
  showsKeys: false,
};

const alerting: Scene = {
  ...scene,
  condition: 'when avg > 15kn',
  stations: [{ ...rising, isAlerting: true }, falling, calm],
  events: [
    {
      kind: 'true',
      condition: 'avg > 15kn',
      atMs: NOW - 3 * 3_600_000,
      sinceMs: NOW,
      name: 'Săcele',
      id: 110,
    },
    {
      kind: 'stale',
      condition: 'avg > 15kn',
      atMs: NOW - 2 * 3_600_000,
      sinceMs: NOW,
      name: 'Săcele',
      id: 110,
    },
    {
      kind: 'false',
      condition: 'avg > 15kn',
      atMs: NOW - 130_000,
      sinceMs: NOW,
      name: 'Plage de la Mède',
      id: 603,
    },
    {
      kind: 'true',
      condition: 'avg > 15kn',
      atMs: NOW - 17_000,
      sinceMs: NOW,
      name: 'Col du Vent',
      id: 1500,
    },
  ],
};

const failures = {
  inARow: 2,
  reason:
    'The service at https://api.pioupiou.fr could not be reached: getaddrinfo ENOTFOUND api.pioupiou.fr.',
};

const frozen: WatchedStation = {
  ...falling,
  recent: {
    ...falling.recent,
    samples: falling.recent.samples.map((sample) => ({ ...sample, avgKmh: 12.5, maxKmh: 19 })),
  },
};
const gone: WatchedStation = { ...rising, recent: { ...freshened.recent, isGone: true } };
const off: WatchedStation = watched(
  [19, 'Switched off', 3 * 3_600_000],
  { avgKmh: 20, maxKmh: null, minKmh: null, headingDeg: null },
  [],
);
const never: WatchedStation = {
  recent: {
    station: stationOf(7, '\u001b[2J<b>=1+1', null, {
      avgKmh: null,
      maxKmh: null,
      minKmh: null,
      headingDeg: null,
    }),
    samples: [],
    before: undefined,
    isGone: false,
  },
  distanceKm: 12.34,
  condition: undefined,
  isAlerting: false,
};
const troubled: Scene = {
  ...scene,
  stations: [
    gone,
    frozen,
    {
      ...off,
      recent: {
        ...off.recent,
        station: {
          ...off.recent.station,
          status: { ...off.recent.station.status, state: 'off' },
        },
      },
    },
    never,
    calm,
  ],
};

const many: Scene = {
  ...alerting,
  stations: Array.from({ length: 600 }, (_, index) => ({
    ...(index % 2 === 0 ? falling : rising),
    isAlerting: index % 100 === 1,
  })),
};

const WINDOWS = {
  usual: { columns: 80, rows: 24 },
  small: { columns: 40, rows: 12 },
  large: { columns: 120, rows: 30 },
};

function draw(drawn: Scene, size: keyof typeof WINDOWS, isUnicode = true): string {
  return renderScreen(drawn, { ...WINDOWS[size], colour: false, isUnicode });
}

describe('renderScreen', () => {
  it('the watch screen shows each watched station with its wind, the change of the wind and the age', () => {
    expect(draw(scene, 'usual')).toMatchInlineSnapshot(`
      "vane watch · 3 stations · 14:03:12 UTC · next poll in 43 s

        id  name              avg kn  change  gust  lull  from  last hour     age
      1500  Col du Vent         15.8    +1.2  22.4   9.7  ↗ SW  ▄▅▅▅▅▆▆▆▇▇▇█  45 s
       603  Plage de la Mède     6.8          10.3   3.2  ← E        ▇▆▆▆▅▄▄  4 min
       110  Săcele               0.0           0.8   0.0  calm           ▁▁▁  12 min

      q quits · u unit (kn) · s order (id) · ↑ ↓ Enter open · / search · ? keys"
    `);
    expect(draw(scene, 'small')).toMatchInlineSnapshot(`
      "3 stations · 14:03:12 UTC · poll in 43 s

        id  name    avg kn  gust  from  age
      1500  Col d…    15.8  22.4  ↗ SW  45 s
       603  Plage…     6.8  10.3  ← E   4 min
       110  Săcele     0.0   0.8  calm  12 min

      q quits · s order (id) · ? keys"
    `);
    expect(draw(scene, 'large')).toMatchInlineSnapshot(`
      "vane watch · 3 stations · 14:03:12 UTC · next poll in 43 s

        id  name              avg kn  change  gust kn  lull kn  direction     gust/avg  last hour      min–max  age
      1500  Col du Vent         15.8    +1.2     22.4      9.7  ↗ SW  225.0°      1.42  ▄▅▅▅▅▆▆▆▇▇▇█  7.3–15.8  45 s
       603  Plage de la Mède     6.8             10.3      3.2  ← E    90.0°      1.52       ▇▆▆▆▅▄▄  6.8–13.5  4 min
       110  Săcele               0.0              0.8      0.0  calm              –              ▁▁▁  0.0–1.1   12 min

      q quits · u unit (kn) · s order (id) · ↑ ↓ Enter open · / search · ? keys"
    `);
  });

  it('the watch screen keeps the ids of stations in windows of 120, 80, 50, 40 and 30 columns', () => {
    for (const shown of [scene, alerting, troubled, { ...alerting, failures }]) {
      for (const columns of [120, 80, 50, 40, 30]) {
        const window = { columns, rows: 24, colour: false, isUnicode: true };
        const lines = renderScreen(shown, window).split('\n');
        for (const { recent } of shown.stations) {
          expect(lines).toContainEqual(expect.stringMatching(`^ *${recent.station.id}  `));
        }
      }
    }
  });

  it('the watch screen is ASCII in a terminal without Unicode', () => {
    expect(draw(alerting, 'usual', false)).toMatchInlineSnapshot(`
      "vane watch | 3 stations | 14:03:12 UTC | next poll in 43 s
      when avg > 15kn | true at 1 of 3 stations

        id    name              avg kn  change  gust  from   last hour     age
      1500  ! Col du Vent         15.8    +1.2  22.4  /^ SW  ====++++**##  45 s
       603    Plage de la Mede     6.8          10.3  <- E        ***+===  4 min
       110    Sacele               0.0           0.8  calm            ___  12 min

      12:03:12 Sacele: no recent measurement to tell whether avg > 15kn
      14:01:02 Plage de la Mede: avg > 15kn is no longer true
      14:02:55 Col du Vent: avg > 15kn is true

      q quits | u unit (kn) | s order (id) | ^  v  Enter open | / search | ? keys"
    `);
    expect(draw(alerting, 'small', false)).toMatchInlineSnapshot(`
      "3 stations | 14:03:12 UTC | poll in 43 s
      when avg > 15kn | 1 of 3
        id    ...  avg kn  gust  from   age
      1500  ! ...    15.8  22.4  /^ SW  45 s
       603    ...     6.8  10.3  <- E   4 min
       110    ...     0.0   0.8  calm   12 min
      12:03:12 Sacele: no recent measurement
      14:01:02 Plage de la ...: no longer true
      14:02:55 Col du Vent: avg > 15kn is true
      q quits | s order (id) | ? keys"
    `);
    expect(draw(alerting, 'large', false)).toMatchInlineSnapshot(`
      "vane watch | 3 stations | 14:03:12 UTC | next poll in 43 s
      when avg > 15kn | true at 1 of 3 stations

        id    name              avg kn  change  gust kn  lull kn  direction         gust/avg  last hour      min-max  age
      1500  ! Col du Vent         15.8    +1.2     22.4      9.7  /^ SW  225.0 deg      1.42  ====++++**##  7.3-15.8  45 s
       603    Plage de la Mede     6.8             10.3      3.2  <- E    90.0 deg      1.52       ***+===  6.8-13.5  4 min
       110    Sacele               0.0              0.8      0.0  calm                  -              ___  0.0-1.1   12 min

      12:03:12 Sacele: no recent measurement to tell whether avg > 15kn
      14:01:02 Plage de la Mede: avg > 15kn is no longer true
      14:02:55 Col du Vent: avg > 15kn is true

      q quits | u unit (kn) | s order (id) | ^  v  Enter open | / search | ? keys"
    `);
  });

  it('the watch screen marks stations whose alert is active, and lists the latest events', () => {
    expect(draw(alerting, 'usual')).toMatchInlineSnapshot(`
      "vane watch · 3 stations · 14:03:12 UTC · next poll in 43 s
      when avg > 15kn · true at 1 of 3 stations

        id    name              avg kn  change  gust  lull  from  last hour     age
      1500  ! Col du Vent         15.8    +1.2  22.4   9.7  ↗ SW  ▄▅▅▅▅▆▆▆▇▇▇█  45 s
       603    Plage de la Mède     6.8          10.3   3.2  ← E        ▇▆▆▆▅▄▄  4 min
       110    Săcele               0.0           0.8   0.0  calm           ▁▁▁  12 min

      12:03:12 Săcele: no recent measurement to tell whether avg > 15kn
      14:01:02 Plage de la Mède: avg > 15kn is no longer true
      14:02:55 Col du Vent: avg > 15kn is true

      q quits · u unit (kn) · s order (id) · ↑ ↓ Enter open · / search · ? keys"
    `);
    expect(draw(alerting, 'small')).toMatchInlineSnapshot(`
      "3 stations · 14:03:12 UTC · poll in 43 s
      when avg > 15kn · 1 of 3
        id    name  avg kn  gust  from  age
      1500  ! Col…    15.8  22.4  ↗ SW  45 s
       603    Pla…     6.8  10.3  ← E   4 min
       110    Săc…     0.0   0.8  calm  12 min
      12:03:12 Săcele: no recent measurement
      14:01:02 Plage de la Mè…: no longer true
      14:02:55 Col du Vent: avg > 15kn is true
      q quits · s order (id) · ? keys"
    `);
    expect(draw(alerting, 'large')).toMatchInlineSnapshot(`
      "vane watch · 3 stations · 14:03:12 UTC · next poll in 43 s
      when avg > 15kn · true at 1 of 3 stations

        id    name              avg kn  change  gust kn  lull kn  direction     gust/avg  last hour      min–max  age
      1500  ! Col du Vent         15.8    +1.2     22.4      9.7  ↗ SW  225.0°      1.42  ▄▅▅▅▅▆▆▆▇▇▇█  7.3–15.8  45 s
       603    Plage de la Mède     6.8             10.3      3.2  ← E    90.0°      1.52       ▇▆▆▆▅▄▄  6.8–13.5  4 min
       110    Săcele               0.0              0.8      0.0  calm              –              ▁▁▁  0.0–1.1   12 min

      12:03:12 Săcele: no recent measurement to tell whether avg > 15kn
      14:01:02 Plage de la Mède: avg > 15kn is no longer true
      14:02:55 Col du Vent: avg > 15kn is true

      q quits · u unit (kn) · s order (id) · ↑ ↓ Enter open · / search · ? keys"
    `);
  });

  it('the watch screen says that polls failed, and marks the values of the last good poll', () => {
    const failed = { ...alerting, failures, nextPollMs: NOW + 245_000 };
    expect(draw(failed, 'usual')).toMatchInlineSnapshot(`
      "vane watch · 3 stations · 14:03:12 UTC · next poll in 4 min 5 s
      when avg > 15kn · true at 1 of 3 stations
      2 polls failed: The service at https://api.pioupi…; values of 14:02:55, marked ?

        id    name              avg kn  change  gust  from  last hour     age
      1500  ! Col du Vent         15.8    +1.2  22.4  ↗ SW  ▄▅▅▅▅▆▆▆▇▇▇█  45 s ?
       603    Plage de la Mède     6.8          10.3  ← E        ▇▆▆▆▅▄▄  4 min ?
       110    Săcele               0.0           0.8  calm           ▁▁▁  12 min ?

      12:03:12 Săcele: no recent measurement to tell whether avg > 15kn
      14:01:02 Plage de la Mède: avg > 15kn is no longer true
      14:02:55 Col du Vent: avg > 15kn is true

      q quits · u unit (kn) · s order (id) · ↑ ↓ Enter open · / search · ? keys"
    `);
    expect(draw(failed, 'small')).toMatchInlineSnapshot(`
      "14:03:12 UTC · next poll in 4 min 5 s
      when avg > 15kn · 1 of 3
      2 polls failed: The service at https://…
        id    name      avg kn  gust  age
      1500  ! Col du …    15.8  22.4  45 s ?
       603    Plage d…     6.8  10.3  4 min ?
       110    Săcele       0.0   0.8  12 min ?
      12:03:12 Săcele: no recent measurement
      14:01:02 Plage de la Mè…: no longer true
      14:02:55 Col du Vent: avg > 15kn is true
      q quits · s order (id) · ? keys"
    `);
    expect(
      draw({ ...failed, failures: { inARow: 1, reason: 'timeout' } }, 'large', false),
    ).toMatchInlineSnapshot(`
      "vane watch | 3 stations | 14:03:12 UTC | next poll in 4 min 5 s
      when avg > 15kn | true at 1 of 3 stations
      1 poll failed: timeout; values of 14:02:55, marked ?

        id    name              avg kn  change  gust kn  lull kn  direction         gust/avg  last hour      min-max  age
      1500  ! Col du Vent         15.8    +1.2     22.4      9.7  /^ SW  225.0 deg      1.42  ====++++**##  7.3-15.8  45 s ?
       603    Plage de la Mede     6.8             10.3      3.2  <- E    90.0 deg      1.52       ***+===  6.8-13.5  4 min ?
       110    Sacele               0.0              0.8      0.0  calm                  -              ___  0.0-1.1   12 min ?

      12:03:12 Sacele: no recent measurement to tell whether avg > 15kn
      14:01:02 Plage de la Mede: avg > 15kn is no longer true
      14:02:55 Col du Vent: avg > 15kn is true

      q quits | u unit (kn) | s order (id) | ^  v  Enter open | / search | ? keys"
    `);
  });

  it('the watch screen notes which stations are gone, off, old or frozen', () => {
    expect(draw(troubled, 'usual')).toMatchInlineSnapshot(`
      "vane watch · 5 stations · 14:03:12 UTC · next poll in 43 s

        id  name                km  avg kn  change  gust  from  age     note
      1500  Col du Vent        –      15.8          22.4  ↗ SW  45 s    gone
       603  Plage de la Mède   –       6.8          10.3  ← E   4 min   frozen
        19  Switched off       –      10.8           –    –     3 h     off old
         7  ␛[2J<b>=1+1       12.3     –             –    –     –       old
       110  Săcele             –       0.0           0.8  calm  12 min

      q quits · u unit (kn) · s order (id) · ↑ ↓ Enter open · / search · ? keys"
    `);
    expect(draw(troubled, 'small')).toMatchInlineSnapshot(`
      "5 stations · 14:03:12 UTC · poll in 43 s

        id  name   avg kn  gust  age     note
      1500  Col …    15.8  22.4  45 s    gone
       603  Plag…     6.8  10.3  4 min   froz…
        19  Swit…    10.8   –    3 h     off …
         7  ␛[2J…     –     –    –       old
       110  Săce…     0.0   0.8  12 min

      q quits · s order (id) · ? keys"
    `);
    expect(draw(troubled, 'large', false)).toMatchInlineSnapshot(`
      "vane watch | 5 stations | 14:03:12 UTC | next poll in 43 s

        id  name                km  avg kn  change  gust  lull  from   gust/avg  last hour       min-max  age     note
      1500  Col du Vent        -      15.8          22.4   9.7  /^ SW      1.42  ====++++**##   7.3-15.8  45 s    gone
       603  Plage de la Mede   -       6.8          10.3   3.2  <- E       1.52       =======   6.8       4 min   frozen
        19  Switched off       -      10.8           -     -    -          -                +  10.8       3 h     off old
         7  ?[2J<b>=1+1       12.3     -             -     -    -          -                    -         -       old
       110  Sacele             -       0.0           0.8   0.0  calm       -              ___   0.0-1.1   12 min

      q quits | u unit (kn) | s order (id) | ^  v  Enter open | / search | ? keys"
    `);
  });

  it('the watch screen counts the stations that do not fit, and the alerts among these stations', () => {
    expect(draw(many, 'usual')).toMatchInlineSnapshot(`
      "vane watch · 600 stations · 14:03:12 UTC · next poll in 43 s
      when avg > 15kn · true at 6 of 600 stations
        id    name              avg kn  change  gust  lull  from  last hour     age
       603    Plage de la Mède     6.8          10.3   3.2  ← E        ▇▆▆▆▅▄▄  4 min
      1500  ! Col du Vent         15.8    +1.2  22.4   9.7  ↗ SW  ▄▅▅▅▅▆▆▆▇▇▇█  45 s
       603    Plage de la Mède     6.8          10.3   3.2  ← E        ▇▆▆▆▅▄▄  4 min
      1500    Col du Vent         15.8    +1.2  22.4   9.7  ↗ SW  ▄▅▅▅▅▆▆▆▇▇▇█  45 s
       603    Plage de la Mède     6.8          10.3   3.2  ← E        ▇▆▆▆▅▄▄  4 min
      1500    Col du Vent         15.8    +1.2  22.4   9.7  ↗ SW  ▄▅▅▅▅▆▆▆▇▇▇█  45 s
       603    Plage de la Mède     6.8          10.3   3.2  ← E        ▇▆▆▆▅▄▄  4 min
      1500    Col du Vent         15.8    +1.2  22.4   9.7  ↗ SW  ▄▅▅▅▅▆▆▆▇▇▇█  45 s
       603    Plage de la Mède     6.8          10.3   3.2  ← E        ▇▆▆▆▅▄▄  4 min
      1500    Col du Vent         15.8    +1.2  22.4   9.7  ↗ SW  ▄▅▅▅▅▆▆▆▇▇▇█  45 s
       603    Plage de la Mède     6.8          10.3   3.2  ← E        ▇▆▆▆▅▄▄  4 min
      1500    Col du Vent         15.8    +1.2  22.4   9.7  ↗ SW  ▄▅▅▅▅▆▆▆▇▇▇█  45 s
       603    Plage de la Mède     6.8          10.3   3.2  ← E        ▇▆▆▆▅▄▄  4 min
      1500    Col du Vent         15.8    +1.2  22.4   9.7  ↗ SW  ▄▅▅▅▅▆▆▆▇▇▇█  45 s
       603    Plage de la Mède     6.8          10.3   3.2  ← E        ▇▆▆▆▅▄▄  4 min
      1500    Col du Vent         15.8    +1.2  22.4   9.7  ↗ SW  ▄▅▅▅▅▆▆▆▇▇▇█  45 s
       603    Plage de la Mède     6.8          10.3   3.2  ← E        ▇▆▆▆▅▄▄  4 min
      … and 583 more, 5 of them marked ! · q quits · s order (id) · ? keys
      12:03:12 Săcele: no recent measurement to tell whether avg > 15kn
      14:01:02 Plage de la Mède: avg > 15kn is no longer true
      14:02:55 Col du Vent: avg > 15kn is true"
    `);
    expect(draw(many, 'small')).toMatchInlineSnapshot(`
      "14:03:12 UTC · next poll in 43 s
      when avg > 15kn · 6 of 600
        id    name   avg kn  gust  from  age
       603    Plag…     6.8  10.3  ← E   4 min
      1500  ! Col …    15.8  22.4  ↗ SW  45 s
       603    Plag…     6.8  10.3  ← E   4 min
      1500    Col …    15.8  22.4  ↗ SW  45 s
       603    Plag…     6.8  10.3  ← E   4 min
      … and 595 more, 5 of them marked !
      12:03:12 Săcele: no recent measurement
      14:01:02 Plage de la Mè…: no longer true
      14:02:55 Col du Vent: avg > 15kn is true"
    `);
    expect(draw(many, 'large').split('\n')).toHaveLength(30);
  });

  it('lines and pages choose a station on the watch screen, stop at either end, and show the chosen one', () => {
    const window = { ...WINDOWS.usual, colour: false, isUnicode: true };
    const all = many.stations.map((one, id) => {
      const { recent } = one;
      return { ...one, recent: { ...recent, station: { ...recent.station, id } } };
    });
    const first: Scene = { ...many, stations: all };
    const press = (...keys: string[]): Scene => {
      const view = { ...first };
      for (const key of keys) Object.assign(view, applyKey(key, view, window));
      return view;
    };
    const place = (...keys: string[]) => {
      const { chosen, top } = press(...keys);
      return [chosen, top];
    };
    expect(place('down')).toEqual([0, 0]);
    expect(place('j', 'down', 'down', 'k', 'up')).toEqual([0, 0]);
    expect(place('k', 'up', 'pageup')).toEqual([0, 0]);
    expect(place('pagedown')).toEqual([17, 1]);
    expect(place('end')).toEqual([599, 583]);
    expect(place('end', 'pageup')).toEqual([582, 582]);
    expect(place('end', 'home')).toEqual([0, 0]);
    expect(place('x', 'toString', '')).toEqual([undefined, 0]);
    expect(applyKey('down', { ...scene, stations: [] }, window).chosen).toBeUndefined();
    const lines = renderScreen(press('end'), window).split('\n');
    expect(lines.filter((line) => /^ *\d+>/.test(line))).toEqual([
      expect.stringMatching(/^599> {3}Col du Vent/),
    ]);
    expect(lines).toContainEqual(expect.stringMatching(/^… 583 above, 0 below, 6 of them/));
    expect(draw({ ...many, top: 9999 }, 'small', false)).toContain('... 595 above, 0 below');
  });

  it('the watch screen lists what each key does in place of the stations when the user presses ?', () => {
    const requested = { ...scene, showsKeys: true };
    expect(draw(requested, 'small')).toMatchInlineSnapshot(`
      "3 stations · 14:03:12 UTC · poll in 43 s

      q              quits
      s              changes the order (id)
      u              changes the unit (kn)
      ↑ ↓ or k j     choose a station
      Page Up, Down  move by a page
      Home, End      choose the first or last
      Enter          opens the chosen station
      /              searches names and ids
      Esc            clears the search
      any key        closes this list"
    `);
    expect(draw(requested, 'small', false)).toContain('^  v  or k j');
  });

  it('any key closes the list of keys on the watch screen, and has no other effect', () => {
    const window = { ...WINDOWS.usual, colour: false, isUnicode: true };
    for (const key of ['?', '\r', 'down', 'u', 's', '/', '\u001b', 'x']) {
      expect(applyKey(key, { ...scene, showsKeys: true }, window)).toEqual({ showsKeys: false });
    }
  });

  it('choosing a station on the watch screen moves and hides no column', () => {
    for (const columns of [30, 40, 50, 67, 68, 80, 120]) {
      const window = { columns, rows: 24, colour: false, isUnicode: true };
      const [before, after] = [scene, { ...scene, chosen: 603 }].map((shown) =>
        renderScreen(shown, window),
      );
      expect(after).toContain('603>');
      expect(after?.replace('603>', '603 ')).toEqual(before);
    }
  });

  it('the watch screen uses the room that other columns leave for long station names', () => {
    const { recent } = watched(
      [7, 'Promenade des Anglais, Nice', 45_000],
      { avgKmh: 29.25, maxKmh: 41.5, minKmh: 18, headingDeg: 225 },
      [20, 21],
    );
    const long = { ...rising, recent };
    const at = (columns: number, unit: SpeedUnit = 'kn') =>
      renderScreen(
        { ...scene, stations: [rising, long], unit },
        { columns, rows: 24, colour: false, isUnicode: true },
      );
    expect(at(80)).toContain('Promenade des Anglais, Ni…  ');
    expect(at(100)).toContain('Promenade des Anglais, Nice  ');
    for (const unit of ['kmh', 'ms'] as const) expect(at(80, unit)).toContain('last hour');
  });

  it('the watch screen distinguishes a response without stations from a response that has not arrived', () => {
    const requesting = { ...scene, stations: [], lastGoodMs: undefined, nextPollMs: undefined };
    expect(draw(requesting, 'usual')).toMatchInlineSnapshot(`
      "vane watch · 14:03:12 UTC · polling…

      waiting for the first response…

      q quits · u unit (kn) · s order (id) · ↑ ↓ Enter open · / search · ? keys"
    `);
    expect(draw({ ...requesting, failures, nextPollMs: NOW }, 'usual')).toMatchInlineSnapshot(`
      "vane watch · 14:03:12 UTC · next poll in 0 s
      2 polls failed: The service at https://api.pioupiou.fr could not be reached: ge…

      q quits · u unit (kn) · s order (id) · ↑ ↓ Enter open · / search · ? keys"
    `);
    expect(draw({ ...scene, stations: [], hasKeys: false }, 'small', false)).toMatchInlineSnapshot(`
      "0 stations | 14:03:12 UTC | poll in 43 s

      No station matches."
    `);
  });

  it('the watch screen shows the time in the chosen zone, and an overdue poll as due in 0 s', () => {
    const elsewhere = {
      ...scene,
      writeDate: createDateWriter('Asia/Kathmandu'),
      nextPollMs: NOW - 5000,
    };
    expect(draw(elsewhere, 'usual').split('\n')[0]).toBe(
      'vane watch · 3 stations · 19:48:12 +05:45 · next poll in 0 s',
    );
  });

  it('the watch screen leaves out parts of the header in a narrow window, the least important first', () => {
    const headers = [57, 45, 39, 31, 26, 22, 7, 4].map((columns) =>
      renderScreen(scene, { columns, rows: 1, colour: false, isUnicode: true }),
    );
    expect(headers).toEqual([
      '3 stations · 14:03:12 UTC · next poll in 43 s',
      '3 stations · 14:03:12 UTC · next poll in 43 s',
      '14:03:12 UTC · next poll in 43 s',
      '14:03:12 UTC · poll in 43 s',
      '14:03:12 · poll in 43 s',
      '14:03:12',
      '14:03',
      '14:…',
    ]);
  });

  it('the watch screen shows header, station and failed polls first when the window has few lines', () => {
    const failed = { ...alerting, failures };
    const low = (rows: number): string =>
      renderScreen(failed, { columns: 40, rows, colour: false, isUnicode: true });
    expect(low(2)).toMatchInlineSnapshot(`
      "3 stations · 14:03:12 UTC · poll in 43 s
      1500  ! Col…    15.8  22.4  ↗ SW  45 s ?"
    `);
    expect(low(4)).toMatchInlineSnapshot(`
      "3 stations · 14:03:12 UTC · poll in 43 s
      2 polls failed: The service at https://…
        id    name  avg kn  gust  from  age
      1500  ! Col…    15.8  22.4  ↗ SW  45 s ?"
    `);
    expect(low(8)).toMatchInlineSnapshot(`
      "3 stations · 14:03:12 UTC · poll in 43 s
      when avg > 15kn · 1 of 3
      2 polls failed: The service at https://…
        id    name      avg kn  gust  age
      1500  ! Col du …    15.8  22.4  45 s ?
       603    Plage d…     6.8  10.3  4 min ?
       110    Săcele       0.0   0.8  12 min ?
      14:02:55 Col du Vent: avg > 15kn is true"
    `);
  });

  it('the watch screen paints speeds by wind force, changed values bold, alerts inverse and outdated values dim', () => {
    const painted = renderScreen(
      { ...alerting, stations: [...alerting.stations, gone], failures },
      { columns: 64, rows: 12, colour: true, isUnicode: true },
    );
    expect(painted.replaceAll('\u001b[', '<').replace(/<(\d+)m/g, '<$1>')).toMatchInlineSnapshot(`
      "vane watch · 4 stations · 14:03:12 UTC · next poll in 43 s
      <1>when avg > 15kn · true at 1 of 4 stations<22>
      <31>2 polls failed: The service at ht…; values of 14:02:55, marked ?<39>
      <1>  id<22>  <1>  name<22>              <1>avg kn<22>  <1>gust<22>  <1>from<22>  <1>age<22>       <1>note<22>
      1500  <1><7>! Col du Vent<27><22>       <32>  15.8<39>  <33><1>22.4<22><39>  <1>↗ SW<22>  45 s ?
       603    Plage de la Mède  <36>   6.8<39>  <36>10.3<39>  ← E   4 min ?
       110    Săcele            <36>   0.0<39>  <36> 0.8<39>  calm  12 min ?
      <2>1500<22>  <2>  Col du Vent<22>       <2>  15.8<22>  <2>22.4<22>  <2>↗ SW<22>  <2>45 s ?<22>    <33>gone<39>
      12:03:12 Săcele: no recent measurement
      14:01:02 Plage de la Mède: avg > 15kn is no longer true
      <1>14:02:55 Col du Vent: avg > 15kn is true<22>
      <2>q quits · u unit (kn) · s order (id) · ? keys<22>"
    `);
  });

  it('the watch screen colours each bar of the last hour by its wind force', () => {
    const strong = watched(
      [1, 'Strong', 0],
      { avgKmh: 60, maxKmh: 70, minKmh: 50, headingDeg: 0 },
      [5, 30],
    );
    const window = { columns: 80, rows: 12, colour: true, isUnicode: true };
    const lines = renderScreen({ ...scene, stations: [strong, falling] }, window).split('\n');
    const bar = (code: number, level: string) => `\u001b[${code}m${level}\u001b[39m`;
    expect(lines[3]).toContain(bar(36, '▂') + bar(32, '▅') + bar(33, '█'));
    expect(lines[4]).toContain(bar(36, '▃') + bar(36, '▃'));
  });

  it('the watch screen shows speeds as whole Beaufort forces when the unit is bft', () => {
    expect(draw({ ...scene, unit: 'bft' }, 'usual')).toMatchInlineSnapshot(`
      "vane watch · 3 stations · 14:03:12 UTC · next poll in 43 s

        id  name              avg Bft  change  gust  lull  from  last hour     age
      1500  Col du Vent             5      +1     6     3  ↗ SW  ▄▅▅▅▅▆▆▆▇▇▇█  45 s
       603  Plage de la Mède        3             3     2  ← E        ▇▆▆▆▅▄▄  4 min
       110  Săcele                  0             1     0  calm           ▁▁▁  12 min

      q quits · u unit (Bft) · s order (id) · ↑ ↓ Enter open · / search · ? keys"
    `);
  });
});

describe('the station that fills the screen of vane watch', () => {
  const { recent } = rising;
  const details = {
    station: {
      ...recent.station,
      meta: { ...recent.station.meta, description: 'Grass, facing west.' },
      measurements: { ...recent.station.measurements, date: iso(NOW - 3 * 3_600_000) },
    },
    draw: (_unit: SpeedUnit, { rows }: TerminalWindow) => Array<string>(rows).fill('picture'),
  };
  const opened: Scene = { ...alerting, opened: { id: 1500, details } };
  /** The opened station without a condition and events. */
  const quiet: Scene = {
    ...{ ...opened, condition: undefined, events: [] },
    stations: opened.stations.map((one) => ({ ...one, condition: undefined })),
  };
  const linesOf = (shown: Scene, columns = 80, rows = 40): string[] =>
    renderScreen(shown, { columns, rows, colour: false, isUnicode: true }).split('\n');

  it('a station opened on the watch screen shows the measurement of the latest poll in its card, with the description that was loaded', () => {
    const lines = linesOf(opened);
    expect(lines).toContain('last measured  2024-01-15 14:02:27 (45 s ago)');
    expect(lines).toContain('Grass, facing west.');
    expect(lines.join()).not.toContain('Plage');
  });

  it('a station opened on the watch screen has 16 rows for the picture of its last 24 hours in a window of 24 rows', () => {
    for (const columns of [50, 80]) {
      const lines = linesOf(quiet, columns, 23);
      expect(lines.filter((line) => line === 'picture')).toHaveLength(16);
      expect(lines.at(-1)).toMatch(/^Esc returns/);
    }
  });

  it('a station opened on the watch screen shows its name once, so that a window of 24 rows has room for the description', () => {
    const lines = linesOf(quiet, 80, 23);
    expect(lines.filter((line) => line.includes('Col du Vent'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('1500'))).toHaveLength(1);
    expect(lines[3]).toBe('Grass, facing west.');
  });

  it('a station opened on the watch screen has the condition of its own alert, and no other', () => {
    const own = "each favourite's own condition";
    const stations = [
      { ...rising, condition: 'when gust > 5kn', isAlerting: true },
      quiet.stations[1] as WatchedStation,
    ];
    expect(linesOf({ ...opened, condition: own, stations })[1]).toMatch(
      /^when gust > 5kn .*1 of 1\b/,
    );
    const other = { id: 603, details };
    expect(linesOf({ ...opened, condition: own, stations, opened: other }).join()).not.toMatch(
      /gust > 5kn|own/,
    );
    const all = linesOf({ ...opened, condition: own, stations, opened: undefined });
    expect(all[1]).toMatch(/^each favourite's own condition .* 1 of 1\b/);
  });

  it('a station opened on the watch screen shows that polls fail, and wraps the reason why there are no details', () => {
    const trouble =
      'The archive of station 1500 could not be read: it responded with 503. Try it later.';
    const lines = linesOf({ ...opened, failures, opened: { id: 1500, trouble } }, 50);
    expect(lines[2]).toMatch(/^2 polls failed/);
    expect(lines).toContain('The archive of station 1500 could not be read: it');
    expect(lines.join(' ')).toContain('503. Try it later.');
  });

  it('a station opened on the watch screen stays when it matches no more, and the screen says so', () => {
    const lines = linesOf({ ...opened, stations: [falling] });
    expect(lines).toContain('The station no longer matches.');
    expect(lines).toContain('Col du Vent');
  });

  it('the watch screen opens the first station of the list where the user chose none', () => {
    const window = { columns: 80, rows: 24, colour: false, isUnicode: true };
    expect(applyKey('\r', scene, window).opened).toEqual({ id: 1500 });
    expect(applyKey('\n', { ...scene, chosen: 110 }, window).opened).toEqual({ id: 110 });
    expect(applyKey('\r', { ...scene, stations: [] }, window)).toEqual({});
  });
});

it('the watch screen shows how to leave a filter that finds nothing', () => {
  expect(draw({ ...scene, stations: [], filter: 'x' }, 'small')).toContain('; Esc shows all.');
});

describe('drawSparkline', () => {
  const at = (minutesAgo: number, avgKmh: number | null): WindSample => ({
    timeMs: NOW - minutesAgo * MINUTE_MS,
    avgKmh,
    maxKmh: null,
    minKmh: null,
    headingDeg: null,
  });

  it('the sparkline of the watch screen draws each sample at its time, and a blank where there is no sample', () => {
    const samples = [at(61, 99), at(55, 3), at(30, 10), at(15, null), at(0, 5)];
    const drawn = drawSparkline(samples, 10, true);
    expect(drawn).toMatchObject({ sparkline: '▃    █     ▅', rangeKmh: [3, 10] });
    expect(drawSparkline(samples, 10, false).sparkline).toBe('-    #     =');
  });

  it('the sparkline of the watch screen has no gap for measurements every five minutes with a few seconds of jitter', () => {
    const samples = Array.from({ length: 12 }, (_, index) =>
      at((11 - index) * 5 + (index % 2 === 0 ? 0.1 : -0.1), index),
    );
    expect(drawSparkline([...samples.slice(0, -1), at(0, 11)], 11, false).sparkline).not.toContain(
      ' ',
    );
  });

  it('the sparklines of the watch screen draw bars of every station from 0 to one top, and no bar for an unknown wind', () => {
    const drawn = (samples: readonly WindSample[], topKmh: number) =>
      drawSparkline(samples, topKmh, true).sparkline.trimStart();
    expect(drawn([at(5, 1.2), at(0, 2.2)], 16)).toBe('▂▂');
    expect(drawn([at(5, 14), at(0, 16)], 16)).toBe('▇█');
    expect(drawn([at(5, 7), at(0, 7)], 7)).toBe('██');
    expect(drawn([at(5, 0), at(0, 0)], 0)).toBe('▁▁');
    expect(drawn([at(0, 90)], 16)).toBe('█');
    expect(drawn([at(5, null)], 16)).toBe('');
    expect(drawSparkline([], 16, true)).toMatchObject({ sparkline: '', rangeKmh: undefined });
  });
});

describe('renderScreen with random scenes', () => {
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '\u001b[2J',
          '\u001b[31m',
          '\u009b2J',
          '\r\n',
          '\u202e',
          '👨‍👩‍👧',
          '高い',
          'é',
          '\ufe0f',
        ),
        fc.string({ unit: anyCharacter, maxLength: 8 }),
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join(''));
  const number = fc.oneof(
    fc.double({ min: -10, max: 300, noNaN: true }),
    fc.constantFrom(0, -0, 1e-9, 1e21, 1e300, -1e300, 22.5),
  );
  const speed = fc.option(number);
  const ms = fc.oneof(
    fc.integer({ min: NOW - 2 * 3_600_000, max: NOW + 3_600_000 }),
    fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }),
  );
  const sample = fc.record({
    timeMs: ms,
    avgKmh: speed,
    maxKmh: speed,
    minKmh: speed,
    headingDeg: speed,
  });
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const anyWatched: fc.Arbitrary<WatchedStation> = fc.record({
    recent: fc.record({
      station: fc
        .record({
          id: fc.oneof(fc.nat({ max: 8 }), fc.maxSafeNat()),
          name: text,
          ageMs: fc.option(ms.map((timeMs) => NOW - timeMs)),
          latest: sample,
        })
        .map(({ id, name, ageMs, latest }) => stationOf(id, name, ageMs, latest)),
      samples: fc
        .array(sample, { maxLength: 8 })
        .map((samples) => samples.sort((a, b) => a.timeMs - b.timeMs)),
      before: maybe(sample),
      isGone: fc.boolean(),
    }),
    distanceKm: maybe(number),
    condition: maybe(text),
    isAlerting: fc.boolean(),
  });
  const anyScene: fc.Arbitrary<Scene> = fc.record({
    stations: fc.array(anyWatched, { maxLength: 8 }),
    unit: fc.constantFrom(...(Object.keys(SPEED_UNITS) as SpeedUnit[])),
    now: ms,
    nextPollMs: maybe(ms),
    failures: maybe(fc.record({ inARow: fc.nat(), reason: text })),
    lastGoodMs: maybe(ms),
    events: fc.array(
      fc.record({
        kind: fc.constantFrom(...ALERT_EVENTS),
        condition: text,
        atMs: ms,
        sinceMs: ms,
        name: text,
        id: fc.nat({ max: 8 }),
      }),
      { maxLength: 5 },
    ),
    condition: maybe(text),
    writeDate: fc.constantFrom(createDateWriter('utc'), createDateWriter('Europe/Paris')),
    hasKeys: fc.boolean(),
    order: fc.constantFrom(...SORT_KEYS),
    top: fc.nat({ max: 20 }),
    showsKeys: fc.boolean(),
    chosen: maybe(fc.nat({ max: 8 })),
    filter: maybe(text),
    isTyping: fc.boolean(),
    opened: maybe(fc.record({ id: fc.nat({ max: 8 }), trouble: maybe(text) })),
  });
  const anyWindow: fc.Arbitrary<TerminalWindow> = fc.record({
    columns: fc.integer({ min: 1, max: 200 }),
    rows: fc.integer({ min: 1, max: 60 }),
    colour: fc.boolean(),
    isUnicode: fc.boolean(),
  });

  it('the watch screen stays inside its window and contains no control characters, in random scenes', () => {
    fc.assert(
      fc.property(anyScene, anyWindow, (drawn, window) => {
        const screen = renderScreen(drawn, window);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with ESC
        const plain = window.colour ? screen.replace(/\u001b\[\d+m/g, '') : screen;
        const lines = plain.split('\n');
        expectLines(plain, window.rows);
        expectColumns(plain, window.columns);
        expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
        if (!window.isUnicode) expect(lines.join('')).toMatch(/^[ -~]*$/);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
