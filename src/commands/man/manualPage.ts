import { type Command, Option } from 'commander';
import { argument, bold, entry, italic, paragraphs, prose, roff, usage } from './roff.ts';
import { sectionsAfterOptions } from './sections.ts';

/** A command with its words, such as `vane cache clear`. */
interface Named {
  readonly name: string;
  readonly command: Command;
}

/**
 * Writes the manual page in the macros of man(7).
 * @param version version of vane, for the foot of the page
 * @param notes further paragraphs of commands, by the command's name
 */
export function manualPage(
  program: Command,
  version: string,
  notes: ReadonlyMap<string, string> = new Map(),
): string {
  const help = program.createHelp();
  const childrenOf = (command: Command) =>
    help.visibleCommands(command).filter((child) => child.name() !== 'help');
  const allBelow = ({ name, command }: Named): Named[] =>
    childrenOf(command).flatMap((child) => {
      const named = { name: `${name} ${child.name()}`, command: child };
      return [named, ...allBelow(named)];
    });
  const commands = allBelow({ name: program.name(), command: program });
  const explain = (option: Option) => [
    '.TP',
    usage(help.optionTerm(option)),
    roff(help.optionDescription(option)),
  ];
  const shared = sharedOptions(commands.flatMap(({ command }) => help.visibleOptions(command)));
  const optionsOf = (command: Command): string[] => {
    const options = help.visibleOptions(command);
    const [elsewhere, own] = [true, false].map((isShared) =>
      options.filter((option) => shared.has(keyOf(option)) === isShared),
    ) as [Option[], Option[]];
    const names = elsewhere.map((option) => option.long ?? option.flags);
    return [
      ...own.flatMap(explain),
      ...(names.length > 0 ? ['.PP', roff(`And, under OPTIONS: ${names.join(' ')}`)] : []),
    ];
  };
  const section = ({ name, command }: Named) => [
    `.SS ${argument(`${name} ${usageOf(command).replace('[options] ', '')}`)}`,
    roff(command.description()),
    ...command.registeredArguments.flatMap((one) =>
      entry(italic(one.name() + (one.variadic ? '...' : '')), help.argumentDescription(one)),
    ),
    ...optionsOf(command),
    ...prose(notes.get(command.name()) ?? ''),
    ...prose(epilogueOf(command).join('\n\n')),
  ];
  const epilogue = epilogueOf(program);
  const isExample = (part: string) => part.startsWith('Examples:');
  return [
    '.\\" Written by: vane man',
    `.TH VANE 1 "" ${argument(`vane ${version}`)} "User Commands"`,
    '.nh',
    '.ad l',
    '.ss 12 0',
    '.SH NAME',
    `vane \\- ${roff(nameLine(program.description()))}`,
    '.SH SYNOPSIS',
    `${bold('vane ')}${italic('command')} ${usage('[options] [arguments...]')}`,
    '.SH DESCRIPTION',
    ...prose(epilogue.filter((part) => !isExample(part)).join('\n\n')),
    '.SH COMMANDS',
    '.PD 0',
    ...besideTerms(12, childrenOf(program), (command) =>
      entry(bold(command.name()), `${command.summary()}${subcommands(childrenOf(command))}`),
    ),
    '.PD',
    '.SH EXAMPLES',
    ...prose(epilogue.filter(isExample).join('\n\n').replace('Examples:\n', '')),
    '.SH OPTIONS',
    'These options go with every command, before or after its name:',
    ...besideTerms(21, help.visibleOptions(program), explain),
    '.PP',
    'These options go with several commands, each of which names its own under DETAILS:',
    ...Array.from(shared.values()).flatMap(explain),
    '.SH DETAILS',
    ...commands.flatMap(section),
    ...Object.entries(sectionsAfterOptions(commands)).flatMap(([title, text]) => [
      `.SH ${title}`,
      ...prose(text),
    ]),
    '.SH SEE ALSO',
    ...['.BR curl (1),', '.BR jq (1),', '.BR crontab (5)'],
    '',
  ].join('\n');
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

/** The usage after the words of the command: `[options] [stations...]`. */
const usageOf = (command: Command): string => paragraphs(command.usage())[0] ?? '';

/** The paragraphs below the help of a command, its examples last. */
function epilogueOf(command: Command): string[] {
  const parts: string[] = [];
  const event = { error: false, command, write: (text: string) => parts.push(text) };
  // Commander gives no other access to the text below a help than its help event.
  (command as unknown as NodeJS.EventEmitter).emit('afterHelp', event);
  return [...paragraphs(parts.join('').trim()), ...paragraphs(command.usage()).slice(1)];
}
