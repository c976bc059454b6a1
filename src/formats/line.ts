import { printable, showPlaceInText } from '../domain/text.ts';
import { UsageError } from '../errors.ts';
import type { StationFormat, ValueStyle, WatchRecord, WatchRecordFormat } from './format.ts';
import {
  findPlaceholder,
  formatRecordValue,
  RECORD_PLACEHOLDERS,
  type RecordPlaceholder,
} from './recordFields.ts';

/** A part of a template: fixed text, or a placeholder for a value. */
type Part = { readonly text: string } | { readonly value: RecordPlaceholder };

/**
 * A parsed template as a function that fills it in. `write` returns the text for each placeholder.
 */
export type LineTemplate = (write: (name: RecordPlaceholder) => string) => string;

/** Placeholders that are only filled for events. */
const OF_EVENTS: ReadonlySet<RecordPlaceholder> = new Set(['event', 'condition', 'since']);

/**
 * The format of `--line`, for records of `vane watch` and stations of `vane live`. The user's
 * template looks like `{name} {avg}{unit}`. Events are only written if the template contains
 * `{event}`, `{condition}` or `{since}`, which are empty for measurements.
 * @throws UsageError as {@link readLineTemplate} does
 */
export function lineFormat(template: string): WatchRecordFormat & StationFormat {
  const fill = readLineTemplate('--line', template);
  let tellsEvents = false;
  fill((name) => {
    tellsEvents ||= OF_EVENTS.has(name);
    return '';
  });
  const write = (record: WatchRecord, style: ValueStyle): string =>
    `${fill((name) => formatRecordValue(name, record, style))}\n`;
  return {
    head: () => '',
    record: (record, style) =>
      record.event !== undefined && !tellsEvents ? '' : write(record, style),
    *stations(list) {
      const { now, provenance: credit } = list;
      for (const selected of list.stations) {
        yield write({ ...selected, samples: [], now, credit, event: undefined }, list);
      }
    },
  };
}

/**
 * Matches a token of a template: a doubled brace, a name in braces, a single brace, an escape such
 * as `\n`, or plain text.
 */
const TOKEN = /\{\{|\}\}|\{([^{}]*)\}|[{}]|\\[nt]|[^{}\\]+|\\/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '{{': '{',
  '}}': '}',
  '\\n': '\n',
  '\\t': '\t',
};

/**
 * Parses a template with placeholders such as `{name}`. `{{` and `}}` are literal braces, `\n` is a
 * line break and `\t` a tab.
 * @param option the option with the template, such as `--line`, for messages
 * @param isSecret whether to keep the template out of messages
 * @throws UsageError for an unknown placeholder, an unmatched brace, and an empty template
 */
export function readLineTemplate(option: string, template: string, isSecret = false): LineTemplate {
  if (template === '')
    throw new UsageError(`${option} is empty. Write a template. ${listPlaceholders()}`);
  const fail = (sentence: string, index: number): UsageError =>
    new UsageError(
      `${sentence} ${listPlaceholders()}`,
      isSecret ? undefined : showPlaceInText(template, index),
    );
  const parts = Array.from(template.matchAll(TOKEN), ({ 0: token, 1: name, index }): Part => {
    if (name !== undefined) {
      const value = findPlaceholder(name);
      if (value !== undefined) return { value };
      const fault = isSecret ? 'an unknown placeholder' : `no ${printable(token)}`;
      throw fail(`${option} has ${fault}.`, index);
    }
    if (token === '{' || token === '}') {
      throw fail(
        `${option} has an unmatched “${token}”; to write a brace, use ${token}${token}.`,
        index,
      );
    }
    return { text: ESCAPES[token] ?? printable(token) };
  });
  return (write) => parts.map((part) => ('value' in part ? write(part.value) : part.text)).join('');
}

function listPlaceholders(): string {
  const placeholders = RECORD_PLACEHOLDERS.map((name) => `{${name}}`);
  return `Placeholders are ${placeholders.join(', ')}.`;
}
