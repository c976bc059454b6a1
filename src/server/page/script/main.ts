// Leaflet needs this policy for HTML as soon as it is loaded.
import './trustedHtml.ts';
import type { LiveStations } from '../../../domain/envelope.ts';
import { POLLING_INTERVAL_MS } from '../../../domain/period.ts';
import type { Station } from '../../../domain/station.ts';
import { SPEED_UNITS, type SpeedUnit } from '../../../domain/units.ts';
import { elementById, RESPONSE_TIMEOUT_MS, resolvePath, writeText } from './dom.ts';
import { showAllStations, showMostStations, showStationsOnMap, startMap } from './map.ts';
import { navigateToStation, showOpenedStation, startStationDialog } from './opened.ts';
import {
  isSpeedColumn,
  renderTable,
  type SortKey,
  showAges,
  startStationTable,
  type TableChoices,
} from './stationTable.ts';
import { sharedNameEnding } from './wind.ts';

/** The browser's storage, which remembers the unit; undefined if the browser forbids it. */
function openStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

const isUnit = (text: string): text is SpeedUnit => Object.hasOwn(SPEED_UNITS, text);

const storage = openStorage();
const remembered = storage?.getItem('unit') ?? '';
const choices: TableChoices = {
  unit: isUnit(remembered) ? remembered : 'kmh',
  sort: { key: 'avg', sign: -1 },
};
let stations: readonly Station[] = [];
let fetchedAt = 0;
/** When the server got the data from the upstream service, by this machine's clock. */
let requestedAt = 0;
let dueAt = 0;

/** Shows the data, if they have been loaded. */
function show(): void {
  if (fetchedAt === 0) return;
  showStationsOnMap(renderTable(stations, choices), choices.unit, sharedNameEnding(stations));
  showOpenedStation(stations, choices.unit);
  showAges(stations, fetchedAt, requestedAt);
}

function safeLink(id: string, address: string): void {
  const link = elementById<HTMLAnchorElement>(id);
  if (/^https?:\/\//i.test(address)) link.href = address;
  else link.removeAttribute('href');
}

async function fetchStations(): Promise<LiveStations & { readonly ageMs: number }> {
  const response = await fetch(resolvePath('v1/live/all'), {
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
  });
  const waitMs = 1000 * Number(response.headers.get('retry-after')) || 0;
  dueAt = Math.max(dueAt, Date.now() + waitMs);
  const body = await response.json().catch(() => ({}));
  if (!response.ok)
    throw new Error(body.error_message ?? `the server responded with ${response.status}`);
  if (!Array.isArray(body.data)) throw new Error('the response has no list of stations');
  // While the upstream service fails, Age says how long the server has had the data.
  return { ...body, ageMs: 1000 * Number(response.headers.get('age')) || 0 };
}

async function refresh(): Promise<void> {
  dueAt = Date.now() + POLLING_INTERVAL_MS;
  const failure = elementById('failure');
  try {
    const { data, license, doc, attribution, ageMs } = await fetchStations();
    stations = data;
    fetchedAt = Date.now();
    requestedAt = fetchedAt - ageMs;
    elementById('credits').hidden = false;
    writeText(elementById('attribution'), String(attribution));
    safeLink('license', license);
    safeLink('doc', doc);
    writeText(failure, '');
  } catch (error) {
    if (fetchedAt === 0) writeText(elementById('updated'), '');
    const { message } = error as Error;
    writeText(failure, `The refresh at ${new Date().toLocaleTimeString()} failed: ${message}`);
  }
  show();
}

function tick(): void {
  if (document.hidden) return;
  if (Date.now() >= dueAt) refresh();
  if (fetchedAt > 0) showAges(stations, fetchedAt, requestedAt);
}

function sortBy(key: SortKey): void {
  // Sort speeds with the highest first, since visitors look for the strongest wind.
  const first = isSpeedColumn(key) ? -1 : 1;
  const sign = choices.sort.key === key ? (-choices.sort.sign as 1 | -1) : first;
  choices.sort = { key, sign };
  show();
}

const unit = elementById<HTMLSelectElement>('unit');
unit.value = choices.unit;
unit.addEventListener('change', () => {
  choices.unit = unit.value as SpeedUnit;
  show();
  storage?.setItem('unit', choices.unit);
});
const filter = elementById<HTMLInputElement>('filter');
filter.addEventListener('input', () => {
  show();
  if (filter.value.trim() === '') showMostStations();
  else showAllStations();
});
for (const th of document.querySelectorAll<HTMLElement>('[data-key]')) {
  th.querySelector('button')?.addEventListener('click', () => sortBy(th.dataset.key as SortKey));
}
startStationTable(navigateToStation);
startMap(navigateToStation);
startStationDialog(show);
document.addEventListener('visibilitychange', tick);
setInterval(tick, 1000);
tick();
