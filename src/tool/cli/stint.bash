# bash completion for stint(1).

_stint_reports()
{
    local names
    names="$("${COMP_WORDS[0]}" stats --list 2>/dev/null) off"
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
    --api | --nvtx | --from-start) mapfile -t COMPREPLY < <(compgen -W "on off" -- "$2") ;;
    --report) _stint_reports "$2" ;;
    --format) mapfile -t COMPREPLY < <(compgen -W "table csv json" -- "$2") ;;
    --sort) mapfile -t COMPREPLY < <(compgen -W "total calls avg min max self name" -- "$2") ;;
    --unit) mapfile -t COMPREPLY < <(compgen -W "auto col s ms us ns" -- "$2") ;;
    --log-file | --store) mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    --trace | --top | --include | --exclude | --functions) COMPREPLY=() ;;
    --delay | --duration | --timeout | --window) COMPREPLY=() ;;
    *) return 1 ;;
    esac
}

# The position of the program's name among the words after "run"; nothing if there is none yet.
_stint_program()
{
    local i=2
    while ((i < COMP_CWORD)); do
        case ${COMP_WORDS[i]} in
        --) echo $((i + 1)); return ;;
        --gpu | --api | --nvtx | --report | --format | --log-file | --trace | --store) ((i += 2)) ;;
        --sort | --unit | --top | --include | --exclude | --functions) ((i += 2)) ;;
        --from-start | --delay | --duration | --timeout | --window) ((i += 2)) ;;
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
        local options="--gpu --api --nvtx --trace --store --report --format --log-file --quiet --help --version"
        options+=" --include --exclude --sort --top --unit --functions"
        options+=" --from-start --delay --duration --timeout --window --live"
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -c -- "$word")
    fi
}

# nvprof's options: those that stand alone, and those that take a value.
_stint_nvprof_alone="--force-overwrite --quiet --print-summary --print-summary-per-gpu --print-gpu-summary"
_stint_nvprof_alone+=" --print-api-summary --print-gpu-trace --print-api-trace --csv --profile-child-processes --help"
_stint_nvprof_alone+=" --version --analysis-metrics --query-metrics --query-events --profile-all-processes"
_stint_nvprof_alone+=" --dependency-analysis --print-dependency-analysis-trace --print-openacc-summary"
_stint_nvprof_alone+=" --print-openacc-trace --print-openacc-constructs --print-openmp-summary --print-nvlink-topology"
_stint_nvprof_alone+=" --print-pci-topology --cpu-profiling-explain-ccff"
_stint_nvprof_valued="--export-profile --import-profile --log-file --normalized-time-unit --demangling"
_stint_nvprof_valued+=" --profile-from-start --profile-api-trace --trace --timeout --metrics --events --kernels --devices"
_stint_nvprof_valued+=" --aggregate-mode --event-collection-mode --replay-mode --skip-kernel-replay-save-restore"
_stint_nvprof_valued+=" --continuous-sampling-interval --pc-sampling-period --source-level-analysis"
_stint_nvprof_valued+=" --track-memory-allocations --unified-memory-profiling --concurrent-kernels"
_stint_nvprof_valued+=" --kernel-latency-timestamps --system-profiling --cpu-thread-tracing --annotate-mpi"
_stint_nvprof_valued+=" --openacc-profiling --openacc-summary-mode --openmp-profiling --process-name --context-name"
_stint_nvprof_valued+=" --device-buffer-size --device-cdp-buffer-size --profiling-semaphore-pool-size --cpu-profiling"
_stint_nvprof_valued+=" --cpu-profiling-frequency --cpu-profiling-mode --cpu-profiling-max-depth"
_stint_nvprof_valued+=" --cpu-profiling-percentage-threshold --cpu-profiling-scope --cpu-profiling-show-ccff"
_stint_nvprof_valued+=" --cpu-profiling-show-library --cpu-profiling-thread-mode --cpu-profiling-unwind-stack"

# Whether an option of nvprof takes the next word.
_stint_nvprof_takes()
{
    [[ " $_stint_nvprof_valued -o -i -u -t -m -e -a " == *" $1 "* ]]
}

# The position of the program's name among the words after "nvprof"; nothing if there is none yet.
_stint_nvprof_program()
{
    local i=2
    while ((i < COMP_CWORD)); do
        if [[ ${COMP_WORDS[i]} == -- ]]; then
            echo $((i + 1))
            return
        elif _stint_nvprof_takes "${COMP_WORDS[i]}"; then
            ((i += 2))
        elif [[ ${COMP_WORDS[i]} == -* ]]; then
            ((i += 1))
        else
            echo "$i"
            return
        fi
    done
}

_stint_nvprof_value()
{
    case $1 in
    -u | --normalized-time-unit) mapfile -t COMPREPLY < <(compgen -W "auto col s ms us ns" -- "$2") ;;
    --demangling | --profile-from-start) mapfile -t COMPREPLY < <(compgen -W "on off" -- "$2") ;;
    --profile-api-trace) mapfile -t COMPREPLY < <(compgen -W "all none" -- "$2") ;;
    --trace) mapfile -t COMPREPLY < <(compgen -W "gpu api gpu,api" -- "$2") ;;
    -o | --export-profile | -i | --import-profile | --log-file) mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    *) COMPREPLY=() ;;
    esac
}

_stint_export()
{
    local word=$1
    case $2 in
    --format)
        local names="chrome perfetto speedscope collapsed gbench ctest json csv"
        mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word")
        ;;
    --weight) mapfile -t COMPREPLY < <(compgen -W "host gpu bytes" -- "$word") ;;
    *)
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W "--format --weight --output --help --version" -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
        fi
        ;;
    esac
}

_stint_nvprof()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} program
    program=$(_stint_nvprof_program)
    if [[ -n $program && $program -lt $COMP_CWORD ]]; then
        if declare -F _command_offset >/dev/null; then
            _command_offset "$program"
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
        fi
    elif [[ -z $program ]] && _stint_nvprof_takes "$before"; then
        _stint_nvprof_value "$before" "$word"
    elif [[ -z $program && $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$_stint_nvprof_alone $_stint_nvprof_valued" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -c -- "$word")
    fi
}

_stint_stats()
{
    local word=$1
    case $2 in
    --filter-*) COMPREPLY=() ;;
    -o | --output) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    *)
        if _stint_value "$2" "$word"; then
            return
        elif [[ $word == -* ]]; then
            local options="--report --format --filter-time --filter-nvtx --filter-process --filter-device --include"
            options+=" --exclude --top --sort --unit --output --list --quiet --help --version"
            mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
        fi
        ;;
    esac
}

_stint_page()
{
    local word=$1
    if [[ $2 == --title ]]; then
        COMPREPLY=()
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "--output --title --help --version" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}

_stint_diff()
{
    local word=$1
    case $2 in
    --format) mapfile -t COMPREPLY < <(compgen -W "table csv json junit markdown" -- "$word") ;;
    --sort) mapfile -t COMPREPLY < <(compgen -W "change name total" -- "$word") ;;
    --by) mapfile -t COMPREPLY < <(compgen -W "total scope context kernel copy api" -- "$word") ;;
    --gate | --top) COMPREPLY=() ;;
    *)
        if [[ $word == -* ]]; then
            local options="--gate --by --format --sort --top --force --output --help --version"
            mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
        fi
        ;;
    esac
}

_stint()
{
    local word=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "run nvprof attach stats export diff merge report doctor --help --version" -- "$word")
    elif [[ ${COMP_WORDS[1]} == run ]]; then
        _stint_run
    elif [[ ${COMP_WORDS[1]} == nvprof ]]; then
        _stint_nvprof
    elif [[ ${COMP_WORDS[1]} == stats ]]; then
        _stint_stats "$word" "${COMP_WORDS[COMP_CWORD - 1]}"
    elif [[ ${COMP_WORDS[1]} == diff ]]; then
        _stint_diff "$word" "${COMP_WORDS[COMP_CWORD - 1]}"
    elif [[ ${COMP_WORDS[1]} == report ]]; then
        _stint_page "$word" "${COMP_WORDS[COMP_CWORD - 1]}"
    elif [[ ${COMP_WORDS[1]} == merge && $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "--output --help --version" -- "$word")
    elif [[ ${COMP_WORDS[1]} == merge ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    elif [[ ${COMP_WORDS[1]} == attach && $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "--on --off --print --help --version" -- "$word")
    elif [[ ${COMP_WORDS[1]} == attach ]]; then
        mapfile -t COMPREPLY < <(cd /proc && compgen -d -X '[!1-9]*' -- "$word")
    elif [[ ${COMP_WORDS[1]} == export ]]; then
        _stint_export "$word" "${COMP_WORDS[COMP_CWORD - 1]}"
    elif [[ ${COMP_WORDS[1]} == doctor && $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "--help --version" -- "$word")
    elif [[ ${COMP_WORDS[1]} == doctor ]]; then
        mapfile -t COMPREPLY < <(compgen -c -- "$word")
    fi
}

complete -o default -F _stint stint
