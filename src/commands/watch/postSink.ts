import { replaceControlCharacters } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';
import type { WatchRecord, WatchRecordStyle } from '../../formats/format.ts';
import { writeRecordWithCredit } from '../../formats/json.ts';
import { type LineTemplate, readLineTemplate } from '../../formats/line.ts';
import {
  EVENT_WORDS,
  formatRecordValue,
  type RecordPlaceholder,
} from '../../formats/recordFields.ts';
import { createPoster } from '../../output/post.ts';
import type { PostDocument } from '../../service/http/transport.ts';
import { httpClientOptions } from '../../session/session.ts';
import { readValueOrFile } from './secretFile.ts';
import type { RecordStyles, SinkTools, WatchSink } from './sink.ts';

export interface PostFlags {
  readonly post?: string;
  readonly postEach?: 'event' | 'reading';
  readonly postText?: string;
  readonly postHeader: readonly string[];
}

/** What `--post` sends, and the address to send it to. */
export interface PostOptions {
  readonly url: string;
  /** Whether to post each event or each new measurement. */
  readonly each: 'event' | 'reading';
  /** The templates of the body and the headers. */
  readonly templates: readonly string[];
  /** Creates the document to post for a record. */
  documentOf(record: WatchRecord, styles: RecordStyles): PostDocument;
}

/**
 * Reads the options of `--post`.
 * @param hasRule whether the watch has a condition, which events need
 * @returns undefined without `--post`
 * @throws UsageError
 */
export function readPostOptions(
  { post, ...flags }: PostFlags,
  hasRule: boolean,
): PostOptions | undefined {
  if (post === undefined) return refuseIdle(flags);
  const { postEach = 'event', postText } = flags;
  if (postEach === 'event' && !hasRule) {
    throw new UsageError(
      "--post needs a condition (--when or --until, such as --when 'avg > 15kn') or --post-each reading.",
    );
  }
  const headers = readHeaders(flags.postHeader);
  const written = headers.get('content-type')?.text ?? 'text/plain; charset=utf-8';
  const body = postText === undefined ? undefined : readText(postText, written);
  const contentType = body ? written : 'application/json';
  return {
    url: readAddress(post),
    each: postEach,
    templates: [postText ?? '', ...Array.from(headers.values(), ({ text }) => text)],
    documentOf(record, { forPrograms, forPeople }) {
      const write = (name: RecordPlaceholder) => shorten(spokenText(name, record, forPeople));
      const fill = ({ fill }: Header) => headerText(fill(write));
      return {
        headers: {
          'content-type': contentType,
          ...Object.fromEntries(Array.from(headers, ([name, header]) => [name, fill(header)])),
        },
        body: body?.(record, forPeople) ?? writeRecordWithCredit(record, forPrograms),
      };
    },
  };
}

function refuseIdle({ postEach, postText, postHeader }: PostFlags): undefined {
  const given = { each: postEach, text: postText, header: postHeader[0] };
  const idle = Object.entries(given).find(([, value]) => value !== undefined)?.[0];
  if (idle !== undefined) throw new UsageError(`--post-${idle} needs --post with an address.`);
}

/**
 * Reads the address of `--post`, or the address in the file that it names. No error quotes the
 * address: a webhook's address is a secret.
 */
function readAddress(value: string): string {
  const [given, second] = readValueOrFile('--post', value);
  if (second) throw new UsageError(`${second.place}: --post takes one address, not several.`);
  const { text = '', place } = given ?? {};
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href;
  throw new UsageError(
    `${place} takes an http or https address without a user, such as https://ntfy.sh/my-wind. Put a password into a file, as a line 'Authorization: …', and add --post-header @file.`,
  );
}

interface Header {
  /** The template as the user wrote it. */
  readonly text: string;
  readonly fill: LineTemplate;
}

/** Matches headers that the HTTP client sets itself. */
const OWN_HEADERS =
  /^(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/;

/**
 * Reads `--post-header`.
 * @returns the headers by lower-case name
 */
function readHeaders(values: readonly string[]): ReadonlyMap<string, Header> {
  const given = values.flatMap((value) => readValueOrFile('--post-header', value));
  const headers = new Map<string, Header>();
  for (const { text: header, place } of given) {
    const [, name, text] = /^([!#$%&'*+.^`|~\w-]+):\s*(\S.*)$/s.exec(header) ?? [];
    const key = name?.toLowerCase() ?? '';
    if (text === undefined || OWN_HEADERS.test(key)) {
      const own = text === undefined ? '' : `; HTTP itself sets ${name}`;
      throw new UsageError(`${place} takes a header such as 'Title: {name}'${own}.`);
    }
    if (headers.has(key)) throw new UsageError(`${place} gives ${name} twice.`);
    // Keep the value out of messages: it may be a password, as in `Authorization: Bearer …`.
    const fill = readLineTemplate(place, text, true);
    headers.set(key, { text, fill });
  }
  return headers;
}

/** A value for a message to people. An event becomes a word such as `started`. */
const spokenText = (
  name: RecordPlaceholder,
  record: WatchRecord,
  style: WatchRecordStyle,
): string =>
  name === 'event' && record.event !== undefined
    ? EVENT_WORDS[record.event.kind].word
    : formatRecordValue(name, record, style);

/**
 * Limits the length of a value: the station's owner chooses its name, and servers refuse headers of
 * more than 8 or 16 KiB.
 */
const shorten = (value: string): string => [...value].slice(0, 200).join('');

/**
 * Formats the value of a header. Control characters become spaces, so that a value cannot add a
 * header. Text beyond ASCII becomes encoded words of at most 75 characters (RFC 2047, 2), which
 * ntfy reads.
 */
function headerText(text: string): string {
  const line = replaceControlCharacters(text).trim();
  if (/^[ -~]*$/.test(line) && !line.includes('=?')) return line;
  const words = line.match(/.{1,11}/gsu) ?? [];
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}

/**
 * Reads `--post-text`. Values are escaped for the content type, since strangers choose the names of
 * stations.
 */
function readText(template: string, contentType: string) {
  const fill = readLineTemplate('--post-text', template);
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isJson = /^application\/(?:[\w.-]+\+)?json$/.test(type);
  if (isJson) checkJson(fill);
  const escapeValue = isJson
    ? escapeJson
    : type === 'application/x-www-form-urlencoded'
      ? encodeForm
      : (text: string) => text;
  return (record: WatchRecord, style: WatchRecordStyle): string => {
    const text = fill((name) => escapeValue(spokenText(name, record, style)));
    return isJson ? keepEscapes(text) : text;
  };
}

const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const encodeForm = (text: string): string => String(new URLSearchParams({ '': text })).slice(1);

/** Turns the line ends and tabs of a template back into `\n` and `\t`, as JSON needs them. */
const keepEscapes = (text: string): string => text.replaceAll('\n', '\\n').replaceAll('\t', '\\t');

/**
 * Checks the template of a JSON body.
 * @throws UsageError if the template is not JSON even with a letter in place of each placeholder
 */
function checkJson(fill: LineTemplate): void {
  try {
    JSON.parse(keepEscapes(fill(() => 'x')));
  } catch {
    throw new UsageError(
      '--post-text is not the JSON that its Content-Type names. Double the braces, and put placeholders in quotes: \'{{"text":"{name}"}}\'.',
    );
  }
}

/** Posts the events or the new measurements of a watch. */
export function postSink(
  { url, each, documentOf }: PostOptions,
  timeoutMs: number,
  styles: RecordStyles,
  { io, reporter }: SinkTools,
): WatchSink {
  const poster = createPoster({
    ...httpClientOptions(io, reporter),
    url,
    timeoutMs,
    noun: each,
    proxyEnv: io.env,
    onTrouble: reporter.note,
  });
  return {
    isAwaited: true,
    write(records) {
      const wanted = records.filter(({ event }) => (event !== undefined) === (each === 'event'));
      if (wanted.length > 0) poster.post(wanted.map((record) => documentOf(record, styles)));
    },
    close: poster.close,
  };
}
