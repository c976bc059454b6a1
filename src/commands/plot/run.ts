import type { Figure } from '../../figures/figure.ts';
import { DEFAULT_SIZES } from '../../figures/kinds.ts';
import type { PlotData } from '../../figures/plotData.ts';
import type { Style } from '../../figures/style.ts';
import { type Io, showsUnicode } from '../../io.ts';
import type { Piece } from '../../output/target.ts';
import { checkTarget, writeOutput } from '../../output/write.ts';
import { type Gathered, gatherFromFiles, gatherFromService } from './gather.ts';
import { chooseImage, writeImage } from './image.ts';
import type { PlotRequest } from './request.ts';

/** Width of a terminal's character in pixels, roughly. */
const PX_OF_COLUMN = 9;

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

type Figures = typeof import('../../figures/index.ts');

/**
 * Starts to load the code that draws, while the service has yet to answer. Only a PNG needs the
 * renderer too.
 */
function loadFigures(format: PlotRequest['output']['format']): Promise<Figures> {
  const loading = import('../../figures/index.ts').then(async (figures) => {
    if (format === 'png') await figures.loadRenderer();
    return figures;
  });
  // If the code cannot be loaded, the error comes when the picture is drawn, or never if the
  // service fails before.
  loading.catch(() => undefined);
  return loading;
}

/** Draws the picture in the requested format. */
async function drawPicture(
  gathered: Gathered,
  request: PlotRequest,
  figures: Figures,
  io: Io,
): Promise<Piece> {
  const { kind, options, unit, zone, output } = request;
  const { format, theme, colours } = output;
  const { drawFigure, cellStyle, pixelStyle, ...write } = figures;
  const data: PlotData = { license: '', attribution: '', ...gathered, unit, zone };
  const [usualWidth, usualHeight] = DEFAULT_SIZES[kind];
  const draw = (style: Style): Figure => drawFigure(kind, data, options, style);
  if (format === 'terminal') {
    const { columns, rows } = sizeOfWindow(io);
    const image = await chooseImage(output.image, io);
    if (image !== undefined) {
      const width = Math.max(200, Math.min(usualWidth, columns * PX_OF_COLUMN));
      return writeImage(draw(pixelStyle(width, usualHeight)), image, theme ?? 'dark');
    }
    const look = {
      colours,
      isUnicode: showsUnicode(io.env),
      theme: theme ?? 'dark',
    } as const;
    return write.writeTerminal(
      draw(cellStyle(columns, rows, look.colours > 0 && look.isUnicode)),
      look,
    );
  }
  const [width, height] = [output.width ?? usualWidth, output.height ?? usualHeight];
  const figure = draw(pixelStyle(width, height, format === 'html'));
  if (format === 'png') return write.writePng(figure, theme ?? 'light');
  if (format === 'html') return write.writeHtml(figure, { theme: theme ?? 'both' });
  return write.writeSvg(figure, { theme: theme ?? 'both' });
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
