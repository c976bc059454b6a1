import { type Command, Option } from 'commander';
import { sectionOf } from './markdown.ts';
import { argument, bold, code, entry, italic, roff, usage } from './roff.ts';
import { childrenOf, commandsBelow, type Named, textsOf, usageOf } from './tree.ts';

/**
 * Writes the manual page in the macros of man(7).
 * @param version version of vane, for the foot of the page
 * @param pages the reference pages as Markdown, each of which becomes a section
 */
export function manualPage(
  program: Command,
  version: string,
  pages: readonly string[] = [],
): string {
  const help = program.createHelp();
  const commands = commandsBelow({ name: program.name(), command: program });
  const explain = (option: Option) =>
    entry(usage(help.optionTerm(option)), roff(help.optionDescription(option)));
  const shared = sharedOptions(commands.flatMap(({ command }) => help.visibleOptions(command)));
  const optionsOf = (command: Command): string[] => {
    const options = help.visibleOptions(command);
    const own = options.filter((option) => !shared.has(keyOf(option)));
    const others = options.filter((option) => shared.has(keyOf(option)));
    const names = others.map((option) => bold(option.long ?? option.flags)).join(', ');
    return [...own.flatMap(explain), ...(names === '' ? [] : ['.PP', `Also: ${names}.`])];
  };
  const section = ({ name, command }: Named) => [
    `.SS ${argument(`${name} ${usageOf(command).replace('[options]', '')}`.replace(/ +/g, ' ').trim())}`,
    roff(command.description()),
    ...command.registeredArguments.flatMap((one) =>
      entry(italic(one.name() + (one.variadic ? '...' : '')), roff(help.argumentDescription(one))),
    ),
    ...optionsOf(command),
    ...prose(textsOf(command).prose),
    ...examples(command),
  ];
  return [
    '.\\" Written by: npm run completions',
    `.TH VANE 1 "" ${argument(`vane ${version}`)} "User Commands"`,
    '.nh',
    '.ad l',
    '.ss 12 0',
    // Without UTF-8 groff would write <degree>, which makes lines too wide.
    '.fchar \\[u00B0] deg',
    '.SH NAME',
    `vane \\- ${roff(nameLine(program.description()))}`,
    '.SH SYNOPSIS',
    `${bold('vane ')}${italic('command')} ${usage('[options] [arguments...]')}`,
    '.SH DESCRIPTION',
    ...prose(textsOf(program).prose),
    '.SH COMMANDS',
    '.PD 0',
    ...besideTerms(12, childrenOf(program), (command) =>
      entry(bold(command.name()), roff(command.summary() + subcommands(childrenOf(command)))),
    ),
    '.PD',
    '.SH EXAMPLES',
    ...code(textsOf(program).examples),
    '.SH OPTIONS',
    'Every command accepts these options, before or after its name:',
    ...besideTerms(21, help.visibleOptions(program), explain),
    '.PP',
    'Several commands accept the following options. The section of a command, below, lists their',
    'names after \\(lqAlso\\(rq.',
    ...Array.from(shared.values()).flatMap(explain),
    '.SH COMMANDS IN DETAIL',
    ...commands.flatMap(section),
    ...pages.flatMap(sectionOf),
    '.SH SEE ALSO',
    ...['.BR curl (1),', '.BR jq (1),', '.BR crontab (5)'],
    '',
  ].join('\n');
}

/** The examples of a command under a head of their own; nothing where it has none. */
function examples(command: Command): string[] {
  const lines = textsOf(command).examples;
  return lines.length === 0 ? [] : ['.PP', 'Examples:', ...code(lines)];
}

/** A line of a help text with a term and its meaning: `  units    unit of speeds`. */
const TERM = /^ {2}(?!\$)(\S+(?: \S+)*) {2,}(\S.*)$/;

/** Paragraphs of a help. Indented lines are code, or a list of terms with their meanings. */
function prose(texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    // A line that is indented further continues the meaning above it.
    const pieces =
      text.replace(/\n {6,}/g, ' ').match(/(?: {2}[^\n]+(?:\n|$))+|(?:(?! {2})[^\n]+(?:\n|$))+/g) ??
      [];
    return pieces.flatMap((piece) => {
      const lines = piece.trimEnd().split('\n');
      if (!piece.startsWith('  ')) return ['.PP', ...lines.map(roff)];
      const terms = lines.map((line) => TERM.exec(line));
      if (terms.some((term) => term === null)) return code(lines.map((line) => line.slice(2)));
      return terms.flatMap((term) => entry(bold(term?.[1] ?? ''), roff(term?.[2] ?? '')));
    });
  });
}

/** Entries whose texts begin `width` characters right of their terms, so that they take fewer lines. */
const besideTerms = <T>(width: number, items: readonly T[], entryOf: (item: T) => string[]) =>
  items.flatMap(entryOf).map((line) => (line === '.TP' ? `.TP ${width}` : line));

const keyOf = ({ flags, description }: Option): string => `${flags}\n${description}`;

/**
 * The options that several commands have with one explanation, each by its key. Where the choices
 * differ, as those of --format do, they are left out.
 */
function sharedOptions(options: readonly Option[]): ReadonlyMap<string, Option> {
  const shared = new Map<string, Option>();
  for (const option of options) {
    const key = keyOf(option);
    const alike = options.filter((one) => keyOf(one) === key);
    const isSame = alike.every((one) => String(one.argChoices) === String(option.argChoices));
    if (alike.length === 1 || shared.has(key)) continue;
    shared.set(key, isSame ? option : new Option(option.flags, option.description));
  }
  return shared;
}

/** The names of a command's own commands, for the list of commands. */
const subcommands = (children: readonly Command[]): string =>
  children.length > 0 ? `: ${children.map((child) => child.name()).join(', ')}` : '';

/** A sentence in the form of NAME sections: no capital, no full stop. */
const nameLine = (text: string): string =>
  text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
