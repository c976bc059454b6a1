import { testPrompt } from './prompted.ts';
import { ROOT } from './stage.ts';

const START = `
PS1='READY>'; setopt no_beep; unset HISTFILE
fpath=('${ROOT}completions' $fpath)
autoload -U compinit && compinit -u -d "$ZDOTDIR/dump"
# Its own work done by the one that comes with zsh, compadd is asked once more for what matches.
compadd() {
  local -a hits
  if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)\\ * ]]; then
    builtin compadd -O hits "$@"
    offers+=("\${hits[@]}")
  fi
  builtin compadd "$@"
}
typeset -ga offers
answer() {
  print -rl -- "$BUFFER" "\${offers[@]}" > "$ANSWER.new"
  offers=(); mv "$ANSWER.new" "$ANSWER"
}
zle -N answer; bindkey -e; bindkey '^T' answer
`;

testPrompt({
  name: 'zsh',
  start: 'zsh -d -i',
  file: '.zshrc',
  text: START,
  tabs: 1,
});
