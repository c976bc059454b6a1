import type { Command } from 'commander';

/** A command with its words, such as `vane cache clear`. */
export interface Named {
  readonly name: string;
  readonly command: Command;
}

/** The commands of a command that its help lists, without `help`. */
export const childrenOf = (command: Command): Command[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help');

/** All commands below a command, each before its own. */
export const commandsBelow = ({ name, command }: Named): Named[] =>
  childrenOf(command).flatMap((child) => {
    const named = { name: `${name} ${child.name()}`, command: child };
    return [named, ...commandsBelow(named)];
  });

/** The usage after the words of a command: `[options] [stations...]`. */
export const usageOf = (command: Command): string => paragraphs(command.usage())[0] ?? '';

const EXAMPLES = /^Examples?:\n/;

/** The paragraphs below the help of a command, and the lines of its examples: `$ vane live`. */
export function textsOf(command: Command): { prose: string[]; examples: string[] } {
  const parts: string[] = [];
  const event = { error: false, command, write: (text: string) => parts.push(text) };
  // Commander gives no other access to the text below a help than its help event.
  (command as unknown as NodeJS.EventEmitter).emit('afterHelp', event);
  const texts = [...paragraphs(parts.join('').trim()), ...paragraphs(command.usage()).slice(1)];
  const examples = texts.filter((text) => EXAMPLES.test(text));
  return {
    prose: texts.filter((text) => !EXAMPLES.test(text)),
    examples: examples.flatMap((text) =>
      text
        .replace(EXAMPLES, '')
        .split('\n')
        .map((line) => line.slice(2)),
    ),
  };
}

export const paragraphs = (text: string): string[] =>
  text.split(/\n{2,}/).filter((part) => part !== '');
