#!/bin/sh
# scripts.sh ROOT - every script parses as POSIX sh, checked with dash if it is installed.
set -u

cd "$1" || exit 1
command -v dash >/dev/null || { echo "no dash"; exit 77; }
failed=0
for script in $(find cmake samples tests -name '*.sh'); do
    dash -n "$script" || failed=1
done
exit $failed
