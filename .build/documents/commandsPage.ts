import type { Command, Option } from 'commander';
import { commandsBelow, textsOf, usageOf } from './tree.ts';

/** Writes docs/reference/commands.md: every command with its arguments, options and examples. */
export function commandsPage(program: Command): string {
  const sections = commandsBelow({ name: program.name(), command: program }).flatMap(
    ({ name, command }) => [`## ${name}`, ...about(name, command)],
  );
  return [
    '# Commands',
    '<!-- npm run completions writes this page from the explanations in command.ts. -->',
    'This page lists the options of every command, as `--help` does. The other pages of this folder ' +
      'explain them.',
    '## Options of every command',
    'These options may stand before or after the name of the command.',
    ...options(program),
    ...sections,
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

function about(name: string, command: Command): string[] {
  const { prose, examples } = textsOf(command);
  const help = command.createHelp();
  const args = command.registeredArguments.map(
    (one) => [one.name() + (one.variadic ? '...' : ''), help.argumentDescription(one)] as const,
  );
  return [
    command.description(),
    fenced(`${name} ${usageOf(command)}`),
    ...(args.length > 0 ? [table('argument', args)] : []),
    ...options(command),
    ...prose.map((text) => (/^ {2}/m.test(text) ? fenced(text) : escaped(text))),
    ...(examples.length > 0 ? [fenced(examples.join('\n'))] : []),
  ];
}

/** The options of a command, a table for each group of its help. */
function options(command: Command): string[] {
  const help = command.createHelp();
  const visible = help.visibleOptions(command);
  const groups = new Set(visible.map(groupOf));
  return Array.from(groups).flatMap((group) => [
    ...(group === '' ? [] : [`**${group}**`]),
    table(
      'option',
      visible
        .filter((option) => groupOf(option) === group)
        .map((option) => [help.optionTerm(option), help.optionDescription(option)]),
    ),
  ]);
}

const groupOf = ({ helpGroupHeading = '' }: Option): string => helpGroupHeading.replace(/:$/, '');

function table(head: string, rows: readonly (readonly [term: string, meaning: string])[]): string {
  const lines = rows.map(([term, meaning]) => `| \`${cell(term)}\` | ${cell(escaped(meaning))} |`);
  return [`| ${head} | meaning |`, '|---|---|', ...lines].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** A text without characters that Markdown would read as markup. */
const escaped = (text: string): string => text.replace(/[<>*_`[\]\\]/g, '\\$&');

const fenced = (text: string): string => `\`\`\`text\n${text}\n\`\`\``;
