#!/bin/sh
# Counts what the exit of a thread costs in libstint, in instructions: that must not depend on how many others live.
#
#     exits.sh PROGRAM
set -eu

program=$1
few=50
many=400
export STINT_CLOCK=monotonic STINT_REPORT=off

command -v valgrind >/dev/null || {
    echo "skipped: valgrind is not installed"
    exit 77
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# instructions COUNT - prints the instructions that each of so many threads' exits costs.
instructions()
{
    valgrind --tool=callgrind --collect-atstart=no --toggle-collect='retire*' --callgrind-out-file="$folder/counts" \
        "$program" "$1" 2>"$folder/said" || {
        cat "$folder/said"
        exit 1
    }
    awk -v threads="$1" '/^(summary|totals):/ { total = $2 } END { print int(total / threads) }' "$folder/counts"
}

of_few=$(instructions $few)
of_many=$(instructions $many)
echo "instructions of each exit: $of_few of $few, $of_many of $many"
[ "$of_few" -gt 0 ] && [ $((of_many - of_few)) -lt 200 ]
