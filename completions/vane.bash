# Completions of vane for bash 3.2 and later, written by: vane completion bash

_vane() {
  local IFS=$' \t\n' line=${COMP_LINE:0:COMP_POINT} breaks=${COMP_WORDBREAKS//[!=:]/} cut='' kind='' text value
  local -a words
  COMPREPLY=()
  read -r -d '' -a words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  # Where = or : ends a word of bash, only the text after it is replaced.
  if [[ $breaks ]]; then
    cut=${line##*[[:space:]]}
    cut=${cut%"${cut##*[$breaks]}"}
  fi
  while IFS=$'\t' read -r value text; do
    if [[ ! $kind ]]; then
      kind=$value
      continue
    fi
    value=${value#"$cut"}
    # Meanings hold names that station owners choose, so show them only where bash does nothing but list.
    if [[ ${COMP_TYPE-} == 63 && $text ]]; then
      value+="  $text"
      value=${value:0:${COLUMNS:-80} - 1}
    fi
    COMPREPLY+=("$value")
  done <<<"$(command vane completion words --line -- "${words[@]:1}" 2>/dev/null)"
  case $kind in
    files) _vane_files ;;
    open) compopt -o nosort -o nospace 2>/dev/null ;;
    *) compopt -o nosort 2>/dev/null ;;
  esac
}

# Readline quotes blanks and the like; where it cannot be asked, printf does: in bash 3, and where
# a value that is joined to its option by = is no word of its own.
_vane_files() {
  local joined='' value word=${line##*[[:space:]]}
  [[ $breaks != *=* && $word == --*=* ]] && joined=${word%%=*}=
  if [[ ! $joined ]] && compopt -o default 2>/dev/null; then return; fi
  while IFS= read -r value; do
    [[ $value ]] && COMPREPLY+=("$joined$(printf %q "$value")")
  done <<<"$(compgen -f -- "${word#"${joined:-$cut}"}")"
}

complete -F _vane vane
