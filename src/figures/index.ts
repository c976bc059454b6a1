// The functions that the server draws pictures with. The build bundles them into one file, which is
// loaded when the first picture is drawn.
export { drawFigure } from './draw.ts';
export { drawNoReadingsNotice, drawNotice } from './notice.ts';
export { readPngRenderer } from './png.ts';
export { pixelStyle } from './style.ts';
export { writeSvg } from './svg.ts';
