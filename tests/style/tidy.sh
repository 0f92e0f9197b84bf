#!/bin/sh
# tidy.sh CLANG_TIDY ROOT BUILD - runs clang-tidy with .clang-tidy over the library's and the samples' sources.
set -eu

cd "$2"
find src samples -name '*.c' -o -name '*.cpp' | sort | xargs "$1" --quiet -p "$3"
