import { type ReadingsSource, readReadingsSource, type SourceFlags } from '../../flags/history.ts';
import type { OutputFlags } from '../../flags/options.ts';
import { type OutputOptions, readOutput } from '../../flags/presentation.ts';
import type { Config } from '../../flags/settings.ts';
import { readStationFiles } from '../../flags/stationFiles.ts';
import { ROW_FORMATS, type RowFormatName } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import type { FileNameTemplate } from '../../output/template.ts';
import type { StationCheckOptions } from '../../statistics/stationCheck.ts';

export interface CheckFlags extends SourceFlags, OutputFlags {
  readonly by?: 'month';
  readonly failOn?: 'suspect' | 'fail';
}

/** The parsed arguments and flags of `vane check`. */
export interface CheckOptions {
  readonly source: ReadingsSource;
  /** How to check each station. The period follows from the readings. */
  readonly check: Pick<StationCheckOptions, 'zone' | 'by'>;
  /** The flag from which on the command fails; undefined if it never fails. */
  readonly failOn: 'suspect' | 'fail' | undefined;
  /** Whether the table lists the episodes of several stations too. */
  readonly isVerbose: boolean;
  readonly output: OutputOptions<RowFormatName>;
  /** The file name with placeholders; undefined if all stations share one file or stdout. */
  readonly template: FileNameTemplate | undefined;
}

/** Reads the arguments and flags of `vane check`. @throws UsageError */
export function readCheckOptions(
  stations: readonly string[],
  flags: CheckFlags,
  config: Config,
  io: Io,
): CheckOptions {
  const output = readOutput(flags, 'A check', ROW_FORMATS, config, io);
  const source = readReadingsSource(stations, flags, output.zone, () => '30d', config, io);
  return {
    source,
    check: { zone: output.zone, by: flags.by ? [flags.by] : [] },
    failOn: flags.failOn,
    isVerbose: flags.verbose ?? false,
    output,
    template: readStationFiles(output.target, source),
  };
}
