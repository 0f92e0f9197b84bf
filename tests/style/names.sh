#!/bin/sh
# names.sh ROOT - a file can be found, and says what it is: no two sources or headers below src have the same name, each
# source opens with a comment, and there is whatever file a comment or a page names with its folder.
set -u

cd "$1" || exit 1
failed=0
twice=$(find src -name '*.[ch]' | sed 's|.*/||' | sort | uniq -d)
if [ -n "$twice" ]; then
    echo "more than one file is called:" $twice
    failed=1
fi
find src -name '*.c' -exec awk 'FNR == 1 && !/^\/\*/ { print FILENAME ": the first line does not say what the file is for" }' {} + |
    grep . && failed=1

# What is made by the build (stint/config.h), or comes with the system, is not there; NAME stands for several.
ending='[a-zA-Z0-9_-]*/[a-zA-Z0-9_./-]*[.](c|cpp|cu|h|js|py|sh|sql|cmake)'
named=$(
    grep -noE "\`$ending\`" README.md CONTRIBUTING.md docs/*.md /dev/null
    grep -rnE '^ *(/?[*]|//|#)' include src samples tests cmake --include='*.[ch]' --include='*.c[pu]*' --include='*.sh' \
        --include='*.py' --include=CMakeLists.txt --include='*.cmake' | grep -vE '# *include|(linux|nvtx3)/|stint/config.h' |
        awk -v ending="[( ]$ending[ ,.;:)]" '{
            split($0, part, ":")
            for (line = $0; match(line, ending); line = substr(line, RSTART + RLENGTH - 1))
                print part[1] ":" part[2] ":" substr(line, RSTART + 1, RLENGTH - 2)
        }'
)
gone=$(
    { find . -name build -prune -o -type f -print; printf '%s\n' "$named" | tr -d '`'; } | awk -F: '
        /^[.]/ {
            n = split($0, part, "/")
            name = part[n]
            for (i = n - 1; i > 0; i--) {
                name = part[i] "/" name
                has[name]
            }
            next
        }
        !($3 in has) && $3 !~ /NAME/ { print $1 ":" $2 ": there is no file " $3 }'
)
if [ -n "$gone" ]; then
    echo "$gone"
    failed=1
fi
exit $failed
