#!/bin/sh
# refused.sh SOURCE COMPILER [FLAG...] - SOURCE compiles with -DWRONG=0, but not with any other number up to its LAST.
set -u

source=$1
shift
last=$(sed -n 's/^#define LAST \([0-9]*\).*/\1/p' "$source")

if ! "$@" -DWRONG=0 -fsyntax-only "$source"; then
    echo "refused.sh: does not compile even without a wrong use"
    exit 1
fi
failed=0
wrong=1
while [ "$wrong" -le "$last" ]; do
    if "$@" -DWRONG="$wrong" -fsyntax-only "$source" 2>/dev/null; then
        echo "refused.sh: WRONG == $wrong compiles, but must not"
        failed=1
    fi
    wrong=$((wrong + 1))
done
exit $failed
