// The licences of the packages whose files the build puts into dist/.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const PACKAGE = /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;
const LICENCE = /^(?:licen[cs]e|copying|notice)\b/i;

/** Files beside this one with licences of code that a package contains without saying so. */
const CONTAINED = { undici: ['llhttp.txt'] };

/**
 * The notices of all packages that some files belong to, ordered by the packages' names.
 * @param files paths of bundled files; those outside of `node_modules` are vane's own
 * @throws where a package has no file with its licence
 */
export function noticesOf(files) {
  const folders = new Set(files.flatMap((file) => PACKAGE.exec(resolve(file))?.[0] ?? []));
  const notices = Array.from(folders, noticeOf).sort();
  return [
    'dist/ contains code and data of the packages below, under their licences.\n',
    ...new Set(notices),
  ].join('\n');
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => LICENCE.test(file))
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8').replaceAll('\r\n', '\n').trim());
  if (texts.length === 0)
    throw new Error(`the package ${name} is bundled, but has no licence file`);
  for (const file of CONTAINED[name] ?? [])
    texts.push(readFileSync(new URL(file, import.meta.url), 'utf8').trim());
  return `---- ${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}
