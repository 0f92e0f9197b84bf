# bash completion for stint(1).

_stint_reports()
{
    local names="table tree nvprof gpu gpu-trace api-trace csv json paddle nvprof-csv gpu-trace-csv api-trace-csv off"
    names+=" nvtx_sum nvtx_pushpop_sum nvtx_startend_sum nvtx_gpu_proj_sum nvtx_kern_sum cuda_gpu_kern_sum"
    names+=" cuda_gpu_kern_gb_sum cuda_gpu_mem_time_sum cuda_gpu_mem_size_sum cuda_gpu_sum cuda_api_sum"
    local before="" word=$1
    if [[ $word == *,* ]]; then
        before=${word%,*},
        word=${word##*,}
    fi
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$names" -- "$word")
}

# The value of the option before the cursor; returns 1 if that takes none.
_stint_value()
{
    case $1 in
    --gpu) mapfile -t COMPREPLY < <(compgen -W "on off kernels api" -- "$2") ;;
    --api | --nvtx) mapfile -t COMPREPLY < <(compgen -W "on off" -- "$2") ;;
    --report) _stint_reports "$2" ;;
    --format) mapfile -t COMPREPLY < <(compgen -W "table csv json" -- "$2") ;;
    --log-file) mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    --trace) COMPREPLY=() ;;
    *) return 1 ;;
    esac
}

# Where the program's name stands among the words after "run"; nothing if it is not there yet.
_stint_program()
{
    local i=2
    while ((i < COMP_CWORD)); do
        case ${COMP_WORDS[i]} in
        --) echo $((i + 1)); return ;;
        --gpu | --api | --nvtx | --report | --format | --log-file | --trace) ((i += 2)) ;;
        -*) ((i += 1)) ;;
        *) echo "$i"; return ;;
        esac
    done
}

_stint_run()
{
    local word=${COMP_WORDS[COMP_CWORD]} program
    program=$(_stint_program)
    if [[ -n $program && $program -lt $COMP_CWORD ]]; then
        if declare -F _command_offset >/dev/null; then
            _command_offset "$program"
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
        fi
    elif [[ -z $program ]] && _stint_value "${COMP_WORDS[COMP_CWORD - 1]}" "$word"; then
        return
    elif [[ -z $program && $word == -* ]]; then
        local options="--gpu --api --nvtx --trace --report --format --log-file --quiet --help --version"
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -c -- "$word")
    fi
}

_stint()
{
    local word=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "run doctor --help --version" -- "$word")
    elif [[ ${COMP_WORDS[1]} == run ]]; then
        _stint_run
    elif [[ ${COMP_WORDS[1]} == doctor && $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "--help --version" -- "$word")
    elif [[ ${COMP_WORDS[1]} == doctor ]]; then
        mapfile -t COMPREPLY < <(compgen -c -- "$word")
    fi
}

complete -o default -F _stint stint
