#!/bin/sh
# Measures the code that a scope adds to a function, in bytes, with the compiler and the headers of a build. A compiler
# that knows whether a scope's node is NULL makes the code in the scope twice: the functions here are large enough that
# this would show.
#
#     sites.sh MOST COMPILER OPTION...
set -eu

most=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# code COUNT SCOPE COMPILER... - prints how many bytes so many functions have
code()
{
    awk -v count="$1" -v scope="$2" 'BEGIN {
        print "#include \"stint/stint.h\""
        print "void work(int);\nextern int most;"
        for (i = 0; i < count; i++) {
            printf "void function_%d(void)\n{\n", i
            if (scope) printf "STINT_SCOPE(\"scope %d\");\n", i
            for (k = 0; k < 6; k++) printf "work(%d);\n", i + k
            print "for (int i = 0; i < most; i++)\nwork(i);\n}"
        }
    }' >"$folder/functions.c"
    shift 2
    "$@" -O2 -c "$folder/functions.c" -o "$folder/functions.o"
    size -A "$folder/functions.o" | awk '$1 ~ /^\.text/ { bytes += $2 } END { print bytes }'
}

# Of the functions that the header has itself, there is one of each in a file.
few=$(($(code 8 1 "$@") - $(code 8 0 "$@")))
many=$(($(code 24 1 "$@") - $(code 24 0 "$@")))
each=$(((many - few) / 16))
echo "bytes of code for each scope: $each (at most $most)"
[ "$each" -gt 0 ] && [ "$each" -le "$most" ]
