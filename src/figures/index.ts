// The functions that the server uses to draw pictures. The build bundles them into one file, which
// is loaded for the first picture.
export { drawFigure } from './draw.ts';
export { drawNoReadingsNotice, drawNotice } from './notice.ts';
export { readPngRenderer } from './png.ts';
export { pixelStyle } from './style.ts';
export { writeSvg } from './svg.ts';
