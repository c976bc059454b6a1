// The least work of a client for an export: to start Node, and to parse each response in a folder as
// JSON.
import { readdirSync, readFileSync } from 'node:fs';

const folder = process.argv[2];
let rows = 0;
for (const name of readdirSync(folder)) {
  rows += JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')).data.length;
}
console.log(rows);
