#!/bin/sh
# spans_at_exit.sh PROGRAM - the report at exit has the time of spans that were not read before.
set -u

STINT_REPORT=table "$1" exit 2>"$1.exit.log"
code=$?
cat "$1.exit.log"
[ $code -eq 0 ] || exit $code
grep -q '^Time.* GPU(.s) ' "$1.exit.log" && ! grep -q 'not measured' "$1.exit.log"
