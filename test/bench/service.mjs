// The simulated network over HTTP, as a process of its own. Responses are made and compressed once
// and then only sent, so that a measurement is of the client alone. With a base address that ends
// in `/100`, the server waits 100 ms before each response.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

const { simulatedService, startServer } = await import(process.argv[2]);
const service = simulatedService(Date.now);
const real = await startServer({ service, host: '127.0.0.1', port: 0, now: Date.now });
const responses = new Map();
let requests = 0;

async function make(path, isGzip) {
  const response = await fetch(real.baseUrl + path, { headers: { 'accept-encoding': 'identity' } });
  const plain = Buffer.from(await response.arrayBuffer());
  const body = isGzip ? gzipSync(plain) : plain;
  const headers = {
    'content-type': response.headers.get('content-type'),
    'content-length': body.length,
    ...(isGzip && { 'content-encoding': 'gzip' }),
  };
  return { status: response.status, headers, body };
}

function responseTo(path, isGzip) {
  const key = `${path} ${isGzip}`;
  if (!responses.has(key)) responses.set(key, make(path, isGzip));
  return responses.get(key);
}

const server = createServer(async (request, response) => {
  if (request.url === '/count') {
    response.end(String(requests));
    return;
  }
  requests++;
  const [, delayMs = 0, path] = /^(?:\/(\d+))?(\/.*)$/.exec(request.url);
  const isGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  const made = responseTo(path, isGzip);
  if (Number(delayMs) > 0) await sleep(Number(delayMs));
  const { status, headers, body } = await made;
  response.writeHead(status, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
