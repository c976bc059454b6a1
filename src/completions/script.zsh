#compdef vane
# Completions of vane for zsh, written by: vane completion zsh

# Names are anybody's: they are shown, and nothing else.
_vane_stations() {
  # Zsh asks also where an option is being typed.
  [[ $PREFIX == -* ]] && return 1
  local line id
  local -a ids names
  for line in "${(@f)$(command vane completion stations 2>/dev/null)}"; do
    id=${line%%$'\t'*}
    [[ -n $id ]] && ((! ${words[(Ie)$id]} || words[(Ie)$id] >= CURRENT)) || continue
    ids+=("$id")
    names+=("$id  -- ${line#*$'\t'}")
  done
  # -V for -J: in their order, which is that of numbers.
  compadd "${(@)@/#%-J/-V}" -l -d names -a ids
}

_vane_commands() {
  _describe -t commands command subcommands
}

_vane() {
  local command=vane word
  local -i skip=0
  local -a subcommands valued=(@@valued@@)
  for word in "${(@)words[2,CURRENT-1]}"; do
    if ((skip)); then
      skip=0
      continue
    fi
    case $word in
      (--) break ;;
      (--*=*) ;;
      (-*) skip=$((${valued[(Ie)$word]} > 0)) ;;
      (*)
        case "$command $word" in
@@arms@@
        esac
        ;;
    esac
  done
  local -a everywhere=(
@@everywhere@@
  )
  case $command in
@@commands@@
  esac
}

if [ "$funcstack[1]" = _vane ]; then
  _vane "$@"
else
  compdef _vane vane
fi
