// Draws SVG texts as PNG in a thread of its own, one after the other.
const { parentPort, workerData } = require('node:worker_threads');

const { initWasm, Resvg } = require(workerData.resvg);

const loading = initWasm(workerData.wasm);

parentPort.on('message', async (svg) => {
  await loading;
  const renderer = new Resvg(svg, { font: workerData.font });
  const image = renderer.render();
  parentPort.postMessage(image.asPng());
  // Free a picture's memory by hand: the garbage collector does not reach that of WebAssembly.
  image.free();
  renderer.free();
});
