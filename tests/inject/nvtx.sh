#!/bin/sh
# nvtx.sh INJECT GOLDEN TOOL HANDLER PROGRAM [ARGUMENT...] - PROGRAM, which uses NVTX by its own headers, with INJECT alone;
# with it and TOOL, which writes down the calls it gets ("-": none); and with it and HANDLER, a second stint. GOLDEN says what a stint
# reports of PROGRAM, and what HANDLER writes into its log.
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

# run NAME=VALUE... PROGRAM... - with these variables
run()
{
    env -u NVTX_INJECTION64_PATH -u CUDA_INJECTION64_PATH -u STINT_ENABLE STINT_REPORT=csv \
        "STINT_OUTPUT=$folder/report.%p" "NVTX_TOOL_LOG=$folder/log" "HANDLER_LOG=$folder/log" "$@"
}

# told REPORT... - what the reports say, as GOLDEN has it
told()
{
    awk -F, 'FNR > 1 { print $1 "/" $2 " count=" $3 " running=" $14 }' "$@" | sort
    rm "$@"
}

grep ' running=' "$golden" >"$folder/golden"
grep -v ' running=' "$golden" | sort >"$folder/golden.log"

run NVTX_INJECTION64_PATH="$inject" "$@" || fail "$1 returns $?"
told "$folder"/report.* | diff -u "$folder/golden" - || fail "alone, that is other than expected"

# With another tool, programs get what that returns: of this one, not what they expect.
with_tool()
{
    run NVTX_INJECTION64_PATH="$tool" "$@" || [ $? -eq 1 ] || fail "with the other tool alone, $1 returns $?"
    rm -f "$folder"/report.*
    [ -s "$folder/log" ] || fail "the other tool writes nothing"
    mv "$folder/log" "$folder/alone"
    run NVTX_INJECTION64_PATH="$inject" STINT_CHAIN_NVTX="$tool" "$@" || [ $? -eq 1 ] ||
        fail "with two tools, $1 returns $?"
    told "$folder"/report.* | diff -u "$folder/golden" - || fail "with another tool, that is other than expected"
    # Threads run in any order, and their numbers say in which.
    for log in alone log; do
        sed 's/^t[0-9]* //' "$folder/$log" | sort >"$folder/$log.sorted"
    done
    diff -u "$folder/alone.sorted" "$folder/log.sorted" || fail "the other tool is told other things than alone"
    rm "$folder/log"
}
[ "$tool" = - ] || with_tool "$@"

run NVTX_INJECTION64_PATH="$inject" STINT_CHAIN_NVTX="$handler" "$@" || fail "with a second stint, $1 returns $?"
told "$folder"/report.*.inject.json | diff -u "$folder/golden" - || fail "with a second stint, that is other than expected"
told "$folder"/report.* | diff -u "$folder/golden" - || fail "the second stint's report is other than expected"
if grep -q '^name what=3' "$folder/log"; then
    sort "$folder/log" | diff -u "$folder/golden.log" -
else # without CUDA's headers, its objects have no names
    sort "$folder/log" >"$folder/log.sorted"
    grep -v '^name what=[3-6]' "$folder/golden.log" | diff -u - "$folder/log.sorted"
fi
