import { compassPoint, windArrow } from '../../../domain/compass.ts';
import { OLD_MEASUREMENT_MS } from '../../../domain/station.ts';
import { convertSpeed, isCalm, SPEED_UNITS, type SpeedUnit } from '../../../domain/units.ts';
import { byId, element, NOTHING, resolve, write } from './dom.ts';

/** A station as a row of the table shows it. */
export interface Shown {
  readonly id: number;
  readonly name: string;
  readonly avg: number | null;
  readonly gust: number | null;
  readonly lull: number | null;
  readonly heading: number | null;
  readonly date: string | null;
  readonly state: string | null;
}

export type SortKey = Exclude<keyof Shown, 'date'> | 'age';

export const SPEEDS = ['avg', 'gust', 'lull'] as const;

/** The visitor's choices: unit and order. */
export interface View {
  unit: SpeedUnit;
  sort: { key: SortKey; sign: 1 | -1 };
}

type Row = ReturnType<typeof makeRow>;

const rows = new Map<number, Row>();

function age(ms: number | null): string {
  if (ms === null) return NOTHING;
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  if (seconds < 63_072_000) return `${Math.floor(seconds / 86_400)} d`;
  return `${Math.floor(seconds / 31_536_000)} y`;
}

function ageOf({ date }: Shown): number | null {
  const measured = Date.parse(date ?? '');
  return Number.isNaN(measured) ? null : Date.now() - measured;
}

function makeRow(id: number) {
  const tr = element('tr');
  const name = element('th');
  name.scope = 'row';
  name.dir = 'auto';
  const [avg, gust, lull] = [
    element('td', 'number'),
    element('td', 'number'),
    element('td', 'number'),
  ];
  const heading = element('td');
  const arrow = element('span');
  const point = element('span', 'point');
  heading.append(arrow, point);
  const ageCell = element('td', 'number');
  const state = element('td');
  const json = element('td', 'number');
  const link = element('a');
  link.href = resolve(`v1/live/${encodeURIComponent(id)}`).href;
  link.textContent = String(id);
  link.setAttribute('aria-label', `Station ${id} as JSON`);
  json.append(link);
  tr.append(name, avg, gust, lull, heading, ageCell, state, json);
  return { tr, name, avg, gust, lull, heading, arrow, point, age: ageCell, state };
}

function fillRow(row: Row, station: Shown, unit: SpeedUnit): void {
  const { name, avg, heading, state, date } = station;
  write(row.name, name.trim() === '' ? NOTHING : name);
  for (const key of SPEEDS) {
    const speed = convertSpeed(station[key], unit);
    write(row[key], speed === null ? NOTHING : speed.toFixed(unit === 'bft' ? 0 : 1));
  }
  const point = heading === null || isCalm(avg) ? undefined : compassPoint(heading);
  if (heading === null || point === undefined) {
    write(row.arrow, isCalm(avg) ? 'calm' : NOTHING);
    write(row.point, '');
    row.heading.title = '';
  } else {
    write(row.arrow, windArrow(heading));
    write(row.point, ` ${point}`);
    row.heading.title = `from ${point}, ${heading}°`;
  }
  write(row.state, state ?? NOTHING);
  row.age.title = date ?? '';
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function sortValue(station: Shown, key: SortKey): string | number | null {
  const value = key === 'age' ? ageOf(station) : station[key];
  return value === '' ? null : value;
}

function compare(a: Shown, b: Shown, { key, sign }: View['sort']): number {
  const [x, y] = [sortValue(a, key), sortValue(b, key)];
  // Stations without a value are last in either order.
  if (x === null || y === null) return Number(x === null) - Number(y === null) || a.id - b.id;
  const order =
    typeof x === 'string' ? collator.compare(x.trim(), String(y).trim()) : x - Number(y);
  return sign * order || a.id - b.id;
}

/** Shows the stations that the filter lets through, in order. */
export function render(stations: readonly Shown[], { unit, sort }: View): void {
  const wanted = byId<HTMLInputElement>('filter').value.trim().toLowerCase();
  const shown = stations
    .filter(({ id, name }) => name.toLowerCase().includes(wanted) || String(id) === wanted)
    .sort((a, b) => compare(a, b, sort));
  const filled = shown.map((station) => {
    const row = rows.get(station.id) ?? makeRow(station.id);
    rows.set(station.id, row);
    fillRow(row, station, unit);
    return row.tr;
  });
  const focused = document.activeElement;
  byId('stations').replaceChildren(...filled);
  // A row that moves loses its focus.
  if (focused !== document.activeElement && focused instanceof HTMLElement && focused.isConnected) {
    focused.focus({ preventScroll: true });
  }
  const count = shown.length === stations.length ? '' : `${shown.length} of `;
  const { label } = SPEED_UNITS[unit];
  write(
    byId('caption'),
    `Latest measurements of ${count}${stations.length} stations, speeds in ${label}`,
  );
  for (const th of document.querySelectorAll<HTMLElement>('[data-key]')) {
    if (th.dataset.key !== sort.key) th.removeAttribute('aria-sort');
    else th.setAttribute('aria-sort', sort.sign === 1 ? 'ascending' : 'descending');
  }
}

/** @param fetchedAt 0 while there are no data */
export function showAges(stations: readonly Shown[], fetchedAt: number): void {
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
  old.hidden = newest === null || newest <= OLD_MEASUREMENT_MS;
  write(
    old,
    old.hidden ? '' : `These data are old: the newest measurement was made ${age(newest)} ago.`,
  );
  write(
    byId('updated'),
    fetchedAt === 0 ? 'Loading…' : `Fetched ${age(Date.now() - fetchedAt)} ago`,
  );
}
