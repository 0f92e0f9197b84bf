#!/bin/sh
# refused.sh SOURCE COMPILER -x LANGUAGE [FLAG...] - SOURCE compiles with -DWRONG=0, but not with any other number up to
# its LAST. What it includes is compiled once, ahead.
set -u

source=$1
compiler=$2
language=$4
shift
last=$(sed -n 's/^#define LAST \([0-9]*\).*/\1/p' "$source")

headers=$(mktemp -d) || exit
trap 'rm -rf "$headers"' EXIT
grep '^#include' "$source" >"$headers/first.h"
"$@" -x "$language-header" -c "$headers/first.h" -o "$headers/first.h.gch" || exit 1

# compile NUMBER COMPILER... - a header that cannot be used would make 0 fail, too.
compile()
{
    number=$1
    shift
    "$@" -include "$headers/first.h" -Winvalid-pch -DWRONG="$number" -fsyntax-only "$source"
}

if ! compile 0 "$@"; then
    echo "refused.sh: does not compile even without a wrong use"
    exit 1
fi
failed=0
wrong=1
while [ "$wrong" -le "$last" ]; do
    if compile "$wrong" "$@" 2>/dev/null; then
        echo "refused.sh: WRONG == $wrong compiles, but must not"
        failed=1
    fi
    wrong=$((wrong + 1))
done
exit $failed
