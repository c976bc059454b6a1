import { parseStationId, type Station } from '../../../domain/station.ts';
import type { SpeedUnit } from '../../../domain/units.ts';
import { elementById, resolvePath, writeText } from './dom.ts';
import { describeWind, stationNameOf } from './wind.ts';

/** The pictures of a station, each with the end of its description for screen readers. */
const PICTURES = {
  now: 'now',
  series: 'in the last 24 hours',
  rose: 'from each direction in the last 30 days',
} as const;

/**
 * Sizes of pictures for windows narrower than `below`, px, so that letters of 12 px stay readable.
 * From 960 px, the pictures are side by side with the same height, and widths of 5 to 3 as in
 * style.css.
 */
const SIZES = {
  now: [{ below: Number.POSITIVE_INFINITY, width: 200, height: 200 }],
  series: [
    { below: 600, width: 320, height: 430 },
    { below: 960, width: 560, height: 360 },
    { below: 1280, width: 560, height: 480 },
    { below: Number.POSITIVE_INFINITY, width: 760, height: 500 },
  ],
  rose: [
    { below: 600, width: 320, height: 480 },
    { below: 960, width: 560, height: 600 },
    { below: 1280, width: 336, height: 480 },
    { below: Number.POSITIVE_INFINITY, width: 456, height: 500 },
  ],
} as const satisfies Record<keyof typeof PICTURES, object>;

const dialog = elementById<HTMLDialogElement>('opened');
const title = document.title;
let openedId: number | undefined;

const idInAddress = (): number | undefined => parseStationId(location.hash.slice(1));

function pictureUrl(id: number, picture: string, unit: SpeedUnit): URL {
  const url = resolvePath(`plot/${id}/${picture}`);
  url.searchParams.set('units', unit);
  url.searchParams.set('tz', zoneOfBrowser());
  return url;
}

/** The browser's time zone. UTC if it is unknown, for which some browsers say Etc/Unknown. */
function zoneOfBrowser(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return !timeZone || timeZone === 'Etc/Unknown' ? 'utc' : timeZone;
}

/** The code for other pages to embed a picture. */
function codeOf(kind: keyof typeof PICTURES, id: number, address: URL, alt: string): string {
  const url = new URL(address);
  if (kind === 'now') url.searchParams.set('width', String(SIZES.now[0].width));
  const image = `<img src="${url.href.replaceAll('&', '&amp;')}" alt="${alt}">`;
  // A dial has no room for license and attribution. Link to this page, which shows them.
  return kind === 'now' ? `<a href="${resolvePath('.').href}#${id}">${image}</a>` : image;
}

function showPicture(kind: keyof typeof PICTURES, id: number, unit: SpeedUnit): void {
  const figure = elementById(kind);
  const url = pictureUrl(id, `${kind}.svg`, unit);
  const alt = `Wind at station ${id} ${PICTURES[kind]}`;
  // Use the station's id in code for other pages: its name could end the HTML attribute.
  figure.querySelectorAll('input').forEach((field) => {
    field.value = codeOf(kind, id, url, alt);
  });
  const [svg, png] = figure.querySelectorAll<HTMLAnchorElement>('figcaption a');
  if (svg) svg.href = url.href;
  if (png) png.href = pictureUrl(id, `${kind}.png`, unit).href;
  const image = figure.querySelector('img') as HTMLImageElement;
  image.alt = alt;
  const size = SIZES[kind].find(({ below }) => innerWidth < below);
  for (const name of ['width', 'height'] as const) {
    const px = String(size?.[name]);
    url.searchParams.set(name, px);
    image.setAttribute(name, px);
  }
  // The server ignores `minute`, but a new value makes the browser load the picture again.
  url.searchParams.set('minute', String(Math.floor(Date.now() / 60_000)));
  if (image.src !== url.href) image.src = url.href;
}

function show(station: Station, unit: SpeedUnit): void {
  openedId = station.id;
  writeText(elementById('opened-name'), stationNameOf(station));
  writeText(elementById('opened-wind'), describeWind(station, unit));
  elementById<HTMLAnchorElement>('opened-json').href = resolvePath(`v1/live/${station.id}`).href;
  for (const kind of Object.keys(PICTURES) as (keyof typeof PICTURES)[]) {
    showPicture(kind, station.id, unit);
  }
}

/**
 * Opens a station by putting its id into the page's address, so that visitors can share it and go
 * back.
 */
export function navigateToStation(id: number): void {
  history.pushState({ isOpened: true }, '', `#${id}`);
  dispatchEvent(new PopStateEvent('popstate'));
}

/**
 * Removes the closed station from the page's address. Goes back in history if that leads to this
 * page.
 */
function leaveAddress(): void {
  // The close event comes late, when another station may already be open.
  if (dialog.open || idInAddress() !== openedId) return;
  if (history.state?.isOpened) {
    history.back();
  } else {
    history.replaceState(null, '', location.pathname + location.search);
    dispatchEvent(new PopStateEvent('popstate'));
  }
}

/** Shows the latest data of the station in the page's address, such as `#110`, in the dialog. */
export function showOpenedStation(stations: readonly Station[], unit: SpeedUnit): void {
  const id = idInAddress();
  const station = stations.find((one) => one.id === id);
  writeText(
    elementById('missing'),
    id === undefined || station ? '' : `There is no station ${id}.`,
  );
  document.title = station ? `${stationNameOf(station)} – ${title}` : title;
  if (station) show(station, unit);
  if (!station) dialog.close();
  else if (!dialog.open) dialog.showModal();
}

/** @param followAddress called when the page's address has changed */
export function startStationDialog(followAddress: () => void): void {
  addEventListener('popstate', followAddress);
  dialog.addEventListener('close', leaveAddress);
  elementById('close').addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => {
    // The event target is the dialog itself only for a click outside of its content.
    if (event.target === dialog) dialog.close();
  });
  for (const field of dialog.querySelectorAll('input')) {
    field.addEventListener('focus', () => field.select());
  }
  for (const image of dialog.querySelectorAll('img')) {
    const fail = (isFailed: boolean) => () => image.classList.toggle('failed', isFailed);
    image.addEventListener('error', fail(true));
    image.addEventListener('load', fail(false));
  }
}
