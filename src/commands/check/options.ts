import type { Config } from '../../flags/config.ts';
import { readSource, type SourceFlags } from '../../flags/history.ts';
import type { OutputFlags } from '../../flags/options.ts';
import { readOutput } from '../../flags/presentation.ts';
import { readStationFiles } from '../../flags/stationFiles.ts';
import { CHECK_FORMATS } from '../../formats/index.ts';
import type { Io } from '../../io.ts';

export interface CheckFlags extends SourceFlags, OutputFlags {
  readonly by?: 'month';
  readonly failOn?: 'suspect' | 'fail';
}

export type CheckOptions = Readonly<ReturnType<typeof readCheckOptions>>;

/** Reads the arguments and flags of `vane check`. @throws UsageError */
export function readCheckOptions(
  stations: readonly string[],
  flags: CheckFlags,
  config: Config,
  io: Io,
) {
  const output = readOutput(flags, 'A check', CHECK_FORMATS, config, io);
  const source = readSource(stations, flags, output.zone, () => '30d', config, io);
  return {
    source,
    /** How each station is checked; the period follows from the readings. */
    check: { zone: output.zone, by: flags.by ? [flags.by] : [] },
    /** The least flag that makes the command fail; undefined if none does. */
    failOn: flags.failOn,
    /** Whether the table has the episodes of several stations too. */
    isVerbose: flags.verbose ?? false,
    output,
    /** The file name with placeholders; undefined for one file of all stations or stdout. */
    template: readStationFiles(output.target, source),
  };
}
