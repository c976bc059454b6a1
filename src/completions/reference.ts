import { DEFAULT_BASE_URL } from '../defaults.ts';
import { SPEED_UNITS } from '../domain/units.ts';
import type { EXIT } from '../errors.ts';
import { COLUMN_MEANINGS, CONDITION_FIELDS, STEP_COLUMN_MEANINGS } from './meanings.ts';

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
    'The lock of a file that archive --append or vane config writes, beside that file. A second ' +
      'vane waits for it, at most ten minutes. The lock of a killed run expires after a minute.',
  ],
] as const;

/** A list of terms in the form of the manual page, a line for each term. */
export const terms = (meanings: Readonly<Record<string, string>>): string =>
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
measurements.date. Columns that the service adds are left out, as stderr says.`;

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
