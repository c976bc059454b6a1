import { nearestCompassPoint } from '../domain/compass.ts';
import { DAY_MS, formatZoneName, MINUTE_MS } from '../domain/dates.ts';
import { printable } from '../domain/text.ts';
import { convertSpeedExactly, SPEED_UNITS, type SpeedUnit } from '../domain/units.ts';
import type { WindSample } from '../domain/watching/recentMeasurements.ts';
import { formatAge, formatDirection, MISSING_VALUE_SIGN } from '../formats/humanReadable.ts';
import { type DialTexts, drawDial, SMALL_DIAL_PX } from './dial.ts';
import type { Drawing } from './drawing.ts';
import type { Mark } from './figure.ts';
import type { FigureOptions } from './figureOptions.ts';
import { formatMinute, formatRoundedSpeed, formatSpeedWithUnit } from './labels.ts';
import { type LatestWind, latestWindOf } from './latest.ts';
import { panelTitle } from './panels.ts';
import { type PlotData, stationLabel } from './plotData.ts';
import { drawPanelTitle, type LayoutStyle, type PixelBox } from './style.ts';

/**
 * Prepares a dial: where the wind comes from now, its mean and gust, and the directions of the last
 * hour.
 */
export function prepareDial(data: PlotData, options: FigureOptions, style: LayoutStyle): Drawing {
  const { stations, unit, zone } = data;
  const all = stations.map((station) => latestWindOf(station, data, options));
  const isSeveral = stations.length > 1;
  const inPixels = style.gridX === 1;
  const description = stations.flatMap((station, index) => {
    const pieces = describe(all[index] as LatestWind, data);
    return isSeveral ? [`${stationLabel(station)}: ${pieces.join(', ')}`] : pieces;
  });
  const { heldNow } = options;
  return {
    subject: 'wind now',
    // In pixels, the dial itself shows the numbers, in larger letters.
    lead: inPixels || isSeveral ? [formatZoneName(zone), SPEED_UNITS[unit].label] : description,
    facts: [],
    description,
    standsAlone: !isSeveral,
    legend: heldNow ? [{ role: 'held', sign: '#', label: printable(heldNow.text) }] : [],
    notes: [],
    minWidth: inPixels ? SMALL_DIAL_PX : 20 * style.charPx,
    minHeight: inPixels ? SMALL_DIAL_PX : 8 * style.linePx,
    maxHeight: (width) =>
      Math.ceil((width + titlePx(isSeveral, style)) / style.gridY) * style.gridY,
    squeezed: inPixels
      ? { width: 8 * style.charPx, height: SMALL_DIAL_PX }
      : { width: 14 * style.charPx, height: 6 * style.linePx },
    tableHead: ['measured', 'from', 'mean', 'gust'],
    panels: stations.map((station, index) => (box) => {
      const latest = all[index] as LatestWind;
      return {
        marks: drawPanel(latest, panelTitle({ station }, data), data, box, style),
        rows: () => [...latest.hour].reverse().map((sample) => writeRow(sample, data)),
      };
    }),
  };
}

const titlePx = (isSeveral: boolean, { linePx }: LayoutStyle): number => (isSeveral ? linePx : 0);

function drawPanel(
  latest: LatestWind,
  title: string | undefined,
  data: PlotData,
  box: PixelBox,
  style: LayoutStyle,
): Mark[] {
  const { sample, trouble, isCalm, isHeld, directions } = latest;
  const above = titlePx(title !== undefined, style);
  const at = [box.left + box.width / 2, box.top + style.linePx / 2] as const;
  const dial = {
    texts: writeTexts(latest, data),
    isGrey: trouble !== undefined,
    isHeld,
    speedKmh: sample?.avgKmh ?? null,
    headingDeg: isCalm ? null : (sample?.headingDeg ?? null),
    directions: trouble === undefined ? directions : [],
  };
  return [
    ...drawPanelTitle(title, at, box.width - style.charPx, style),
    ...drawDial(dial, { ...box, top: box.top + above, height: box.height - above }, style),
  ];
}

/** Writes the texts inside a dial. */
function writeTexts(latest: LatestWind, { unit, zone }: PlotData): DialTexts {
  const { sample, trouble, isCalm, ageMs } = latest;
  const written = sample ? formatMinute(sample.timeMs, zone) : '';
  const clock = `${written.slice(11)}${zone === 'utc' ? ' UTC' : ''}`;
  const when = sample && {
    age: writeAge(ageMs),
    time: ageMs < DAY_MS ? clock : written.slice(0, 10),
  };
  if (sample?.avgKmh == null || trouble !== undefined) return { word: trouble ?? '', ...when };
  const { avgKmh, maxKmh, headingDeg } = sample;
  const gust = `gust ${maxKmh === null ? MISSING_VALUE_SIGN : wholeSpeed(maxKmh, unit)}`;
  return {
    word: isCalm ? 'calm' : wholeSpeed(avgKmh, unit),
    direction: isCalm || headingDeg === null ? '' : formatDirection(headingDeg),
    gust,
    gustWithUnit: `${gust} ${SPEED_UNITS[unit].label}`,
    ...when,
  };
}

/** Formats an age to the minute, since a picture may be shown for a minute after it was drawn. */
const writeAge = (ageMs: number): string =>
  ageMs < MINUTE_MS ? 'just now' : `${formatAge(ageMs)} ago`;

/** Formats a speed as a whole number, which can be read at a glance. In m/s it has one decimal. */
const wholeSpeed = (speedKmh: number, unit: SpeedUnit): string =>
  (convertSpeedExactly(speedKmh, unit) as number).toFixed(unit === 'ms' ? 1 : 0);

/** Describes the latest wind in words. */
function describe(latest: LatestWind, { unit, zone }: PlotData): string[] {
  const { sample, trouble, isCalm, ageMs, directions } = latest;
  const when = sample
    ? `measured ${formatMinute(sample.timeMs, zone)} ${formatZoneName(zone)}, ${writeAge(ageMs)}`
    : 'no measurement yet';
  if (trouble === 'off') return ['the station is switched off', when];
  if (trouble === 'old') return ['the data are old', when];
  if (sample?.avgKmh == null) return [sample ? 'no wind speed' : '', when];
  const { avgKmh, maxKmh, headingDeg } = sample;
  const from = headingDeg === null ? '' : ` from ${formatDirection(headingDeg)}`;
  const points = new Set(directions.map(nearestCompassPoint));
  return [
    isCalm ? 'calm' : `${formatSpeedWithUnit(avgKmh, unit)}${from}`,
    maxKmh === null ? 'no gust' : `gust ${formatSpeedWithUnit(maxKmh, unit)}`,
    when,
    points.size === 0 ? '' : `last hour from ${[...points].join(', ')}`,
  ].filter(Boolean);
}

/** Writes a measurement as a row of the picture's table. */
function writeRow({ timeMs, headingDeg, avgKmh, maxKmh }: WindSample, { unit, zone }: PlotData) {
  const speed = (kmh: number | null) => formatRoundedSpeed(kmh ?? Number.NaN, unit);
  return [formatMinute(timeMs, zone), formatDirection(headingDeg), speed(avgKmh), speed(maxKmh)];
}
