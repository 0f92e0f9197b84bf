#!/bin/sh
# format.sh CLANG_FORMAT ROOT - every C, C++ and CUDA file is as clang-format 14 would write it.
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

failed=0
for file in $(find include src samples tests -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.cu'); do
    if ! "$clang_format" "$file" | cmp -s - "$file"; then
        echo "clang-format -i $file"
        failed=1
    fi
done
exit $failed
