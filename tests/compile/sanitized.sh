#!/bin/sh
# sanitized.sh SOURCE LIBRARY OUT COMPILER [FLAG...] - a program with ThreadSanitizer that links the library, which is
# compiled without, is told of no race.
set -eu

source=$1
library=$2
out=$3
shift 3

echo 'int main(void) { return 0; }' | "$@" -fsanitize=thread - -o "$out" 2>/dev/null && "$out" || exit 77
"$@" -g -O1 -fsanitize=thread "$source" -x none "$library" "-Wl,-rpath,$(dirname "$library")" -lpthread -o "$out"
STINT_REPORT=off "$out"
STINT_REPORT=off STINT_TRACE=$out.stint "$out"
