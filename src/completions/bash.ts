import SCRIPT from './script.bash?text';
import { singleQuoted } from './shells.ts';
import {
  allCommands,
  type CommandNode,
  type OptionNode,
  typedWords,
  type Values,
  wordsFor,
} from './tree.ts';

/**
 * Completions for bash 3.2 and later, without the package bash-completion. Only quoting the names of
 * files well needs a newer readline.
 */
export function bashCompletion(root: CommandNode): string {
  const nodes = allCommands(root);
  const tables = [enterFunction(nodes), describeFunction(nodes), optionFunction(nodes)];
  return [SCRIPT, ...tables, 'complete -F _vane vane\n'].join('\n');
}

const pathOf = ({ path }: CommandNode): string => singleQuoted(path.join(' '));
const words = (texts: readonly string[]): string => texts.map(singleQuoted).join(' ');
const pattern = (texts: readonly string[]): string => texts.map(singleQuoted).join(' | ');

/** A word with escapes: bash inserts completions unquoted. */
const escapedWord = (word: string): string => word.replace(/[^\w.,:@%+=/-]/g, '\\$&');

function offer(values: Values): string {
  return values.kind === 'words'
    ? `takes=words values=(${words(values.words.map(escapedWord))})`
    : `takes=${values.kind}`;
}

/** The function that follows a word from one command to the next. */
function enterFunction(nodes: readonly CommandNode[]): string {
  const arms = nodes
    .slice(1)
    .map((node) => `    ${pattern(typedWords(node))}) command=${pathOf(node)} ;;`);
  return `_vane_enter() {
  case "$command $1" in
${arms.join('\n')}
    *) positionals=$((positionals + 1)) ;;
  esac
}
`;
}

/** Options as one word for each group of rivals; a comma before it marks a repeatable one. */
function groups(options: readonly OptionNode[]): string[] {
  const joined = options.map(
    ({ rivals, isRepeatable }) => `${isRepeatable ? ',' : ''}${rivals.join(',')}`,
  );
  return [...new Set(joined)];
}

function describeFunction(nodes: readonly CommandNode[]): string {
  const [root] = nodes;
  const arms = nodes.map((node) => {
    const lines =
      node.commands.length > 0 ? [`subcommands=(${words(node.commands.flatMap(wordsFor))})`] : [];
    if (node !== root && node.options.length > 0)
      lines.push(`options+=(${words(groups(node.options))})`);
    node.positionals.forEach(({ values, isRepeatable }, index) => {
      const test = `positionals ${isRepeatable ? '>=' : '=='} ${index}`;
      lines.push(`((${test})) && ${offer(values)}`);
    });
    return lines.length === 0
      ? ''
      : `    ${pathOf(node)})\n${lines.map((line) => `      ${line}\n`).join('')}      ;;\n`;
  });
  return `_vane_describe() {
  options=(${words(groups(root?.options ?? []))})
  case $command in
${arms.join('')}  esac
}
`;
}

/** The function that sets \`takes\` to the kind of values of an option. */
function optionFunction(nodes: readonly CommandNode[]): string {
  const [root, ...others] = nodes;
  const arms = others.flatMap((node) => {
    const inner = valueArms(node.options, '        ');
    if (inner === '') return [];
    return [`    ${pathOf(node)})\n      case $1 in\n${inner}      esac\n      ;;\n`];
  });
  return `_vane_option() {
  takes='' values=()
  case $command in
${arms.join('')}  esac
  [[ $takes ]] || case $1 in
${valueArms(root?.options ?? [], '    ')}  esac
}
`;
}

function valueArms(options: readonly OptionNode[], indent: string): string {
  const byOffer = new Map<string, string[]>();
  for (const { names, placeholder, values } of options) {
    if (placeholder === undefined) continue;
    byOffer.set(offer(values), [...(byOffer.get(offer(values)) ?? []), ...names]);
  }
  return [...byOffer]
    .map(([action, names]) => `${indent}${names.join(' | ')}) ${action} ;;\n`)
    .join('');
}
