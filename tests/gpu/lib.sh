# Sourced by run.sh: counts and prints checks, limits times, and searches logs. POSIX sh. Expects `checks`, the folder
# for logs, and `required`, which is 1 if a machine without a GPU is a failure.
# shellcheck shell=sh disable=SC2154

began=$(date +%s)
passed=0
failed=0
skipped=0

# begin_checks NAME [FOLDER] - sets `root`, `build`, which is that folder, and `checks`, an empty one in it for the logs
# of the script of that name.
begin_checks()
{
    root=$(CDPATH='' cd -- "$here/../.." && pwd)
    build=$(CDPATH='' cd -- "${2:-$root/build/gpu}" && pwd) || exit 2
    checks=$build/checks/$1
    required=${STINT_REQUIRE_GPU-}
    rm -rf "$checks"
    mkdir -p "$checks" "$build/tests/gpu"
}

pass()
{
    passed=$((passed + 1))
    echo "PASS $1: $2"
}

fail()
{
    failed=$((failed + 1))
    echo "FAIL $1: $2"
}

skip()
{
    skipped=$((skipped + 1))
    echo "SKIP $1: $2"
}

# Called if the machine lacks something.
lack()
{
    if [ "$required" = 1 ]; then
        fail "$@"
    else
        skip "$@"
    fi
}

took()
{
    echo $(($(date +%s) - began))
}

# finish CODE - exits with 1 if anything failed, otherwise with the code.
finish()
{
    echo "took $(took) s"
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] || exit 1
    exit "$1"
}

# limit SECONDS COMMAND... - limits its time to these seconds, and to what remains of the nine and a half minutes for
# everything.
limit()
{
    seconds=$1
    shift
    left=$((570 - $(took)))
    [ "$left" -ge "$seconds" ] || seconds=$left
    if [ "$seconds" -le 0 ]; then
        echo "no time left"
        return 124
    fi
    timeout -k 5 "$seconds" "$@"
}

# find_tool NAME PATTERN... - prints the path of a program: the one in PATH, otherwise the last file that matches.
find_tool()
{
    command -v "$1" && return
    shift
    found=
    for file in "$@"; do
        [ ! -x "$file" ] || found=$file
    done
    [ -n "$found" ] && echo "$found"
}

# count PATTERN FILE - counts the lines that match the extended regular expression.
count()
{
    grep -Ec -e "$1" "$2" 2>/dev/null || true
}

# show FILE [LINES] - prints the end of a log after a failure.
show()
{
    tail -n "${2:-15}" "$1" 2>/dev/null | sed 's/^/    /'
}

# expect_line NAME CODE PATTERN - checks that CODE, a program's exit code, is 0, and that its log NAME.log has a
# matching line, which is printed.
expect_line()
{
    if [ "$2" -eq 0 ] && [ "$(count "$3" "$checks/$1.log")" -gt 0 ]; then
        pass "$1" "$(grep -E -e "$3" "$checks/$1.log" | tail -n 1)"
    else
        fail "$1" "exit code $2, expected 0 and a line: $3"
        show "$checks/$1.log"
    fi
}

# check_program NAME SECONDS PATTERN [ENV...] PROGRAM [ARGUMENT...] - runs the program, which has to succeed and print
# PATTERN.
check_program()
{
    name=$1
    seconds=$2
    pattern=$3
    shift 3
    limit "$seconds" env "$@" >"$checks/$name.log" 2>&1
    expect_line "$name" $? "$pattern"
}

# For scripts that inject stint themselves: forgets what the environment says of it, and sets `nvcc` and `cuda`, the
# toolkit's folder. Ends the script where there is no GPU or no toolkit.
begin_injecting()
{
    unset NVTX_INJECTION64_PATH CUDA_INJECTION64_PATH LD_PRELOAD
    for variable in $(env | sed -n 's/^\(STINT_[A-Z_]*\)=.*/\1/p'); do
        unset "$variable"
    done

    nvcc=$(find_tool nvcc /usr/local/cuda*/bin/nvcc)
    if [ -z "$nvcc" ] || ! ls /dev/nvidia[0-9]* >/dev/null 2>&1; then
        lack gpu "no NVIDIA GPU, or no CUDA toolkit, here"
        finish 77
    fi
    cuda=$(readlink -f "$nvcc")
    cuda=${cuda%/bin/nvcc}
}
