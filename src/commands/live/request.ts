import type { Selection } from '../../domain/selection.ts';
import { STATION_FORMATS, type StationFormatName } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import type { Config } from '../shared/config/settings.ts';
import { type Connection, readConnection } from '../shared/connection.ts';
import type { GlobalFlags, OutputFlags, SelectionFlags } from '../shared/options.ts';
import { type Output, readOutput } from '../shared/presentation.ts';
import { readSelection, readStations } from '../shared/selection.ts';

/** The request of `vane live` and `vane meta`. */
export interface LiveRequest {
  readonly connection: Connection;
  readonly stations: readonly number[] | 'all';
  readonly selection: Selection;
  readonly withMeta: boolean;
  readonly output: Output<StationFormatName>;
  /** Milliseconds since 1970; ages of measurements count to this time. */
  readonly now: number;
}

export type LiveFlags = GlobalFlags & OutputFlags & SelectionFlags;

/** @throws UsageError */
export function readLiveRequest(
  stations: readonly string[],
  flags: LiveFlags,
  withMeta: boolean,
  config: Config,
  io: Io,
): LiveRequest {
  return {
    connection: readConnection(flags, io, config),
    stations: readStations(stations, config.favourites),
    selection: readSelection(flags),
    withMeta,
    output: readOutput(flags, 'Stations', STATION_FORMATS, config, io),
    now: io.now(),
  };
}
