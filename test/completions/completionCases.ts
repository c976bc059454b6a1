import type { CompletionOffers } from '../../src/completions/complete.ts';
import { TYPED_START_WORDS } from '../../src/domain/period.ts';
import { formatNames, STATION_FORMATS } from '../../src/formats/index.ts';

const IDS = ['110', '603', '666', '1104', '1500'];

/** A line, and the words that vane offers at its end, with their kind, which is `words` by default. */
export type Row = readonly [
  line: string,
  offers: readonly string[],
  kind?: CompletionOffers['kind'],
];

/** A row, and the line as Tab leaves it in bash and zsh; undefined where the two differ. */
export type ShellRow = readonly [...Required<Row>, completed: string | undefined];

/**
 * Lines that completionCases.test.ts completes by vane, and that each real shell completes by its script too.
 * There is one line for each property of a line that a script depends on.
 */
export const SHELL_OFFERS: readonly ShellRow[] = [
  // A begun word, an empty word, and an option.
  ['vane ar', ['archive'], 'words', 'vane archive '],
  ['vane cache ', ['clear', 'help', 'list', 'path'], 'words', 'vane cache '],
  ['vane live --st', ['--state'], 'words', 'vane live --state '],
  // A place where only options may follow, and one where `--` has ended the options.
  ['vane serve ', [], 'words', 'vane serve '],
  ['vane live -- --fo', [], 'words', 'vane live -- --fo'],
  // A value joined to its option by =.
  ['vane live --format=cs', ['csv'], 'words', 'vane live --format=csv '],
  ['vane live --name=', [], 'words', 'vane live --name='],
  // Words with = and : before the cursor.
  [
    'vane --base-url=http://127.0.0.1:8080 ca',
    ['cache'],
    'words',
    'vane --base-url=http://127.0.0.1:8080 cache ',
  ],
  // A value with a slash.
  ['vane live --tz Europe/Par', ['Europe/Paris'], 'words', 'vane live --tz Europe/Paris '],
  // Stations, whose names are hostile: all of them, two of them, and one with each kind of command.
  ['vane live ', IDS, 'words', 'vane live '],
  ['vane live 11', ['110', '1104'], 'words', 'vane live 110'],
  ['vane live 60', ['603'], 'words', 'vane live 603 '],
  ['vane live 66', ['666'], 'words', 'vane live 666 '],
  // Lists that go on after a comma, so that no blank follows.
  [
    'vane archive --columns time,press',
    ['time,pressure'],
    'open',
    'vane archive --columns time,pressure',
  ],
  [
    'vane archive --columns=time,press',
    ['time,pressure'],
    'open',
    'vane archive --columns=time,pressure',
  ],
  // Quotes that end before the cursor, and a quote that is open at the cursor.
  ['vane live --name "Dune du" 15', ['1500'], 'words', 'vane live --name "Dune du" 1500 '],
  [
    "vane watch --when 'avg > 15kn and (tr",
    ['avg > 15kn and (trend'],
    'open',
    // bash also closes the quote.
    undefined,
  ],
];

/**
 * Lines that only vane tells from those of `SHELL_OFFERS`, so that no shell is tested with them.
 */
export const OTHER_OFFERS: readonly Row[] = [
  ['vane ca', ['cache']],
  ['vane me', ['meta']],
  ['vane cache cl', ['clear']],
  ['vane cache path ', []],
  ['vane completion ', ['bash', 'fish', 'powershell', 'zsh']],
  ['vane completion zsh ', []],
  ['vane help ar', ['archive']],
  ['vane help config ', ['get', 'list', 'path', 'set', 'unset']],
  ['vane --timeout 5s ca', ['cache']],
  ['vane --base-url http://127.0.0.1:8080 ca', ['cache']],
  ['vane archive 110 --sp', ['--split']],
  ['vane cache clear --m', ['--max-size']],
  ['vane cache list --m', []],
  ['vane live --qu', ['--quiet']],
  ['vane live -q --kno', ['--knots']],
  ['vane live --format ', formatNames(STATION_FORMATS).sort()],
  ['vane live --format=c', ['csv']],
  ['vane live -f nd', ['ndjson']],
  ['vane watch -f i', ['influx']],
  ['vane archive 110 --start 2024 --split ', ['month', 'year']],
  ['vane live --sort=g', ['gust']],
  ['vane live --demo --de', []],
  ['vane --demo live --de', []],
  ['vane live --no-color --co', []],
  ['vane live -f csv --fo', []],
  ['vane live --format=csv --fo', []],
  ['vane live --name ', []],
  ['vane watch 110 --exec ', []],
  ['vane live --name wi', []],
  ['vane live lo', []],
  ['vane archive --start ', [...TYPED_START_WORDS, 'today', 'yesterday']],
  ['vane archive --stop ', ['now', 'today', 'yesterday']],
  ['vane live 110 ', IDS.filter((id) => id !== '110')],
  ['vane live 15', ['1500']],
  ['vane watch --exec live 15', ['1500']],
  ['vane archive --columns wind_speed_m', ['wind_speed_max', 'wind_speed_min'], 'open'],
  ['vane archive --columns time,g', ['time,gust'], 'open'],
  ['vane archive --columns=time,time,ti', [], 'open'],
  ['vane stats --by mon', ['month', 'month-of-year'], 'open'],
  ['vane stats --by=year,se', ['year,season', 'year,sector'], 'open'],
  ['vane stats --by we', ['week'], 'open'],
  ['vane archive --every 1', ['10min', '15min', '1h', '12h', '1d', '1w', '1mo']],
  ['vane stats 110 --rose --sectors 1', ['12', '16']],
  ['vane watch --when tr', ['trend'], 'open'],
  ["vane watch --when 'avg > 15kn t", []],
  ['vane config set u', ['units']],
  ['vane config set units m', ['mph', 'ms']],
  ['vane config set tz Europe/Par', ['Europe/Paris']],
  ['vane config set fav', ['favourites.'], 'open'],
  ['vane config set favourites.home 60', ['603']],
  ['vane config set base_url https:', ['https://api.pioupiou.fr', 'https://api.openwindmap.org']],
];

/** Words that are offered, as names of tests say it. */
export const named = (offers: readonly string[]): string =>
  offers.length > 0 ? `the words ${JSON.stringify(offers)}` : 'no word';

/**
 * Lines as Tab leaves them in bash and zsh where the shell itself has a part in it: names of files,
 * which the shell offers, commands after others on a line, and a colon, at which bash ends a word.
 */
export const LINES: readonly (readonly [line: string, completed: string])[] = [
  ['vane live -o wi', 'vane live -o wind\\ 2024.csv '],
  ['vane live --output=wi', 'vane live --output=wind\\ 2024.csv '],
  ['vane live -o "wi', 'vane live -o "wind 2024.csv" '],
  ['vane serve --log fo', 'vane serve --log folder/'],
  ['vane live lo', 'vane live lo'],
  ['echo 1 | vane me', 'echo 1 | vane meta '],
  ['TZ=UTC vane live -q --kno', 'TZ=UTC vane live -q --knots '],
  ['vane config set base_url https://api.p', 'vane config set base_url https://api.pioupiou.fr '],
];

/** Offers as the shells agree on them: without what they already stand behind, or end in. */
export const bare = (offers: readonly string[]): string[] =>
  [
    ...new Set(offers.map((offer) => offer.replace(/^(--[\w-]+=)(?=.)/, '').replace(/=$/, ''))),
  ].sort();
