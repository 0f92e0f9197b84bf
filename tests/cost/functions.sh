#!/bin/sh
# Counts what a function with hooks costs whose calls are not recorded, in instructions, so that the machine and its
# load do not matter. The function itself takes some ten.
#
#     functions.sh PROGRAM
set -eu

program=$1
export STINT_REPORT=off STINT_CLOCK=monotonic

# shellcheck source=tests/cost/lib.sh
. "$(dirname -- "$0")/lib.sh"

# total CALLS - prints the instructions of so many calls
total()
{
    instructions 1 --collect-atstart=no --toggle-collect=stint_cost_called "$program" "$1"
}

# expect MOST NAME - what a call takes that is not the first
expect()
{
    few=$(total 1000)
    each=$((($(total 11000) - few) / 10000))
    echo "instructions of a function that is $2: $each (at most $1)"
    [ "$few" -gt 0 ] && [ "$each" -le "$1" ]
}

# Within valgrind, names of the program's functions are not found.
offset=$(nm "$program" | sed -n 's/^0*\(.*\) . stint_cost_called$/\1/p')
(export STINT_FUNCTIONS="!stint_cost_called,!*+0x$offset" && expect 70 "left out")
(export STINT_ENABLE=off && expect 40 "off")
