# Completions of vane for fish, written by: vane completion fish

# Asks vane for the words at the cursor. Fails where files may stand, which fish offers by itself.
function __vane_ask
    set -l token (commandline -ct)
    set -l answer (command vane completion words -- (commandline -opc)[2..] "$token" 2>/dev/null)
    set -g __vane_offers $answer[2..]
    test "$answer[1]" != files
end

complete -c vane -n __vane_ask -f -k -a '(string join \n -- $__vane_offers)'
