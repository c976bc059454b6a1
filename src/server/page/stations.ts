/** The part of the page's script that fetches the stations and shows them. */
export const STATIONS_SCRIPT = String.raw`
const stored = {
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(key, value); } catch {} },
};

let unit = Object.hasOwn(FACTS.units, stored.get('unit') ?? '') ? stored.get('unit') : 'kmh';
let stations = [];
let sort = { key: 'name', sign: 1 };
let fetchedAt = 0;
let dueAt = 0;
const rows = new Map();

function convert(kmh) {
  if (typeof kmh !== 'number') return null;
  const { factor } = FACTS.units[unit];
  return factor === null ? FACTS.beaufort.filter((step) => kmh >= step).length : kmh * factor;
}

function speed(kmh) {
  const value = convert(kmh);
  return value === null ? NOTHING : value.toFixed(unit === 'bft' ? 0 : 1);
}

const sector = (degrees, names) => {
  const index = Math.round((degrees * names.length) / 360) % names.length;
  return names[(index + names.length) % names.length];
};

function age(ms) {
  if (ms === null) return NOTHING;
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 120) return seconds + ' s';
  if (seconds < 7200) return Math.floor(seconds / 60) + ' min';
  if (seconds < 172800) return Math.floor(seconds / 3600) + ' h';
  if (seconds < 63072000) return Math.floor(seconds / 86400) + ' d';
  return Math.floor(seconds / 31536000) + ' y';
}

const ageOf = (station) => {
  const measured = Date.parse(station.date ?? '');
  return Number.isNaN(measured) ? null : Date.now() - measured;
};

function readStation({ id, meta, measurements, status }) {
  return {
    id,
    name: meta.name,
    avg: measurements.wind_speed_avg,
    gust: measurements.wind_speed_max,
    lull: measurements.wind_speed_min,
    heading: measurements.wind_heading,
    date: measurements.date,
    state: status.state,
  };
}

function element(name, className) {
  const made = document.createElement(name);
  if (className) made.className = className;
  return made;
}

function makeRow(id) {
  const tr = element('tr');
  const name = element('th');
  name.scope = 'row';
  name.dir = 'auto';
  const [avg, gust, lull] = [0, 0, 0].map(() => element('td', 'number'));
  const heading = element('td');
  const arrow = element('span');
  const point = element('span', 'point');
  heading.append(arrow, point);
  const ageCell = element('td', 'number');
  const state = element('td');
  const json = element('td', 'number');
  const link = element('a');
  link.href = resolve('v1/live/' + encodeURIComponent(id)).href;
  link.textContent = id;
  link.setAttribute('aria-label', 'Station ' + id + ' as JSON');
  json.append(link);
  tr.append(name, avg, gust, lull, heading, ageCell, state, json);
  return { tr, name, avg, gust, lull, heading, arrow, point, age: ageCell, state };
}

function fillRow(row, station) {
  write(row.name, station.name.trim() === '' ? NOTHING : station.name);
  for (const key of ['avg', 'gust', 'lull']) write(row[key], speed(station[key]));
  const isCalm = typeof station.avg === 'number' && station.avg < FACTS.beaufort[0];
  const hasHeading = typeof station.heading === 'number' && !isCalm;
  write(row.arrow, hasHeading ? sector(station.heading, FACTS.arrows) : isCalm ? 'calm' : NOTHING);
  write(row.point, hasHeading ? ' ' + sector(station.heading, FACTS.points) : '');
  row.heading.title = hasHeading ? 'from ' + sector(station.heading, FACTS.points) + ', ' + station.heading + '°' : '';
  write(row.state, station.state ?? NOTHING);
  row.age.title = station.date ?? '';
}

function sortValue(station) {
  if (sort.key === 'age') return ageOf(station);
  const value = station[sort.key];
  return value === undefined || value === '' ? null : value;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function compare(a, b) {
  const [x, y] = [sortValue(a), sortValue(b)];
  // What is not there stands last in either order.
  if (x === null || y === null) return (x === null) - (y === null) || a.id - b.id;
  const order = typeof x === 'string' ? collator.compare(x.trim(), String(y).trim()) : x - y;
  return sort.sign * order || a.id - b.id;
}

function render() {
  const wanted = byId('filter').value.trim().toLowerCase();
  const shown = stations
    .filter(({ id, name }) => name.toLowerCase().includes(wanted) || String(id) === wanted)
    .sort(compare);
  for (const station of shown) {
    if (!rows.has(station.id)) rows.set(station.id, makeRow(station.id));
    fillRow(rows.get(station.id), station);
  }
  const focused = document.activeElement;
  byId('stations').replaceChildren(...shown.map(({ id }) => rows.get(id).tr));
  // A row that moves loses its focus.
  if (focused !== document.activeElement && focused?.isConnected) focused.focus({ preventScroll: true });
  const count = shown.length === stations.length ? '' : shown.length + ' of ';
  write(byId('caption'), 'Latest measurements of ' + count + stations.length + ' stations, speeds in ' + FACTS.units[unit].label);
  for (const th of document.querySelectorAll('[data-key]')) {
    if (th.dataset.key !== sort.key) th.removeAttribute('aria-sort');
    else th.setAttribute('aria-sort', sort.sign === 1 ? 'ascending' : 'descending');
  }
  showAges();
}

function showAges() {
  let newest = null;
  for (const station of stations) {
    const ms = ageOf(station);
    if (ms !== null && (newest === null || ms < newest)) newest = ms;
    const row = rows.get(station.id);
    if (!row?.tr.isConnected) continue;
    const isOld = ms !== null && ms > FACTS.oldMs;
    row.tr.className = isOld ? 'old' : '';
    write(row.age, age(ms) + (isOld ? ', old' : ''));
  }
  const old = byId('old');
  old.hidden = newest === null || newest <= FACTS.oldMs;
  write(old, old.hidden ? '' : 'These data are old: the newest measurement was made ' + age(newest) + ' ago.');
  write(byId('updated'), fetchedAt === 0 ? 'Loading…' : 'Fetched ' + age(Date.now() - fetchedAt) + ' ago');
}

function safeLink(id, address) {
  const link = byId(id);
  if (/^https?:\/\//i.test(address)) link.href = address;
  else link.removeAttribute('href');
}

async function fetchStations() {
  const answer = await fetch(resolve('v1/live/all'), { signal: AbortSignal.timeout(FACTS.timeoutMs) });
  const waitMs = 1000 * Number(answer.headers.get('retry-after')) || 0;
  dueAt = Math.max(dueAt, Date.now() + waitMs);
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(body.error_message ?? 'the server answered ' + answer.status);
  if (!Array.isArray(body.data)) throw new Error('the answer has no list of stations');
  return body;
}

async function refresh() {
  dueAt = Date.now() + FACTS.pollMs;
  const failure = byId('failure');
  try {
    const { data, license, doc, attribution } = await fetchStations();
    stations = data.map(readStation);
    fetchedAt = Date.now();
    byId('credits').hidden = false;
    write(byId('attribution'), String(attribution));
    safeLink('license', license);
    safeLink('doc', doc);
    failure.hidden = true;
    write(failure, '');
  } catch (error) {
    failure.hidden = false;
    write(failure, 'The refresh at ' + new Date().toLocaleTimeString() + ' failed: ' + error.message);
  }
  render();
}

function tick() {
  if (document.hidden) return;
  if (Date.now() >= dueAt) refresh();
  showAges();
}

byId('unit').value = unit;
byId('unit').addEventListener('change', ({ target }) => {
  unit = target.value;
  stored.set('unit', unit);
  render();
});
byId('filter').addEventListener('input', render);
for (const th of document.querySelectorAll('[data-key]')) {
  th.firstChild.addEventListener('click', () => {
    const { key } = th.dataset;
    // Of speeds one looks for the highest first.
    const first = ['avg', 'gust', 'lull'].includes(key) ? -1 : 1;
    sort = { key, sign: sort.key === key ? -sort.sign : first };
    render();
  });
}
document.addEventListener('visibilitychange', tick);
setInterval(tick, 1000);
tick();
`;
