import SCRIPT from './script.fish?text';
import {
  allCommands,
  type CommandNode,
  fill,
  type OptionNode,
  typedWords,
  type Values,
  valuedNames,
  wordsFor,
} from './tree.ts';

/** Completions for fish. */
export function fishCompletion(root: CommandNode): string {
  const nodes = allCommands(root);
  const [, ...others] = nodes;
  return [
    head(nodes),
    root.options.map((option) => optionLine(option, '')).join(''),
    ...[root, ...others].map((node) => commandLines(node, node === root)).filter(Boolean),
  ].join('\n');
}

const fishQuoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

function head(nodes: readonly CommandNode[]): string {
  const arms = nodes.slice(1).map((node) => {
    const typed = typedWords(node).map(fishQuoted);
    return `                    case ${typed.join(' ')}\n                        set -g __vane_command ${fishQuoted(node.path.join(' '))}\n`;
  });
  return fill(SCRIPT, { valued: valuedNames(nodes).join(' '), arms: arms.join('') });
}

function commandLines(node: CommandNode, isRoot: boolean): string {
  const path = fishQuoted(node.path.join(' '));
  const below = node.commands.flatMap((child) =>
    wordsFor(child).map(
      (name) =>
        `complete -c vane -n ${fishQuoted(`__vane_at ${path} 0`)} -a ${fishQuoted(escaped(name))} -d ${fishQuoted(child.summary)}\n`,
    ),
  );
  const positionals = node.positionals.flatMap(({ values, isRepeatable }, index) => {
    const condition = `__vane_at ${path} ${index}${isRepeatable ? ' +' : ''}`;
    const what = offer(values);
    return what === '' ? [] : [`complete -c vane -n ${fishQuoted(condition)}${what}\n`];
  });
  const options = isRoot ? [] : node.options.map((option) => optionLine(option, path));
  return [...below, ...positionals, ...options].join('');
}

function optionLine(option: OptionNode, path: string): string {
  const { names, rivals, summary, placeholder, values, isRepeatable } = option;
  const conditions = path === '' ? [] : [`__vane_at ${path}`];
  if (!isRepeatable) conditions.push(`__vane_lacks ${rivals.join(' ')}`);
  const condition = conditions.length === 0 ? '' : ` -n ${fishQuoted(conditions.join('; and '))}`;
  const spelled = names.map((name) =>
    name.startsWith('--') ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`,
  );
  // -x: a value is wanted, and no file; offer() has files where they are.
  const value = placeholder === undefined ? '' : ' -x';
  const what = placeholder === undefined ? '' : offer(values);
  const takes = what === FILES ? ' -r' : value;
  return `complete -c vane${condition}${spelled.join('')}${takes}${what} -d ${fishQuoted(summary)}\n`;
}

const FILES = ' -F';

function offer(values: Values): string {
  switch (values.kind) {
    case 'words':
      return ` -a ${fishQuoted(values.words.map(escaped).join(' '))}`;
    case 'files':
      return FILES;
    case 'folders':
      return " -a '(__fish_complete_directories)'";
    case 'stations':
      return " -k -a '(__vane_stations)'";
    case 'text':
      return '';
  }
}

/** A word within a list that fish expands once more. */
const escaped = (word: string): string => word.replace(/[^\w.,:/@%+=-]/g, '\\$&');
