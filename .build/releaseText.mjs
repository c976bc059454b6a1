// node .build/releaseText.mjs v1.1.0: prints what CHANGELOG.md says of this release, for the tag of package.json's version.
import { readFileSync } from 'node:fs';

const [tag = ''] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
const section = sections.find((text) => text.startsWith(`[${version}] - `));

if (tag !== `v${version}`) {
  console.error(`The tag ${tag} is not v${version}, the version of package.json.`);
  process.exit(1);
}
if (section === undefined) {
  console.error(`CHANGELOG.md has no heading “## [${version}] - ” with a date.`);
  process.exit(1);
}
process.stdout.write(`${section.slice(section.indexOf('\n')).trim()}\n`);
