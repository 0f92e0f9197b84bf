#!/bin/sh
# names.sh ROOT - a file can be found, and says what it is: no two sources or headers below src have the same name, and
# each source opens with a comment.
set -u

cd "$1" || exit 1
failed=0
twice=$(find src -name '*.[ch]' | sed 's|.*/||' | sort | uniq -d)
if [ -n "$twice" ]; then
    echo "more than one file is called:" $twice
    failed=1
fi
for source in $(find src -name '*.c'); do
    if ! head -n 1 "$source" | grep -q '^/\*'; then
        echo "$source: the first line does not say what the file is for"
        failed=1
    fi
done
exit $failed
