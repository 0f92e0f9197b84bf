#!/bin/sh
# calls.sh ROOT - docs/overhead.md lists the calls of CUDA that are recorded by default as src/parts/model/call_names.c
# does.
set -u

cd "$1" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One line per kind. The first is that of calls that are not recorded.
sed -n '/^static const char s_beginnings/,/;$/s/^ *"\(.*\)".*/\1/p' src/parts/model/call_names.c | tr -d '\n' |
    sed 's/\\0/\n/g' | sed 1d >"$work/expected"
sed -n '/^<!-- calls:begin/,/^<!-- calls:end/s/^| \([a-z].*\) | `\(.*\)` |$/\2/p' docs/overhead.md | sed 's/` `/ /g' >"$work/listed"
[ "$(wc -l <"$work/expected")" -eq 7 ] || { echo "calls.sh: the kinds cannot be read"; exit 1; }
diff -u "$work/expected" "$work/listed" && exit
echo "calls.sh: docs/overhead.md has other calls than src/parts/model/call_names.c"
exit 1
