#!/bin/sh
# docs.sh PREFIX SOURCE - what is installed for people to read: the licence, the cookbook, the man pages of docs/man,
# and one by the name of each public macro and function.
set -u

prefix=$1
source=$2
failed=0

doc=$prefix/share/doc/stint
guides=""
[ ! -d "$doc/docs" ] || guides="README.md docs/cookbook.md samples/01_scoped_timer/scoped_timer.c"
for file in LICENSE $guides; do
    [ -s "$doc/$file" ] || { echo "docs.sh: $file is not installed"; failed=1; }
done

man=$prefix/share/man/man3
[ -f "$man/stint.3" ] || { [ "$failed" -eq 0 ] && echo "no man pages: pandoc is missing" && exit 77; exit 1; }

for page in "$source"/docs/man/*.[1-9].md; do
    page=$(basename "$page" .md)
    [ -s "$prefix/share/man/man${page##*.}/$page" ] || { echo "docs.sh: no man page $page"; failed=1; }
done

# Macros that take arguments, and functions.
names=$(sed -n -e 's/^ *# *define \([A-Z][A-Z0-9_]*\)(.*/\1/p' -e 's/^static inline /STINT_API /' \
    -e 's/^STINT_API .*[ *]\([A-Za-z_][A-Za-z0-9_]*\)(.*/\1/p' "$source"/include/stint/*.h |
    grep -v -i '^stint_i_' | sort -u)
[ "$(echo "$names" | wc -l)" -gt 100 ] || { echo "docs.sh: the headers cannot be read"; exit 1; }
for name in $names; do
    [ "$(cat "$man/$name.3" 2>/dev/null)" = ".so man3/stint.3" ] || { echo "docs.sh: no man page $name(3)"; failed=1; }
done
if command -v man >/dev/null; then
    LC_ALL=C man -M "$prefix/share/man" REGISTER_TIMER 2>&1 | grep -q "scoped timers" ||
        { echo "docs.sh: man REGISTER_TIMER does not show stint(3)"; failed=1; }
fi
exit $failed
