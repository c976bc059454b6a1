import { POLLING_INTERVAL_MS } from '../../domain/period.ts';
import type { StationSelection } from '../../domain/selection.ts';
import { UsageError } from '../../errors.ts';
import { type ConnectionOptions, readConnection } from '../../flags/connection.ts';
import type { GlobalFlags, PresentationFlags, SelectionFlags } from '../../flags/options.ts';
import {
  formatFromFlags,
  type Presentation,
  readFormat,
  readPresentation,
} from '../../flags/presentation.ts';
import { type Config, EMPTY_CONFIG } from '../../flags/settings.ts';
import { readFavouriteConditions, readSelection, readStations } from '../../flags/stations.ts';
import { readDurationMs, readIfGiven, readInteger } from '../../flags/values.ts';
import type { FormatTraits, WatchRecordFormat } from '../../formats/format.ts';
import { WATCH_RECORD_FORMATS } from '../../formats/index.ts';
import { lineFormat } from '../../formats/line.ts';
import { type Io, usesColour } from '../../io.ts';
import { readOutputTarget } from '../../output/target.ts';
import { type MqttFlags, type MqttTarget, readMqttTarget } from './mqtt/address.ts';
import { type PostFlags, type PostOptions, readPostOptions } from './postSink.ts';
import { type AlertRules, type RuleFlags, readAlertRules } from './rules.ts';

export interface WatchFlags
  extends GlobalFlags,
    PresentationFlags,
    SelectionFlags,
    MqttFlags,
    PostFlags,
    RuleFlags {
  readonly format?: keyof typeof WATCH_RECORD_FORMATS;
  readonly line?: string;
  readonly output?: string;
  readonly interval: string;
  readonly count?: string;
  readonly duration?: string;
  readonly maxFailures?: string;
  readonly history: boolean;
}

/**
 * The parsed arguments and flags of `vane watch`. The unit and time zone from {@link Presentation}
 * are for output that people read: the screen, lines on stderr and templates.
 */
export interface WatchOptions extends Presentation, RecordPlaces {
  readonly connection: ConnectionOptions;
  readonly stations: readonly number[] | 'all';
  readonly selection: StationSelection;
  /** Whether --where uses the field `trend`. */
  readonly isChosenByTrend: boolean;
  /** Time between polls, milliseconds. */
  readonly intervalMs: number;
  /** Number of polls after which the watch ends; undefined for no limit. */
  readonly count: number | undefined;
  readonly durationMs: number | undefined;
  /** Number of consecutive failed polls that ends the watch; undefined for no limit. */
  readonly maxFailures: number | undefined;
  /** The unit and time zone of output for programs: records and `--exec`. */
  readonly forPrograms: Presentation;
  readonly mqtt: MqttTarget | undefined;
  /** Whether the screen has colours. */
  readonly colour: boolean;
  /** Whether to request the last hour of each station at the start. */
  readonly wantsHistory: boolean;
  readonly rules: AlertRules;
  /** Whether the watch ends when its condition becomes true, as with `--until`. */
  readonly isUntil: boolean;
  /** The command of `--exec`. */
  readonly command: string | undefined;
  readonly posts: PostOptions | undefined;
}

/** Where a watch shows or writes what it receives. */
interface RecordPlaces {
  readonly showsScreen: boolean;
  /** Where records are written; undefined if they are not written. */
  readonly stream: RecordStream | undefined;
}

/** Where records are written, and in which format. */
export interface RecordStream {
  readonly format: WatchRecordFormat & Partial<FormatTraits>;
  /** The path of the file; undefined for stdout. */
  readonly path: string | undefined;
  /** Whether only events are written, without measurements. */
  readonly isOfEvents: boolean;
  /** Whether the records are for people, as with `--line`. */
  readonly isForPeople: boolean;
}

/** Reads the arguments and flags of `vane watch`. @throws UsageError */
export function readWatchOptions(
  stations: readonly string[],
  flags: WatchFlags,
  config: Config,
  io: Io,
): WatchOptions {
  const { count, duration, maxFailures } = flags;
  const places = readPlaces(flags, io);
  const presentation = readPresentation(flags, config, io);
  const forPrograms = readPresentation(flags, EMPTY_CONFIG, io);
  const { zone } = places.showsScreen ? presentation : forPrograms;
  const selection = readSelection(flags, zone, true);
  const connection = readConnection(flags, io, config);
  // The hours that a user saves with a favourite are those of the configured zone, whatever the output.
  const readOwn = () => readFavouriteConditions(stations, config, presentation.zone, io);
  const rules = readAlertRules(flags, zone, readOwn);
  const isChosenByTrend = selection.where?.fields.has('trend') ?? false;
  const posts = readPostOptions(flags, rules.all.length > 0);
  const templates = [flags.line, ...(posts?.templates ?? [])];
  const usesTrend =
    isChosenByTrend ||
    rules.all.some(({ condition }) => condition.fields.has('trend')) ||
    templates.some((template) => template?.includes('{trend}'));
  const readCount = (flag: string, text: string) => readInteger(flag, text, 1, 1_000_000_000);
  return {
    // Polls are not retried: after a failed poll, the next poll sends a new request.
    connection: { ...connection, retries: 0 },
    stations: readStations(stations, config),
    selection,
    isChosenByTrend,
    intervalMs: readIntervalMs(flags.interval),
    count: readIfGiven(count, (text) => readCount('--count', text)),
    durationMs: readIfGiven(duration, (text) => readDurationMs('--duration', text)),
    maxFailures: readIfGiven(maxFailures, (text) => readCount('--max-failures', text)),
    ...presentation,
    forPrograms,
    mqtt: readMqttTarget(flags, io.env),
    colour: usesColour(flags.color, io.env, io.stdoutTerminal),
    ...places,
    wantsHistory: flags.history && (places.showsScreen || usesTrend || flags.for !== undefined),
    rules,
    isUntil: flags.until !== undefined,
    command: flags.exec,
    posts,
  };
}

function readIntervalMs(text: string): number {
  const intervalMs = readDurationMs('--interval', text);
  if (intervalMs >= POLLING_INTERVAL_MS) return intervalMs;
  throw new UsageError(
    `--interval must be at least 60s, not ${text}. The service allows no more, and its stations measure every 4 minutes.`,
  );
}

/**
 * Chooses between a screen and records. A terminal gets a screen. A pipe, a file, or an option such
 * as `--format` means records. With --mqtt, a pipe gets records only if an option asks for them.
 */
function readPlaces(flags: WatchFlags, { stdoutTerminal, env }: Io): RecordPlaces {
  const { line, output, mqtt } = flags;
  const { path, isGzip } = readOutputTarget(output);
  if (isGzip) {
    throw new UsageError(
      `Records are added to ${path} line by line and cannot be compressed; leave off .gz.`,
    );
  }
  const chosen =
    line === undefined
      ? WATCH_RECORD_FORMATS[
          readFormat(flags, 'Records', WATCH_RECORD_FORMATS, 'ndjson') ?? 'ndjson'
        ]
      : lineFormat(line);
  // A `dumb` terminal cannot move its cursor, so it gets records like a pipe.
  const isScreenable = stdoutTerminal !== undefined && env.TERM !== 'dumb';
  const wantsRecords =
    formatFromFlags(flags) !== undefined || line !== undefined || flags.events === true;
  const showsScreen = isScreenable && (path !== undefined || !wantsRecords);
  return {
    showsScreen,
    stream:
      path === undefined && (showsScreen || (mqtt !== undefined && !wantsRecords))
        ? undefined
        : {
            ...{ format: chosen, path, isOfEvents: flags.events ?? false },
            isForPeople: line !== undefined,
          },
  };
}
