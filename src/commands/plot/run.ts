import type { Figure } from '../../figures/figure.ts';
import { DEFAULT_SIZES } from '../../figures/kinds.ts';
import type { PlotData } from '../../figures/plotData.ts';
import type { Style } from '../../figures/style.ts';
import { type Io, showsUnicode } from '../../io.ts';
import type { Piece } from '../../output/target.ts';
import { checkTarget, writeOutput } from '../../output/write.ts';
import { type Gathered, gatherFromFiles, gatherFromService } from './gather.ts';
import type { PlotRequest } from './request.ts';

/** The functions that draw pictures, in a module that is loaded when the first picture is drawn. */
type Figures = typeof import('../../figures/index.ts');

/** Reads the history of stations, draws a picture of it and writes the picture. */
export async function runPlot(request: PlotRequest, io: Io): Promise<void> {
  const { source } = request;
  const { target, format } = request.output;
  await checkTarget(target, io);
  const loading = loadFigures(format);
  const draw = async (gathered: Gathered): Promise<void> => {
    await writeOutput([await drawPicture(gathered, request, await loading, io)], target, io);
  };
  if ('files' in source) await gatherFromFiles(source.files, request, io, draw);
  else await gatherFromService(source.history, request, io, draw);
}

/**
 * Starts to load the module that draws, while the service has yet to answer. Only a PNG needs the
 * renderer too.
 */
function loadFigures(format: PlotRequest['output']['format']): Promise<Figures> {
  const loading = import('../../figures/index.ts').then(async (figures) => {
    if (format === 'png') await figures.loadRenderer();
    return figures;
  });
  // If the module that draws cannot be loaded, the error comes when the picture is drawn, or never
  // if the service fails before.
  loading.catch(() => undefined);
  return loading;
}

/** Draws the picture in the requested format. */
async function drawPicture(
  gathered: Gathered,
  { kind, options, unit, zone, output }: PlotRequest,
  figures: Figures,
  io: Io,
): Promise<Piece> {
  const { format, theme, colours } = output;
  const data: PlotData = { license: '', attribution: '', ...gathered, unit, zone };
  const draw = (style: Style): Figure => figures.drawFigure(kind, data, options, style);
  const [usualWidth, usualHeight] = DEFAULT_SIZES[kind];
  const [width, height] = [output.width ?? usualWidth, output.height ?? usualHeight];
  if (format === 'svg') {
    return figures.writeSvg(draw(figures.pixelStyle(width, height)), { theme: theme ?? 'both' });
  }
  if (format === 'html') {
    const figure = draw(figures.pixelStyle(width, height, true));
    return figures.writeHtml(figure, { theme: theme ?? 'both' });
  }
  if (format === 'png') {
    return figures.writePng(draw(figures.pixelStyle(width, height)), theme ?? 'light');
  }
  const { columns, rows } = sizeOfWindow(io);
  const look = { colours, isUnicode: showsUnicode(io.env), theme: theme ?? 'dark' };
  const hasHalves = colours > 0 && look.isUnicode;
  return figures.writeTerminal(draw(figures.cellStyle(columns, rows, hasHalves)), look);
}

/**
 * The room for a picture in the terminal, in characters: the window, without one line for the
 * shell's prompt. Without a terminal it is COLUMNS by LINES, or 80 by 24.
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
