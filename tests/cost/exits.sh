#!/bin/sh
# Counts what the exit of a thread costs in libstint, in instructions: that must not depend on how many others live.
#
#     exits.sh PROGRAM
set -eu

program=$1
few=50
many=400
export STINT_CLOCK=monotonic STINT_REPORT=off

# shellcheck source=tests/cost/lib.sh
. "$(dirname -- "$0")/lib.sh"

# exits COUNT - prints what each of so many threads' exits costs.
exits()
{
    instructions "$1" --collect-atstart=no --toggle-collect='retire*' "$program" "$1"
}

of_few=$(exits $few)
of_many=$(exits $many)
echo "instructions of each exit: $of_few of $few, $of_many of $many"
[ "$of_few" -gt 0 ] && [ $((of_many - of_few)) -lt 200 ]
