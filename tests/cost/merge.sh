#!/bin/sh
# Counts what stint merge costs for each file, in instructions: the cost must not depend on how many files there are.
#
#     merge.sh STINT REPORT
set -eu

stint=$1
report=$2
few=20
many=100

command -v valgrind >/dev/null || {
    echo "skipped: valgrind is not installed"
    exit 77
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Reports of processes that began one after the other.
file=0
while [ $file -lt $many ]; do
    file=$((file + 1))
    sed "s/\"pid\":[0-9]*/\"pid\":$((1000 + file))/g
         s/\"start_unix_ns\":[0-9]*/\"start_unix_ns\":$((1700000000000000000 + file))/" "$report" >"$folder/$((1000 + file)).json"
done

# instructions COUNT - prints the instructions that each of so many files costs.
instructions()
{
    # shellcheck disable=SC2046 # names without spaces
    valgrind --tool=callgrind --callgrind-out-file="$folder/counts" "$stint" merge \
        $(ls "$folder"/*.json | head -n "$1") -o "$folder/sum.json" 2>"$folder/said" || {
        cat "$folder/said"
        exit 1
    }
    awk -v files="$1" '/^(summary|totals):/ { total = $2 } END { print int(total / files) }' "$folder/counts"
}

of_few=$(instructions $few)
of_many=$(instructions $many)
echo "instructions of each file: $of_few of $few, $of_many of $many"
[ "$of_few" -gt 0 ] && [ $((of_many * 4)) -lt $((of_few * 5)) ]
