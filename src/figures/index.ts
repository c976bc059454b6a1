// The functions that draw pictures. The build bundles them into one file, which is loaded when the
// first picture is drawn.
export { drawFigure } from './draw.ts';
export { writeHtml } from './html.ts';
export { loadRenderer, readRenderer, writePng } from './png.ts';
export { cellStyle, pixelStyle } from './style.ts';
export { writeSvg } from './svg.ts';
export { writeTerminal } from './terminal.ts';
