#!/bin/sh
# Counts what stint merge costs for each file, in instructions: the cost must not depend on how many files there are.
#
#     merge.sh STINT REPORT
set -eu

stint=$1
report=$2
few=20
many=100

# shellcheck source=tests/cost/lib.sh
. "$(dirname -- "$0")/lib.sh"

# Reports of processes that began one after the other.
file=0
while [ $file -lt $many ]; do
    file=$((file + 1))
    sed "s/\"pid\":[0-9]*/\"pid\":$((1000 + file))/g
         s/\"start_unix_ns\":[0-9]*/\"start_unix_ns\":$((1700000000000000000 + file))/" "$report" >"$folder/$((1000 + file)).json"
done

# merge COUNT - prints what each of so many files costs.
merge()
{
    # shellcheck disable=SC2046 # names without spaces
    instructions "$1" "$stint" merge $(ls "$folder"/*.json | head -n "$1") -o "$folder/sum.json"
}

of_few=$(merge $few)
of_many=$(merge $many)
echo "instructions of each file: $of_few of $few, $of_many of $many"
[ "$of_few" -gt 0 ] && [ $((of_many * 4)) -lt $((of_few * 5)) ]
