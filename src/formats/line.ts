import { pointAt, printable } from '../domain/text.ts';
import { UsageError } from '../errors.ts';
import type { StreamFormat, StreamRecord, StreamStyle } from './format.ts';
import { PLACEHOLDERS, type Placeholder, RECORD_FIELDS } from './recordFields.ts';

/** A part of a template: text as it is, or the place of a value. */
type Part = { readonly text: string } | { readonly value: Placeholder };

/** The text of a template, with a value in the place of each placeholder. */
export type Template = (write: (name: Placeholder) => string) => string;

/**
 * Records as the user words them, for `--line '{name} {avg}{unit} {point} {age}'`. An event is
 * written where the template names `{event}` or `{condition}`, which are empty for a measurement.
 * @throws UsageError as {@link readTemplate}
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

/** Doubled braces, a name between braces, one brace, an escape, or text without any. */
const TOKEN = /\{\{|\}\}|\{([^{}]*)\}|[{}]|\\[nt]|[^{}\\]+|\\/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '{{': '{',
  '}}': '}',
  '\\n': '\n',
  '\\t': '\t',
};

/**
 * Reads a template with placeholders such as `{name}`. `{{` and `}}` are braces, `\n` and `\t` what
 * they are elsewhere.
 * @param option names the template in errors
 * @throws UsageError for an unknown placeholder, a brace without its other, and an empty template
 */
export function readTemplate(option: string, template: string): Template {
  if (template === '')
    throw new UsageError(`${option} takes a template, not nothing. ${listPlaceholders()}`);
  const parts = Array.from(template.matchAll(TOKEN), ({ 0: token, 1: name, index }): Part => {
    if (name !== undefined) {
      if (Object.hasOwn(RECORD_FIELDS, name)) return { value: name as Placeholder };
      throw pointedError(`${option} has no ${printable(token)}.`, template, index);
    }
    if (token === '{' || token === '}') {
      const problem = `${option} has a ${token} without its other one`;
      throw pointedError(`${problem}; a brace itself is ${token}${token}.`, template, index);
    }
    return { text: ESCAPES[token] ?? printable(token) };
  });
  return (write) => parts.map((part) => ('value' in part ? write(part.value) : part.text)).join('');
}

function listPlaceholders(): string {
  const placeholders = PLACEHOLDERS.map((name) => `{${name}}`);
  return `Placeholders are ${placeholders.join(', ')}.`;
}

/** A usage error that points at a place in the template. */
function pointedError(sentence: string, template: string, index: number): UsageError {
  return new UsageError(`${sentence} ${listPlaceholders()}`, pointAt(template, index));
}
