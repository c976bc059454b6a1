import { compassPoint, windArrow } from '../../../domain/compass.ts';
import { POLLING_INTERVAL_MS } from '../../../domain/period.ts';
import { OLD_MEASUREMENT_MS, type Station } from '../../../domain/station.ts';
import { convertSpeed, isCalm, SPEED_UNITS, type SpeedUnit } from '../../../domain/units.ts';
import { byId, element, NOTHING, resolve, write } from './dom.ts';

/** By which value of a station each column of the table sorts. */
const VALUES = {
  id: ({ id }) => id,
  name: ({ meta }) => meta.name.trim() || null,
  avg: ({ measurements }) => measurements.wind_speed_avg,
  gust: ({ measurements }) => measurements.wind_speed_max,
  lull: ({ measurements }) => measurements.wind_speed_min,
  heading: ({ measurements }) => measurements.wind_heading,
  age: ageOf,
  state: ({ status }) => status.state,
} as const satisfies Record<string, (station: Station) => string | number | null>;

export type SortKey = keyof typeof VALUES;

export const SPEEDS = ['avg', 'gust', 'lull'] as const;

/** The visitor's choices: the unit of speeds, and the order of the table. */
export interface View {
  unit: SpeedUnit;
  sort: { key: SortKey; sign: 1 | -1 };
}

const rows = new Map<number, ReturnType<typeof makeRow>>();

function age(ms: number | null): string {
  if (ms === null) return NOTHING;
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  if (seconds < 63_072_000) return `${Math.floor(seconds / 86_400)} d`;
  return `${Math.floor(seconds / 31_536_000)} y`;
}

/** The age of a station's latest measurement in milliseconds; null where there is none. */
export function ageOf({ measurements }: Station): number | null {
  const measured = Date.parse(measurements.date ?? '');
  return Number.isNaN(measured) ? null : Date.now() - measured;
}

/**
 * Lets visitors open a station by a click on its row of the table.
 * @param open called with the id of a station whose row is clicked
 */
export function startStations(open: (id: number) => void): void {
  byId('stations').addEventListener('click', ({ target }) => {
    const tr = target instanceof Element && !target.closest('a') ? target.closest('tr') : null;
    if (tr) open(Number(tr.dataset.id));
  });
}

export const nameOf = ({ meta }: Station): string =>
  meta.name.trim() === '' ? NOTHING : meta.name;

function writeSpeed(speedKmh: number | null, unit: SpeedUnit): string {
  const speed = convertSpeed(speedKmh, unit);
  return speed === null ? NOTHING : speed.toFixed(unit === 'bft' ? 0 : 1);
}

/** The latest wind of a station in one line. */
export function describeWind(station: Station, unit: SpeedUnit): string {
  const { measurements } = station;
  const [avg, gust] = [measurements.wind_speed_avg, measurements.wind_speed_max];
  if (avg === null) return 'No wind was measured.';
  const heading = measurements.wind_heading;
  const from = heading === null || isCalm(avg) ? '' : ` from ${compassPoint(heading)}`;
  const { label } = SPEED_UNITS[unit];
  const speeds = `Average ${writeSpeed(avg, unit)} ${label}, gusts ${writeSpeed(gust, unit)} ${label}`;
  return `${speeds}${from}, ${age(ageOf(station))} ago.`;
}

function makeRow(id: number) {
  const tr = element('tr');
  tr.dataset.id = String(id);
  const add = <E extends HTMLElement>(cell: E): E => tr.appendChild(cell);
  const head = add(element('th'));
  head.scope = 'row';
  const name = head.appendChild(element('button'));
  name.type = 'button';
  name.dir = 'auto';
  name.setAttribute('aria-haspopup', 'dialog');
  const [avg, gust, lull] = [
    add(element('td', 'number')),
    add(element('td', 'number')),
    add(element('td', 'number')),
  ];
  const heading = add(element('td'));
  const arrow = heading.appendChild(element('span'));
  const point = heading.appendChild(element('span', 'point'));
  const ageCell = add(element('td', 'number'));
  const state = add(element('td'));
  const link = add(element('td', 'number')).appendChild(element('a'));
  link.href = resolve(`v1/live/${encodeURIComponent(id)}`).href;
  link.textContent = String(id);
  link.setAttribute('aria-label', `Station ${id} as JSON`);
  return { tr, name, avg, gust, lull, heading, arrow, point, age: ageCell, state };
}

/** Writes a station's latest measurements into its row. @returns the row */
function showRow(station: Station, unit: SpeedUnit): HTMLElement {
  const row = rows.get(station.id) ?? makeRow(station.id);
  rows.set(station.id, row);
  const { measurements, status } = station;
  write(row.name, nameOf(station));
  for (const key of SPEEDS) write(row[key], writeSpeed(VALUES[key](station), unit));
  const heading = measurements.wind_heading;
  const calm = isCalm(measurements.wind_speed_avg);
  const point = heading === null || calm ? undefined : compassPoint(heading);
  const arrow = heading === null || point === undefined ? NOTHING : windArrow(heading);
  write(row.arrow, calm ? 'calm' : arrow);
  write(row.point, point ? ` ${point}` : '');
  row.heading.title = point ? `from ${point}, ${heading}°` : '';
  write(row.state, status.state ?? NOTHING);
  row.age.title = measurements.date ?? '';
  return row.tr;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function compare(a: Station, b: Station, { key, sign }: View['sort']): number {
  const [x, y] = [VALUES[key](a), VALUES[key](b)];
  // Stations without a value are last in either order.
  if (x === null || y === null) return Number(x === null) - Number(y === null) || a.id - b.id;
  const order = typeof x === 'string' ? collator.compare(x, String(y)) : x - Number(y);
  return sign * order || a.id - b.id;
}

/** Shows the stations that the filter lets through, in order. @returns the stations shown */
export function render(stations: readonly Station[], { unit, sort }: View): readonly Station[] {
  const wanted = byId<HTMLInputElement>('filter').value.trim().toLowerCase();
  const shown = stations
    .filter(({ id, meta }) => meta.name.toLowerCase().includes(wanted) || String(id) === wanted)
    .sort((a, b) => compare(a, b, sort));
  const focused = document.activeElement;
  byId('stations').replaceChildren(...shown.map((station) => showRow(station, unit)));
  // Restore the focus: the browser takes the focus from a row that moves.
  if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true });
  const count = shown.length === stations.length ? '' : `${shown.length} of `;
  write(
    byId('caption'),
    `Latest measurements of ${count}${stations.length} stations, speeds in ${SPEED_UNITS[unit].label}`,
  );
  for (const th of document.querySelectorAll<HTMLElement>('[data-key]')) {
    if (th.dataset.key !== sort.key) th.removeAttribute('aria-sort');
    else th.setAttribute('aria-sort', sort.sign === 1 ? 'ascending' : 'descending');
  }
  return shown;
}

/** A server that reaches its service has no older data. */
const OLD_ANSWER_MS = 2 * POLLING_INTERVAL_MS;

/**
 * Shows how old the measurements are.
 * @param fetchedAt when the data came, milliseconds since 1970; 0 while there are no data
 * @param askedAt when the server got the data, milliseconds since 1970
 */
export function showAges(stations: readonly Station[], fetchedAt: number, askedAt: number): void {
  let newest: number | null = null;
  for (const station of stations) {
    const ms = ageOf(station);
    if (ms !== null && (newest === null || ms < newest)) newest = ms;
    const row = rows.get(station.id);
    if (!row?.tr.isConnected) continue;
    const isOld = ms !== null && ms > OLD_MEASUREMENT_MS;
    row.tr.className = isOld ? 'old' : '';
    write(row.age, age(ms) + (isOld ? ', old' : ''));
  }
  const old = byId('old');
  const isKept = fetchedAt - askedAt > OLD_ANSWER_MS;
  const isOld = newest !== null && newest > OLD_MEASUREMENT_MS;
  old.hidden = !isKept && !isOld;
  const reasons = [
    isKept
      ? `the service behind this server has not answered since ${new Date(askedAt).toLocaleTimeString()}`
      : '',
    isOld ? `the newest measurement was made ${age(newest)} ago` : '',
  ];
  write(old, old.hidden ? '' : `These data are old: ${reasons.filter(Boolean).join('; ')}.`);
  write(
    byId('updated'),
    fetchedAt === 0 ? 'Loading…' : `Fetched ${age(Date.now() - fetchedAt)} ago`,
  );
}
