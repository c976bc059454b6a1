import { DEFAULT_BASE_URL } from '../defaults.ts';
import type { Field } from '../domain/condition/fields.ts';
import type { COLUMNS, STEP_COLUMNS } from '../domain/reading.ts';
import { SPEED_UNITS } from '../domain/units.ts';
import type { EXIT } from '../errors.ts';
import type { GroupKey } from '../statistics/statistics.ts';

/** The parts of the manual page that belong to no single command. */

export const EXIT_MEANINGS = {
  done: 'Done. An answer without rows counts as done, with a note on stderr.',
  defect: 'An unexpected failure, such as a full disk, or a bug in vane.',
  usage: 'Wrong usage, mostly found before any request is sent.',
  notFound: 'The service does not know a station; live and meta show the others.',
  refused: 'The service refused the request, or the address is not a station service.',
  unavailable: 'The service could not be reached or kept failing; a later attempt may succeed.',
  partial: 'Partial: --keep-going wrote the data that came; stderr lists the missing periods.',
  ranOut: 'The --duration or --count of watch --until ended before its condition held.',
  hungUp: 'Ended by SIGHUP: the terminal was closed.',
  interrupted: 'Ended by SIGINT (Ctrl-C); 128 and the number of the signal, as shells show it.',
  terminated: 'Ended by SIGTERM.',
} as const satisfies Record<keyof typeof EXIT, string>;

/** The variables that vane reads, with their meanings; a test compares the README with them. */
export const ENVIRONMENT: readonly (readonly [names: readonly string[], meaning: string])[] = [
  [
    ['VANE_BASE_URL'],
    `address of the service, as with \`--base-url\` (default \`${DEFAULT_BASE_URL}\`)`,
  ],
  [['VANE_UNITS', 'VANE_TZ'], 'unit and zone in every format, as with `--units` and `--tz`'],
  [['VANE_CONFIG'], 'the configuration file (default: `vane config path`)'],
  [['VANE_CACHE_DIR'], 'folder of the cache (default: `vane cache path`)'],
  [['VANE_CACHE_MAX_SIZE'], 'largest size of the cache (default `1GiB`)'],
  [
    ['VANE_MQTT_PASSWORD', 'VANE_MQTT_PASSWORD_FILE'],
    'password for `watch --mqtt`, or a file with it',
  ],
  [
    ['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE'],
    'folder for compiled code on Node 22.8 and later (default: `compiled` in the folder of the cache), and a switch that turns it off',
  ],
  [
    ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'],
    'proxies, and hosts to reach without one; lower case works too',
  ],
  [['NO_COLOR', 'FORCE_COLOR'], 'no colour; colour also in a pipe'],
  [
    ['LC_ALL', 'LC_CTYPE', 'LANG'],
    'locale; without UTF-8 in it tables and the screen of `watch` are ASCII',
  ],
  [
    ['COLUMNS', 'LINES'],
    'width of tables and help, and size of pictures, where stdout is no terminal, as within the program `watch`',
  ],
  [['COLORTERM', 'TERM'], 'the colours that a terminal shows in pictures'],
];

export const FILES = [
  [
    '~/.config/vane/config.json',
    'The configuration: on Linux, under $XDG_CONFIG_HOME where that is set; on macOS in ' +
      '~/Library/Preferences/vane; on Windows in %APPDATA%\\vane\\Config. “vane config path” prints it.',
  ],
  [
    '~/.cache/vane',
    'Answers kept on disk: on Linux, under $XDG_CACHE_HOME where that is set; on macOS ' +
      '~/Library/Caches/vane; on Windows %LOCALAPPDATA%\\vane\\Cache. “vane cache path” prints it.',
  ],
  [
    '.NAME.vane-lock',
    'A folder beside a file that archive --append or vane config writes. A second vane waits for it, ' +
      'at most ten minutes. The lock of a killed run expires after a minute.',
  ],
] as const;

/** Meanings of the columns of an archive: the unit, and the minutes that a value is taken over. */
export const COLUMN_MEANINGS = {
  time: 'UTC; the end of the 4 minutes that the speeds of the row are taken over',
  latitude: 'degrees, WGS84; the last position known at that time',
  longitude: 'degrees, WGS84',
  wind_speed_min: 'lull, km/h: the lowest speed of the 4 minutes before time',
  wind_speed_avg: 'mean, km/h, of the 4 minutes before time',
  wind_speed_max: 'gust, km/h: the highest speed of the 4 minutes before time',
  wind_heading: 'degrees that the wind comes from; 0 is north, 90 east',
  pressure: 'deprecated by the service; always null',
} as const satisfies Record<(typeof COLUMNS)[number]['name'], string>;

/** Meanings of the columns that `vane archive --every` adds. */
export const STEP_COLUMN_MEANINGS = {
  readings: 'with --every: number of readings of the step',
  coverage: 'with --every: share of the step that readings cover, 0 to 1',
} as const satisfies Record<(typeof STEP_COLUMNS)[number]['name'], string>;

/** Meanings of the keys of `vane stats --by`. */
export const KEY_MEANINGS = {
  hour: 'each hour of the period',
  day: 'each day',
  month: 'each month',
  year: 'each year',
  'hour-of-day': 'hours 0 to 23 of all days',
  'month-of-year': 'months 1 to 12 of all years',
  sector: 'direction, in the sectors of --sectors',
} as const satisfies Record<GroupKey, string>;

/** Meanings of the fields that a condition can compare, each with an example. */
export const CONDITION_FIELDS = {
  avg: 'mean speed with its unit: avg > 15kn, avg in 3..5bft',
  max: 'gust, or the other name gust: max < 30kn',
  min: 'lull, or the other name lull: min >= 8kn',
  gust_factor: 'gust divided by mean, a number without unit: gust_factor < 1.6',
  dir: 'direction the wind comes from, degrees or one of 16 points; ranges go clockwise: dir in NW..NE',
  age: 'time since the measurement: age < 20m',
  state: 'power state, with = or != only: on, off, unknown',
  distance: 'kilometres from the place of --near: distance < 25',
  trend: 'change of the mean over the last hour, a speed per hour: trend > 5kn',
} as const satisfies Record<Field, string>;

/** Meanings of the fields of `vane stats`; fields of one kind share an entry. */
const STATISTICS_MEANINGS = {
  'readings, missing': 'distinct times, and those without an average',
  'first, last': 'first and last time of a reading',
  step_s: 'most frequent time between two readings, to 10 s',
  coverage:
    '1 less the share of the period that gaps lost: two readings over 1.5 steps apart have a gap between them, which loses its length less one step; so does the start and the end of the period; an interval of --by without a reading is a gap of its whole length',
  'gaps, longest_gap_start, longest_gap_s': 'number of gaps, and the longest',
  'mean, std, min, max': 'of the average, calms included; std is that of the population',
  'max_gust, max_gust_at, min_lull': 'strongest gust and its time, weakest lull',
  'p5 … p99, gust_p5 … gust_p99':
    'percentiles of average and gust, interpolated linearly (type 7 of Hyndman and Fan 1996)',
  calm: 'share of averages below --calm, which have no direction',
  'vector_speed, vector_direction': 'resultant wind (EPA-454/R-99-005, 6.2.2); a calm adds nothing',
  'prevailing_direction, direction_std': 'of the directions alone; the latter by Yamartino 1984',
  steadiness: 'vector_speed divided by mean',
  gust_factor: 'median of gust divided by average, of averages of 10 km/h or more',
  'weibull_k, weibull_a': 'maximum likelihood of averages above 0',
  power_density: 'W/m² in air of 1.225 kg/m³',
  beaufort: 'shares of the forces 0 to 12; in csv bft_0 … bft_12',
  'hours, share, days, best_month':
    'with --where: time for which the condition held, its share of the period, days with at least --for of it, and the month with most of it',
} as const;

const terms = (meanings: Readonly<Record<string, string>>): string =>
  Object.entries(meanings)
    .map(([term, meaning]) => `  ${term}  ${meaning}`)
    .join('\n');

const labels = Object.fromEntries(
  Object.entries(SPEED_UNITS).map(([name, { label, spellings }]) => [
    name,
    [label, ...spellings].join(', '),
  ]),
);

export const UNITS_TEXT = `\
The service sends speeds in km/h, and vane leaves them as they came unless
--units asks for another unit. Converted speeds have two decimals, Beaufort
forces none. 1 kn is exactly 1.852 km/h, 1 mi exactly 1.609344 km.

Each unit has several spellings, in capitals or not:

${terms(labels)}

A format names the unit in its units line, its units member or its heads. Where
it has no place for a unit, the name of the field carries it:
wind_speed_avg_kn.`;

export const COLUMNS_TEXT = `\
An archive has these columns, in this order; --columns selects and orders them,
by these names or as time lat lon lull avg gust dir pressure station.
Stations send a row every 4 or 5 minutes.

${terms({ ...COLUMN_MEANINGS, ...STEP_COLUMN_MEANINGS })}

Records of live, meta and watch name each field by its path in the service's
interface, such as measurements.wind_speed_avg; the time of a record is
measurements.date. Columns that the service adds follow these; a column that
appears, vanishes or changes its unit during an export is reported on stderr and
in --report, and its values never stand under another name or unit.`;

export const FORMATS_TEXT = `\
csv and txt of an archive have the service's own layout, byte for byte: license,
attribution, names, units, then rows. --header names or none replaces these
lines, and leaves the cell of a missing value empty, where the service writes
null. csv and txt of live and meta have one row for each station. json is the
service's envelope. ndjson has one object on each line. geojson is a
FeatureCollection (RFC 7946). parquet has typed columns, compressed by snappy,
with units, license and attribution in the metadata of the file. influx is
InfluxDB's line protocol.

Several stations in one stream need a column for the station: csv with --header
names, ndjson, parquet and table have one. influx has tags for id and name.

A text that a spreadsheet would run as a formula (it begins with = + - or @)
gets a single quote before it in csv and txt, except under the service's own
four lines.

License and attribution come with every output: in its head, envelope or
metadata where the format has one, else on stderr.`;

export const CONDITIONS_TEXT = `\
--where of live, meta, archive and watch takes a condition, and so do --when and
--until of watch:

  condition = both { "or" both }
  both = operand { "and" operand }
  operand = [ "not" ] ( comparison | "(" condition ")" )
  comparison = field operator value
  comparison = field [ "not" ] "in" value ".." value
  operator = "<" | "<=" | ">" | ">=" | "=" | "!="

&& || and ! stand for and, or, not. Case does not matter. A range includes both
ends; a unit at one end of a range holds for the other too. Fields:

${terms(CONDITION_FIELDS)}

A field is unknown without a value, with a measurement older than 45 minutes
(except age and state), and dir is unknown in calm air (a mean under 1 km/h). A
condition that is unknown matches no station, and neither begins nor ends an
alarm. distance needs --near. trend belongs to watch, which sees stations over
time; for more than ten stations it is known after ten minutes.

archive --where tests the latest measurement and then exports any period. watch
--where tests at each poll: a station that does not match is not shown, its
measurements are not recorded, and no alarm begins there. An alarm that began
earlier still ends, with its event.`;

/** Explanations that the manual page adds to the help of commands, by command. */
export const NOTES: Readonly<Record<string, string>> = {
  'vane live': `\
The table shows mean (avg), gust and lull of the 4 minutes before the
measurement, and the direction that the wind comes from; the arrow points where
the wind blows to. The age is the time since the measurement: s, min, h, d, y. A
measurement older than 45 minutes is marked old and dimmed. A mean under 1 km/h
is calm and has no direction. – is a value that the station did not send. Signal
is the radio's signal-to-noise ratio: red below 10 dB, green above 20. Speeds are
coloured by Beaufort force: cyan 0–3, green 4–5, yellow 6–7, red 8–9,
magenta 10–12.`,
  'vane plot': `\
A series is an area from lull to gust, coloured by Beaufort force, with the mean
as a line and arrows where the wind blows to. Where readings are denser than the
picture, each column has their lowest lull, highest gust and mean. Nights are
shaded by the elevation of the sun at the station. The radii of a rose grow by
the per cents of stats --rose. A calendar has a cell for each day, a pattern for
each hour of the day by month. Up to twelve stations stand beside each other
with the same scales.

The panels of many stations can make a picture higher than --height; a calendar
or pattern of few rows is lower.
A picture in the terminal fits the window, else COLUMNS by LINES, else 80 by 24.
It has the colours that COLORTERM, TERM and FORCE_COLOR tell; without any, a
rose is a table and cells are characters, which the legend explains. --image auto
asks the terminal whether it shows pixels, and waits half a second; in a pipe it
asks nothing.`,
  'vane archive': `\
--header service is the service's four lines, names the column names alone, none
no header. --append continues the file after its last row.

With --every a row is a step of the clock of --tz: start <= time < start + step,
named by its start. wind_speed_avg is the mean of the averages, wind_speed_max
the highest gust, wind_speed_min the lowest lull, wind_heading the direction of
the resultant wind, to which a mean under 1 km/h adds nothing (missing where
nothing is left), pressure the mean, the position that of the last reading. Two
columns follow: readings, and coverage as in stats, from 0 to 1 of the part of
the step that lies in the period and before now. Gaps are found by the most
frequent time between two readings of the station, of the last 1000 and at first
of 100. A day has 23 to 25 hours; 3h begin at 0, 3, 6 o'clock; an hour that the
clock shows twice is two steps. Columns that the service adds are left out, since
nothing says how to combine them. A part of --split begins and ends by the clock
of --tz too.

A date is yyyy to yyyy-MM-ddTHH:mm:ss.SSS, then Z, +hhmm or nothing: for UTC, or
the zone of --tz or $VANE_TZ. Missing parts take their lowest value. Readings
satisfy start <= time < stop.

With {station} {name} {start} {stop} {year} {month} in --output each station and
part gets its own file; missing folders are created. Finished periods are cached
on disk: after an interruption the same command requests only the rest.

--report has rows, late, files, missing, repairs, columns, chunks, requests,
retries, cache_hits, bytes and seconds; once version, period, every, steps (rows
of --every) and units of the columns; and stations, each with station, name,
readings, first, last, step_s, coverage, gaps_over_6h (start, stop, hours; at
most 1000, and gaps_over_6h_left_out more) and missing_chunks (start, stop). Names
take one request for the latest data. With --append the figures of a station are
those of the requested rest.

--dry-run of all or a selection sends one request, for the list of stations, and
prints an estimate. Bytes are those of 360 rows a day of 70 bytes, before
compression. Each request is taken to last as long as that for the list, or 1 s
where the list was cached.`,
  'vane stats': `\
For each station and group, named as in ndjson and csv:

${terms(STATISTICS_MEANINGS)}

Shares are 0 to 1, in --rose per cent of all readings. Speeds are not rounded in
json and ndjson. In Beaufort each speed is its force, and std and weibull_a are
empty, since differences of speeds have no force. Groups are of the zone of --tz; a
group without a reading has zero readings.

--rose has a row for each sector, whose centre sector is, and a last one for calm.
class_0, class_1 are per cents of its classes [low, high); without --classes they
are the Beaufort forces. Headings in steps of 22.5 degrees are spread over their
step, so that no number of --sectors favours some.

--where here is a condition on each reading: avg, max, min, gust_factor, dir.
With --by it is measured in each group.

--from reads csv, txt, ndjson and parquet of archive, gzip too, told by their
content, in the units that their heads name. Stations are those of the column
station, else of the file's name (station=110/2024.csv, station-110.csv, 110.csv),
else the one on the command line. Without --start and --stop the period of a
station is that of its readings.`,
  'vane watch': `\
On a terminal the table is redrawn in place, stations whose alarm holds first: q
quits, ? lists the keys. In a pipe, and with -f, --line or -o, each new measurement is written at once as a
record: ndjson, csv, txt, influx (line protocol), or a --line. With -o the
terminal still shows the table. A failed poll is not retried before the next
poll, so --retries has no effect.

CONDITIONS explains the conditions of --when, --until and --where. Wind older than
45 minutes and the direction of calm air are unknown; an unknown value rings no
alarm and matches no --where.

A station is shown and recorded at the polls where --where holds. An alarm begins
only there, and ends anywhere.

An event is true, false or stale (no measurement for 45 minutes). Each event
rings the bell, writes a record, and runs --exec for at most 60 s, with the record
as json on stdin and in the environment (VANE_AGE in seconds).

--post sends each event, or with --post-each reading each reading instead, by
HTTP POST: as json, or as the text of --post-text. Where --post-header names the
Content-Type application/json or application/x-www-form-urlencoded, the values in
the text are escaped for it. In a header each value is cut at 200 characters,
control characters become spaces, and text beyond ASCII is written in encoded
words (RFC 2047). Posts are sent in order, one after the other. After a broken
connection, 5xx or 429 (with Retry-After) a post is tried again for ten minutes,
then given up with a line on stderr; other answers without success give it up at
once, and no redirect is followed. Of more than 1000
posts that wait the oldest are dropped. A watch that ends, also by a signal, waits
for its posts for 10 s. Messages name only scheme and host of the address.

--mqtt publishes at a broker with QoS 1, beside the other output. With
mqtt://vane@broker.example/wind the newest record of station 110 is at
wind/110/state as json; wind/110/availability is online, or offline without a
measurement of the last 45 minutes; wind/110/alarm is ON or OFF. These are
retained; events, at wind/110/event, are not. wind/availability is offline once
vane has ended, by its last will too, so each watch needs a prefix of its own.
While the broker is away, the newest message of each topic waits for it. A watch
that ends waits for acknowledgements, 10 s at most. An event whose
acknowledgement was lost is sent again, byte for byte the same. mqtts trusts the
certificates of $NODE_EXTRA_CA_CERTS too.

--mqtt-discovery needs Home Assistant 2025.4 or later. Put it after the stations,
since a word after it is its prefix.`,
  'vane serve': `\
The address is printed once the server answers. Live data come from one request
for all stations in 60 s. When that request fails, the last data are served with
Age and Warning for as long as --stale says, then 503 upstream_unavailable.
Archives of more than a day ago are kept in the cache on disk (vane cache --help),
later ones for 60 s in memory. A client that sends Cache-Control: no-cache has a
kept archive asked for again, once a minute. Ids that the list of stations does
not name cost the service ten questions a minute.

/ is a page for people, /openapi.json describes the interface, and /health and
/metrics tell the state of the server. At /metrics/stations Prometheus reads the stations, in m/s:
all, or those of id (repeated), near with radius, and bbox. A measurement older
than 45 minutes has no speed there, and a station that is gone no line. At
/plot/110/series.svg is a picture of the last 24 hours, beside it rose, calendar
and pattern, each as .svg and .png; they take start, stop (at most 366 days
later), units, tz, sectors, theme, width and height. A quarter of --memory is for
answers that clients are slow to read.

The first Ctrl-C lets requests under way finish, 10 s at most; a second one ends
the server at once.`,
  'vane cache': `\
Several vanes may use the cache at once. The folder is $VANE_CACHE_DIR, else the
one of the system. Past $VANE_CACHE_MAX_SIZE (default 1GiB) the answers unused for
longest go first.`,
};
