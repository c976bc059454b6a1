import type { Command } from 'commander';
import { FIELDS } from '../../domain/condition/fields.ts';
import { COLUMN_MEANINGS } from '../../domain/reading.ts';
import { SPEED_UNITS } from '../../domain/units.ts';
import { EXIT, EXIT_MEANINGS } from '../../errors.ts';
import { ALL_FORMATS, type FormatName } from '../../flags/formats.ts';
import { ENVIRONMENT } from '../../flags/settings.ts';

/** A list of terms in the form of the manual page, a line for each term. */
function terms<K extends string, T>(
  table: Readonly<Record<K, T>>,
  say: (thing: T, key: K) => string,
) {
  const entries = Object.entries(table) as [K, T][];
  return entries.map(([key, thing]) => `  ${key}  ${say(thing, key)}`).join('\n');
}

const asItIs = (meaning: string): string => meaning;

/** The names of the commands that write a format. */
const writersOf = (format: string, commands: readonly { command: Command }[]): string =>
  commands
    .filter(({ command }) =>
      command.options.some(
        ({ long, argChoices }) => long === '--format' && argChoices?.includes(format),
      ),
    )
    .map(({ command }) => command.name())
    .join(', ');

/** The sections of the manual page that belong to no single command, by their titles. */
export const sectionsAfterOptions = (commands: readonly { readonly command: Command }[]) => ({
  UNITS: `\
The service sends speeds in km/h, and vane leaves them as they came unless --units asks for another
unit. Converted speeds have two decimals, Beaufort forces none. 1 kn is exactly 1.852 km/h, 1 mi
exactly 1.609344 km.

Each unit has several spellings, in capitals or not:

${terms(SPEED_UNITS, ({ label, spellings }) => [label, ...spellings].join(', '))}

A format names the unit in its units line, its units member or its heads. Where it has no place for
a unit, the name of the field carries it: wind_speed_avg_kn.`,

  COLUMNS: `\
An archive has these columns, in this order; --columns selects and orders them, by these names or as
time lat lon lull avg gust dir pressure station flag. Stations send a row every 4 or 5 minutes.

${terms(COLUMN_MEANINGS, asItIs)}

Records of live, meta and watch name each field by its path in the service's interface, such as
measurements.wind_speed_avg; the time of a record is measurements.date. Columns that the service
adds are left out, as stderr says.`,

  FORMATS: `\
${terms(ALL_FORMATS, ({ meaning }, format: FormatName) => `${meaning} (${writersOf(format, commands)})`)}

csv and txt of an archive begin with four lines: license, attribution, names and units. --header
names or none replaces these lines, and leaves the cell of a missing value empty, where the service
writes null.

Several stations in one stream need a column for the station: csv with --header names, ndjson,
parquet and table have one. influx has tags for id and name.

A text that a spreadsheet would run as a formula (it begins with = + - or @) gets a single quote
before it in csv and txt, except under the service's own four lines.

License and attribution come with every output: in its head, envelope or metadata where the format
has one, else on stderr.`,

  CONDITIONS: `\
--where of live, meta, archive and watch takes a condition, and so do --when and --until of watch:

  condition = both { "or" both }
  both = operand { "and" operand }
  operand = [ "not" ] ( comparison | "daylight" | "(" condition ")" )
  comparison = field operator value
  comparison = field [ "not" ] "in" value ".." value
  operator = "<" | "<=" | ">" | ">=" | "=" | "!="

&& || and ! stand for and, or, not. Case does not matter. A range includes both ends; a unit at one
end of a range holds for the other too. hour and daylight are of this moment; in stats and plot they
are of the time of the reading. Fields:

${terms(FIELDS, ({ meaning }) => meaning)}

A field is unknown without a value, wind also with a measurement older than 45 minutes, dir also in
calm air (a mean under 1 km/h), and daylight without a position. A condition that is unknown matches
no station, and neither begins nor ends an alarm. distance needs --near. trend belongs to watch,
which sees stations over time; for more than ten stations it is known after ten minutes.

archive --where tests the latest measurement and then exports any period. watch --where tests at
each poll: a station that does not match is not shown, its measurements are not recorded, and no
alarm begins there. An alarm that began earlier still ends, with its event.`,

  ENVIRONMENT: terms(ENVIRONMENT, (meaning) => meaning.replaceAll('`', '')),

  FILES: `\
  ~/.config/vane/config.json  The configuration: on Linux, under $XDG_CONFIG_HOME where that is set; on macOS in ~/Library/Preferences/vane; on Windows in %APPDATA%\\vane\\Config. “vane config path” prints it. It is a plain file of at most 1 MiB, or /dev/null.
  ~/.cache/vane  Answers on disk: on Linux, under $XDG_CACHE_HOME where that is set; on macOS ~/Library/Caches/vane; on Windows %LOCALAPPDATA%\\vane\\Cache. “vane cache path” prints it.
  .NAME.vane-lock  The lock of a file that archive --append or vane config writes, beside that file. A second vane waits for it, at most ten minutes. The lock of a killed run expires after 20 seconds.`,

  'EXIT STATUS': (Object.keys(EXIT) as (keyof typeof EXIT)[])
    .map((name) => `  ${EXIT[name]}  ${EXIT_MEANINGS[name]}`)
    .join('\n'),
});
