#!/bin/sh
# check.sh TOOL GOLDEN PROGRAM [ARGUMENT...] - runs PROGRAM without a tool, with TOOL switched off, and with TOOL, whose
# report and log have to match GOLDEN.
set -u
LC_ALL=C
export LC_ALL

tool=$1
golden=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail()
{
    echo "check.sh: $*"
    exit 1
}

# run NAME=VALUE... - runs the program in "$@" with these variables
run()
{
    env -u NVTX_INJECTION64_PATH -u STINT_ENABLE STINT_REPORT=csv "STINT_OUTPUT=$folder/report.%p" \
        "HANDLER_LOG=$folder/log" "$@"
}

# NVTX returns what PROGRAM expects only with TOOL; without it, PROGRAM only has to end normally.
run "$@" || [ $? -eq 1 ] || fail "without a tool, $1 returns $?"
run NVTX_INJECTION64_PATH="$tool" STINT_ENABLE=0 "$@" || [ $? -eq 1 ] || fail "switched off, $1 returns $?"
[ -z "$(find "$folder" -name 'report.*')" ] || fail "switched off, there is a report"
run NVTX_INJECTION64_PATH="$tool" "$@" || fail "with a tool, $1 returns $?"
[ -n "$(find "$folder" -name 'report.*')" ] || fail "with a tool, there is no report"

{
    awk -F, 'FNR > 1 { print $1 "/" $2 " count=" $3 " running=" $14 }' "$folder"/report.* | sort
    sort "$folder/log"
} >"$folder/told"
if grep -q '^name what=3' "$folder/told"; then
    diff -u "$golden" "$folder/told"
else # without CUDA's headers, its objects have no names
    grep -v '^name what=[3-6]' "$golden" | diff -u - "$folder/told"
fi
