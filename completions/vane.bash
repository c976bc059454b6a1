# Completions of vane for bash, written by: vane completion bash

_vane() {
  local IFS=$' \t\n' command=vane current='' expected='' given=' ' isOver='' positionals=0 takes='' word
  local -a words options subcommands values
  COMPREPLY=()
  _vane_words
  current=${words[${#words[@]} - 1]}
  for word in "${words[@]:1:${#words[@]} - 2}"; do
    if [[ $expected ]]; then expected=''
    elif [[ $isOver || $word != -?* ]]; then _vane_enter "$word"
    elif [[ $word == -- ]]; then isOver=1
    else _vane_note "$word"
    fi
  done
  if [[ $expected ]]; then
    _vane_option "$expected"
    _vane_reply "$current"
  elif [[ ! $isOver && $current == --*=* ]]; then
    _vane_option "${current%%=*}"
    _vane_reply "${current#*=}" "${current%%=*}="
  elif [[ ! $isOver && $current == -* ]]; then
    _vane_describe
    _vane_reply_options
  else
    takes='' values=()
    _vane_describe
    if ((positionals == 0)) && [[ ! $isOver ]]; then
      for word in "${subcommands[@]}"; do
        [[ $word == "$current"* ]] && COMPREPLY+=("$word")
      done
    fi
    _vane_reply "$current"
  fi
}

# Bash cuts words at = and : too; a piece with no blank before it belongs to the one before.
_vane_words() {
  local line=$COMP_LINE blank i piece
  for ((i = 0; i <= COMP_CWORD; i++)); do
    piece=${COMP_WORDS[i]}
    blank=${line%%[![:space:]]*}
    if [[ $line != "$blank$piece"* ]]; then
      words+=("$piece")
      line=${line#*"$piece"}
    else
      if [[ $i == 0 || $blank ]]; then words+=("$piece")
      else words[${#words[@]} - 1]+=$piece
      fi
      line=${line#"$blank$piece"}
    fi
  done
}

# Options given already, and whether the next word is the value of one.
_vane_note() {
  local letters name=${1%%=*}
  if [[ $1 == --* ]]; then
    given+="$name "
    _vane_option "$name"
    [[ $takes && $1 != *=* ]] && expected=$name
    return
  fi
  letters=${1#-}
  while [[ $letters ]]; do
    name=-${letters:0:1}
    letters=${letters:1}
    given+="$name "
    _vane_option "$name"
    if [[ $takes ]]; then
      [[ $letters ]] || expected=$name
      return
    fi
  done
}

# What may stand at the cursor: $1 is what of it was typed, $2 the option it is joined to by =.
_vane_reply() {
  local value=$1 joined=${2-} word
  # Where = ends a word, only what comes after it is replaced.
  [[ $COMP_WORDBREAKS == *=* ]] && joined=''
  case $takes in
    words)
      for word in "${values[@]}"; do
        [[ $word == "$value"* ]] && COMPREPLY+=("$joined$word")
      done
      ;;
    stations) _vane_reply_stations "$value" "$joined" ;;
    files) _vane_reply_files -f default "$value" "$joined" ;;
    folders) _vane_reply_files -d dirnames "$value" "$joined" ;;
  esac
}

_vane_reply_options() {
  local group isGiven name
  for group in "${options[@]}"; do
    isGiven=''
    for name in ${group//,/ }; do
      [[ $group != ,* && $given == *" $name "* ]] && isGiven=1
    done
    [[ $isGiven ]] && continue
    for name in ${group//,/ }; do
      [[ $name == "$current"* ]] && COMPREPLY+=("$name")
    done
  done
}

# Names are never inserted, and shown only where bash does nothing but list: they are anybody's.
_vane_reply_stations() {
  local id index=${#COMPREPLY[@]} name
  local -a names
  while IFS=$'\t' read -r id name; do
    [[ $id && $id == "$1"* && " ${words[*]:1:${#words[@]} - 2} " != *" $id "* ]] || continue
    COMPREPLY+=("$2$id")
    names+=("$name")
  done <<<"$(command vane completion stations 2>/dev/null)"
  compopt -o nosort 2>/dev/null
  if [[ ${COMP_TYPE-} == 63 && ${#names[@]} -gt 1 ]]; then
    for name in "${names[@]}"; do
      COMPREPLY[index]+="  $name"
      index=$((index + 1))
    done
  fi
}

# Readline quotes blanks and the like; where it cannot be asked (bash 3), printf does.
_vane_reply_files() {
  local word
  if [[ ! $4 ]] && compopt -o "$2" 2>/dev/null; then return; fi
  while IFS= read -r word; do
    [[ $word ]] && COMPREPLY+=("$4$(printf %q "$word")")
  done <<<"$(compgen "$1" -- "$3")"
}

_vane_enter() {
  case "$command $1" in
    'vane live') command='vane live' ;;
    'vane meta') command='vane meta' ;;
    'vane archive') command='vane archive' ;;
    'vane watch') command='vane watch' ;;
    'vane serve') command='vane serve' ;;
    'vane cache') command='vane cache' ;;
    'vane cache path') command='vane cache path' ;;
    'vane cache list') command='vane cache list' ;;
    'vane cache clear') command='vane cache clear' ;;
    'vane cache help') command='vane cache help' ;;
    'vane completion') command='vane completion' ;;
    'vane config') command='vane config' ;;
    'vane config list') command='vane config list' ;;
    'vane config get') command='vane config get' ;;
    'vane config set') command='vane config set' ;;
    'vane config unset') command='vane config unset' ;;
    'vane config path') command='vane config path' ;;
    'vane config help') command='vane config help' ;;
    'vane help') command='vane help' ;;
    *) positionals=$((positionals + 1)) ;;
  esac
}

_vane_describe() {
  options=('--version' '--base-url' '--demo' '--timeout' '--retries' '--no-cache' '--refresh' '-q,--quiet' '-v,--verbose' '--color,--no-color' '-h,--help')
  case $command in
    'vane')
      subcommands=('live' 'meta' 'archive' 'watch' 'serve' 'cache' 'completion' 'config' 'help')
      ;;
    'vane live')
      options+=('--name' '--near' '--radius' '--bbox' '--state' '--max-age' '--where' '--sort' '--limit' '-f,--format' '-o,--output' '-u,--units' '--knots' '--tz')
      ((positionals >= 0)) && takes=stations
      ;;
    'vane meta')
      options+=('--name' '--near' '--radius' '--bbox' '--state' '--max-age' '--where' '--sort' '--limit' '-f,--format' '-o,--output' '-u,--units' '--knots' '--tz')
      ((positionals >= 0)) && takes=stations
      ;;
    'vane archive')
      options+=('--start' '--stop' '--header' '--columns' '--split' '--append' '--concurrency' '--keep-going' '--report' '--dry-run' '-f,--format' '-o,--output' '-u,--units' '--knots' '--tz' '--name' '--near' '--radius' '--bbox' '--state' '--max-age' '--where' '--sort' '--limit')
      ((positionals >= 0)) && takes=stations
      ;;
    'vane watch')
      options+=('-f,--format' '--line' '-o,--output' '--interval' '--count' '--duration' '--max-failures' '--no-history' '--when' '--until' '--for' '--hysteresis' '--cooldown' '--events' '--exec' '-u,--units' '--knots' '--tz' '--name' '--near' '--radius' '--bbox' '--state' '--max-age' '--where' '--sort' '--limit')
      ((positionals >= 0)) && takes=stations
      ;;
    'vane serve')
      options+=('--port' '--host' '--upstream' '--warm' '--stale' '--upstream-concurrency' '--memory' '--rate' '--trust-proxy' '--max-connections' '--metrics-port' '--metrics-host' '--log')
      ;;
    'vane cache')
      subcommands=('path' 'list' 'clear' 'help')
      ;;
    'vane cache clear')
      options+=('--max-size')
      ;;
    'vane cache help')
      ((positionals == 0)) && takes=words values=('path' 'list' 'clear')
      ;;
    'vane completion')
      ((positionals == 0)) && takes=words values=('bash' 'zsh' 'fish' 'powershell')
      ;;
    'vane config')
      subcommands=('list' 'get' 'set' 'unset' 'path' 'help')
      ;;
    'vane config list')
      options+=('-u,--units' '--knots' '--tz')
      ;;
    'vane config get')
      options+=('-u,--units' '--knots' '--tz')
      ((positionals == 0)) && takes=text
      ;;
    'vane config set')
      ((positionals == 0)) && takes=text
      ((positionals == 1)) && takes=text
      ;;
    'vane config unset')
      ((positionals == 0)) && takes=text
      ;;
    'vane config help')
      ((positionals == 0)) && takes=words values=('list' 'get' 'set' 'unset' 'path')
      ;;
    'vane help')
      ((positionals == 0)) && takes=words values=('live' 'meta' 'archive' 'watch' 'serve' 'cache' 'completion' 'config')
      ;;
  esac
}

_vane_option() {
  takes='' values=()
  case $command in
    'vane live')
      case $1 in
        --name | --near | --radius | --bbox | --max-age | --where | --limit | --tz) takes=text ;;
        --state) takes=words values=('on' 'off' 'unknown') ;;
        --sort) takes=words values=('id' 'name' 'avg' 'gust' 'lull' 'age' 'distance' 'signal') ;;
        -f | --format) takes=words values=('table' 'csv' 'txt' 'json' 'ndjson' 'geojson') ;;
        -o | --output) takes=files ;;
        -u | --units) takes=words values=('kmh' 'kn' 'ms' 'mph' 'bft') ;;
      esac
      ;;
    'vane meta')
      case $1 in
        --name | --near | --radius | --bbox | --max-age | --where | --limit | --tz) takes=text ;;
        --state) takes=words values=('on' 'off' 'unknown') ;;
        --sort) takes=words values=('id' 'name' 'avg' 'gust' 'lull' 'age' 'distance' 'signal') ;;
        -f | --format) takes=words values=('table' 'csv' 'txt' 'json' 'ndjson' 'geojson') ;;
        -o | --output) takes=files ;;
        -u | --units) takes=words values=('kmh' 'kn' 'ms' 'mph' 'bft') ;;
      esac
      ;;
    'vane archive')
      case $1 in
        --start | --stop | --columns | --concurrency | --tz | --name | --near | --radius | --bbox | --max-age | --where | --limit) takes=text ;;
        --header) takes=words values=('service' 'names' 'none') ;;
        --split) takes=words values=('year' 'month') ;;
        --report | -o | --output) takes=files ;;
        -f | --format) takes=words values=('table' 'csv' 'txt' 'json' 'ndjson' 'parquet') ;;
        -u | --units) takes=words values=('kmh' 'kn' 'ms' 'mph' 'bft') ;;
        --state) takes=words values=('on' 'off' 'unknown') ;;
        --sort) takes=words values=('id' 'name' 'avg' 'gust' 'lull' 'age' 'distance' 'signal') ;;
      esac
      ;;
    'vane watch')
      case $1 in
        -f | --format) takes=words values=('ndjson' 'csv' 'txt' 'influx') ;;
        --line | --interval | --count | --duration | --max-failures | --when | --until | --for | --hysteresis | --cooldown | --exec | --tz | --name | --near | --radius | --bbox | --max-age | --where | --limit) takes=text ;;
        -o | --output) takes=files ;;
        -u | --units) takes=words values=('kmh' 'kn' 'ms' 'mph' 'bft') ;;
        --state) takes=words values=('on' 'off' 'unknown') ;;
        --sort) takes=words values=('id' 'name' 'avg' 'gust' 'lull' 'age' 'distance' 'signal') ;;
      esac
      ;;
    'vane serve')
      case $1 in
        --port | --host | --upstream | --stale | --upstream-concurrency | --memory | --rate | --trust-proxy | --max-connections | --metrics-port | --metrics-host) takes=text ;;
        --log) takes=files ;;
      esac
      ;;
    'vane cache clear')
      case $1 in
        --max-size) takes=text ;;
      esac
      ;;
    'vane config list')
      case $1 in
        -u | --units) takes=words values=('kmh' 'kn' 'ms' 'mph' 'bft') ;;
        --tz) takes=text ;;
      esac
      ;;
    'vane config get')
      case $1 in
        -u | --units) takes=words values=('kmh' 'kn' 'ms' 'mph' 'bft') ;;
        --tz) takes=text ;;
      esac
      ;;
  esac
  [[ $takes ]] || case $1 in
    --base-url | --timeout | --retries) takes=text ;;
  esac
}

complete -F _vane vane
