# Sourced by run.sh: counting and telling checks, limits of time, and looking at logs. POSIX sh. It wants `checks`, the
# folder for logs, and `required`, 1 where a machine without a GPU is a failure.
# shellcheck shell=sh disable=SC2154

began=$(date +%s)
passed=0
failed=0
skipped=0

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

# For what the machine lacks.
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

# finish CODE - the end, with 1 if anything failed and else with the code.
finish()
{
    echo "took $(took) s"
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] || exit 1
    exit "$1"
}

# limit SECONDS COMMAND... - at most these, and never beyond the nine and a half minutes of the whole.
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

# find_tool NAME PATTERN... - the path of a program: the one in PATH, else the last file that matches.
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

# count PATTERN FILE - the lines that match the extended regex.
count()
{
    grep -Ec -e "$1" "$2" 2>/dev/null || true
}

# show FILE [LINES] - the end of a log, for a failure.
show()
{
    tail -n "${2:-15}" "$1" 2>/dev/null | sed 's/^/    /'
}

# expect_line NAME CODE PATTERN - the log NAME.log of a program that ended with CODE has the line and the code is 0. The
# line is told.
expect_line()
{
    if [ "$2" -eq 0 ] && [ "$(count "$3" "$checks/$1.log")" -gt 0 ]; then
        pass "$1" "$(grep -E -e "$3" "$checks/$1.log" | tail -n 1)"
    else
        fail "$1" "exit code $2, expected 0 and a line: $3"
        show "$checks/$1.log"
    fi
}

# check_program NAME SECONDS PATTERN [ENV...] PROGRAM [ARGUMENT...] - it ends well and says PATTERN.
check_program()
{
    name=$1
    seconds=$2
    pattern=$3
    shift 3
    limit "$seconds" env "$@" >"$checks/$name.log" 2>&1
    expect_line "$name" $? "$pattern"
}
