#!/bin/sh
# record.sh TOOL PROGRAM GOLDEN - runs PROGRAM without a tool, and with TOOL, which has to get the calls in GOLDEN.
set -u

tool=$1
program=$2
golden=$3
told=$(mktemp)
trap 'rm -f "$told"' EXIT

if ! env -u NVTX_INJECTION64_PATH NVTX_TOOL_LOG="$told" "$program" || [ -s "$told" ]; then
    echo "record.sh: without a tool, $program fails, or finds a tool"
    exit 1
fi
if ! NVTX_INJECTION64_PATH="$tool" NVTX_TOOL_LOG="$told" "$program"; then
    echo "record.sh: with a tool, $program fails"
    exit 1
fi
diff -u "$golden" "$told"
