// Draws SVG texts as PNG in a thread of its own, one after the other.
const { readFile } = require('node:fs/promises');
const { parentPort, workerData } = require('node:worker_threads');

const { initWasm, Resvg } = require(workerData.resvg);

const loading = (async () => {
  const [wasm, ...fontBuffers] = await Promise.all(
    [workerData.wasm, ...workerData.fonts].map((path) => readFile(path)),
  );
  await initWasm(wasm);
  return { fontBuffers, loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans' };
})();

parentPort.on('message', async (svg) => {
  const renderer = new Resvg(svg, { font: await loading });
  const image = renderer.render();
  parentPort.postMessage(image.asPng());
  // The memory of WebAssembly is not collected.
  image.free();
  renderer.free();
});
