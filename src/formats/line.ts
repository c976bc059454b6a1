import { pointAt, printable } from '../domain/text.ts';
import { UsageError } from '../errors.ts';
import type { StreamFormat } from './format.ts';
import { PLACEHOLDERS, type Placeholder, RECORD_FIELDS } from './recordFields.ts';

/** A part of a template: text as it is, or the place of a value. */
type Part = { readonly text: string } | { readonly value: Placeholder };

/**
 * Records as the user words them, for `--line '{name} {avg}{unit} {point} {age}'`. `{{` and `}}`
 * are braces, `\n` and `\t` what they are elsewhere. An event is written where the template names
 * `{event}` or `{condition}`, which are empty for a measurement.
 * @throws UsageError for an unknown placeholder, a brace without its other, and an empty template
 */
export function lineFormat(template: string): StreamFormat {
  const parts = parseLine(template);
  const tellsEvents = parts.some(
    (part) => 'value' in part && (part.value === 'event' || part.value === 'condition'),
  );
  return {
    head: () => '',
    record(record, style) {
      if (record.event !== undefined && !tellsEvents) return '';
      const texts = parts.map((part) =>
        'value' in part ? printable(RECORD_FIELDS[part.value].write(record, style)) : part.text,
      );
      return `${texts.join('')}\n`;
    },
  };
}

/** Doubled braces, a name between braces, one brace, an escape, or text without any. */
const TOKEN = /\{\{|\}\}|\{([^{}]*)\}|[{}]|\\[nt]|[^{}\\]+|\\/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '{{': '{',
  '}}': '}',
  '\\n': '\n',
  '\\t': '\t',
};

function parseLine(template: string): Part[] {
  if (template === '')
    throw new UsageError(`--line takes a template, not nothing. ${listPlaceholders()}`);
  return Array.from(template.matchAll(TOKEN), ({ 0: token, 1: name, index }): Part => {
    if (name !== undefined) {
      if (Object.hasOwn(RECORD_FIELDS, name)) return { value: name as Placeholder };
      throw pointedError(`--line has no ${printable(token)}.`, template, index);
    }
    if (token === '{' || token === '}') {
      const problem = `--line has a ${token} without its other one`;
      throw pointedError(`${problem}; a brace itself is ${token}${token}.`, template, index);
    }
    return { text: ESCAPES[token] ?? printable(token) };
  });
}

function listPlaceholders(): string {
  const placeholders = PLACEHOLDERS.map((name) => `{${name}}`);
  return `Placeholders are ${placeholders.join(', ')}.`;
}

/** A usage error that points at a place in the template. */
function pointedError(sentence: string, template: string, index: number): UsageError {
  return new UsageError(`${sentence} ${listPlaceholders()}`, pointAt(template, index));
}
