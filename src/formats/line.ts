import { pointAt, printable } from '../domain/text.ts';
import { UsageError } from '../errors.ts';
import type { StreamFormat, StreamRecord, StreamStyle } from './format.ts';
import { PLACEHOLDERS, type Placeholder, RECORD_FIELDS } from './recordFields.ts';

/** A part of a template: fixed text, or a placeholder that a value replaces. */
type Part = { readonly text: string } | { readonly value: Placeholder };

/**
 * A template as a function that fills in its placeholders; `write` gives the text for each
 * placeholder.
 */
export type Template = (write: (name: Placeholder) => string) => string;

/**
 * The format of `--line`: each record by a template of the user, such as `{name} {avg}{unit}`. An
 * event is written only if the template has `{event}` or `{condition}`, which are empty for a
 * measurement.
 * @throws UsageError for the same templates as {@link readTemplate}
 */
export function lineFormat(template: string): StreamFormat {
  const fill = readTemplate('--line', template);
  let tellsEvents = false;
  fill((name) => {
    tellsEvents ||= name === 'event' || name === 'condition';
    return '';
  });
  return {
    head: () => '',
    record(record, style) {
      if (record.event !== undefined && !tellsEvents) return '';
      return `${fill((name) => valueText(name, record, style))}\n`;
    },
  };
}

/** A value of a record for people, on one line and without control characters. */
export const valueText = (name: Placeholder, record: StreamRecord, style: StreamStyle): string =>
  printable(RECORD_FIELDS[name].write(record, style));

/**
 * A token of a template: a doubled brace, a name between braces, a single brace, an escape such as
 * `\n`, or plain text.
 */
const TOKEN = /\{\{|\}\}|\{([^{}]*)\}|[{}]|\\[nt]|[^{}\\]+|\\/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '{{': '{',
  '}}': '}',
  '\\n': '\n',
  '\\t': '\t',
};

/**
 * Reads a template with placeholders such as `{name}`. `{{` and `}}` stand for single braces, `\n`
 * for a line break and `\t` for a tab.
 * @param option the option that takes the template, such as `--line`, for messages
 * @param isSecret leaves the template itself out of messages
 * @throws UsageError for an unknown placeholder, an unmatched brace, and an empty template
 */
export function readTemplate(option: string, template: string, isSecret = false): Template {
  if (template === '')
    throw new UsageError(`${option} takes a template, not nothing. ${listPlaceholders()}`);
  const fail = (sentence: string, index: number): UsageError =>
    new UsageError(
      `${sentence} ${listPlaceholders()}`,
      isSecret ? undefined : pointAt(template, index),
    );
  const parts = Array.from(template.matchAll(TOKEN), ({ 0: token, 1: name, index }): Part => {
    if (name !== undefined) {
      if (Object.hasOwn(RECORD_FIELDS, name)) return { value: name as Placeholder };
      throw fail(`${option} has no ${printable(token)}.`, index);
    }
    if (token === '{' || token === '}') {
      const problem = `${option} has a ${token} without its other one`;
      throw fail(`${problem}; a brace itself is ${token}${token}.`, index);
    }
    return { text: ESCAPES[token] ?? printable(token) };
  });
  return (write) => parts.map((part) => ('value' in part ? write(part.value) : part.text)).join('');
}

function listPlaceholders(): string {
  const placeholders = PLACEHOLDERS.map((name) => `{${name}}`);
  return `Placeholders are ${placeholders.join(', ')}.`;
}
