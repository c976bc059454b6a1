// The functions that draw pictures. The build puts them into one file, loaded for the first
// picture.
export { drawFigure } from './draw.ts';
export { writeHtml } from './html.ts';
export { writeIterm, writeKitty, writeSixel } from './inline.ts';
export { drawPixels, loadRenderer, readRenderer, writePng } from './png.ts';
export { cellStyle, pixelStyle } from './style.ts';
export { writeSvg } from './svg.ts';
export { writeTerminal } from './terminal.ts';
