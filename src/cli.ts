import { Command, CommanderError, Option } from 'commander';
import type { ArchiveFlags } from './commands/archiveRequest.ts';
import type { CacheFlags, CacheTask } from './commands/cache.ts';
import type { ConfigFlags, ConfigTask } from './commands/config/config.ts';
import { readConfig } from './commands/config/file.ts';
import type { LiveFlags } from './commands/live.ts';
import type { ServeFlags } from './commands/serve.ts';
import type { WatchFlags } from './commands/watch/request.ts';
import { SHELLS, type Shell } from './completions/shells.ts';
import { DEFAULT_BASE_URL } from './defaults.ts';
import { SPLIT_UNITS } from './domain/splitUnit.ts';
import { hideUsers, printableMessage, printableText } from './domain/text.ts';
import { EXIT, errorCode, InterruptedError, UsageError, VaneError } from './errors.ts';
import { HEADERS } from './formats/format.ts';
import { ARCHIVE_FORMAT_NAMES, STATION_FORMAT_NAMES } from './formats/names.ts';
import { PLACEHOLDERS, STREAM_FORMAT_NAMES } from './formats/stream/names.ts';
import type { Io } from './io.ts';
import {
  addGlobalOptions,
  addOutputOptions,
  addPresentationOptions,
  addSelectionOptions,
  type GlobalFlags,
} from './options.ts';
import { VERSION } from './version.ts';

/** Carries a request out; a test puts its own in place to see what was parsed. */
export type Perform = <R>(request: R, run: (request: R, io: Io) => Promise<void>) => Promise<void>;

/**
 * Runs vane with the arguments after its name.
 * @returns the exit code; everything to be said has been said
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const program = createProgram(io, (request, perform) => perform(request, io), args);
  try {
    await parse(program, args, io);
    return EXIT.done;
  } catch (error) {
    return explain(error, io, program.opts<GlobalFlags>().verbose ?? false);
  }
}

/** Wherever --version stands, commander prints it and ends; what -v adds comes after. */
async function parse(program: Command, args: readonly string[], io: Io): Promise<void> {
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    const isVersion = error instanceof CommanderError && error.code === 'commander.version';
    if (!isVersion || !args.some((arg) => /^(?:--verbose|-q*vq*)$/.test(arg))) throw error;
    const { describeInstallation } = await import('./commands/installation.ts');
    io.stdout.write(await describeInstallation(io));
  }
}

function explain(error: unknown, io: Io, isVerbose: boolean): number {
  // commander has printed its own message, or the help or version asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  // Whoever read stdout has seen enough, as `head` does.
  if (errorCode(error) === 'EPIPE') return EXIT.done;
  const message = error instanceof Error ? error.message : String(error);
  const isExpected = error instanceof UsageError || error instanceof InterruptedError;
  const trace = isVerbose && !isExpected ? `${stackOf(error)}\n` : '';
  if (error instanceof VaneError) {
    io.stderr.write(`vane: ${printableMessage(message)}\n${excerptOf(error)}${trace}`);
    return error.exitCode;
  }
  io.stderr.write(
    `vane: An unexpected failure, most likely a defect of vane: ${printableMessage(message)}. ` +
      `Please report it with the output of the same command and --verbose, and of vane --version -v.\n${trace}`,
  );
  return EXIT.defect;
}

function excerptOf(error: VaneError): string {
  if (!(error instanceof UsageError) || error.excerpt === undefined) return '';
  return error.excerpt.replace(/^/gm, '  ').concat('\n');
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return printableMessage(String(error));
  const cause = error.cause === undefined ? '' : `\ncaused by: ${stackOf(error.cause)}`;
  return printableText(hideUsers(error.stack ?? error.message)) + cause;
}

/** What a command is made with. */
interface Parts {
  readonly program: Command;
  readonly io: Io;
  readonly perform: Perform;
}

type Fill = (command: Command, parts: Parts) => void;

/** A command as the list of all of them shows it. */
interface Declared {
  readonly summary: string;
  /** What its stations may be, where it takes any. */
  readonly stations?: string;
  readonly takesOptions: boolean;
  /** A further argument. */
  readonly wants?: string;
  /** Adds its options, its help and what it does. */
  readonly fill: Fill;
}

function declare(program: Command, name: string, { summary, stations }: Declared): Command {
  const command = program.command(name).summary(summary);
  return stations === undefined ? command : command.argument('[stations...]', stations);
}

/** The list of commands tells whether one takes options, and what else it wants. */
function listOnly(command: Command, { takesOptions, wants }: Declared): void {
  if (takesOptions) command.option('--options');
  if (wants !== undefined) command.argument(wants);
}

/** Commands that read all the others. */
const WHOLE_TREE = new Set(['completion', 'man']);

/**
 * The commands to declare: the one that comes first, as it mostly does, or all. To declare and fill
 * in the others takes longer than much of what is asked.
 */
function commandsFor([first]: readonly string[] = []): readonly string[] {
  const isClear = first !== undefined && Object.hasOwn(COMMANDS, first) && !WHOLE_TREE.has(first);
  return isClear ? [first] : Object.keys(COMMANDS);
}

/** Whether a declared command may be the one meant; of the others the list is enough. */
function isMeant(name: string, args: readonly string[] | undefined): boolean {
  return args === undefined || args.includes(name) || args.some((arg) => WHOLE_TREE.has(arg));
}

/**
 * The command tree. Each action loads its command only when it runs.
 * @param args where only what these mean is wanted, and the list of the other commands
 */
export function createProgram(io: Io, perform: Perform, args?: readonly string[]): Command {
  const program = new Command('vane')
    .description('Reads wind stations: latest measurements, metadata and years of history.')
    .version(
      VERSION,
      '--version',
      'print the version; with -v also what a report of a defect needs',
    )
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .configureHelp({
      showGlobalOptions: true,
      sortSubcommands: false,
      // No colour needs to be taken out to tell how wide words of ASCII are.
      displayWidth: (text) => text.length,
    })
    .configureOutput({
      writeOut: (text) => io.print(text),
      writeErr: (text) => void io.stderr.write(printableText(hideUsers(text))),
      outputError: (text, write) => write(text.replace(/^error: /, 'vane: ')),
      getOutHelpWidth: () => io.stdoutTerminal?.columns ?? 80,
      getErrHelpWidth: () => io.stderrTerminal?.columns ?? 80,
      // There is no colour in it to be taken out; to find out would open the streams.
      getOutHasColors: () => true,
      getErrHasColors: () => true,
    })
    .showHelpAfterError('(--help after the command explains its options.)')
    .exitOverride();
  addGlobalOptions(program);
  const parts = { program, io, perform };
  for (const name of commandsFor(args)) {
    const declared = COMMANDS[name] as Declared;
    const command = declare(program, name, declared);
    if (isMeant(name, args)) declared.fill(command, parts);
    else listOnly(command, declared);
  }
  program.addHelpText(
    'after',
    `
A station is an id (110), an id as the network prints it (PP603), the address of
its page, or a favourite (vane config --help). Speeds are in km/h unless --units
says otherwise; dates are UTC unless they carry an offset.

Examples:
  $ vane live 110 603 1500 --knots
  $ vane archive 110 --start 2024 --stop 2025 -o station-110.csv
  $ vane --demo live all          try it on a simulated network`,
  );
  return program;
}

const addLive: Fill = (command, { io, perform }) => {
  addStationsCommand(command, false, io, perform)
    .description('Shows the latest measurements of stations, asked for in one request.')
    .addHelpText(
      'after',
      `
The table shows the mean wind of the 4 minutes before the measurement (avg),
its strongest gust and its lull, and where the wind comes from; the arrow
points where it goes. Ages count from the measurement: s, min, h, d, y. One of
over 45 minutes is marked old and dimmed. A mean under 1 km/h is calm and has
no direction. – is a value that the station did not send. Signal is the radio's
signal-to-noise ratio: red below 10 dB, green above 20. Colours of speeds by
Beaufort force: cyan 0–3, green 4–5, yellow 6–7, red 8–9, magenta 10–12.

Examples:
  $ vane live 110
  $ vane live --near 45.96,6.24 --radius 25 --max-age 45m --knots
  $ vane live all --sort gust --limit 10 -f csv`,
    );
};

const addMeta: Fill = (command, { io, perform }) => {
  addStationsCommand(command, true, io, perform)
    .description('Shows what stations are: one as a card, several as a table.')
    .addHelpText(
      'after',
      `
Examples:
  $ vane meta 110
  $ vane meta --name "col du"
  $ vane meta all -o stations.geojson`,
    );
};

/** What `live` and `meta` have in common: all but their words. */
function addStationsCommand(
  command: Command,
  withMeta: boolean,
  io: Io,
  perform: Perform,
): Command {
  return addOutputOptions(addSelectionOptions(command), STATION_FORMAT_NAMES).action(
    async (stations: string[], _, self: Command) => {
      const [{ readLiveRequest, runLive }, config] = await Promise.all([
        import('./commands/live.ts'),
        readConfig(io),
      ]);
      const flags = self.optsWithGlobals<LiveFlags>();
      await perform(readLiveRequest(stations, flags, withMeta, config, io), runLive);
    },
  );
}

const addArchive: Fill = (command, { io, perform }) => {
  command
    .description('Writes the history of stations, asked for in pieces of 31 days.')
    .requiredOption(
      '--start <date>',
      'first moment: a date (2024-05, 2024-05-01T12:00Z), a length of time before the stop (3d, 12h, P1M), ' +
        'or last-hour, last-day, last-week, last-month',
    )
    .option(
      '--stop <date>',
      'first moment after it: a date such as 2024-06-01, or now (default: now)',
    )
    .addOption(
      new Option(
        '--header <kind>',
        "head of csv and txt: the service's four lines, the column names alone, or none (default: service), e.g. names",
      ).choices(HEADERS),
    )
    .option(
      '--columns <names>',
      'only these columns, in this order (default: all), e.g. time,wind_speed_avg',
    )
    .addOption(
      new Option(
        '--split <part>',
        "a file for each year or month (UTC), named by --output (default: one file), e.g. year with -o '{year}.csv'",
      ).choices(SPLIT_UNITS),
    )
    .option('--append', 'go on after the last row that the file of --output has (csv, txt, ndjson)')
    .option('--concurrency <n>', 'requests under way at once, 1 to 16, e.g. 8', '4')
    .option('--keep-going', 'write what there is when something fails, and list what is missing')
    .option(
      '--report <file>',
      'write an account of the export as json (default: none), e.g. report.json',
    )
    .option('--dry-run', 'print what would be asked for, and send nothing');
  addSelectionOptions(addOutputOptions(command, ARCHIVE_FORMAT_NAMES))
    .addHelpText(
      'after',
      `
A date is yyyy down to yyyy-MM-ddTHH:mm:ss.SSS, then Z, +hhmm or nothing for
UTC; what is missing takes its lowest value. Readings satisfy
start <= time < stop.

--output may hold {station} {name} {start} {stop} {year} {month}, for a file
for each station and part; missing folders are made. Answers of finished
periods are kept on disk, so the same command, run again after whatever ended
it, asks only for the rest.

Examples:
  $ vane archive 110 --start 2024 --stop 2025 -o station-110.csv
  $ vane archive 110 --start 3d --columns time,wind_speed_avg --header names -f csv --knots
  $ vane archive 110 603 --start 2015 --split year -o 'wind/{station}/{year}.csv.gz'`,
    )
    .action(async (stations: string[], _, self: Command) => {
      const [{ readArchiveRequest, runArchive }, config] = await Promise.all([
        import('./commands/archive.ts'),
        readConfig(io),
      ]);
      const flags = self.optsWithGlobals<ArchiveFlags>();
      await perform(readArchiveRequest(stations, flags, config, io), runArchive);
    });
};

const braced = (names: readonly string[]): string => names.map((name) => `{${name}}`).join(' ');

const addWatch: Fill = (command, { io, perform }) => {
  command
    .description(
      'Asks each minute, in one request whatever the number of stations, and shows what is new: ' +
        'a table on a terminal, else a record for each new measurement.',
    )
    .addOption(
      new Option(
        '-f, --format <format>',
        'write records in this format (default: by the name of --output, else ndjson in a pipe), e.g. csv',
      ).choices(STREAM_FORMAT_NAMES),
    )
    .addOption(
      new Option(
        '--line <template>',
        "write records in words of your own (default: none), e.g. '{name} {avg}{unit} {point} {age}'",
      ).conflicts('format'),
    )
    .option(
      '-o, --output <file>',
      'add records to a file, which may be rotated; - is stdout (default: -), e.g. wind.ndjson',
    )
    .option('--interval <duration>', 'time between polls, 60s or more, e.g. 5m', '60s')
    .option('--count <n>', 'end after so many polls (default: never), e.g. 10')
    .option('--duration <duration>', 'end after so long (default: never), e.g. 2h')
    .option(
      '--max-failures <n>',
      'end after so many failed polls in a row, with code 5 (default: never), e.g. 5',
    )
    .option('--no-history', 'do not ask for the last hour at the start')
    .option(
      '--when <condition>',
      "alarm that rings when a condition comes to hold, and when it ceases to (default: none), e.g. 'avg > 15kn'",
    )
    .addOption(
      new Option(
        '--until <condition>',
        "end when a condition first holds (default: none), e.g. 'avg in 12..25kn and dir in SW..NW'",
      ).conflicts('when'),
    )
    .option('--for <duration>', 'only when it has held for so long (default: at once), e.g. 10m')
    .option(
      '--hysteresis <speed>',
      'how far past its bound a speed has to be before the condition no longer holds (default: not at all), e.g. 2kn',
    )
    .option('--cooldown <duration>', 'ring at most once in such a time (default: always), e.g. 1h')
    .option(
      '--exec <command>',
      'run a shell command at each event (default: none), e.g. \'notify-send "$VANE_NAME"\'',
    );
  addSelectionOptions(addPresentationOptions(command))
    .addHelpText(
      'after',
      `
On a terminal a table is drawn in place: q quits, u changes the unit. In a pipe,
with -f, --line or -o (which leaves the table on the terminal), each new
measurement is one record, at once: ndjson, csv, txt, influx (line protocol), or
a --line of
${braced(PLACEHOLDERS.slice(0, 11))}
${braced(PLACEHOLDERS.slice(11, 18))}
${braced(PLACEHOLDERS.slice(18))}.
A failed poll is tried again at the next, so --retries plays no part.

A condition compares avg max min (speeds with their unit: kmh kn ms mph bft),
gust_factor (max / avg), dir (degrees or points, N to NNW), age (45m), state
(on off unknown) and trend (change of the mean over the last hour, 5kn is
5 kn per hour) by < <= > >= = !=, or with in: avg in 12..25kn, dir in SW..NW
(clockwise). Join them with and, or, not, ( ). Wind older than 45 minutes is
unknown, and so is the direction of calm air; what is unknown rings nothing.

An event is true, false or stale (no measurement for 45 minutes). It rings the
bell, is a record of its own, and runs --exec with VANE_EVENT, VANE_CONDITION,
VANE_STATION, VANE_NAME, VANE_DATE, VANE_AVG, VANE_MAX, VANE_MIN, VANE_UNIT,
VANE_DIR, VANE_POINT, VANE_AGE (s), VANE_STATE, VANE_GUST_FACTOR and
VANE_TREND set, and the record as json on stdin; it may take 60 s.

Examples:
  $ vane watch 110 603 --knots
  $ vane watch 110 --when 'avg in 12..25kn and max < 30kn and dir in SW..NW' \\
      --for 10m --hysteresis 2kn --exec 'mail -s "$VANE_NAME" me@example.org'
  $ vane watch 110 --until 'avg > 15kn' --duration 6h && echo go`,
    )
    .action(async (stations: string[], _, self: Command) => {
      const [{ readWatchRequest }, { runWatch }, config] = await Promise.all([
        import('./commands/watch/request.ts'),
        import('./commands/watch/watch.ts'),
        readConfig(io),
      ]);
      const flags = self.optsWithGlobals<WatchFlags>();
      await perform(readWatchRequest(stations, flags, config, io), runWatch);
    });
};

const addServe: Fill = (command, { io, perform }) => {
  command
    .description(
      'Serves the interface over HTTP until it is ended: of a simulated network, or in front of a ' +
        'service, which is then asked once a minute at most, however many ask here. Prints its ' +
        'address once it answers.',
    )
    .option('--port <n>', 'port to listen on, 0 to 65535; 0 picks a free one, e.g. 8080', '8080')
    .option('--host <address>', 'address to listen on, e.g. 0.0.0.0 for every network', '127.0.0.1')
    .option(
      '--upstream <url>',
      `service to be in front of, without /v1 (default: none), e.g. ${DEFAULT_BASE_URL}`,
    )
    .option('--warm', 'ask ahead of time, so that nobody waits (default: when somebody asks)')
    .option(
      '--stale <duration>',
      'how old live data may get while the service fails, e.g. 1h',
      '24h',
    )
    .option(
      '--upstream-concurrency <n>',
      'archive requests to the service at once, 1 to 16, e.g. 2',
      '4',
    )
    .option('--memory <size>', 'most that answers may take in memory, e.g. 1GiB', '256MB')
    .option(
      '--rate <n>',
      'requests a minute from one address, or none for no limit (default: 600 with --upstream, but for this machine), e.g. 60',
    )
    .option(
      '--trust-proxy <list>',
      'proxies whose X-Forwarded-For is believed: addresses, ranges, loopback, linklocal, uniquelocal (default: none), e.g. 10.0.0.0/8',
    )
    .option('--max-connections <n>', 'connections at once, e.g. 1000', '10000')
    .option(
      '--metrics-port <n>',
      'port that /health and /metrics are at, and nowhere else, 0 to 65535 (default: that of --port), e.g. 9090',
    )
    .option(
      '--metrics-host <address>',
      'address to listen on with --metrics-port (default: 127.0.0.1), e.g. 10.0.0.5',
    )
    .option(
      '--log <file>',
      'add a json line for each request to a file, which may be rotated; - is stdout (default: none), e.g. access.log',
    )
    .addHelpText(
      'after',
      `
Live data come from one request for all stations in 60 s. When it fails, the
last ones are served with Age and Warning for as long as --stale says, then 503
upstream_unavailable. Archives of more than a day ago are kept in the cache on
disk (vane cache --help), those after it for 60 s in memory. A client that sends
Cache-Control: no-cache has a kept archive asked for again, once a minute. Ids
that the list of stations does not name cost the service ten questions a minute.

At / is a page to look at, at /openapi.json the interface, at /health and
/metrics how it goes. Of --memory a quarter is for what clients are slow to read.

The first Ctrl-C lets what is under way finish, 10 s at most; a second one ends
it at once.

Examples:
  $ vane serve --demo
  $ vane serve --upstream ${DEFAULT_BASE_URL} --warm --log access.log
  $ vane live 110 --base-url http://127.0.0.1:8080`,
    )
    .action(async (_, self: Command) => {
      const { readServeRequest, runServe } = await import('./commands/serve.ts');
      await perform(readServeRequest(self.optsWithGlobals<ServeFlags>(), io), runServe);
    });
};

const addCache: Fill = (group, { perform }) => {
  group
    .description(
      'Shows and clears what vane keeps on disk: finished 31-day pieces of archives for good, ' +
        'live answers for 60 s. Several vanes may use it at once.',
    )
    .addHelpText(
      'after',
      `
The folder is $VANE_CACHE_DIR, else the one of the system. Past
$VANE_CACHE_MAX_SIZE (default 1GiB) what was not used for longest goes first.

Examples:
  $ vane cache list
  $ vane cache clear --max-size 200MB`,
    );
  const act = (task: CacheTask) => async (_: unknown, self: Command) => {
    const { readCacheRequest, runCache } = await import('./commands/cache.ts');
    await perform(readCacheRequest(task, self.optsWithGlobals<CacheFlags>()), runCache);
  };
  group.command('path').description('Prints the folder of the cache.').action(act('path'));
  group
    .command('list')
    .description('Lists what is kept, the longest unused first.')
    .action(act('list'));
  group
    .command('clear')
    .description('Removes what is kept, or what is over a size.')
    .option(
      '--max-size <size>',
      'keep the latest used up to this size (default: nothing), e.g. 200MB',
    )
    .action(act('clear'));
};

const addConfig: Fill = (group, { perform }) => {
  group
    .description(
      'Shows and changes what vane takes where no flag says otherwise, and your favourites: names ' +
        'of your own for stations.',
    )
    .addHelpText(
      'after',
      `
Keys:
  base_url          address of the service, as with --base-url
  units             unit of speeds, as with --units
  tz                zone that times are written in, as with --tz
  favourites.NAME   a station: an id, a printed id, or the address of its page

A flag goes before the environment ($VANE_BASE_URL), that before the file, and
the file before the default. The file is $VANE_CONFIG, else the one of vane
config path.

Examples:
  $ vane config set units kn
  $ vane config set favourites.home 110    and then: vane live home
  $ vane config list`,
    );
  const act =
    (task: ConfigTask) =>
    async (...given: unknown[]) => {
      // commander gives an action its arguments, its options and itself.
      const self = given.at(-1) as Command;
      const { readConfigRequest, runConfig } = await import('./commands/config/config.ts');
      const flags = self.optsWithGlobals<ConfigFlags>();
      await perform(readConfigRequest(task, self.args, flags), runConfig);
    };
  const key = ['<key>', 'units, tz, base_url or favourites.NAME'] as const;
  addPresentationOptions(group.command('list'))
    .description('Lists every key with its value and where that comes from.')
    .addHelpText('after', '\nExample:\n  $ vane config list')
    .action(act('list'));
  addPresentationOptions(group.command('get').argument(...key))
    .description('Prints the value of a key, wherever it comes from.')
    .addHelpText('after', '\nExample:\n  $ vane config get favourites.home')
    .action(act('get'));
  group
    .command('set')
    .argument(...key)
    .argument('<value>', 'what it is to be, e.g. kn, Europe/Paris, PP603')
    .description('Sets a key in the file, which is made if there is none.')
    .addHelpText('after', '\nExample:\n  $ vane config set favourites.home 110')
    .action(act('set'));
  group
    .command('unset')
    .argument(...key)
    .description('Takes a key out of the file.')
    .addHelpText('after', '\nExample:\n  $ vane config unset favourites.home')
    .action(act('unset'));
  group.command('path').description('Prints where the file is.').action(act('path'));
};

const addCompletion: Fill = (command, { program, perform }) => {
  command
    .description('Prints a script that makes a shell complete what is typed after vane.')
    .usage('[options] <shell>')
    .addArgument(program.createArgument('<shell>', 'shell to write for').choices(SHELLS))
    .addHelpText(
      'after',
      `
Ids of stations complete with their names from the last list of all stations
that is kept on disk (vane live); no request is sent for them.

bash, in ~/.bashrc:
  eval "$(vane completion bash)"
zsh, in ~/.zshrc, after compinit:
  eval "$(vane completion zsh)"
fish:
  vane completion fish > ~/.config/fish/completions/vane.fish
powershell, in $PROFILE:
  vane completion powershell | Out-String | Invoke-Expression`,
    );
  const write = async (what: Shell | 'man') => {
    const { readTreeRequest, runTree } = await import('./commands/completion.ts');
    await perform(readTreeRequest(what, program), runTree);
  };
  command.action(write);
  // What the scripts call at each Tab, and what writes completions/vane.1: nothing that people type.
  command.command('stations', { hidden: true }).action(async () => {
    const { runKnownStations } = await import('./commands/knownStations.ts');
    await perform(undefined, runKnownStations);
  });
  program.command('man', { hidden: true }).action(() => write('man'));
};

const STATIONS = 'ids, printed ids, page addresses or favourites; none, or all, for every station';

const COMMANDS: Readonly<Record<string, Declared>> = {
  live: {
    summary: 'latest measurements',
    stations: STATIONS,
    takesOptions: true,
    fill: addLive,
  },
  meta: {
    summary: 'descriptions, pictures, votes and dates',
    stations: STATIONS,
    takesOptions: true,
    fill: addMeta,
  },
  archive: {
    summary: 'history over any period',
    stations: 'ids, printed ids, page addresses or favourites; all; - reads them from stdin',
    takesOptions: true,
    fill: addArchive,
  },
  watch: {
    summary: 'the wind as it changes, and alarms',
    stations: STATIONS,
    takesOptions: true,
    fill: addWatch,
  },
  serve: {
    summary: 'be a station service, or the cache in front of one',
    takesOptions: true,
    fill: addServe,
  },
  cache: { summary: 'answers kept on disk', takesOptions: false, fill: addCache },
  completion: {
    summary: 'completions for a shell',
    takesOptions: false,
    wants: '<shell>',
    fill: addCompletion,
  },
  config: {
    summary: 'values of your own, and names for stations',
    takesOptions: false,
    fill: addConfig,
  },
};
