import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import pMap from 'p-map';
import { DAY_MS } from '../../domain/dates.ts';
import type { Archive, LiveStation } from '../../domain/envelope.ts';
import type { Period } from '../../domain/period.ts';
import {
  firstRowsOfTimes,
  type ReadingColumns,
  withoutImpossibleValues,
} from '../../domain/readings/columns.ts';
import { parseLines } from '../../domain/readings/readLines.ts';
import { positionOf } from '../../domain/station.ts';
import { NotFoundError, UnavailableError, VaneError } from '../../errors.ts';
import type { Figure } from '../../figures/figure.ts';
import { FIGURE_KINDS } from '../../figures/kinds.ts';
import type { PlotData, PlotStation } from '../../figures/plotData.ts';
import { abortable, anySignal } from '../../io.ts';
import type { QueryArguments } from '../../wire/requests.ts';
import { refuseInexactId } from '../api/endpoints.ts';
import { type ResponseTools, sendResponse } from '../api/respond.ts';
import { cutByChunk } from '../cache/chunkGrid.ts';
import { createQueue, type WaitingClients } from '../cache/queue.ts';
import type { ResponseBody, ResponsePlan } from '../cache/responses.ts';
import type { StationSource } from '../cache/source.ts';
import {
  archiveKey,
  type CachedData,
  isFinalData,
  joinValidity,
  type ResponseValidity,
} from '../cache/source.ts';
import { MAX_REFRESH_WAIT_MS } from '../cache/staleWhileRevalidate.ts';
import { createRefusal, errorResponse } from '../edge/errorResponses.ts';
import { NO_STORE, PNG_TYPE } from '../edge/headers.ts';
import { createPngRenderer } from './pngThread.ts';
import { PLOT_ARGUMENTS, PLOT_FORMATS, type PlotQuery, readPlotQuery } from './query.ts';

/**
 * Maximum number of pictures in progress, in total and per client. A picture of a year takes the
 * main thread a second, and 7 MB. If the service is slow, only two pictures of one client wait for
 * it, and those of others can be drawn.
 */
const CONCURRENCY = 16;
const MAX_OF_CLIENT = 2;
/** Maximum number of queued pictures. Further ones would wait until their clients give up. */
const MAX_WAITING = 50;

/** Number of chunks requested at once for one picture. */
const CHUNK_CONCURRENCY = 4;
/** How long a dial waits for the readings before the latest measurement, milliseconds. */
const HASTE_MS = 3000;
/**
 * Maximum memory of final readings, bytes. That is 500,000 readings, or almost 4 years of readings
 * every 4 minutes.
 */
const MAX_FINAL_BYTES = 32e6;
const ROW_BYTES = 64;

/**
 * The Content-Security-Policy of pictures. They run no script and load nothing, even if a station's
 * name contains SVG code.
 */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const SVG_TYPE = 'image/svg+xml; charset=utf-8';

const PLOT_PATH = '/plot/:station/:picture';

/** The path of the pictures for people to read. */
export const PLOT_PATH_TEMPLATE = '/plot/{station_id}/{kind}.{format}';

interface Route {
  readonly Params: { readonly station: string; readonly picture: string };
  readonly Querystring: QueryArguments;
}

/**
 * Adds the endpoints of pictures, such as /plot/110/rose.png.
 * @param clock returns the current time for `now` and words such as `last-hour`
 */
export function addPlots(
  app: FastifyInstance,
  source: StationSource,
  clock: () => number,
  tools: ResponseTools,
): void {
  const closing = new AbortController();
  app.addHook('preClose', async () =>
    closing.abort(createRefusal('overloaded', 'The server is stopping.')),
  );
  const draw = createDrawing(source, closing.signal);
  app.all<Route>(PLOT_PATH, (request, reply) => {
    const { station, picture } = request.params;
    const [kindName, formatName, ...rest] = picture.split('.');
    const kind = FIGURE_KINDS.find((one) => one === kindName);
    const format = PLOT_FORMATS.find((one) => one === formatName);
    if (!kind || !format || rest.length > 0) throw unknownPicture();
    const now = clock();
    const query = readPlotQuery(kind, format, station, request.query, now);
    const plan: ResponsePlan = {
      key: `plot ${JSON.stringify(query)}`,
      // Never send an older dial, since its wind would look like the wind now.
      ...(kind !== 'now' && {
        series: `${query.stations} ${picture} ${argumentsOf(request.query)}`,
      }),
      load: async (caller, hasOlder) => {
        using ended = anySignal(caller.signal, closing.signal);
        return await draw(query, now, hasOlder, { ...caller, signal: ended.signal });
      },
    };
    reply.header('content-security-policy', POLICY);
    const sent = sendResponse(plan, request, reply, tools);
    if (format !== 'svg') return sent;
    return sent.catch(async (error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
      // Send the error as a picture, so that a page that embeds it shows the sentence.
      const { status, headers } = errorResponse(error);
      const svg = (await loadSvgDrawing()).notice(error.message, query);
      return reply
        .code(status)
        .headers({ ...NO_STORE, ...headers })
        .type(SVG_TYPE)
        .send(svg);
    });
  });
}

/** The known arguments of a picture as the client sent them, in a fixed order. */
const argumentsOf = (query: QueryArguments): string =>
  JSON.stringify(PLOT_ARGUMENTS.map((name) => query[name]));

const unknownPicture = () =>
  createRefusal(
    'not_found',
    `There is no such picture; choose from ${FIGURE_KINDS.join(', ')}, each as ${PLOT_FORMATS.join(' and ')}, such as /plot/110/series.svg.`,
  );

/** Loads the data of pictures and draws them, a few at once. */
function createDrawing(source: StationSource, closing: AbortSignal) {
  const queue = createQueue(CONCURRENCY, MAX_WAITING, MAX_OF_CLIENT);
  const waitForTurn = createTurns(closing);
  const drawPng = createPngRenderer();
  const fetchHistory = createHistory(source);

  /**
   * Draws a picture, unless `signal` aborts first.
   * @param reader the clients that wait for the readings; loading stops when its own signal aborts
   */
  async function draw(query: PlotQuery, now: number, signal: AbortSignal, reader: WaitingClients) {
    const isOfNow = query.kind === 'now';
    const lives = await Promise.all(
      query.stations.map((id) => findStation(id, query, source, reader.signal)),
    );
    // A dial does not need the earlier readings: draw it without them if they fail or take long.
    const hasty = isOfNow ? { ...reader, signal: impatient(reader.signal, HASTE_MS) } : reader;
    const orNone = (error: unknown): readonly HistoryPart[] => {
      if (isOfNow && error instanceof VaneError && !reader.signal.aborted) return [];
      throw error;
    };
    const archives: HistoryPart[] = [];
    const stations: PlotStation[] = [];
    for (const { data } of lives) {
      const live = data.data;
      const { id, meta } = live;
      const parts = await fetchHistory(id, query.period, now, hasty).catch(orNone);
      archives.push(...parts);
      const readings = parts.map(({ columns }) => columns);
      stations.push({ id, name: meta.name, position: positionOf(live), readings, live });
    }
    const { period, zone, unit } = query;
    const { license, attribution } = archives.at(-1) ?? (lives[0] as CachedData<LiveStation>).data;
    const data: PlotData = { stations, period, zone, unit, license, attribution };
    const { picture: drawSvg } = await loadSvgDrawing();
    const svg = await waitForTurn(() => drawSvg(data, query), signal);
    const picture: ResponseBody =
      query.format === 'png'
        ? { type: PNG_TYPE, body: await abortable(drawPng(svg, signal), signal) }
        : { type: SVG_TYPE, body: svg };
    const validity = isOfNow ? validityOfLive(lives) : validityOf(archives, now);
    return { ...validity, write: () => picture };
  }

  return (query: PlotQuery, now: number, hasOlder: boolean, caller: WaitingClients) => {
    const { signal } = caller;
    const reader = hasOlder ? { ...caller, signal: impatient(signal) } : caller;
    return queue.run(() => draw(query, now, signal, reader), reader);
  };
}

/**
 * Finds a station of a picture.
 * @throws NotFoundError that names the station if there are several
 */
async function findStation(
  id: number,
  { stations }: PlotQuery,
  source: StationSource,
  signal: AbortSignal,
) {
  try {
    return (await source.live(refuseInexactId(id), false, signal)) as CachedData<LiveStation>;
  } catch (error) {
    if (!(error instanceof NotFoundError) || stations.length === 1) throw error;
    if (error.message.includes(String(id))) throw error;
    throw new NotFoundError(`Station ${id}: ${error.message}`);
  }
}

/**
 * A signal that aborts with another one. It also aborts, with UnavailableError, after a time. By
 * default, that is when live requests would stop waiting for the service.
 */
function impatient(signal: AbortSignal, patienceMs = MAX_REFRESH_WAIT_MS): AbortSignal {
  const over = new AbortController();
  const giveUp = () => over.abort(new UnavailableError('The service takes too long.'));
  setTimeout(giveUp, patienceMs).unref();
  return AbortSignal.any([signal, over.signal]);
}

/** The readings of a chunk. */
interface HistoryPart extends ResponseValidity, Pick<Archive, 'license' | 'attribution'> {
  readonly columns: ReadingColumns;
}

/**
 * Creates a loader of readings for periods. It works chunk by chunk, keeps the columns, and drops
 * the text.
 */
function createHistory(source: StationSource) {
  const final = new LRUCache<string, HistoryPart>({
    maxSize: MAX_FINAL_BYTES,
    sizeCalculation: ({ columns }) => ROW_BYTES * (columns.count + 10),
  });

  async function fetchPart(
    station: number,
    period: Period,
    caller: WaitingClients,
  ): Promise<HistoryPart> {
    const key = archiveKey(station, period);
    const known = final.get(key);
    if (known) return known;
    const { data, ...validity } = await source.archive(station, period, caller);
    const { possible: columns } = withoutImpossibleValues(firstRowsOfTimes(parseLines(data.rows)));
    const { license, attribution } = data;
    const part = { ...validity, columns, license, attribution };
    if (isFinalData(part)) final.set(key, part);
    return part;
  }

  /**
   * Loads the readings of a station in a period.
   * @param now the current time, milliseconds since 1970
   */
  return (station: number, period: Period, now: number, caller: WaitingClients) => {
    const parts = Array.from(cutByChunk(period, now), ({ wanted }) => wanted);
    const options = { concurrency: CHUNK_CONCURRENCY, signal: caller.signal };
    return pMap(parts, (part) => fetchPart(station, part, caller), options);
  };
}

/** How long a dial is valid, which is as long as the live data. */
function validityOfLive(lives: readonly ResponseValidity[]): ResponseValidity {
  return { ...joinValidity(lives), isStale: lives.some(({ isStale }) => isStale) };
}

/** How long a picture is valid. Its readings may be final, but the name of its station is not. */
function validityOf(archives: readonly ResponseValidity[], now: number): ResponseValidity {
  const validity = joinValidity(archives);
  if (!isFinalData(validity)) return validity;
  return { ...validity, requestedMs: now, freshUntilMs: now + DAY_MS };
}

/**
 * Lets one picture at a time be drawn, and pauses as long after it, so that half of the time is
 * left for other requests.
 */
function createTurns(closing: AbortSignal) {
  const oneAtATime = pLimit(1);
  return <T>(draw: () => T, signal: AbortSignal): Promise<T> =>
    new Promise((resolve, reject) => {
      oneAtATime(async () => {
        const startedMs = performance.now();
        try {
          signal.throwIfAborted();
          resolve(draw());
        } catch (error) {
          reject(error);
        }
        await sleep(performance.now() - startedMs, undefined, { signal: closing }).catch(() => {});
      });
    });
}

/**
 * Loads the drawing code for the first picture.
 * @returns functions that draw SVG
 */
async function loadSvgDrawing() {
  const figures = await import('../../figures/index.ts');
  const { drawNoReadingsNotice, drawFigure, drawNotice, pixelStyle, writeSvg } = figures;
  const styleOf = ({ width, height, isBound }: PlotQuery) => pixelStyle(width, height, { isBound });
  const write = (figure: Figure, { format, theme }: PlotQuery): string =>
    writeSvg(figure, { theme: theme ?? (format === 'png' ? 'light' : 'both') });
  return {
    picture(data: PlotData, query: PlotQuery): string {
      const hasNone = data.stations.every(({ readings }) => readings.every(({ count }) => !count));
      const style = styleOf(query);
      if (hasNone && query.kind !== 'now') return write(drawNoReadingsNotice(data, style), query);
      return write(drawFigure(query.kind, data, query.options, style), query);
    },
    notice: (sentence: string, query: PlotQuery): string =>
      write(drawNotice(`Wind at ${query.stations.join(', ')}`, sentence, styleOf(query)), query),
  };
}
