#!/bin/sh
# columns.sh ROOT - no line is longer than 120 columns. clang-format checks code; this also checks comments.
set -u

cd "$1" || exit 1

LC_ALL=C.UTF-8
export LC_ALL
if grep -rnE --include='*.[ch]' '^.{121}' src include samples tests; then
    echo "these lines are longer than 120 columns"
    exit 1
fi
