#!/bin/sh
# names.sh ROOT - file names are unique: no two sources or headers of the library and the program have the same name.
set -u

cd "$1" || exit 1
twice=$(find src -name '*.[ch]' | sed 's|.*/||' | sort | uniq -d)
[ -z "$twice" ] && exit 0
echo "more than one file is called:" $twice
exit 1
