# Completions of vane for fish, written by: vane completion fish

set -g __vane_valued --base-url --timeout --retries --name --near --radius --bbox --state --max-age --where --sort --limit -f --format -o --output -u --units --tz --start --stop --header --columns --split --concurrency --report --line --interval --count --duration --max-failures --when --until --for --hysteresis --cooldown --exec --port --host --upstream --stale --upstream-concurrency --memory --rate --trust-proxy --max-connections --metrics-port --metrics-host --log --max-size

# Finds the command that is being typed, and how many words were given to it. Every condition
# asks for that, so it is found once for each line.
function __vane_look
    set -l tokens (commandline -opc)
    set -l line (string join \n -- $tokens | string collect)
    test "$line" = "$__vane_line"; and return
    set -g __vane_line $line
    set -g __vane_given $tokens
    set -g __vane_command vane
    set -g __vane_count 0
    set -l skip no
    set -l over no
    set -e tokens[1]
    for token in $tokens
        if test $skip = yes
            set skip no
            continue
        end
        switch "$over $token"
            case 'no --'
                set over yes
            case 'no --*=*'
            case 'no -?*'
                contains -- $token $__vane_valued; and set skip yes
            case '*'
                switch "$__vane_command $token"
                    case 'vane live'
                        set -g __vane_command 'vane live'
                    case 'vane meta'
                        set -g __vane_command 'vane meta'
                    case 'vane archive'
                        set -g __vane_command 'vane archive'
                    case 'vane watch'
                        set -g __vane_command 'vane watch'
                    case 'vane serve'
                        set -g __vane_command 'vane serve'
                    case 'vane cache'
                        set -g __vane_command 'vane cache'
                    case 'vane cache path'
                        set -g __vane_command 'vane cache path'
                    case 'vane cache list'
                        set -g __vane_command 'vane cache list'
                    case 'vane cache clear'
                        set -g __vane_command 'vane cache clear'
                    case 'vane cache help'
                        set -g __vane_command 'vane cache help'
                    case 'vane completion'
                        set -g __vane_command 'vane completion'
                    case 'vane config'
                        set -g __vane_command 'vane config'
                    case 'vane config list'
                        set -g __vane_command 'vane config list'
                    case 'vane config get'
                        set -g __vane_command 'vane config get'
                    case 'vane config set'
                        set -g __vane_command 'vane config set'
                    case 'vane config unset'
                        set -g __vane_command 'vane config unset'
                    case 'vane config path'
                        set -g __vane_command 'vane config path'
                    case 'vane config help'
                        set -g __vane_command 'vane config help'
                    case 'vane help'
                        set -g __vane_command 'vane help'
                    case '*'
                        set -g __vane_count (math $__vane_count + 1)
                end
        end
    end
    # An option that the cursor gives a value to is not given yet.
    test $skip = yes; and set -e __vane_given[-1]
    set -g __vane_given (string replace -r '^(--[^=]*)=.*' '$1' -- $__vane_given)
end

# Whether the command is $argv[1], with $argv[2] words given to it, or more where $argv[3] is +.
function __vane_at
    __vane_look
    test "$__vane_command" = "$argv[1]"; or return
    test (count $argv) -eq 1 -o "$__vane_count" = "$argv[2]"; and return
    test "$argv[3]" = +; and test $__vane_count -gt $argv[2]
end

# Whether none of these options was given.
function __vane_lacks
    __vane_look
    for name in $argv
        contains -- $name $__vane_given; and return 1
    end
    return 0
end

# Names are shown only; fish runs nothing that a command printed.
function __vane_stations
    # Fish asks also where an option is being typed.
    string match -q -- '-*' (commandline -ct); and return
    command -q vane; or return
    __vane_look
    command vane completion stations 2>/dev/null | while read -l -d \t id name
        contains -- $id $__vane_given; or printf '%s\t%s\n' $id $name
    end
end

complete -c vane -f

complete -c vane -n '__vane_lacks --version' -l version -d 'print the version; with -v also the details that a bug report needs'
complete -c vane -n '__vane_lacks --base-url' -l base-url -x -d 'address of the service, without /v1'
complete -c vane -n '__vane_lacks --demo' -l demo -d 'ask a simulated network on this machine instead; nothing goes over a network'
complete -c vane -n '__vane_lacks --timeout' -l timeout -x -d 'longest wait for a connection, for an answer and within it'
complete -c vane -n '__vane_lacks --retries' -l retries -x -d 'further attempts after a failure that may pass, 0 to 20'
complete -c vane -n '__vane_lacks --no-cache' -l no-cache -d 'neither read nor write the cache on disk'
complete -c vane -n '__vane_lacks --refresh' -l refresh -d 'ask the service again for answers in the cache, and replace them'
complete -c vane -n '__vane_lacks -q --quiet' -s q -l quiet -d 'print nothing on stderr but errors'
complete -c vane -n '__vane_lacks -v --verbose' -s v -l verbose -d 'print a line on stderr for each request, and why an error came'
complete -c vane -n '__vane_lacks --color --no-color' -l color -d 'colour the output'
complete -c vane -n '__vane_lacks --color --no-color' -l no-color -d 'no colour (as with NO_COLOR=1)'
complete -c vane -n '__vane_lacks -h --help' -s h -l help -d 'print help'

complete -c vane -n '__vane_at \'vane\' 0' -a 'live' -d 'latest measurements'
complete -c vane -n '__vane_at \'vane\' 0' -a 'meta' -d 'descriptions, pictures, votes and dates'
complete -c vane -n '__vane_at \'vane\' 0' -a 'archive' -d 'history over any period'
complete -c vane -n '__vane_at \'vane\' 0' -a 'watch' -d 'the wind as it changes, and alarms'
complete -c vane -n '__vane_at \'vane\' 0' -a 'serve' -d 'a station service, or the cache in front of one'
complete -c vane -n '__vane_at \'vane\' 0' -a 'cache' -d 'the cache of answers'
complete -c vane -n '__vane_at \'vane\' 0' -a 'completion' -d 'completions for a shell'
complete -c vane -n '__vane_at \'vane\' 0' -a 'config' -d 'your default values, and names for stations'
complete -c vane -n '__vane_at \'vane\' 0' -a 'help' -d 'print help for a command'

complete -c vane -n '__vane_at \'vane live\' 0 +' -k -a '(__vane_stations)'
complete -c vane -n '__vane_at \'vane live\'; and __vane_lacks --name' -l name -x -d 'stations whose name holds a text, case and accents aside'
complete -c vane -n '__vane_at \'vane live\'; and __vane_lacks --near' -l near -x -d 'sort by distance from a place, in degrees'
complete -c vane -n '__vane_at \'vane live\'; and __vane_lacks --radius' -l radius -x -d 'with --near: stations at most so far away, in km, nm or mi'
complete -c vane -n '__vane_at \'vane live\'; and __vane_lacks --bbox' -l bbox -x -d 'stations in a box, in degrees'
complete -c vane -n '__vane_at \'vane live\'; and __vane_lacks --state' -l state -x -a 'on off unknown' -d 'stations in a power state'
complete -c vane -n '__vane_at \'vane live\'; and __vane_lacks --max-age' -l max-age -x -d 'stations measured at most so long ago'
complete -c vane -n '__vane_at \'vane live\'; and __vane_lacks --where' -l where -x -d 'stations where a condition holds now, as in watch --when'
complete -c vane -n '__vane_at \'vane live\'; and __vane_lacks --sort' -l sort -x -a 'id name avg gust lull age distance signal' -d 'order: strongest wind, youngest, nearest or best signal first'
complete -c vane -n '__vane_at \'vane live\'; and __vane_lacks --limit' -l limit -x -d 'at most so many stations'
complete -c vane -n '__vane_at \'vane live\'; and __vane_lacks -f --format' -s f -l format -x -a 'table csv txt json ndjson geojson' -d 'how to write the data'
complete -c vane -n '__vane_at \'vane live\'; and __vane_lacks -o --output' -s o -l output -r -F -d 'write to a file, all of it or none; .gz compresses; - is stdout'
complete -c vane -n '__vane_at \'vane live\'; and __vane_lacks -u --units' -s u -l units -x -a 'kmh kn ms mph bft' -d 'unit of speeds'
complete -c vane -n '__vane_at \'vane live\'; and __vane_lacks --knots' -l knots -d 'short for --units kn'
complete -c vane -n '__vane_at \'vane live\'; and __vane_lacks --tz' -l tz -x -d 'zone of times, and of dates without an offset: utc, local or e.g. Europe/Paris'

complete -c vane -n '__vane_at \'vane meta\' 0 +' -k -a '(__vane_stations)'
complete -c vane -n '__vane_at \'vane meta\'; and __vane_lacks --name' -l name -x -d 'stations whose name holds a text, case and accents aside'
complete -c vane -n '__vane_at \'vane meta\'; and __vane_lacks --near' -l near -x -d 'sort by distance from a place, in degrees'
complete -c vane -n '__vane_at \'vane meta\'; and __vane_lacks --radius' -l radius -x -d 'with --near: stations at most so far away, in km, nm or mi'
complete -c vane -n '__vane_at \'vane meta\'; and __vane_lacks --bbox' -l bbox -x -d 'stations in a box, in degrees'
complete -c vane -n '__vane_at \'vane meta\'; and __vane_lacks --state' -l state -x -a 'on off unknown' -d 'stations in a power state'
complete -c vane -n '__vane_at \'vane meta\'; and __vane_lacks --max-age' -l max-age -x -d 'stations measured at most so long ago'
complete -c vane -n '__vane_at \'vane meta\'; and __vane_lacks --where' -l where -x -d 'stations where a condition holds now, as in watch --when'
complete -c vane -n '__vane_at \'vane meta\'; and __vane_lacks --sort' -l sort -x -a 'id name avg gust lull age distance signal' -d 'order: strongest wind, youngest, nearest or best signal first'
complete -c vane -n '__vane_at \'vane meta\'; and __vane_lacks --limit' -l limit -x -d 'at most so many stations'
complete -c vane -n '__vane_at \'vane meta\'; and __vane_lacks -f --format' -s f -l format -x -a 'table csv txt json ndjson geojson' -d 'how to write the data'
complete -c vane -n '__vane_at \'vane meta\'; and __vane_lacks -o --output' -s o -l output -r -F -d 'write to a file, all of it or none; .gz compresses; - is stdout'
complete -c vane -n '__vane_at \'vane meta\'; and __vane_lacks -u --units' -s u -l units -x -a 'kmh kn ms mph bft' -d 'unit of speeds'
complete -c vane -n '__vane_at \'vane meta\'; and __vane_lacks --knots' -l knots -d 'short for --units kn'
complete -c vane -n '__vane_at \'vane meta\'; and __vane_lacks --tz' -l tz -x -d 'zone of times, and of dates without an offset: utc, local or e.g. Europe/Paris'

complete -c vane -n '__vane_at \'vane archive\' 0 +' -k -a '(__vane_stations)'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --start' -l start -x -d 'first moment: a date (2024-05, 2024-05-01T12:00Z), a duration before the stop (3d, 12h, P1M), today, yesterday, or last-hour, last-day, last-week, last-month'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --stop' -l stop -x -d 'first moment after the period: a date such as 2024-06-01, today, yesterday, or now'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --header' -l header -x -a 'service names none' -d 'header of csv and txt: the service\'s four lines, the column names alone, or none'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --columns' -l columns -x -d 'only these columns, in this order'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --split' -l split -x -a 'year month' -d 'a file for each year or month (UTC), named by --output'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --append' -l append -d 'continue the file of --output after its last row (csv, txt, ndjson)'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --concurrency' -l concurrency -x -d 'parallel requests, 1 to 16'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --keep-going' -l keep-going -d 'after a failed chunk write the others, and list the missing periods'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --report' -l report -r -F -d 'write a report of the export as json; - is stdout'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --dry-run' -l dry-run -d 'print the requests without sending them'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks -f --format' -s f -l format -x -a 'table csv txt json ndjson parquet' -d 'how to write the data'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks -o --output' -s o -l output -r -F -d 'write to a file, all of it or none; .gz compresses; - is stdout'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks -u --units' -s u -l units -x -a 'kmh kn ms mph bft' -d 'unit of speeds'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --knots' -l knots -d 'short for --units kn'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --tz' -l tz -x -d 'zone of times, and of dates without an offset: utc, local or e.g. Europe/Paris'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --name' -l name -x -d 'stations whose name holds a text, case and accents aside'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --near' -l near -x -d 'sort by distance from a place, in degrees'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --radius' -l radius -x -d 'with --near: stations at most so far away, in km, nm or mi'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --bbox' -l bbox -x -d 'stations in a box, in degrees'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --state' -l state -x -a 'on off unknown' -d 'stations in a power state'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --max-age' -l max-age -x -d 'stations measured at most so long ago'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --where' -l where -x -d 'stations where a condition holds now, as in watch --when'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --sort' -l sort -x -a 'id name avg gust lull age distance signal' -d 'order: strongest wind, youngest, nearest or best signal first'
complete -c vane -n '__vane_at \'vane archive\'; and __vane_lacks --limit' -l limit -x -d 'at most so many stations'

complete -c vane -n '__vane_at \'vane watch\' 0 +' -k -a '(__vane_stations)'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks -f --format' -s f -l format -x -a 'ndjson csv txt influx' -d 'write records in this format'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --line' -l line -x -d 'write each record by a template'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks -o --output' -s o -l output -r -F -d 'append records to a file, which may be rotated (SIGHUP opens it again); - is stdout'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --interval' -l interval -x -d 'time between polls, 60s or more'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --count' -l count -x -d 'end after this many polls'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --duration' -l duration -x -d 'end after this time'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --max-failures' -l max-failures -x -d 'end with code 5 after this many failed polls in a row'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --no-history' -l no-history -d 'do not request the last hour at the start'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --when' -l when -x -d 'alarm: ring when a condition becomes true and when it becomes false'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --until' -l until -x -d 'end when a condition is true'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --for' -l for -x -d 'time that the condition has to be true first'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --hysteresis' -l hysteresis -x -d 'how far past its bound a speed has to be before the condition is false again'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --cooldown' -l cooldown -x -d 'shortest time between two rings of the alarm'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --events' -l events -d 'write records of events only'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --exec' -l exec -x -d 'run a shell command at each event'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks -u --units' -s u -l units -x -a 'kmh kn ms mph bft' -d 'unit of speeds'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --knots' -l knots -d 'short for --units kn'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --tz' -l tz -x -d 'zone of times, and of dates without an offset: utc, local or e.g. Europe/Paris'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --name' -l name -x -d 'stations whose name holds a text, case and accents aside'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --near' -l near -x -d 'sort by distance from a place, in degrees'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --radius' -l radius -x -d 'with --near: stations at most so far away, in km, nm or mi'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --bbox' -l bbox -x -d 'stations in a box, in degrees'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --state' -l state -x -a 'on off unknown' -d 'stations in a power state'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --max-age' -l max-age -x -d 'stations measured at most so long ago'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --where' -l where -x -d 'stations where a condition holds now, as in watch --when'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --sort' -l sort -x -a 'id name avg gust lull age distance signal' -d 'order: strongest wind, youngest, nearest or best signal first'
complete -c vane -n '__vane_at \'vane watch\'; and __vane_lacks --limit' -l limit -x -d 'at most so many stations'

complete -c vane -n '__vane_at \'vane serve\'; and __vane_lacks --port' -l port -x -d 'port to listen on, 0 to 65535; 0 picks a free one'
complete -c vane -n '__vane_at \'vane serve\'; and __vane_lacks --host' -l host -x -d 'address to listen on'
complete -c vane -n '__vane_at \'vane serve\'; and __vane_lacks --upstream' -l upstream -x -d 'service to be in front of, without /v1'
complete -c vane -n '__vane_at \'vane serve\'; and __vane_lacks --warm' -l warm -d 'ask ahead of time, so that nobody waits'
complete -c vane -n '__vane_at \'vane serve\'; and __vane_lacks --stale' -l stale -x -d 'how old live data may get while the service fails'
complete -c vane -n '__vane_at \'vane serve\'; and __vane_lacks --upstream-concurrency' -l upstream-concurrency -x -d 'archive requests to the service at once, 1 to 16'
complete -c vane -n '__vane_at \'vane serve\'; and __vane_lacks --memory' -l memory -x -d 'most that answers may take in memory'
complete -c vane -n '__vane_at \'vane serve\'; and __vane_lacks --rate' -l rate -x -d 'requests a minute from one address, or none for no limit'
complete -c vane -n '__vane_at \'vane serve\'; and __vane_lacks --trust-proxy' -l trust-proxy -x -d 'proxies whose X-Forwarded-For is believed: addresses, ranges, loopback, linklocal, uniquelocal'
complete -c vane -n '__vane_at \'vane serve\'; and __vane_lacks --max-connections' -l max-connections -x -d 'connections at once'
complete -c vane -n '__vane_at \'vane serve\'; and __vane_lacks --metrics-port' -l metrics-port -x -d 'port that /health and /metrics are at, and nowhere else, 0 to 65535'
complete -c vane -n '__vane_at \'vane serve\'; and __vane_lacks --metrics-host' -l metrics-host -x -d 'address to listen on with --metrics-port'
complete -c vane -n '__vane_at \'vane serve\'; and __vane_lacks --log' -l log -r -F -d 'add a json line for each request to a file, which may be rotated (SIGHUP opens it again); - is stdout'

complete -c vane -n '__vane_at \'vane cache\' 0' -a 'path' -d 'Prints the folder of the cache.'
complete -c vane -n '__vane_at \'vane cache\' 0' -a 'list' -d 'Lists what is kept, the longest unused first.'
complete -c vane -n '__vane_at \'vane cache\' 0' -a 'clear' -d 'Removes what is kept, or what is over a size.'
complete -c vane -n '__vane_at \'vane cache\' 0' -a 'help' -d 'print help for a command'

complete -c vane -n '__vane_at \'vane cache clear\'; and __vane_lacks --max-size' -l max-size -x -d 'keep the latest used up to this size'

complete -c vane -n '__vane_at \'vane cache help\' 0' -a 'path list clear'

complete -c vane -n '__vane_at \'vane completion\' 0' -a 'bash zsh fish powershell'

complete -c vane -n '__vane_at \'vane config\' 0' -a 'list' -d 'Lists every key with its value and where that comes from.'
complete -c vane -n '__vane_at \'vane config\' 0' -a 'get' -d 'Prints the value of a key, wherever it comes from.'
complete -c vane -n '__vane_at \'vane config\' 0' -a 'set' -d 'Sets a key in the file, which is made if there is none.'
complete -c vane -n '__vane_at \'vane config\' 0' -a 'unset' -d 'Takes a key out of the file.'
complete -c vane -n '__vane_at \'vane config\' 0' -a 'path' -d 'Prints where the file is.'
complete -c vane -n '__vane_at \'vane config\' 0' -a 'help' -d 'print help for a command'

complete -c vane -n '__vane_at \'vane config list\'; and __vane_lacks -u --units' -s u -l units -x -a 'kmh kn ms mph bft' -d 'unit of speeds'
complete -c vane -n '__vane_at \'vane config list\'; and __vane_lacks --knots' -l knots -d 'short for --units kn'
complete -c vane -n '__vane_at \'vane config list\'; and __vane_lacks --tz' -l tz -x -d 'zone of times, and of dates without an offset: utc, local or e.g. Europe/Paris'

complete -c vane -n '__vane_at \'vane config get\'; and __vane_lacks -u --units' -s u -l units -x -a 'kmh kn ms mph bft' -d 'unit of speeds'
complete -c vane -n '__vane_at \'vane config get\'; and __vane_lacks --knots' -l knots -d 'short for --units kn'
complete -c vane -n '__vane_at \'vane config get\'; and __vane_lacks --tz' -l tz -x -d 'zone of times, and of dates without an offset: utc, local or e.g. Europe/Paris'

complete -c vane -n '__vane_at \'vane config help\' 0' -a 'list get set unset path'

complete -c vane -n '__vane_at \'vane help\' 0' -a 'live meta archive watch serve cache completion config'
