import { type Command, Option } from 'commander';
import { readConfig } from '../../flags/config.ts';
import {
  addOutputOptions,
  addPeriodOptions,
  addPlainSelectionOptions,
  addQualityOption,
  addRequestOptions,
  CALM_OPTION,
  SECTOR_CHOICES,
} from '../../flags/options.ts';
import { formatNames, STATISTICS_FORMATS } from '../../formats/index.ts';
import { GROUP_KEYS } from '../../statistics/statistics.ts';
import {
  addExamples,
  type DeclareCommand,
  HISTORY_ARGUMENT,
  STATION_FILES_NOTE,
} from '../declaration.ts';
import { readStatsRequest, type StatsFlags } from './request.ts';
import { runStats } from './run.ts';

export const declareCommand: DeclareCommand = (command, { io, perform }) => {
  command
    .argument(...HISTORY_ARGUMENT)
    .description('Computes what the wind was like: means, extremes, percentiles, directions.');
  addPeriodOptions(command, true);
  addQualityOption(command)
    .optionsGroup('Statistics:')
    .option(
      '--by <keys>',
      `rows by ${GROUP_KEYS.join(', ')}, or two of them, e.g. month-of-year,hour-of-day`,
    )
    .option(...CALM_OPTION)
    .option('--rose', 'per cents of readings by sector and class of speed')
    .addOption(
      new Option('--sectors <n>', 'sectors of direction, e.g. 8 (default: 16)').choices(
        SECTOR_CHOICES,
      ),
    )
    .option(
      '--classes <speeds>',
      'lower bounds of the classes of --rose (default: Beaufort forces), e.g. 5,10,15,20',
    )
    .option(
      '--where <condition>',
      "how often a condition held (it selects no station here), e.g. 'avg in 12..25kn'",
    )
    .option('--spells', 'how long --where lasted at a time: its longest runs')
    .option(
      '--for <duration>',
      'least time of --where in a day, or of a spell, to count (default: 1h in a day, any spell), e.g. 2h',
    )
    .option('--above <speeds>', 'hours and days at or above each speed, e.g. 10,15,20,25kn')
    .addOption(
      new Option('--value <value>', 'value for --above (default: avg), e.g. gust').choices([
        'avg',
        'gust',
      ]),
    )
    .option('--climate', 'each month of the year, over all years');
  addPlainSelectionOptions(command);
  addRequestOptions(command);
  addOutputOptions(command, formatNames(STATISTICS_FORMATS)).action(
    async (stations: string[], _, self: Command) => {
      const flags = self.optsWithGlobals<StatsFlags>();
      await perform(readStatsRequest(stations, flags, readConfig(io), io), runStats);
    },
  );
  addExamples(
    command,
    'vane stats 110 --start 2024 --stop 2025 --by month',
    "vane stats 110 --start 2024 --where 'avg > 15kn' --spells --for 2h",
    'vane stats --from station-110.csv.gz --rose --knots',
  );
};

/** The explanations of the command on the manual page, after its options. */
export const NOTES = `\
For each station and group, named as in ndjson and csv:

  readings, missing  distinct times, and those without an average
  frequency  with --by sector, instead of coverage: the sector's fraction of all readings of the period or, with a second key, of its group, such as the month; the fractions add up to 1 with calms and with readings that lack average or direction
  first, last  first and last time of a reading
  step_s  most frequent time between two readings, to 10 s; a group in which it came less than 5 times has the step of the station
  coverage  1 less the share of the period that gaps lost: two readings over 1.5 steps apart have a gap between them, which loses its length less one step; so does the time from the start of the period to the first reading, and from the last to the end; an interval of --by without a reading is a gap of its whole length; readings without an average count as none
  gaps, longest_gap_start, longest_gap_s  number of gaps, and the longest
  mean, std, min, max  of the average, calms included; std is that of the population
  max_gust, max_gust_at, min_lull  strongest gust and its time, weakest lull; the gust of a reading is the highest sample of its 4 minutes, the lull the lowest
  p5 … p99, gust_p5 … gust_p99  percentiles of average and gust, interpolated linearly (type 7 of Hyndman and Fan 1996)
  calm  share of averages below --calm, which have no direction
  vector_speed, vector_direction  resultant wind (EPA-454/R-99-005, 6.2.2); a calm adds nothing
  prevailing_direction, direction_std  of the directions alone; the latter by Yamartino 1984
  steadiness  vector_speed divided by mean
  gust_factor  median of gust divided by average, of averages of 10 km/h or more
  weibull_k, weibull_a  maximum likelihood of averages above 0
  power_density  W/m² in air of 1.225 kg/m³
  beaufort  shares of the forces 0 to 12; in csv bft_0 … bft_12
  hours, share, days, best_month  with --where: time for which the condition held, its share of the period, days with at least --for of it, and the month with most of it

json has these as objects in data, beside units, period and stations with the period of each. Shares
are 0 to 1, in --rose per cent of all readings. Speeds are not rounded in json and ndjson. In
Beaufort each speed is its force, and std and weibull_a are empty, since differences of speeds have
no force. Groups are of the zone of --tz; a group without a reading has zero readings.
A week begins on Monday and has year and number of ISO 8601 (2024-W05); a season is three months and
has the year of the last one: 2024-DJF is December 2023 to February 2024, then MAM, JJA and SON.

--rose has a row for each sector, whose centre sector is, and a last one for calm. class_0, class_1
are per cents of its classes [low, high); without --classes they are the Beaufort forces. A station
whose headings are at least 99 % multiples of 22.5 or of 10 degrees reports in such steps; its readings
are spread over that step, those of others over 1 degree, so that no number of --sectors favours a
sector. A reading spread over two sectors counts in both by its parts, with --by sector and its hours
too.

--where here is a condition on each reading: avg, max, min, gust_factor, dir, hour, and daylight
where the reading has its position. A reading stands for the time before it: back to the reading before, after a gap for one step. This time is split among
the groups and days in which it lies; what lies before the period counts nowhere. A day counts with
--for of it, or with one step less where the condition held beside a gap or at the start or end of
the period. A reading without an average stands for no time.

--spells has a row for each spell, a run of readings for which --where holds: station, the group of
--by in which it begins, start, stop, hours, mean (of the averages) and gust (the highest). A spell
begins one step of the station before its first reading, but neither before the period nor before the
end of the spell before, and ends with its last reading. A reading that fails the condition ends it,
and so do more than 3 missing readings: a time of over 4.5 steps between two. A reading without an
average, or whose missing values leave the condition open, is like a missing one. A spell over an
edge of the period counts with its part in the period. Only spells of at least --for count; without
--spells, --for is the time of --where that a day needs, in however many spells. The table has the
ten longest, then for each group number, median and total of all.

--quality leaves readings out by the flags of check; they count as missing rows.

--above has a row for each of its speeds, which are in the unit at their end or else in that of --units:

  above  the speed, in the unit of --units
  hours, share  time at or above it, and its share of the period, as with --where
  days  days with a reading at or above it, also of one without an average, by the time of the reading
  days_1h  days that --where and --for 1h would count

--climate has a row for each month of the year. A year counts if readings cover 80 % of its whole
month; the means leave out other years, and each year counts alike:

  years, years_left_out  number of years that count, and of others; the table marks the month by *
  mean, prevailing_direction  over the years, of each year's mean, and of its mean of directions
  max_gust, max_gust_direction, max_gust_at  of all years, also of those left out
  days_16ms, days_28ms  mean over the years of days with a gust of 16 and of 28 m/s or more
  coverage  share of the whole months, of all years

Impossible values are missing in statistics, pictures and steps of --every: speeds below 0 or over
450 km/h, directions outside 0 to 360. archive without --every writes them as they came.

${STATION_FILES_NOTE}

--from reads csv, txt, ndjson and parquet of archive, gzip too, told by their content, in the units
that their heads name, and all such files below a folder. A glob such as 'wind/*/2024.csv' is all
files and folders that match, unless a file has that name. The station is that of a folder
station=110, else of the column station, of the file's name (station-110.csv, 110.csv), of the folder
(110/2024.csv), else the one on the command line. With stations or a period, folders station=110 and
year=2024 that cannot match are not opened; a year may have rows up to eight days outside of it. A
row of another station or year than its folder is an error. Lines may end in LF, CRLF or CR, also mixed; a row
with more cells than columns is an error. Without --start and --stop the period of a station
is that of its readings, until one step after the last but within its hour. A speed that a file has
with two decimals of kn, m/s or mph equals a bound of --where in another unit that rounds to it.`;
