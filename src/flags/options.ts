import { type Command, Option } from 'commander';
import { SECTOR_COUNTS } from '../domain/compass.ts';
import { EXCLUDED_FLAGS, type Quality } from '../domain/quality/limits.ts';
import { SORT_KEYS, type StationSortKey } from '../domain/selection.ts';
import { POWER_STATES, type PowerState } from '../domain/station.ts';
import { SPEED_UNIT_NAMES, type SpeedUnit } from '../domain/units.ts';
import { DEFAULT_BASE_URL, SECOND_BASE_URL } from '../service/service.ts';
import type { FormatName } from './formats.ts';
import { readUnit } from './values.ts';

export interface GlobalFlags {
  readonly baseUrl?: string;
  readonly demo?: true;
  readonly timeout: string;
  readonly retries: string;
  readonly quiet?: true;
  readonly verbose?: true;
  readonly color?: boolean;
  readonly cache: boolean;
  readonly refresh?: true;
}

/** Adds the options of every command. They may come before or after the command's name. */
export function addGlobalOptions(program: Command): Command {
  return program
    .option(
      '--base-url <url>',
      `address of the service, without /v1, e.g. http://localhost:8080 (default: $VANE_BASE_URL, else base_url of vane config, else ${DEFAULT_BASE_URL}; the same network is at ${SECOND_BASE_URL})`,
    )
    .option('--demo', 'use a simulated network on this machine; needs no connection')
    .option(
      '--timeout <duration>',
      'give up after this long without a connection or new data, e.g. 5s',
      '30s',
    )
    .option('--retries <n>', 'retries after a temporary failure, 0 to 20, e.g. 5', '3')
    .option('--no-cache', 'do not use the cache on disk')
    .option('--refresh', 'request everything again, and replace what is in the cache')
    .option('-q, --quiet', 'print only errors on stderr')
    .option('-v, --verbose', 'print a line on stderr for each request, and the cause of an error')
    .option('--color', 'colour the output (default: only on a terminal)')
    .option('--no-color', 'do not colour the output (same as NO_COLOR=1)');
}

export interface PresentationFlags {
  readonly units?: SpeedUnit;
  readonly knots?: true;
  readonly tz?: string;
}

/** The flags of commands that write data in a chosen format. */
export interface OutputFlags extends PresentationFlags {
  readonly format?: FormatName;
  readonly json?: true;
  readonly csv?: true;
  readonly output?: string;
}

/**
 * Adds the options of commands that write data with speeds.
 * @param formats the formats that the command can write
 * @param usual the default format, as the help shows it
 */
export function addOutputOptions(
  command: Command,
  formats: readonly FormatName[],
  usual?: string,
): Command {
  return addPresentationOptions(addDestinationOptions(command, formats, usual));
}

/**
 * Adds `--format` and `--output`.
 * @param usual the default format, as the help shows it
 */
export function addDestinationOptions(
  command: Command,
  formats: readonly FormatName[],
  usual = 'table',
): Command {
  const format = new Option(
    '-f, --format <format>',
    `format of the output (default: by the extension of --output, else ${usual}), e.g. csv`,
  ).choices(formats);
  return addFormatShorthands(command.optionsGroup('Output:').addOption(format)).option(
    '-o, --output <file>',
    'write to this file, which appears only when it is complete; add .gz to compress it; - is stdout (default: -), e.g. wind.csv.gz',
  );
}

/**
 * Adds `--json` and `--csv`.
 * @param jsonName the format that `--json` sets
 */
export function addFormatShorthands(command: Command, jsonName = 'json'): Command {
  return command
    .addOption(new Option('--json', `short for -f ${jsonName}`).conflicts(['format', 'csv']))
    .addOption(new Option('--csv', 'short for -f csv').conflicts('format'));
}

export function addPresentationOptions(command: Command): Command {
  addUnitsOption(command).addOption(
    new Option('--knots', 'short for --units kn').conflicts('units'),
  );
  return addZoneOption(command);
}

export function addUnitsOption(command: Command): Command {
  return command.optionsGroup('Output:').addOption(
    new Option(
      '-u, --units <unit>',
      'unit of speeds (default: $VANE_UNITS, else, in text for people, units of vane config, else kmh), e.g. ms',
    )
      .choices(SPEED_UNIT_NAMES)
      // The choices only appear in help and completions: readUnit also accepts other spellings.
      .argParser((text) => readUnit('--units', text)),
  );
}

export function addZoneOption(command: Command): Command {
  return command.option(
    '--tz <zone>',
    'time zone of times and dates: utc, local or a name such as Asia/Tokyo (default: $VANE_TZ, else, in text for people, tz of vane config, else utc)',
  );
}

export interface SelectionFlags {
  readonly name?: string;
  readonly near?: string;
  readonly radius?: string;
  readonly bbox?: string;
  readonly state?: PowerState;
  readonly maxAge?: string;
  readonly where?: string;
  readonly sort?: StationSortKey;
  readonly limit?: string;
}

/** Adds the options that select stations, with `--where`. */
export function addSelectionOptions(command: Command): Command {
  return addPlainSelectionOptions(command).option(
    '--where <condition>',
    "only stations where this condition is true now (default: all), e.g. 'avg > 15kn and dir in SW..NW'",
  );
}

/** Adds the options that select stations, without `--where`. */
export function addPlainSelectionOptions(command: Command): Command {
  return command
    .optionsGroup('Selection:')
    .option(
      '--name <text>',
      'only stations with this text in their name, ignoring case and accents (default: all), e.g. "col du"',
    )
    .option(
      '--near <lat,lon>',
      'nearest first, from a place given in degrees (default: no place), e.g. 45.96,6.24',
    )
    .option(
      '--radius <distance>',
      'only stations within this distance of --near, in km, nm or mi (default: any distance), e.g. 25km',
    )
    .option(
      '--bbox <w,s,e,n>',
      'only stations in this box, in degrees (default: everywhere), e.g. 5.5,45,7.5,46.5',
    )
    .addOption(
      new Option(
        '--state <state>',
        'only stations in this power state (default: all), e.g. on',
      ).choices(POWER_STATES),
    )
    .option(
      '--max-age <duration>',
      'only stations that measured within this time (default: all), e.g. 45m',
    )
    .addOption(
      new Option(
        '--sort <key>',
        'sort by this key: strongest, newest or nearest first (default: id, or distance with --near), e.g. gust',
      ).choices(SORT_KEYS),
    )
    .option('-n, --limit <n>', 'show at most this many stations (default: all), e.g. 10');
}

/**
 * Adds the options of a period.
 * @param hasFiles whether `--from` can read files instead
 * @param usualStart the default start, as the help shows it
 */
export function addPeriodOptions(
  command: Command,
  hasFiles: boolean,
  usualStart = 'none',
): Command {
  command
    .optionsGroup('Period:')
    .option(
      '--start <date>',
      'start of the period: a date (2024-05-01T12:00Z), a length before the stop (3d, 12h, 1mo), ' +
        `today, yesterday, last-hour, last-day, last-week, last-month or last-year (default: ${usualStart}), e.g. 2024-05`,
    )
    .option(
      '--stop <date>',
      'end of the period, not included: a date, today, yesterday or now (default: now), e.g. 2024-06-01',
    )
    .addOption(
      new Option(
        '--last <duration>',
        'period of this length that ends now; same as --start with a length, e.g. 7d',
      ).conflicts(['start', 'stop', 'year']),
    )
    .addOption(
      new Option(
        '--year <year>',
        'one calendar year, in the time zone of --tz, e.g. 2024',
      ).conflicts(['start', 'stop']),
    );
  if (hasFiles) {
    command.option(
      '--from <files...>',
      'read files, folders or globs instead of the service; - is stdin (default: the service), e.g. station-110.csv.gz',
    );
  }
  return command;
}

/** The option `--calm`, for commands that compute with wind directions. */
export const CALM_OPTION = [
  '--calm <speed>',
  'treat a mean below this speed as calm, without a direction, e.g. 1kn',
  '1kmh',
] as const;

/** Adds `--quality`, for commands that can leave out bad readings. */
export function addQualityOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--quality <kind>',
      'which readings to keep, by the tests of vane check: pass keeps good ones only, suspect keeps suspect ones too, all keeps everything (default: all), e.g. suspect',
    ).choices(Object.keys(EXCLUDED_FLAGS)),
  );
}

export interface QualityFlags {
  readonly quality?: Quality;
}

export const SECTOR_CHOICES = SECTOR_COUNTS.map(String);

export interface RequestFlags {
  readonly concurrency: string;
  readonly keepGoing?: true;
}

export function addRequestOptions(command: Command): Command {
  return command
    .optionsGroup('Requests:')
    .addOption(
      new Option('--concurrency <n>', 'send up to this many requests at once, 1 to 16, e.g. 8')
        .default('4')
        .conflicts('from'),
    )
    .addOption(
      new Option(
        '--keep-going',
        'skip failed chunks and unknown stations, and list what is missing at the end (default: stop at the first failure)',
      ).conflicts('from'),
    );
}
