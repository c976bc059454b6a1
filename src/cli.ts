import { Command, CommanderError } from 'commander';
import type { CommandContext, CommandRunner } from './commands/declaration.ts';
import { COMMANDS } from './commands/index.ts';
import { optionSpellings } from './completions/tree.ts';
import { hideCredentialsInText, printableMessage, printableText } from './domain/text.ts';
import { EXIT_CODES, errorCode, InterruptedError, UsageError, VaneError } from './errors.ts';
import {
  describeMissingValue,
  describeWrongChoice,
  refuseRepeatedOptions,
  suggestFix,
} from './flags/mistakes.ts';
import { addGlobalOptions, type GlobalFlags } from './flags/options.ts';
import { type Io, widthOfStdout } from './io.ts';
import { writeToStream } from './output/write.ts';
import { VERSION } from './version.ts';

/**
 * Runs vane with its command-line arguments, and prints any error.
 * @returns the exit code
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  let help = '';
  const print = (text: string): void => {
    help += text;
  };
  let program: Command | undefined;
  let words = args;
  try {
    words = await addLive(args, io);
    program = await createProgram(io, (options, perform) => perform(options, io), words, print);
    await program.parseAsync(words, { from: 'user' }).catch((error) => {
      // commander throws this error after it has printed the help or the version.
      if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
    });
    if (help !== '') await writeToStream(io.stdout, help);
    return EXIT_CODES.done;
  } catch (error) {
    if (error instanceof CommanderError) return explainUsage(error, words, io);
    return explainError(error, io, program?.opts<GlobalFlags>().verbose ?? false);
  }
}

/**
 * Inserts the command `live` when the first word is a station: `vane 110` means `vane live 110`.
 */
async function addLive(args: readonly string[], io: Io): Promise<readonly string[]> {
  const isCommand = (word: string) => word === 'help' || Object.hasOwn(COMMANDS, word);
  const [head = '-'] = args;
  // An option may come before the command. Its value may be a station or look like a command's
  // name.
  if (isCommand(head) || (head.startsWith('-') && args.some(isCommand))) return args;
  if (args.every((word) => word.startsWith('-'))) return args;
  const { isStationWord } = await import('./flags/stations.ts');
  const config = (await import('./flags/config.ts')).readConfig(io);
  if (!args.some((word) => isStationWord(word, config))) return args;
  const program = await createProgram(io, async () => {}, ['live']);
  const options = [program, ...program.commands].flatMap((command) => command.options);
  const takesNext = (word = '') =>
    options.some((option) => option.required && optionSpellings(option).includes(word));
  const first = args.find((word, i) => !word.startsWith('-') && !takesNext(args[i - 1]));
  return first !== undefined && isStationWord(first, config) ? ['live', ...args] : args;
}

/**
 * Creates the tree of vane's commands.
 * @param args the arguments of vane: only the commands named there are loaded; all are loaded
 *   without `args`
 * @param print prints help and version
 */
export async function createProgram(
  io: Io,
  perform: CommandRunner,
  args?: readonly string[],
  print: (text: string) => void = (text) => void io.stdout.write(text),
): Promise<Command> {
  const program = new Command('vane');
  addGlobalOptions(configureProgram(program, io, print));
  const tools: CommandContext = { program, io, perform };
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command = program.command(name).summary(summary);
    if (args !== undefined && !args.includes(name)) continue;
    const { declareCommand } = await load();
    declareCommand(command, tools);
  }
  for (const command of [program, ...program.commands]) addHelpCommand(command);
  refuseRepeatedOptions(program);
  return program;
}

/**
 * Adds a `help` command to a command that only groups other commands. commander's own `help` reads
 * a single name, so `vane help config set` would print the help of `config`.
 */
function addHelpCommand(parent: Command): void {
  if (parent.commands.length === 0 || parent.registeredArguments.length > 0) return;
  parent
    .command('help [command...]')
    .summary('print help for a command')
    .description('Prints help for a command.')
    .action((names: readonly string[]) => {
      let command: Command = parent;
      for (const name of names) {
        const child = command.commands.find((one) => one.name() === name);
        if (child === undefined) command.error(`error: unknown command '${name}'`);
        command = child;
      }
      command.help();
    });
}

const FOOTER = `
For the options of every command, such as --demo, see: vane --help
For details, see: man vane`;

function configureProgram(program: Command, io: Io, print: (text: string) => void): Command {
  const standard = program.createHelp();
  const { subcommandTerm } = standard;
  return program
    .description(
      'Shows the wind at public stations, sends alerts, exports years of history, and runs a caching server.',
    )
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .configureHelp({
      sortSubcommands: false,
      // By default, commander does not wrap descriptions that are narrower than 40 columns.
      minWidthToWrap: 8,
      formatHelp(command, helper) {
        const sentence = helper.boxWrap(command.description(), helper.helpWidth ?? 80);
        return `${sentence}\n\n${standard.formatHelp.call(helper, command, helper)}`;
      },
      // formatHelp already writes the description at the top, so commander must not write it again.
      commandDescription: () => '',
      // Help texts end with a line about `vane --help`, so only that help lists the option --help.
      visibleOptions(command) {
        const options = standard.visibleOptions.call(this, command);
        return options.filter((option) => command === program || option.attributeName() !== 'help');
      },
      subcommandTerm(command) {
        const entry = command.parent === program ? COMMANDS[command.name()] : undefined;
        return entry ? `${command.name()} ${entry.usage ?? ''}`.trimEnd() : subcommandTerm(command);
      },
    })
    .configureOutput({
      writeOut: print,
      writeErr: (text) => void io.stderr.write(printableText(hideCredentialsInText(text))),
      // explainUsage prints the error, with a hint that needs all commands.
      outputError: () => {},
      getOutHelpWidth: () => widthOfStdout(io) ?? 80,
      getErrHelpWidth: () => io.stderrTerminal?.columns ?? 80,
    })
    .showSuggestionAfterError(false)
    .exitOverride()
    .addHelpText('beforeAll', ({ error, command }) => {
      // Without a command, commander would print the help as an error: print it on stdout.
      if (error && command === program) command.help();
      return '';
    })
    .addHelpText('afterAll', ({ command }) => (command === program ? '' : FOOTER))
    .addHelpText(
      'after',
      `
Name a station by its id (110), the id on its page (PP603, MW800), the address
of its page, or a favourite (see vane config --help). Speeds are in km/h unless
you set --units. Dates are in UTC unless you set --tz or add an offset.
"vane 110" is short for "vane live 110".

Examples:
  $ vane live 110 603 1500 --knots
  $ vane archive 110 --start 2024 --stop 2025 -o station-110.csv
  $ vane --demo live all          try it with a simulated network`,
    );
}

/** Prints an error of commander on stderr, with a hint where there is one. @returns the exit code */
async function explainUsage(
  { code, message }: CommanderError,
  args: readonly string[],
  io: Io,
): Promise<number> {
  // commander has already printed the help.
  if (code === 'commander.help') return EXIT_CODES.usage;
  const program = await createProgram(io, async () => {});
  const command = commandIn(program, args);
  const words = pathOf(command);
  const plain = message.replace(/^error: /, '');
  const fault =
    describeMissingValue(plain, command, words) ??
    describeWrongChoice(plain) ??
    plain.replace(/'([^']*)'/g, '“$1”').replace(/(?<![.?])$/, '.');
  const hint = suggestFix(fault, command, program);
  const sentence = hint === undefined ? fault : `${fault} ${hint}`;
  const list =
    command.createHelp().visibleCommands(command).length > 0 ? 'commands and options' : 'options';
  const text = `vane: ${sentence}\nRun “${`vane ${words}`.trimEnd()} --help” to see the ${list}.\n`;
  io.stderr.write(printableText(hideCredentialsInText(text)));
  return EXIT_CODES.usage;
}

/** The command that the arguments name. */
function commandIn(program: Command, args: readonly string[]): Command {
  return args.reduce(
    (found, word) =>
      found.commands.find((child) => child.name() === word && word !== 'help') ?? found,
    program,
  );
}

/** The command's words after `vane`, such as `config set`; empty for vane itself. */
function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}`.trimStart() : '';
}

/** Prints an error on stderr. @returns the exit code */
function explainError(error: unknown, io: Io, isVerbose: boolean): number {
  // EPIPE means that the reader of stdout closed the pipe, as `head` does. That is not an error.
  if (errorCode(error) === 'EPIPE') return EXIT_CODES.done;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof InterruptedError && message === '') return error.exitCode;
  const isExpected = error instanceof UsageError || error instanceof InterruptedError;
  const trace = isVerbose && !isExpected ? `${stackOf(error)}\n` : '';
  if (error instanceof VaneError) {
    const fault = error instanceof UsageError && error.excerpt;
    const excerpt = fault ? `${fault.replace(/^/gm, '  ')}\n` : '';
    io.stderr.write(`vane: ${printableMessage(message)}\n${excerpt}${trace}`);
    return error.exitCode;
  }
  io.stderr.write(
    `vane: Unexpected failure: ${printableMessage(message)}. This is probably a bug. Please report it ` +
      `with the output of "vane --version" and of the same command with --verbose.\n${trace}`,
  );
  return EXIT_CODES.defect;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return printableMessage(String(error));
  const cause = error.cause === undefined ? '' : `\ncaused by: ${stackOf(error.cause)}`;
  return printableText(hideCredentialsInText(error.stack ?? error.message)) + cause;
}
