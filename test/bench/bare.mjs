// A bare node:http server, as a process of its own. It answers every request with one fixed buffer:
// the answer of the address in its first argument, asked with the Accept-Encoding in its second
// argument.
import { once } from 'node:events';
import { createServer, get } from 'node:http';

const [url, encoding] = process.argv.slice(2);
const [answer] = await once(
  get(url, { headers: encoding ? { 'accept-encoding': encoding } : {} }),
  'response',
);
if (answer.statusCode !== 200) throw new Error(`${url} answers ${answer.statusCode}`);
const body = Buffer.concat(await answer.toArray());
const headers = { 'content-type': answer.headers['content-type'], 'content-length': body.length };
if (answer.headers['content-encoding'])
  headers['content-encoding'] = answer.headers['content-encoding'];

const server = createServer((_, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
