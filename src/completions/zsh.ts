import SCRIPT from './script.zsh?text';
import { singleQuoted } from './shells.ts';
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

/** Completions for zsh: a file \`_vane\` for a folder of fpath, which may be sourced as well. */
export function zshCompletion(root: CommandNode): string {
  const nodes = allCommands(root);
  return fill(SCRIPT, {
    valued: valuedNames(nodes).map(singleQuoted).join(' '),
    arms: nodes.slice(1).map(enterArm).join(''),
    everywhere: root.options.flatMap(optionSpecs).map(specLine).join(''),
    commands: nodes.map((node) => commandArm(node, node === root)).join(''),
  });
}

const specLine = (spec: string): string => `    ${spec}\n`;

/** Text within a specification of _arguments, where brackets and colons mean something. */
const plain = (text: string): string => text.replace(/[\\[\]:]/g, '\\$&');

function enterArm(node: CommandNode): string {
  const typed = typedWords(node).map(singleQuoted);
  return `          (${typed.join('|')}) command=${singleQuoted(node.path.join(' '))} ;;\n`;
}

function action(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `(${values.words.map((word) => word.replace(/[^\w.+-]/g, '\\$&')).join(' ')})`;
    case 'files':
      return '_files';
    case 'folders':
      return '_files -/';
    case 'stations':
      return '_vane_stations';
    case 'text':
      // A blank: there is a value, and nothing to offer for it.
      return ' ';
  }
}

function optionSpecs({ names, rivals, summary, placeholder, values, isRepeatable }: OptionNode) {
  const before = isRepeatable ? '*' : `(${rivals.join(' ')})`;
  const value = placeholder === undefined ? '' : `:${plain(placeholder)}:${action(values)}`;
  return names.map((name) => {
    const sign = placeholder === undefined ? '' : name.startsWith('--') ? '=' : '+';
    return singleQuoted(`${before}${name}${sign}[${plain(summary)}]${value}`);
  });
}

function commandArm(node: CommandNode, isRoot: boolean): string {
  const depth = node.path.length - 1;
  const specs = isRoot ? [] : node.options.flatMap(optionSpecs);
  for (let place = 1; place <= depth; place++) specs.push(singleQuoted(`${place}: : `));
  node.positionals.forEach(({ name, values, isRepeatable }, index) => {
    const place = isRepeatable ? '*' : String(depth + 1 + index);
    specs.push(singleQuoted(`${place}:${plain(name)}:${action(values)}`));
  });
  const below = node.commands.flatMap((child) =>
    wordsFor(child).map((name) =>
      singleQuoted(`${plain(name)}:${child.summary.replaceAll('\\', '\\\\')}`),
    ),
  );
  if (below.length > 0) specs.push(singleQuoted(`${depth + 1}:command:_vane_commands`));
  const list = below.length === 0 ? '' : `      subcommands=(\n${lines(below)}      )\n`;
  const own = specs.length === 0 ? '' : ` \\\n${lines(specs, ' \\')}`;
  return `    (${singleQuoted(node.path.join(' '))})\n${list}      _arguments -s -S : "\${everywhere[@]}"${own || '\n'}      ;;\n`;
}

function lines(texts: readonly string[], between = ''): string {
  return `${texts.map((text) => `        ${text}`).join(`${between}\n`)}\n`;
}
