import { singleQuoted } from './shells.ts';
import {
  allCommands,
  type CommandNode,
  type OptionNode,
  typedWords,
  type Values,
  valuedNames,
  wordsFor,
} from './tree.ts';

/** Completions for zsh: a file \`_vane\` for a folder of fpath, which may be sourced as well. */
export function zshCompletion(root: CommandNode): string {
  const nodes = allCommands(root);
  return `${HEAD}
_vane() {
  local command=vane word
  local -i skip=0
  local -a subcommands valued=(${valuedNames(nodes).map(singleQuoted).join(' ')})
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if ((skip)); then
      skip=0
      continue
    fi
    case $word in
      (--) break ;;
      (--*=*) ;;
      (-*) skip=$((\${valued[(Ie)$word]} > 0)) ;;
      (*)
        case "$command $word" in
${nodes.slice(1).map(enterArm).join('')}        esac
        ;;
    esac
  done
  local -a everywhere=(
${root.options.flatMap(optionSpecs).map(specLine).join('')}  )
  case $command in
${nodes.map((node) => commandArm(node, node === root)).join('')}  esac
}

if [ "$funcstack[1]" = _vane ]; then
  _vane "$@"
else
  compdef _vane vane
fi
`;
}

const HEAD = `#compdef vane
# Completions of vane for zsh, written by: vane completion zsh

# Names are anybody's: they are shown, and nothing else.
_vane_stations() {
  # Zsh asks also where an option is being typed.
  [[ $PREFIX == -* ]] && return 1
  local line id
  local -a ids names
  for line in "\${(@f)$(command vane completion stations 2>/dev/null)}"; do
    id=\${line%%$'\\t'*}
    [[ -n $id ]] && ((! \${words[(Ie)$id]} || words[(Ie)$id] >= CURRENT)) || continue
    ids+=("$id")
    names+=("$id  -- \${line#*$'\\t'}")
  done
  # -V for -J: in their order, which is that of numbers.
  compadd "\${(@)@/#%-J/-V}" -l -d names -a ids
}

_vane_commands() {
  _describe -t commands command subcommands
}
`;

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
