#!/bin/sh
# overhead.sh FOLDER [SECONDS] - compares what recording GPU work costs with what the footer of stint's reports says of it,
# on a machine with an NVIDIA GPU and with a build of stint in FOLDER. Measures what CUPTI takes (stint doctor --measure),
# then runs loops of launches in each mode, modes in turns, for so many seconds, 60 unless told. Prints a table in
# Markdown. The exit code is 1 if the two differ by more than a fifth where one thread launches, and 77 without a GPU.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

# shellcheck source=tests/gpu/lib.sh
. "$here/lib.sh"
begin_checks overhead "${1-}"
# shellcheck source=tests/gpu/against_counter.sh
. "$here/against_counter.sh"

begin_injecting
build_programs
XDG_STATE_HOME=$checks
export XDG_STATE_HOME
if limit 60 "$build/bin/stint" doctor --measure >"$checks/doctor.log" 2>&1; then
    pass doctor "$(grep 'CUPTI .*takes' "$checks/doctor.log")"
else
    fail doctor "exit code $?"
    show "$checks/doctor.log"
fi
if limit 500 "${STINT_PYTHON:-python3}" "$here/overhead.py" "${2:-60}" "$checks/report.json" "$build/bin/stint" "$program"; then
    pass limits "the footer is within a fifth of what was measured"
else
    fail limits "see above"
fi
finish 0
