import { RELATIVE_WORDS } from '../../domain/period.ts';
import { SPEED_UNITS } from '../../domain/units.ts';
import { ARCHIVE_FORMATS } from '../../wire/requests.ts';
import { ENDPOINTS } from '../routes.ts';

const option = (value: string, label = value): string =>
  `<option value="${value}">${label}</option>`;

const options = (values: readonly string[]): string => values.map((v) => option(v)).join('');

const UNIT_OPTIONS = Object.entries(SPEED_UNITS).map(([unit, { label }]) => option(unit, label));

interface Head {
  readonly key: string;
  readonly label: string;
  readonly isNumber?: boolean;
}

const HEADS: readonly Head[] = [
  { key: 'name', label: 'Station' },
  { key: 'avg', label: 'Avg', isNumber: true },
  { key: 'gust', label: 'Gust', isNumber: true },
  { key: 'lull', label: 'Lull', isNumber: true },
  { key: 'heading', label: 'From' },
  { key: 'age', label: 'Age', isNumber: true },
  { key: 'state', label: 'State' },
  { key: 'id', label: 'JSON', isNumber: true },
];

const head = ({ key, label, isNumber }: Head): string =>
  `<th scope="col"${isNumber ? ' class="number"' : ''} data-key="${key}"><button type="button">${label}</button></th>`;

/** The page's body, empty of data. */
export const MARKUP = `
<header>
<h1>Wind stations</h1>
<p id="failure" class="notice" role="alert" hidden></p>
<p id="old" class="notice" role="status" hidden></p>
</header>
<main>
<div class="fields">
<label>Filter<input id="filter" type="search" placeholder="name or id" autocomplete="off"></label>
<label>Speeds in<select id="unit">${UNIT_OPTIONS.join('')}</select></label>
<span id="updated" class="soft"></span>
</div>
<div class="scroll" tabindex="0" role="region" aria-labelledby="caption">
<table>
<caption id="caption">Latest measurements</caption>
<thead><tr>${HEADS.map(head).join('')}</tr></thead>
<tbody id="stations"></tbody>
</table>
</div>
<p id="credits" class="soft" hidden>Data: <bdi id="attribution"></bdi>. <a id="license">License</a>, <a id="doc">documentation</a>.</p>
<h2>Try it</h2>
<form id="try">
<div class="fields">
<label>Endpoint<select id="endpoint">${options(Object.keys(ENDPOINTS))}</select></label>
<label>Station<input id="station" value="all" size="8" autocomplete="off" spellcheck="false"></label>
<label class="archive">Start<input id="start" value="${RELATIVE_WORDS[0]}" size="17" list="starts" autocomplete="off" spellcheck="false"></label>
<label class="archive">Stop<input id="stop" value="now" size="17" autocomplete="off" spellcheck="false"></label>
<label class="archive">Format<select id="format">${options(ARCHIVE_FORMATS)}</select></label>
<label>JSONP callback<input id="callback" size="10" placeholder="none" autocomplete="off" spellcheck="false"></label>
<button>Send</button>
</div>
<datalist id="starts">${options(RELATIVE_WORDS)}</datalist>
</form>
<p><a id="url"></a></p>
<div class="fields"><pre><code id="curl"></code></pre><button id="copy" type="button">Copy</button></div>
<p><output id="outcome" for="endpoint station start stop format callback"></output></p>
<pre id="body" tabindex="0" aria-label="Body of the answer" hidden></pre>
</main>
<footer class="soft">
<p><a href="openapi.json">OpenAPI</a></p>
<noscript>The table needs JavaScript; <a href="v1/live/all">its data</a> do not.</noscript>
</footer>
`;
