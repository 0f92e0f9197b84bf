# bash completion for stint(1).

# The options of a command, one a line, each with what its argument may be: "--api on|off", "-o FILE", "--quiet".
_stint_options()
{
    "${COMP_WORDS[0]}" "$1" --complete 2>/dev/null
}

# Prints the argument of an option; nothing if it takes none, or one only behind "=". $1: the options, $2: the word
_stint_argument()
{
    local name argument
    while read -r name argument; do
        [[ $name == "$2" && $argument != \[* ]] && echo "$argument"
    done <<<"$1"
}

_stint_words()
{
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_stint_reports()
{
    local before="" word=$1
    if [[ $word == *,* ]]; then
        before=${word%,*},
        word=${word##*,}
    fi
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$("${COMP_WORDS[0]}" stats --list 2>/dev/null | cut -d" " -f1) off" -- "$word")
}

# The formats of stint export, as its help lists them.
_stint_formats()
{
    "${COMP_WORDS[0]}" export --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p'
}

# What may stand behind an option. $1: its argument, $2: the word
_stint_value()
{
    case $1 in
    *"|"*) _stint_words "${1//|/ }" "$2" ;;
    FILE | OUT) mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    FORMAT) _stint_words "$(_stint_formats) json csv" "$2" ;;
    KINDS) _stint_words "total scope context kernel copy api" "$2" ;;
    NAME\[,*) _stint_reports "$2" ;;
    esac
}

# Words of a command that are not options. $1: the command, $2: the word
_stint_other()
{
    case $1 in
    run | nvprof | doctor) mapfile -t COMPREPLY < <(compgen -c -- "$2") ;;
    attach | metrics | top) mapfile -t COMPREPLY < <(cd /proc && compgen -d -X '[!1-9]*' -- "$2") ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    esac
}

# The position of the program's name among the words of "stint run"; nothing if there is none yet. $1: the options
_stint_program()
{
    local i=2
    while ((i < COMP_CWORD)); do
        if [[ ${COMP_WORDS[i]} == -- ]]; then
            echo $((i + 1))
            return
        elif [[ ${COMP_WORDS[i]} != -* ]]; then
            echo "$i"
            return
        fi
        [[ -n $(_stint_argument "$1" "${COMP_WORDS[i]}") ]] && ((i += 1))
        ((i += 1))
    done
}

_stint()
{
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} options argument program=""
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        _stint_words "run nvprof attach top metrics stats samples ops export diff merge report doctor --help --version" "$word"
        return
    fi
    options=$(_stint_options "$command")
    argument=$(_stint_argument "$options" "${COMP_WORDS[COMP_CWORD - 1]}")
    [[ $command == run || $command == nvprof ]] && program=$(_stint_program "$options")
    if [[ -n $program && $program -lt $COMP_CWORD ]]; then
        if declare -F _command_offset >/dev/null; then
            _command_offset "$program"
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
        fi
    elif [[ -z $program && -n $argument ]]; then
        _stint_value "$argument" "$word"
    elif [[ -z $program && $word == -* ]]; then
        _stint_words "$(grep -o '^--[a-z-]*' <<<"$options")" "$word"
    else
        _stint_other "$command" "$word"
    fi
}

complete -o default -F _stint stint
