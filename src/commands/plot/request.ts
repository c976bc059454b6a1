import type { Theme } from '../../domain/palette.ts';
import type { Period } from '../../domain/period.ts';
import { alternatives } from '../../domain/text.ts';
import type { SpeedUnit } from '../../domain/units.ts';
import { UsageError } from '../../errors.ts';
import {
  DEFAULT_PERIODS,
  type Kind,
  MAX_STATIONS,
  PICTURE_FORMATS,
  type PictureFormatName,
} from '../../figures/kinds.ts';
import type { CellValue, PlotOptions } from '../../figures/plotData.ts';
import { readRowCondition } from '../../flags/conditions.ts';
import type { Config } from '../../flags/config.ts';
import {
  readSource,
  refuseLongPeriod,
  type Source,
  type SourceFlags,
} from '../../flags/history.ts';
import type { QualityFlags } from '../../flags/options.ts';
import { readDestination, readPresentation } from '../../flags/presentation.ts';
import { ifGiven, readClasses, readInteger, readSectors, readSpeed } from '../../flags/values.ts';
import type { Io } from '../../io.ts';

export interface PlotFlags extends SourceFlags, QualityFlags {
  readonly kind: Kind;
  readonly mark?: string;
  readonly value?: CellValue;
  readonly sectors?: string;
  readonly classes?: string;
  readonly calm: string;
  readonly theme?: Theme;
  readonly width?: string;
  readonly height?: string;
  readonly format?: PictureFormatName;
  readonly output?: string;
}

export type PlotRequest = Readonly<ReturnType<typeof readPlotRequest>>;

/** Reads the arguments and flags of `vane plot`. @throws UsageError */
export function readPlotRequest(
  stations: readonly string[],
  flags: PlotFlags,
  config: Config,
  io: Io,
) {
  const destination = readDestination(flags, 'A picture', PICTURE_FORMATS, 'terminal', io);
  const { format, target, colours } = destination;
  const { unit, zone } = readPresentation(flags, config, io);
  refuseUseless(flags, format);
  const source = readSource(stations, flags, zone, () => DEFAULT_PERIODS[flags.kind], config, io);
  refuseTooMany(source);
  if ('history' in source) checkPeriod(flags.kind, source.history.period);
  return {
    source,
    kind: flags.kind,
    options: readOptions(flags, unit, zone),
    unit,
    zone,
    /** Which readings are left out, by the flags of `vane check`. */
    quality: flags.quality ?? ('all' as const),
    output: {
      format,
      target,
      theme: flags.theme,
      width: readPixels('--width', flags.width),
      height: readPixels('--height', flags.height),
      colours,
    },
  };
}

function readOptions(flags: PlotFlags, unit: SpeedUnit, zone: string): PlotOptions {
  const calmKmh = readSpeed('--calm', flags.calm, unit);
  const { where, mark } = flags;
  const marks = mark?.split(',') ?? [];
  return {
    calmKmh,
    marksKmh: marks.map((text) => readSpeed('--mark', text.trim(), unit)),
    where: ifGiven(where, (text) => ({ text, holds: readRowCondition(text, calmKmh, zone) })),
    sectors: readSectors(flags.sectors),
    classesKmh: readClasses(flags.classes, unit).kmh,
    value: flags.value ?? (where === undefined ? 'mean' : 'hours'),
  };
}

function readPixels(flag: string, text: string | undefined): number | undefined {
  return ifGiven(text, (given) => readInteger(flag, given, 200, 4000));
}

/** The options of `vane plot` that only some kinds of pictures have, with these kinds. */
const OF_KINDS = {
  mark: ['series'],
  sectors: ['rose'],
  classes: ['rose'],
  value: ['rose', 'calendar', 'pattern'],
  where: ['series', 'calendar', 'pattern'],
} as const satisfies Partial<Record<keyof PlotFlags, readonly Kind[]>>;

/** Refuses options that would have no effect. */
function refuseUseless(flags: PlotFlags, format: PictureFormatName): void {
  for (const [name, kinds] of Object.entries(OF_KINDS)) {
    const isUseful = kinds.some((kind) => kind === flags.kind);
    if (flags[name as keyof typeof OF_KINDS] === undefined || isUseful) continue;
    throw new UsageError(
      `--${name} is for --kind ${alternatives(kinds)}; this is a ${flags.kind}.`,
    );
  }
  if (flags.value === 'hours' && flags.kind === 'rose') {
    throw new UsageError('--value hours is for --kind calendar or pattern; this is a rose.');
  }
  if (flags.value === 'hours' && flags.where === undefined) {
    throw new UsageError("--value hours needs --where with a condition, such as 'avg > 15kn'.");
  }
  if (flags.where !== undefined && flags.value !== undefined && flags.value !== 'hours') {
    throw new UsageError(`--where is counted by --value hours, not by --value ${flags.value}.`);
  }
  if (format !== 'terminal') return;
  const size = flags.width === undefined ? 'height' : 'width';
  if (flags[size] !== undefined) {
    throw new UsageError(
      `--${size} is for svg, png and html; a picture in the terminal fits its window.`,
    );
  }
}

function refuseTooMany(source: Source): void {
  const { stations } = 'files' in source ? source.files : source.history;
  if (typeof stations !== 'string') checkCount(stations.length);
}

/** Refuses a period that is too long for the kind of picture. @throws UsageError */
export function checkPeriod(kind: Kind, period: Period): void {
  if (kind === 'calendar' || kind === 'pattern') refuseLongPeriod(`A ${kind}`, period);
}

/** Refuses more stations than a picture has room for. @throws UsageError */
export function checkCount(count: number): void {
  if (count <= MAX_STATIONS) return;
  throw new UsageError(
    `A picture has room for ${MAX_STATIONS} stations, and these are ${count}; name fewer, or add --limit ${MAX_STATIONS}.`,
  );
}
