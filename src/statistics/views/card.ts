import type { DocumentBlock, ValueWriter } from '../../domain/document.ts';
import { PERCENTILES } from '../distribution.ts';
import type { WindSummary } from '../statistics.ts';
import type { StationGroup } from './view.ts';

/**
 * The statistics of one group as facts in at most 40 columns, with the distribution of speeds
 * beside them.
 * @param unit the label of the unit of speeds
 */
export function summaryCard(
  { summary }: StationGroup,
  write: ValueWriter,
  unit: string,
  added: readonly string[][],
): DocumentBlock {
  const isKnown = summary.mean !== null || summary.maxGust !== null;
  return {
    facts: [
      ...readingFacts(summary, write),
      ...(summary.readings === summary.missing && summary.maxGust === null
        ? []
        : windFacts(summary, write, unit)),
      ...added,
    ],
    beside: isKnown ? distribution(summary, write, unit) : [],
  };
}

function readingFacts(summary: WindSummary, write: ValueWriter): string[][] {
  const { readings, missing, stepS, coverage, gaps, longestGap } = summary;
  const every = stepS === null ? '' : `, every ${write('length', stepS)}`;
  const ofGaps = gaps > 0 ? `, ${write('count', gaps)} ${gaps === 1 ? 'gap' : 'gaps'}` : '';
  return [
    ['readings', write('count', readings) + every],
    ...(missing > 0 ? [['no average', write('count', missing)]] : []),
    ['coverage', write('share', coverage) + ofGaps],
    ...(longestGap
      ? [
          ['longest gap', write('length', longestGap.lengthS)],
          ['  from', write('time', longestGap.start)],
        ]
      : []),
  ];
}

function windFacts(summary: WindSummary, write: ValueWriter, unit: string): string[][] {
  const nothing = write('plain', null);
  const inUnit = (text: string): string => (text === nothing ? text : `${text} ${unit}`);
  const speed = (kmh: number | null): string => inUnit(write('speed', kmh));
  const { prevailingDirection, directionStd, powerDensity } = summary;
  const spread =
    prevailingDirection === null || directionStd === null
      ? ''
      : ` ± ${write('whole', directionStd)}°`;
  const power = write('whole', powerDensity);
  return [
    ['mean', speed(summary.mean)],
    ['deviation', inUnit(write('spread', summary.std))],
    ['calm', write('share', summary.calm)],
    ['max gust', speed(summary.maxGust)],
    ['  at', write('time', summary.maxGustAt)],
    ['gust factor', write('hundredths', summary.gustFactor)],
    ['direction', write('direction', prevailingDirection) + spread],
    [
      'mean vector',
      `${write('direction', summary.vectorDirection)}, ${speed(summary.vectorSpeed)}`,
    ],
    ['steadiness', write('hundredths', summary.steadiness)],
    [
      'Weibull',
      `k ${write('hundredths', summary.weibullK)}, A ${inUnit(write('spread', summary.weibullA))}`,
    ],
    ['power', powerDensity === null ? power : `${power} W/m²`],
  ];
}

/** The distribution of speeds: percentiles of average and gust, and shares of Beaufort forces. */
function distribution(summary: WindSummary, write: ValueWriter, unit: string): string[][] {
  const pad = (...texts: string[]): string[] => texts.map((text) => text.padStart(6));
  const speed = (kmh: number | null = null): string => write('speed', kmh);
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
    ...(forces ?? []).map(([force, share]) => [`${force} Bft`, ...pad(write('share', share))]),
  ];
}
