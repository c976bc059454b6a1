// The simulated network over HTTP, as a process of its own. Answers are made once and then only
// sent, after the delay asked for, so that a measurement is of the client alone.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../../dist/server/server.js';
import { simulatedService } from '../../dist/service/simulated.js';

const delayMs = Number(process.argv[2] ?? 0);
const service = simulatedService(Date.now);
const real = await startServer({ service, host: '127.0.0.1', port: 0, now: Date.now });
const answers = new Map();
let requests = 0;

async function answerTo(path) {
  if (!answers.has(path)) {
    const response = await fetch(real.baseUrl + path);
    const type = response.headers.get('content-type');
    answers.set(path, { type, body: Buffer.from(await response.arrayBuffer()) });
  }
  return answers.get(path);
}

const server = createServer(async (request, response) => {
  if (request.url === '/count') {
    response.end(String(requests));
    return;
  }
  requests++;
  const [{ type, body }] = await Promise.all([answerTo(request.url), sleep(delayMs)]);
  response.writeHead(200, { 'content-type': type, 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
