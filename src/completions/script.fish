# Completions of vane for fish, written by: vane completion fish

set -g __vane_valued @@valued@@

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
@@arms@@
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
