// The least that a client pays for an export: a start, and JSON.parse of each answer in a folder.
import { readdirSync, readFileSync } from 'node:fs';

const folder = process.argv[2];
let rows = 0;
for (const name of readdirSync(folder)) {
  rows += JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')).data.length;
}
console.log(rows);
