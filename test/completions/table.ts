import { RELATIVE_WORDS } from '../../src/domain/period.ts';

const IDS = ['110', '603', '666', '1104', '1500'];

/** Words that each shell offers at the end of a line. */
export const OFFERS: readonly (readonly [line: string, offers: readonly string[]])[] = [
  ['vane ar', ['archive']],
  ['vane ca', ['cache']],
  ['vane cache ', ['clear', 'help', 'list', 'path']],
  ['vane cache cl', ['clear']],
  ['vane completion ', ['bash', 'fish', 'powershell', 'zsh']],
  ['vane help ar', ['archive']],
  ['vane --timeout 5s ca', ['cache']],
  ['vane --base-url http://127.0.0.1:8080 ca', ['cache']],
  ['vane --base-url=http://127.0.0.1:8080 ca', ['cache']],
  ['vane live --st', ['--state']],
  ['vane archive 110 --sp', ['--split']],
  ['vane cache clear --m', ['--max-size']],
  ['vane cache list --m', []],
  ['vane live --qu', ['--quiet']],
  ['vane live --format ', ['csv', 'geojson', 'json', 'ndjson', 'table', 'txt']],
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
  ['vane live --name=', []],
  ['vane archive --start ', [...RELATIVE_WORDS, 'today', 'yesterday']],
  ['vane archive --stop ', ['now', 'today', 'yesterday']],
  ['vane live -- --fo', []],
  ['vane live ', IDS],
  ['vane live 11', ['110', '1104']],
  ['vane live 110 ', IDS.filter((id) => id !== '110')],
  ['vane watch --exec live 15', ['1500']],
  ['vane live --name "Dune du" 15', ['1500']],
  ['vane live --tz Europe/Par', ['Europe/Paris']],
  ['vane archive --columns wind_speed_m', ['wind_speed_max', 'wind_speed_min']],
  ['vane archive --columns time,g', ['time,gust']],
  ['vane archive --columns=time,time,ti', []],
  ['vane stats --by mon', ['month', 'month-of-year']],
  ['vane stats --by=year,se', ['year,sector']],
  ['vane stats 110 --rose --sectors 1', ['12', '16']],
  ['vane watch --when tr', ['trend']],
  ["vane watch --when 'avg > 15kn and (tr", ['avg > 15kn and (trend']],
  ["vane watch --when 'avg > 15kn t", []],
  ['vane config set u', ['units']],
  ['vane config set units m', ['mph', 'ms']],
  ['vane config set tz Europe/Par', ['Europe/Paris']],
  ['vane config set favourites.home 60', ['603']],
];

/** What a line of the table offers, as names of tests say it. */
export const named = (offers: readonly string[]): string =>
  offers.length > 0 ? `the words ${JSON.stringify(offers)}` : 'no word';

/** Lines after which only options may follow. */
export const NO_MORE_WORDS = ['vane serve ', 'vane cache path ', 'vane completion zsh '];

/** Lines that Tab completes, where one word fits. */
export const LINES: readonly (readonly [line: string, completed: string])[] = [
  ['vane me', 'vane meta '],
  ['vane live --format=cs', 'vane live --format=csv '],
  ['vane live -o wi', 'vane live -o wind\\ 2024.csv '],
  ['vane live --output=wi', 'vane live --output=wind\\ 2024.csv '],
  ['vane live -o "wi', 'vane live -o "wind 2024.csv" '],
  ['vane serve --log fo', 'vane serve --log folder/'],
  ['echo 1 | vane me', 'echo 1 | vane meta '],
  ['TZ=UTC vane live -q --kno', 'TZ=UTC vane live -q --knots '],
  ['vane live --name wi', 'vane live --name wi'],
  ['vane live lo', 'vane live lo'],
  ['vane live 66', 'vane live 666 '],
  ['vane live 60', 'vane live 603 '],
  ['vane archive --columns time,press', 'vane archive --columns time,pressure'],
  ['vane archive --columns=time,press', 'vane archive --columns=time,pressure'],
  ['vane config set fav', 'vane config set favourites.'],
  ['vane config set base_url https:', 'vane config set base_url https://api.pioupiou.fr '],
];

/** Offers as the shells agree on them: without what they already stand behind, or end in. */
export const bare = (offers: readonly string[]): string[] =>
  [
    ...new Set(offers.map((offer) => offer.replace(/^(--[\w-]+=)(?=.)/, '').replace(/=$/, ''))),
  ].sort();
