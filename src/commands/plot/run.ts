import { formatCount, quoteExcerpt } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';
import { drawFigure } from '../../figures/draw.ts';
import type { Figure } from '../../figures/figure.ts';
import { writeHtml } from '../../figures/html.ts';
import { figureSizePx, panelsPerStation } from '../../figures/kinds.ts';
import type { PlotData } from '../../figures/plotData.ts';
import { writePng } from '../../figures/png.ts';
import { cellStyle, type LayoutStyle, pixelStyle } from '../../figures/style.ts';
import { writeSvg } from '../../figures/svg.ts';
import { writeTerminal } from '../../figures/terminal.ts';
import { describePeriodInZone } from '../../formats/humanReadable.ts';
import { type Io, showsUnicode } from '../../io.ts';
import { createReporter } from '../../output/reporter.ts';
import { stationTargets } from '../../output/stationFiles.ts';
import type { OutputPiece } from '../../output/target.ts';
import { checkOutputTarget, writeOutput } from '../../output/write.ts';
import { NAMELESS_STATION } from '../../readings/files/fileSource.ts';
import { type GatheredReadings, gatherReadings } from './gather.ts';
import { gatherLatestMeasurements } from './gatherLatest.ts';
import type { PlotOptions } from './options.ts';

/** Reads the history of stations, draws a picture of it and writes the picture. */
export async function runPlot(options: PlotOptions, io: Io): Promise<void> {
  const { source, template, output } = options;
  if (template === undefined) await checkOutputTarget(output.target, io);
  const verbosity = 'files' in source ? source.files.verbosity : source.history.connection;
  const reporter = createReporter(io, verbosity);
  const targetOf = template && stationTargets(output.target, template);
  const gatherKind = options.kind === 'now' ? gatherLatestMeasurements : gatherReadings;
  for await (const gathered of gatherKind(options, io)) {
    const picture = await io.compute(() => drawPicture(gathered, options, io));
    const { stations, period } = gathered;
    const [first] = stations;
    const own = first && targetOf?.({ station: first.id, name: first.name, period });
    const target = own ?? output.target;
    await writeOutput([picture], target, io);
    if (target.path === undefined) continue;
    reporter.note(`${describePicture(gathered, options)} in ${target.path}.`);
  }
}

/** Maximum number of characters of a condition in a note. */
const MAX_CONDITION = 60;

/**
 * Describes a picture: “Rose of 8,123 readings of station 110 from … to …”. If a rose has a
 * condition, the picture itself says how many readings fulfil it.
 */
function describePicture(
  { stations, period }: GatheredReadings,
  { kind, zone, figure }: PlotOptions,
): string {
  const readings = stations
    .flatMap((station) => station.readings)
    .reduce((sum, { count }) => sum + count, 0);
  const [first] = stations;
  const one = `station ${first?.id === NAMELESS_STATION ? first?.name : first?.id}`;
  const who = stations.length === 1 ? one : formatCount(stations.length, 'station');
  if (kind === 'now') return `Wind of ${who} now`;
  const isPart = kind === 'rose' && figure.where !== undefined;
  const count = isPart ? 'the readings' : formatCount(readings, 'reading');
  const what = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} of ${count}`;
  const where = isPart ? ` where ${quoteExcerpt(figure.where.text, MAX_CONDITION)}` : '';
  return `${what} of ${who} ${describePeriodInZone(period, zone)}${where}`;
}

/**
 * Size in px of the second picture in an HTML page, for a phone 390 px wide with margins of 16 px.
 */
const [PHONE_PX, PHONE_HEIGHT_PX] = [358, 480];

/** Draws the picture in the requested format. */
async function drawPicture(
  { stations, period, license = '', attribution = '' }: GatheredReadings,
  { kind, figure, unit, zone, output }: PlotOptions,
  io: Io,
): Promise<OutputPiece> {
  const { format, theme, colours } = output;
  const data: PlotData = { license, attribution, stations, period, unit, zone };
  const draw = (style: LayoutStyle): Figure => refuseNotice(drawFigure(kind, data, figure, style));
  const { width, height, isBound } = figureSizePx(
    kind,
    stations.length * panelsPerStation(figure.by),
    output,
  );
  const drawPixels = (hasTips = false) => draw(pixelStyle(width, height, { isBound, hasTips }));
  if (format === 'svg') return writeSvg(drawPixels(), { theme: theme ?? 'both' });
  if (format === 'html') {
    const phone = pixelStyle(PHONE_PX, PHONE_HEIGHT_PX, { hasTips: true });
    const narrow = width > PHONE_PX ? draw(phone) : undefined;
    return writeHtml(drawPixels(true), narrow, { theme: theme ?? 'both' });
  }
  if (format === 'png') return writePng(drawPixels(), theme ?? 'light');
  const { columns, rows } = sizeOfWindow(io);
  const look = { colours, isUnicode: showsUnicode(io.env), theme: theme ?? 'dark' };
  const hasHalves = colours > 1 && look.isUnicode;
  return writeTerminal(draw(cellStyle(columns, rows, hasHalves, colours > 1)), look);
}

/**
 * Throws if the panels do not fit into the requested size.
 * @throws UsageError
 */
function refuseNotice(figure: Figure): Figure {
  if (!figure.isNotice) return figure;
  throw new UsageError(`${figure.facts.join(' ')} Raise --height or --width, or omit --height.`);
}

/**
 * The size for a picture in the terminal, in characters: the window without the line of the shell's
 * prompt. Without a terminal it is COLUMNS by LINES, or 80 by 24.
 */
function sizeOfWindow({ stdoutTerminal, env }: Io): { columns: number; rows: number } {
  if (stdoutTerminal !== undefined) {
    return { columns: stdoutTerminal.columns, rows: stdoutTerminal.rows - 1 };
  }
  const read = (text: string | undefined, otherwise: number): number => {
    const number = Number(text);
    return Number.isInteger(number) && number > 0 && number <= 1000 ? number : otherwise;
  };
  return { columns: read(env.COLUMNS, 80), rows: read(env.LINES, 24) };
}
