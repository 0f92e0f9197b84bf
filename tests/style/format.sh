#!/bin/sh
# format.sh CLANG_FORMAT ROOT - every C, C++ and CUDA file is formatted as by clang-format 14.
set -u

clang_format=$1
cd "$2" || exit 1

case $("$clang_format" --version 2>/dev/null) in
*"version 14."*) ;;
*)
    echo "no clang-format 14"
    exit 77
    ;;
esac

# It prints the lines that it would change, and fails.
find include src samples tests \( -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.cu' \) -print0 |
    xargs -0 -P 2 -n 50 "$clang_format" --dry-run -Werror --ferror-limit=3
