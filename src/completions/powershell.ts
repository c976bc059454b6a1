import SCRIPT from './script.ps1?text';
import {
  allCommands,
  type CommandNode,
  fill,
  type OptionNode,
  type Values,
  wordsFor,
} from './tree.ts';

/** Completions for PowerShell 5.1 and later. */
export function powershellCompletion(root: CommandNode): string {
  const nodes = allCommands(root);
  return fill(SCRIPT, {
    commands: nodes.map(commandEntry).join(''),
    everywhere: root.options.flatMap(optionEntry).join(''),
  });
}

const powershellQuoted = (text: string): string => `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`;
const list = (texts: readonly string[]): string => `@(${texts.map(powershellQuoted).join(', ')})`;

function commandEntry(node: CommandNode, index: number): string {
  const below = node.commands.flatMap((child) =>
    wordsFor(child).map(
      (name) =>
        `        @{ Name = ${powershellQuoted(name)}; Path = ${powershellQuoted(child.path.join(' '))}; Summary = ${powershellQuoted(child.summary)} }\n`,
    ),
  );
  const positionals = node.positionals.map(
    ({ values, isRepeatable }) =>
      `        @{ IsRepeatable = ${boolean(isRepeatable)}; Values = ${valuesEntry(values)} }\n`,
  );
  const options = index === 0 ? [] : node.options.flatMap(optionEntry).map((line) => `    ${line}`);
  return `    ${powershellQuoted(node.path.join(' '))} = @{
      Commands = ${block(below)}
      Positionals = ${block(positionals)}
      Options = ${block(options)}
    }
`;
}

const block = (lines: readonly string[]): string =>
  lines.length === 0 ? '@()' : `@(\n${lines.join('')}      )`;

const boolean = (is: boolean): string => (is ? '$true' : '$false');

function optionEntry(option: OptionNode): string[] {
  const { names, rivals, summary, placeholder, values, isRepeatable } = option;
  const value = placeholder === undefined ? '$null' : valuesEntry(values);
  return names.map(
    (name) =>
      `    @{ Name = ${powershellQuoted(name)}; Rivals = ${list(rivals)}; IsRepeatable = ${boolean(isRepeatable)}; Values = ${value}; Summary = ${powershellQuoted(summary)} }\n`,
  );
}

function valuesEntry(values: Values): string {
  return values.kind === 'words'
    ? `@{ Kind = 'words'; Words = ${list(values.words)} }`
    : `@{ Kind = '${values.kind}' }`;
}
