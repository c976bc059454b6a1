import { terms } from '../../completions/reference.ts';

/** Meanings of the fields of `vane stats`; fields of one kind share an entry. */
const STATISTICS_MEANINGS = {
  'readings, missing': 'distinct times, and those without an average',
  'first, last': 'first and last time of a reading',
  step_s: 'most frequent time between two readings, to 10 s',
  coverage:
    '1 less the share of the period that gaps lost: two readings over 1.5 steps apart have a gap between them, which loses its length less one step; so does the start and the end of the period; an interval of --by without a reading is a gap of its whole length',
  'gaps, longest_gap_start, longest_gap_s': 'number of gaps, and the longest',
  'mean, std, min, max': 'of the average, calms included; std is that of the population',
  'max_gust, max_gust_at, min_lull': 'strongest gust and its time, weakest lull',
  'p5 … p99, gust_p5 … gust_p99':
    'percentiles of average and gust, interpolated linearly (type 7 of Hyndman and Fan 1996)',
  calm: 'share of averages below --calm, which have no direction',
  'vector_speed, vector_direction': 'resultant wind (EPA-454/R-99-005, 6.2.2); a calm adds nothing',
  'prevailing_direction, direction_std': 'of the directions alone; the latter by Yamartino 1984',
  steadiness: 'vector_speed divided by mean',
  gust_factor: 'median of gust divided by average, of averages of 10 km/h or more',
  'weibull_k, weibull_a': 'maximum likelihood of averages above 0',
  power_density: 'W/m² in air of 1.225 kg/m³',
  beaufort: 'shares of the forces 0 to 12; in csv bft_0 … bft_12',
  'hours, share, days, best_month':
    'with --where: time for which the condition held, its share of the period, days with at least --for of it, and the month with most of it',
} as const;

/** What the manual page adds to the help of `vane stats`. */
export const NOTES = `\
For each station and group, named as in ndjson and csv:

${terms(STATISTICS_MEANINGS)}

Shares are 0 to 1, in --rose per cent of all readings. Speeds are not rounded in
json and ndjson. In Beaufort each speed is its force, and std and weibull_a are
empty, since differences of speeds have no force. Groups are of the zone of --tz; a
group without a reading has zero readings.

--rose has a row for each sector, whose centre sector is, and a last one for calm.
class_0, class_1 are per cents of its classes [low, high); without --classes they
are the Beaufort forces. Headings in steps of 22.5 degrees are spread over their
step, so that no number of --sectors favours some.

--where here is a condition on each reading: avg, max, min, gust_factor, dir.
With --by it is measured in each group.

--from reads csv, txt, ndjson and parquet of archive, gzip too, told by their
content, in the units that their heads name. Stations are those of the column
station, else of the file's name (station=110/2024.csv, station-110.csv, 110.csv),
else the one on the command line. Without --start and --stop the period of a
station is that of its readings.`;
