import type { Condition } from '../../domain/condition/condition.ts';
import type { StationSelection } from '../../domain/selection.ts';
import { printable } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';
import { type ConnectionOptions, readConnection } from '../../flags/connection.ts';
import type { GlobalFlags, OutputFlags, SelectionFlags } from '../../flags/options.ts';
import { type OutputOptions, readOutput } from '../../flags/presentation.ts';
import type { Config } from '../../flags/settings.ts';
import {
  joinNameWords,
  readFavouriteConditions,
  readSelection,
  readStations,
} from '../../flags/stations.ts';
import { readIfGiven } from '../../flags/values.ts';
import type { StationFormat, WatchRecordFormat } from '../../formats/format.ts';
import { STATION_FORMATS, type StationFormatName } from '../../formats/index.ts';
import { lineFormat } from '../../formats/line.ts';
import type { Io } from '../../io.ts';

export type LiveFlags = GlobalFlags & OutputFlags & SelectionFlags & { readonly line?: string };

/** The parsed arguments and flags of `vane live` and `vane meta`. */
export interface LiveOptions {
  readonly connection: ConnectionOptions;
  readonly stations: readonly number[] | 'all';
  /** Text to search for in station names; undefined if every word is a station. */
  readonly search: string | undefined;
  readonly config: Config;
  readonly selection: StationSelection;
  /** The conditions of favourites by station; empty if the output does not show them. */
  readonly conditions: ReadonlyMap<number, Condition>;
  readonly withMeta: boolean;
  readonly output: OutputOptions<StationFormatName>;
  /** The format of `--line`, which overrides the format of `output`. */
  readonly line: (WatchRecordFormat & StationFormat) | undefined;
  /** The current time, for the age of measurements, milliseconds since 1970. */
  readonly now: number;
}

/** Reads the arguments and flags of `vane live` and `vane meta`. @throws UsageError */
export function readLiveOptions(
  stations: readonly string[],
  flags: LiveFlags,
  withMeta: boolean,
  config: Config,
  io: Io,
): LiveOptions {
  // In `--near 43.4 4.9`, the word 4.9 looks like a station. Read --near first, so that the error
  // is about --near.
  const line = readIfGiven(flags.line, lineFormat);
  // Output of `--line` is for people, so it uses their unit and time zone like a table, whatever
  // the file is called.
  const destination = line ? { ...flags, format: 'table' as const } : flags;
  const output = readOutput(destination, 'Stations', STATION_FORMATS, config, io);
  const search = joinNameWords(stations, config);
  if (search !== undefined && flags.name !== undefined) {
    throw new UsageError(
      `“${printable(search)}” is not an id or a favourite. Put a --name of several words in quotes: --name "col du".`,
    );
  }
  const selection = readSelection(
    search === undefined ? flags : { ...flags, name: search },
    output.zone,
  );
  const showsConditions = output.format === 'table' && line === undefined && !withMeta;
  return {
    connection: readConnection(flags, io, config),
    stations: search === undefined ? readStations(stations, config) : 'all',
    search,
    config,
    selection,
    conditions: showsConditions
      ? readFavouriteConditions(stations, config, output.zone, io)
      : new Map(),
    withMeta,
    output,
    line,
    now: io.now(),
  };
}
