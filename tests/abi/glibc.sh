#!/bin/sh
# glibc.sh FILE... - libraries and programs of stint use no function that glibc 2.28 does not have. One that is linked here
# needs the versions of this system's glibc; most of these functions have got another version since, because they were
# changed, or moved to libc.so. glibc keeps the older version, too, for programs that were linked then: it is looked for.
set -u

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Names, and the minor version of glibc that each came with.
for library in libc.so.6 libm.so.6 libpthread.so.0 libdl.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1; do
    file=$("${CC:-cc}" -print-file-name="$library")
    [ ! -f "$file" ] || nm -D --defined-only --format=posix "$file"
done | sed -n 's/^\([A-Za-z0-9_]*\)@@*GLIBC_2\.\([0-9]*\)[. ].*/\1 \2/p' >"$work/offers"
[ -s "$work/offers" ] || { echo "this is no glibc"; exit 77; }
awk '$2 <= 28 { print $1 }' "$work/offers" | sort -u >"$work/old"
grep -qx pthread_create "$work/old" && ! grep -qx _dl_find_object "$work/old" || { echo "glibc.sh: names are not read"; exit 1; }

# Of these, headers before 2.33 have the first three inline, and the sources do without the last before 2.35.
printf '%s\n' fstat lstat stat _dl_find_object >>"$work/old"
for file in "$@"; do
    nm -D --undefined-only --format=posix "$file" | sed -n 's/@GLIBC_.*//p'
done | sort -u >"$work/needs"
grep -qx pthread_create "$work/needs" || { echo "glibc.sh: needs nothing: $*"; exit 1; }
newer=$(sort -u "$work/old" | comm -13 - "$work/needs")
[ -z "$newer" ] || { echo "glibc.sh: glibc 2.28 does not have:" $newer; exit 1; }
