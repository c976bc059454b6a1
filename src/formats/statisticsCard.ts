import stringWidth from 'string-width';
import { PERCENTILES } from '../statistics/distribution.ts';
import type { Group } from '../statistics/statistics.ts';
import type { StationStatistics, StatisticsList } from './format.ts';
import { formatDirection, formatLength, formatShare, NOTHING } from './humanReadable.ts';
import { type StatisticsWords, wordsFor } from './statisticsWords.ts';
import { drawTable, type TableStyle } from './textTable.ts';

/** How a card, a list of facts for people, is written. */
export interface CardStyle extends TableStyle {
  /** Colours the names of facts. */
  readonly paintLabel: (text: string) => string;
}

/**
 * Statistics of one group as a card: facts in at most 40 columns and, beside them in a window of 80
 * columns or else below them, the distribution of speeds.
 */
export function renderCard(
  statistics: StationStatistics,
  group: Group,
  list: StatisticsList,
  style: CardStyle,
): string[] {
  const { columns, paintLabel, write } = style;
  const words = wordsFor(list);
  const isKnown = group.summary.mean !== null;
  const draw = (rows: readonly (readonly string[])[]): string[] =>
    drawTable(rows.map(([label = '', ...cells]) => [paintLabel(label), ...cells.map(write)]));
  const facts = draw(factsOf(group, words));
  const beside = isKnown || group.summary.maxGust !== null ? draw(speedsOf(group, words)) : [];
  const title = [...words.title(statistics, [], style), ''];
  const width = Math.max(...facts.map((line) => stringWidth(line)));
  const widthBeside = Math.max(0, ...beside.map((line) => stringWidth(line)));
  if (columns !== undefined && width + GAP + widthBeside > columns) {
    return [...title, ...facts, ...(beside.length > 0 ? ['', ...beside] : [])];
  }
  const lines = Array.from({ length: Math.max(facts.length, beside.length) }, (_, at) => {
    const fact = facts[at] ?? '';
    return `${fact}${' '.repeat(width + GAP - stringWidth(fact))}${beside[at] ?? ''}`.trimEnd();
  });
  return [...title, ...lines];
}

/** Number of blanks between facts and distribution where they are side by side. */
const GAP = 4;

function factsOf({ summary, held }: Group, words: StatisticsWords): string[][] {
  const { readings, missing, stepS, coverage, gaps, longestGap, maxGustAt } = summary;
  const { speed, spread, unit } = words;
  const inUnit = (text: string): string => (text === NOTHING ? text : `${text} ${unit}`);
  const every = stepS === null ? '' : `, every ${formatLength(stepS)}`;
  return [
    ['readings', words.count(readings) + every],
    ...(missing > 0 ? [['no average', words.count(missing)]] : []),
    [
      'coverage',
      formatShare(coverage) +
        (gaps > 0 ? `, ${words.count(gaps)} ${gaps === 1 ? 'gap' : 'gaps'}` : ''),
    ],
    ...(longestGap
      ? [
          ['longest gap', formatLength(longestGap.lengthS)],
          ['  from', words.time(longestGap.start)],
        ]
      : []),
    ...(readings === missing && summary.maxGust === null
      ? []
      : [
          ['mean', inUnit(speed(summary.mean))],
          ['deviation', inUnit(spread(summary.std))],
          ['calm', formatShare(summary.calm)],
          ['max gust', inUnit(speed(summary.maxGust))],
          ['  at', words.time(maxGustAt)],
          ['gust factor', words.factor(summary.gustFactor)],
          ['direction', describeDirection(summary.prevailingDirection, summary.directionStd)],
          [
            'mean vector',
            `${formatDirection(summary.vectorDirection)}, ${inUnit(speed(summary.vectorSpeed))}`,
          ],
          ['steadiness', words.factor(summary.steadiness)],
          ['Weibull', `k ${words.factor(summary.weibullK)}, A ${inUnit(spread(summary.weibullA))}`],
          [
            'power',
            summary.powerDensity === null ? NOTHING : `${words.whole(summary.powerDensity)} W/m²`,
          ],
        ]),
    ...(held
      ? [
          ['condition', `${held.hours.toFixed(1)} h, ${formatShare(held.share)} of the time`],
          ['  days', words.count(held.days)],
          ['  best month', held.bestMonth ?? NOTHING],
        ]
      : []),
  ];
}

function describeDirection(degrees: number | null, std: number | null): string {
  const spread = std === null ? '' : ` ± ${Math.round(std)}°`;
  return degrees === null ? NOTHING : formatDirection(degrees) + spread;
}

/** The distribution of speeds: percentiles of average and gust, and shares of Beaufort forces. */
function speedsOf({ summary }: Group, { speed, unit }: StatisticsWords): string[][] {
  const pad = (...texts: string[]): string[] => texts.map((text) => text.padStart(6));
  const { percentiles, gustPercentiles, beaufort } = summary;
  const forces = beaufort?.flatMap((share, force) => (share > 0 ? [[force, share] as const] : []));
  return [
    [unit, ...pad('avg', 'gust')],
    ['min', ...pad(speed(summary.min), '')],
    ...PERCENTILES.map((p, place) => [
      `p${p}`,
      ...pad(speed(percentiles[place]), speed(gustPercentiles[place])),
    ]),
    ['max', ...pad(speed(summary.max), speed(summary.maxGust))],
    ...(forces ?? []).map(([force, share]) => [`${force} Bft`, ...pad(formatShare(share))]),
  ];
}
