import type { Theme } from '../../domain/palette.ts';
import type { Period } from '../../domain/period.ts';
import type { Quality } from '../../domain/quality/limits.ts';
import { formatCount } from '../../domain/text.ts';
import type { SpeedUnit } from '../../domain/units.ts';
import { UsageError } from '../../errors.ts';
import {
  type FigureOptions,
  type FigureOptionTexts,
  readFigureOptions,
} from '../../figures/figureOptions.ts';
import {
  defaultFigurePeriod,
  type FigureKind,
  MAX_PANELS,
  maxStationsInFigure,
  minimumSizePx,
  type PanelKey,
  PICTURE_FORMATS,
  type PictureFormatName,
} from '../../figures/kinds.ts';
import {
  type ReadingsSource,
  readReadingsSource,
  refuseLongPeriod,
  type SourceFlags,
} from '../../flags/history.ts';
import type { QualityFlags } from '../../flags/options.ts';
import {
  type DocumentDestination,
  readDestination,
  readPresentation,
} from '../../flags/presentation.ts';
import type { Config } from '../../flags/settings.ts';
import { readStationFiles } from '../../flags/stationFiles.ts';
import { readIfGiven, readInteger, readSpeed } from '../../flags/values.ts';
import type { Io } from '../../io.ts';
import type { FileNameTemplate } from '../../output/template.ts';

export interface PlotFlags extends SourceFlags, QualityFlags, Omit<FigureOptionTexts, 'where'> {
  readonly kind: FigureKind;
  readonly calm: string;
  readonly theme?: Theme;
  readonly width?: string;
  readonly height?: string;
  readonly format?: PictureFormatName;
  readonly output?: string;
}

/** The parsed arguments and flags of `vane plot`. */
export interface PlotOptions {
  readonly source: ReadingsSource;
  readonly kind: FigureKind;
  /** What the picture shows, and how. */
  readonly figure: FigureOptions;
  readonly unit: SpeedUnit;
  readonly zone: string;
  /** The lowest quality of the readings to keep. */
  readonly quality: Quality;
  readonly output: PictureOutput;
  /** The file name with placeholders; undefined if all stations share one picture. */
  readonly template: FileNameTemplate | undefined;
}

/** The format, target and size of a picture. */
interface PictureOutput extends DocumentDestination<PictureFormatName> {
  /** The chosen theme; undefined for the default theme of the format. */
  readonly theme: Theme | undefined;
  /** The chosen width and height, px; undefined for the defaults. */
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** Reads the arguments and flags of `vane plot`. @throws UsageError */
export function readPlotOptions(
  stations: readonly string[],
  flags: PlotFlags,
  config: Config,
  io: Io,
): PlotOptions {
  const destination = readDestination(flags, 'A picture', PICTURE_FORMATS, 'terminal', io);
  const { format, target, colours } = destination;
  const { unit, zone } = readPresentation(flags, config, io);
  const calmKmh = readSpeed('--calm', flags.calm, unit);
  refuseUselessSize(flags, format);
  if (flags.kind === 'now') refusePeriod(flags);
  const source = readReadingsSource(
    stations,
    flags,
    zone,
    () => defaultFigurePeriod(flags.kind, flags.by),
    config,
    io,
  );
  const template = readStationFiles(target, source);
  if (template === undefined) refuseTooMany(source, flags.by);
  if ('history' in source) checkPlotPeriod(flags.kind, source.history.period);
  return {
    source,
    kind: flags.kind,
    figure: readFigureOptions(flags.kind, flags, unit, zone, calmKmh),
    unit,
    zone,
    quality: flags.quality ?? 'all',
    output: {
      format,
      target,
      theme: flags.theme,
      width: readPixels('width', flags),
      height: readPixels('height', flags),
      colours,
    },
    template,
  };
}

function readPixels(name: 'width' | 'height', flags: PlotFlags): number | undefined {
  return readIfGiven(flags[name], (text) =>
    readInteger(`--${name}`, text, minimumSizePx(flags.kind, 200), 4000),
  );
}

/** Refuses the options of a period, since a picture of the latest measurement has no period. */
function refusePeriod(flags: PlotFlags): void {
  const useless = (['start', 'stop', 'last', 'year', 'from', 'quality'] as const).find(
    (name) => flags[name] !== undefined,
  );
  if (useless === undefined) return;
  throw new UsageError(
    `--kind now draws the latest measurement, so --${useless} has no effect. Omit it, or choose another --kind.`,
  );
}

/** Refuses --width or --height where they have no effect. */
function refuseUselessSize(flags: PlotFlags, format: PictureFormatName): void {
  if (format !== 'terminal') return;
  const size = flags.width === undefined ? 'height' : 'width';
  if (flags[size] !== undefined) {
    throw new UsageError(
      `--${size} is for svg, png and html. A picture in the terminal fits the window.`,
    );
  }
}

function refuseTooMany(source: ReadingsSource, by: PanelKey | undefined): void {
  const { stations } = 'files' in source ? source.files : source.history;
  if (typeof stations !== 'string') checkPlotStationCount(stations.length, by);
}

/** Refuses a period that is too long for the kind of picture. @throws UsageError */
export function checkPlotPeriod(kind: FigureKind, period: Period): void {
  if (kind === 'calendar' || kind === 'pattern') refuseLongPeriod(`A ${kind}`, period);
}

/**
 * Refuses too many stations for one picture.
 * @throws UsageError
 */
export function checkPlotStationCount(count: number, by: PanelKey | undefined): void {
  const most = maxStationsInFigure(by);
  if (count <= most) return;
  const room =
    by === undefined
      ? `A picture has room for ${MAX_PANELS} stations, not ${count}`
      : `A picture has room for ${MAX_PANELS} panels; with --by ${by} that is ${formatCount(most, 'station')}, not ${count}`;
  throw new UsageError(
    `${room}. Name fewer, or add --limit ${most}. For one picture per station, put {station} into --output.`,
  );
}
