// A bare node:http server, as a process of its own. It responds to every request with one fixed
// buffer: the response of the address in its first argument, requested with the Accept-Encoding in
// its second argument.
import { once } from 'node:events';
import { createServer, get } from 'node:http';

const [url, encoding] = process.argv.slice(2);
const [response] = await once(
  get(url, { headers: encoding ? { 'accept-encoding': encoding } : {} }),
  'response',
);
if (response.statusCode !== 200) throw new Error(`${url} responds with ${response.statusCode}`);
const body = Buffer.concat(await response.toArray());
const headers = { 'content-type': response.headers['content-type'], 'content-length': body.length };
if (response.headers['content-encoding'])
  headers['content-encoding'] = response.headers['content-encoding'];

const server = createServer((_, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
