#compdef vane
# Completions of vane for zsh, written by: vane completion zsh

_vane() {
  local kind line value
  local -a lines shown values
  lines=("${(@f)$(command vane completion words -- "${(@)words[2,CURRENT-1]}" "$QIPREFIX$PREFIX" 2>/dev/null)}")
  kind=$lines[1]
  if [[ $kind == files ]]; then
    compset -P '--[^=]#='
    _files
    return
  fi
  local -a layout=()
  for line in "${(@)lines[2,-1]}"; do
    value=${line%%$'\t'*}
    values+=("$value")
    shown+=("$value${${line#$value}/$'\t'/  -- }")
    [[ $line == *$'\t'* ]] && layout=(-l)
  done
  [[ $kind == open ]] && layout+=(-S '')
  # -V: in the order of vane, which is that of numbers for stations.
  compadd -V vane "${layout[@]}" -d shown -a values
}

if [ "$funcstack[1]" = _vane ]; then
  _vane "$@"
else
  compdef _vane vane
fi
