# lib.sh - what the tests of the program share. A test is a function named as its promise; `run_tests NAME...` calls each
# in an empty folder of its own. In it, `stint` is the program under test.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
failed=0

# What is sorted has one order.
LANG=${LC_ALL:-${LANG:-C}} LC_COLLATE=C
unset LC_ALL
export LANG LC_COLLATE

unset STINT_CONTROL STINT_FROM_START STINT_DELAY STINT_DURATION STINT_WINDOW
unset STINT_REPORT STINT_OUTPUT STINT_GPU STINT_GPU_UNIFIED_MEMORY STINT_GPU_TRACE STINT_NVTX LD_PRELOAD CUDA_INJECTION64_PATH NVTX_INJECTION64_PATH \
    STINT_CHAIN_CUDA STINT_CHAIN_NVTX TMPDIR COLUMNS

# The library that records is tested elsewhere; here, one that does nothing.
STINT_INJECT_LIBRARY=$INJECT
export STINT_INJECT_LIBRARY

stint()
{
    "$STINT" "$@"
}

complain()
{
    echo "$test: $1"
    failed=1
}

# same WHAT ACTUAL EXPECTED
same()
{
    [ "$2" = "$3" ] || complain "$1 is '$2', not '$3'"
}

# has FILE TEXT - whether some line contains it.
has()
{
    grep -qF -e "$2" "$1" || { complain "$1 has no '$2':"; cat "$1"; }
}

# lacks FILE TEXT
lacks()
{
    ! grep -qF -e "$2" "$1" || { complain "$1 has '$2':"; cat "$1"; }
}

# lines FILE TEXT NUMBER - how many lines contain it.
lines()
{
    same "the number of '$2' in $1" "$(grep -cF -e "$2" "$1")" "$3"
}

# refused TEXT COMMAND ARGUMENT... - stint exits with 2, says TEXT on stderr and nothing on stdout, and runs no `touch ran`.
refused()
{
    text=$1
    shift
    stint "$@" >out 2>err
    same "the exit code of: $*" $? 2
    has err "$text"
    same "stdout" "$(cat out)" ""
    [ ! -e ran ] || complain "the program ran"
}

# until_true COMMAND... - waits, but not forever.
until_true()
{
    for _ in $(seq 200); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.05
    done
    complain "waited in vain for: $*"
}

# listens PID - whether the process does, in a run's folder or in `sockets`.
listens()
{
    for socket in "$TMPDIR"/stint-*/"$1".*.sock sockets/"$1".*.sock; do
        [ ! -S "$socket" ] || return 0
    done
    return 1
}

# state PID LETTER - whether the process is in that state.
state()
{
    [ "$(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null)" = "$2" ]
}

run_tests()
{
    for test in "$@"; do
        rm -rf "$WORK"
        mkdir -p "$WORK/tmp"
        cd "$WORK" || exit 1
        export TMPDIR="$WORK/tmp"
        "$test"
        echo "done: $test"
    done
    exit $failed
}
