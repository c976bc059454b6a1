import { type Command, Option } from 'commander';
import { SECTOR_COUNTS } from '../domain/compass.ts';
import { QUALITIES, type Quality } from '../domain/quality/limits.ts';
import { SORT_KEYS, type SortKey } from '../domain/selection.ts';
import { STATES, type State } from '../domain/station.ts';
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

/** Adds the options that every command takes; each may stand before or after the command's name. */
export function addGlobalOptions(program: Command): Command {
  return program
    .option(
      '--base-url <url>',
      `address of the service, without /v1, e.g. http://localhost:8080 (default: $VANE_BASE_URL, else base_url of vane config, else ${DEFAULT_BASE_URL}, also at ${SECOND_BASE_URL})`,
    )
    .option(
      '--demo',
      'ask a simulated network on this machine instead; nothing goes over a network',
    )
    .option(
      '--timeout <duration>',
      'longest wait for a connection, for an answer and within it, e.g. 5s',
      '30s',
    )
    .option('--retries <n>', 'further attempts after a failure that may pass, 0 to 20, e.g. 5', '3')
    .option('--no-cache', 'neither read nor write the cache on disk')
    .option('--refresh', 'ask the service again for answers in the cache, and replace them')
    .option('-q, --quiet', 'print nothing on stderr but errors')
    .option('-v, --verbose', 'print a line on stderr for each request, and why an error came')
    .option('--color', 'colour the output (default: on a terminal)')
    .option('--no-color', 'no colour (as with NO_COLOR=1)');
}

export interface PresentationFlags {
  readonly units?: SpeedUnit;
  readonly knots?: true;
  readonly tz?: string;
}

/** Flags of every command that writes data in a format that the user chooses. */
export interface OutputFlags extends PresentationFlags {
  readonly format?: FormatName;
  readonly json?: true;
  readonly csv?: true;
  readonly output?: string;
}

/**
 * Adds the options of a command that writes data with speeds.
 * @param formats the formats that the command can write
 */
export function addOutputOptions(command: Command, formats: readonly FormatName[]): Command {
  return addPresentationOptions(addDestinationOptions(command, formats));
}

/** Adds the options `--format` and `--output`. */
export function addDestinationOptions(command: Command, formats: readonly FormatName[]): Command {
  const format = new Option(
    '-f, --format <format>',
    'how to write the data (default: by the name of --output, else table), e.g. csv',
  ).choices(formats);
  return addFormatShorthands(command.optionsGroup('Output:').addOption(format)).option(
    '-o, --output <file>',
    'write a whole file or none; .gz compresses; - is stdout (default: -), e.g. wind.csv.gz',
  );
}

/** Adds `--json` and `--csv`. @param jsonName the format that `--json` is short for */
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
      'unit of speeds (default: $VANE_UNITS, else for people units of vane config, else kmh), e.g. ms',
    )
      .choices(SPEED_UNIT_NAMES)
      // The choices are for help and completions only: readUnit accepts further spellings.
      .argParser((text) => readUnit('--units', text)),
  );
}

export function addZoneOption(command: Command): Command {
  return command.option(
    '--tz <zone>',
    'zone of times and dates: utc, local or e.g. Asia/Tokyo (default: $VANE_TZ, else for people tz of vane config, else utc)',
  );
}

export interface SelectionFlags {
  readonly name?: string;
  readonly near?: string;
  readonly radius?: string;
  readonly bbox?: string;
  readonly state?: State;
  readonly maxAge?: string;
  readonly where?: string;
  readonly sort?: SortKey;
  readonly limit?: string;
}

/** Adds the options that select stations, with `--where`. */
export function addSelectionOptions(command: Command): Command {
  return addPlainSelectionOptions(command).option(
    '--where <condition>',
    "stations where a condition of watch --when holds now (default: any), e.g. 'avg > 15kn and dir in SW..NW'",
  );
}

/** Adds the options that select stations, without `--where`. */
export function addPlainSelectionOptions(command: Command): Command {
  return command
    .optionsGroup('Selection:')
    .option(
      '--name <text>',
      'name holds this text; case and accents do not matter (default: any), e.g. "col du"',
    )
    .option(
      '--near <lat,lon>',
      'sort by distance from a place, in degrees (default: none), e.g. 45.96,6.24',
    )
    .option(
      '--radius <distance>',
      'stations at most so far from --near, in km, nm or mi (default: any), e.g. 25km',
    )
    .option(
      '--bbox <w,s,e,n>',
      'stations in a box, in degrees (default: anywhere), e.g. 5.5,45,7.5,46.5',
    )
    .addOption(
      new Option('--state <state>', 'stations in a power state (default: any), e.g. on').choices(
        STATES,
      ),
    )
    .option(
      '--max-age <duration>',
      'stations measured at most so long ago (default: ever), e.g. 45m',
    )
    .addOption(
      new Option(
        '--sort <key>',
        'order: strongest, youngest or nearest first (default: id, or distance with --near), e.g. gust',
      ).choices(SORT_KEYS),
    )
    .option('-n, --limit <n>', 'at most so many stations (default: all), e.g. 10');
}

/**
 * Adds the options of a period.
 * @param hasFiles whether readings may come from files instead, by `--from`
 */
export function addPeriodOptions(command: Command, hasFiles: boolean): Command {
  command
    .optionsGroup('Period:')
    .option(
      '--start <date>',
      'first moment: a date (2024-05-01T12:00Z), a duration before the stop (3d, 12h, 1mo), ' +
        'today, yesterday, last-hour, last-day, last-week, last-month, last-year, e.g. 2024-05',
    )
    .option(
      '--stop <date>',
      'first moment after it: a date, today, yesterday or now (default: now), e.g. 2024-06-01',
    )
    .addOption(
      new Option('--last <duration>', 'short for --start with a duration, e.g. 7d').conflicts([
        'start',
        'stop',
        'year',
      ]),
    )
    .addOption(
      new Option('--year <year>', 'a calendar year, in the zone of --tz, e.g. 2024').conflicts([
        'start',
        'stop',
      ]),
    );
  if (hasFiles) {
    command.option(
      '--from <files...>',
      'read files, folders, globs, no service; - is stdin, e.g. station-110.csv.gz',
    );
  }
  return command;
}

/** The option `--calm`, for the commands that compute with directions of the wind. */
export const CALM_OPTION = [
  '--calm <speed>',
  'an average below this is calm, without a direction, e.g. 1kn',
  '1kmh',
] as const;

/** Adds the option `--quality`, for the commands that may leave readings out. */
export function addQualityOption(command: Command): Command {
  return command.addOption(
    new Option('--quality <least>', 'least flag of check (default: all), e.g. suspect').choices(
      Object.keys(QUALITIES),
    ),
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
      new Option('--concurrency <n>', 'parallel requests, 1 to 16, e.g. 8')
        .default('4')
        .conflicts('from'),
    )
    .addOption(
      new Option('--keep-going', 'after a failed chunk go on; list the missing periods').conflicts(
        'from',
      ),
    );
}
