import { nearestCompassPoint, windArrow } from '../../../domain/compass.ts';
import { POLLING_INTERVAL_MS } from '../../../domain/period.ts';
import { OLD_MEASUREMENT_MS, type Station } from '../../../domain/station.ts';
import { beaufortForce, isCalm, SPEED_UNITS, type SpeedUnit } from '../../../domain/units.ts';
import { elementById, MISSING_VALUE_TEXT, resolvePath, writeText } from './dom.ts';
import {
  conditionOf,
  forceCssClass,
  formatAge,
  isMeasurementCurrent,
  measurementAgeOf,
  sharedNameEnding,
  shortName,
  stationNameOf,
  writeSpeed,
} from './wind.ts';

/** For each column of the table, the value to sort stations by. */
const VALUES = {
  id: ({ id }) => id,
  name: ({ meta }) => meta.name.trim() || null,
  avg: ({ measurements }) => measurements.wind_speed_avg,
  gust: ({ measurements }) => measurements.wind_speed_max,
  lull: ({ measurements }) => measurements.wind_speed_min,
  heading: ({ measurements }) => measurements.wind_heading,
  age: measurementAgeOf,
  state: ({ status }) => status.state,
} as const satisfies Record<string, (station: Station) => string | number | null>;

export type SortKey = keyof typeof VALUES;

const SPEED_COLUMNS = ['avg', 'gust', 'lull'] as const;

export const isSpeedColumn = (key: SortKey): boolean =>
  SPEED_COLUMNS.some((speed) => speed === key);

/** The visitor's choices: the unit of speeds, and the order of the table. */
export interface TableChoices {
  unit: SpeedUnit;
  sort: { key: SortKey; sign: 1 | -1 };
}

const rows = new Map<number, ReturnType<typeof makeRow>>();

/**
 * Opens a station when its row in the table is clicked.
 * @param open called with the id of the station
 */
export function startStationTable(open: (id: number) => void): void {
  elementById('stations').addEventListener('click', ({ target }) => {
    const tr = target instanceof Element && !target.closest('a') ? target.closest('tr') : null;
    if (tr) open(Number(tr.dataset.id));
  });
}

type Cell = HTMLElement;
type Parts = [Cell, Cell, Cell, Cell, Cell, Cell, Cell, link: HTMLAnchorElement];

function makeRow(id: number) {
  const { content } = elementById<HTMLTemplateElement>('row');
  const tr = content.firstElementChild?.cloneNode(true) as HTMLTableRowElement;
  tr.dataset.id = String(id);
  const parts = [...tr.cells].map((cell) => (cell.firstElementChild ?? cell) as HTMLElement);
  const [name, avg, gust, lull, heading, ageCell, state, link] = parts as Parts;
  link.href = resolvePath(`v1/live/${id}`).href;
  link.textContent = String(id);
  link.ariaLabel = `Station ${id} as JSON`;
  return { tr, name, avg, gust, lull, heading, age: ageCell, state };
}

/**
 * Writes a station's latest measurements into its row.
 * @returns the row
 */
function showRow(station: Station, unit: SpeedUnit, ending: string): HTMLElement {
  const row = rows.get(station.id) ?? makeRow(station.id);
  rows.set(station.id, row);
  const { measurements, status } = station;
  writeText(row.name, shortName(station, ending));
  row.name.title = stationNameOf(station);
  for (const key of SPEED_COLUMNS) {
    const speedKmh = VALUES[key](station);
    writeText(row[key], writeSpeed(speedKmh, unit));
    const isColoured = speedKmh !== null && isMeasurementCurrent(station);
    row[key].className = `speed ${forceCssClass(isColoured ? beaufortForce(speedKmh) : null)}`;
  }
  const heading = measurements.wind_heading;
  const calm = isCalm(measurements.wind_speed_avg);
  const point = heading === null || calm ? undefined : nearestCompassPoint(heading);
  const from = heading === null || calm ? MISSING_VALUE_TEXT : `${windArrow(heading)} ${point}`;
  writeText(row.heading, calm ? 'calm' : from);
  row.heading.title = point ? `from ${point}, ${heading}°` : '';
  writeText(row.state, status.state ?? MISSING_VALUE_TEXT);
  row.age.title = measurements.date ?? '';
  return row.tr;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function compare(a: Station, b: Station, { key, sign }: TableChoices['sort']): number {
  const [x, y] = [VALUES[key](a), VALUES[key](b)];
  // In either order, stations without a value come last, and old speeds before them.
  if (x === null || y === null) return Number(x === null) - Number(y === null) || a.id - b.id;
  const old = isSpeedColumn(key)
    ? Number(isMeasurementCurrent(b)) - Number(isMeasurementCurrent(a))
    : 0;
  const order = typeof x === 'string' ? collator.compare(x, String(y)) : x - Number(y);
  return old || sign * order || a.id - b.id;
}

/**
 * Shows the stations that match the filter, in order.
 * @returns the shown stations
 */
export function renderTable(
  stations: readonly Station[],
  { unit, sort }: TableChoices,
): readonly Station[] {
  const wanted = elementById<HTMLInputElement>('filter').value.trim().toLowerCase();
  const shown = stations
    .filter(({ id, meta }) => meta.name.toLowerCase().includes(wanted) || String(id) === wanted)
    .sort((a, b) => compare(a, b, sort));
  const ending = sharedNameEnding(stations);
  const focused = document.activeElement;
  elementById('stations').replaceChildren(
    ...shown.map((station) => showRow(station, unit, ending)),
  );
  // Restore the focus, which the browser removes from a row that moves.
  if (focused !== document.activeElement) (focused as HTMLElement).focus({ preventScroll: true });
  const count = shown.length === stations.length ? '' : `${shown.length} of `;
  const plural = stations.length === 1 ? '' : 's';
  const caption = `Latest measurements of ${count}${stations.length} station${plural}, speeds in ${SPEED_UNITS[unit].label}`;
  writeText(
    elementById('caption'),
    caption + (ending && `; names without their ending “${ending}”`),
  );
  for (const th of document.querySelectorAll<HTMLElement>('[data-key]')) {
    if (th.dataset.key !== sort.key) th.removeAttribute('aria-sort');
    else th.setAttribute('aria-sort', sort.sign === 1 ? 'ascending' : 'descending');
  }
  return shown;
}

/** Older data mean that the server cannot reach the upstream service. */
const OLD_RESPONSE_MS = 2 * POLLING_INTERVAL_MS;

/**
 * Shows how old the measurements are.
 * @param fetchedAt when the page got the data, milliseconds since 1970
 * @param requestedAt when the server got the data, milliseconds since 1970
 */
export function showAges(
  stations: readonly Station[],
  fetchedAt: number,
  requestedAt: number,
): void {
  let newest: number | null = null;
  for (const station of stations) {
    const ms = measurementAgeOf(station);
    if (ms !== null && (newest === null || ms < newest)) newest = ms;
    const row = rows.get(station.id);
    if (!row?.tr.isConnected) continue;
    const isOld = ms !== null && ms > OLD_MEASUREMENT_MS;
    const isOff = conditionOf(station) === 'off';
    row.tr.className = isOld || isOff ? 'old' : '';
    writeText(row.age, formatAge(ms) + (isOff ? ', off' : isOld ? ', old' : ''));
  }
  const reasons: string[] = [];
  if (fetchedAt - requestedAt > OLD_RESPONSE_MS) {
    const since = new Date(requestedAt).toLocaleTimeString();
    reasons.push(`the service behind this server has not responded since ${since}`);
  }
  if (newest !== null && newest > OLD_MEASUREMENT_MS) {
    reasons.push(`the newest measurement is ${formatAge(newest)} old`);
  }
  writeText(
    elementById('old'),
    reasons.length === 0 ? '' : `This data is old: ${reasons.join('; ')}.`,
  );
  writeText(elementById('updated'), `Fetched ${formatAge(Date.now() - fetchedAt)} ago`);
}
