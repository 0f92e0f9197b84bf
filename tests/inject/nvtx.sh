#!/bin/sh
# nvtx.sh INJECT GOLDEN TOOL HANDLER PROGRAM [ARGUMENT...] - runs PROGRAM, which uses NVTX through its own headers, with
# INJECT alone; with INJECT and TOOL, which writes down the calls it gets ("-": no such run); and with INJECT and
# HANDLER, a second stint. GOLDEN has what stint reports of PROGRAM, and what HANDLER writes into its log.
set -u
LC_ALL=C
export LC_ALL

inject=$1
golden=$2
tool=$3
handler=$4
shift 4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail()
{
    echo "nvtx.sh: $*"
    exit 1
}

# run NAME=VALUE... PROGRAM... - runs the program with these variables
run()
{
    env -u NVTX_INJECTION64_PATH -u CUDA_INJECTION64_PATH -u STINT_ENABLE STINT_REPORT=csv \
        "STINT_OUTPUT=$folder/report.%p" "NVTX_TOOL_LOG=$folder/log" "HANDLER_LOG=$folder/log" "$@"
}

# told REPORT... - prints the contents of the reports in the form of GOLDEN
told()
{
    awk -F, 'FNR > 1 { print $1 "/" $2 " count=" $3 " running=" $14 }' "$@" | sort
    rm "$@"
}

grep ' running=' "$golden" >"$folder/golden"
grep -v ' running=' "$golden" | sort >"$folder/golden.log"

run NVTX_INJECTION64_PATH="$inject" "$@" || fail "$1 returns $?"
told "$folder"/report.* | diff -u "$folder/golden" - || fail "alone: the report is not as expected"

# With another tool, programs get that tool's return values, which are not what they expect.
with_tool()
{
    run NVTX_INJECTION64_PATH="$tool" "$@" || [ $? -eq 1 ] || fail "with the other tool alone, $1 returns $?"
    rm -f "$folder"/report.*
    [ -s "$folder/log" ] || fail "the other tool writes nothing"
    mv "$folder/log" "$folder/alone"
    run NVTX_INJECTION64_PATH="$inject" STINT_CHAIN_NVTX="$tool" "$@" || [ $? -eq 1 ] ||
        fail "with two tools, $1 returns $?"
    told "$folder"/report.* | diff -u "$folder/golden" - || fail "with another tool: the report is not as expected"
    # Threads run in any order, and are numbered in that order, so the logs are sorted.
    for log in alone log; do
        sed 's/^t[0-9]* //' "$folder/$log" | sort >"$folder/$log.sorted"
    done
    diff -u "$folder/alone.sorted" "$folder/log.sorted" || fail "the other tool gets other calls than alone"
    rm "$folder/log"
}
[ "$tool" = - ] || with_tool "$@"

run NVTX_INJECTION64_PATH="$inject" STINT_CHAIN_NVTX="$handler" "$@" || fail "with a second stint, $1 returns $?"
for which in 'copy2.' ''; do
    told "$folder/report.$which"* | diff -u "$folder/golden" - || fail "with a second stint: report.$which* is not as expected"
done
if grep -q '^name what=3' "$folder/log"; then
    sort "$folder/log" | diff -u "$folder/golden.log" -
else # without CUDA's headers, its objects have no names
    sort "$folder/log" >"$folder/log.sorted"
    grep -v '^name what=[3-6]' "$folder/golden.log" | diff -u - "$folder/log.sorted"
fi
