import { testPrompt } from './prompted.ts';
import { ROOT } from './stage.ts';

const START = `
PS1='READY>'; bind 'set bell-style none'; bind 'set page-completions off'; set +o history
source '${ROOT}completions/vane.bash'
probe() { _vane "$@"; offers=("\${COMPREPLY[@]}"); }
complete -F probe vane
answer() {
  printf '%s\\n' "$READLINE_LINE" "\${offers[@]}" > "$ANSWER.new"
  offers=(); mv "$ANSWER.new" "$ANSWER"
}
bind -x '"\\C-t": answer'
`;

testPrompt({
  name: 'bash',
  start: 'bash --rcfile $HOME/.bashrc -i',
  file: '.bashrc',
  text: START,
  tabs: 2,
});
