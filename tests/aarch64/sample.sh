#!/bin/sh
# sample.sh - samples of one program (sample.c), for aarch64 and for this machine, compiled in ways that differ in how
# callers are found: the same functions have the same shares, and nearly all samples lead to main.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
HOST=$BUILDS/test
[ -x "$HOST/bin/stint" ] || HOST=$BUILDS/test-quick
reader=$HOST/bin/stint # which reads what the other processor has written
failed=0
[ -x "$reader" ] || reader=${STINT-}
[ -n "$reader" ] || { echo "there is no stint to read samples: build preset test or test-quick first"; exit 77; }
rm -rf "$WORK"
mkdir -p "$WORK"
cd "$WORK" || exit 1

complain()
{
    echo "sample.sh: $1"
    failed=1
}

# total FUNCTION FILE - its share of the samples, with what it calls.
total()
{
    awk -F, -v name="$1" '$7 == name {found = $4} END {print found + 0}' "$2"
}

# within POINTS A B
within()
{
    awk -v most="$1" -v a="$2" -v b="$3" 'BEGIN {exit !(a - b <= most && b - a <= most)}'
}

# sample NAME LIBRARIES COMPILER FLAG... - leaves shares in NAME.csv.
sample()
{
    name=$1 libraries=$2
    shift 2
    # shellcheck disable=SC2068 # the compiler may have arguments
    "$@" "$here/sample.c" -o "$name" "-L$libraries" "-Wl,-rpath,$libraries" -Wl,--no-as-needed -lstint ||
        { complain "$name cannot be compiled"; return; }
    STINT_SAMPLE=on STINT_REPORT=json STINT_OUTPUT=$name.json "./$name" || complain "$name fails"
    "$reader" samples --csv "$name.json" >"$name.csv"
    echo "$name: hot $(total hot "$name.csv"), warm $(total warm "$name.csv")," \
        "in_handler $(total in_handler "$name.csv"), main $(total main "$name.csv") % of" \
        "$(sed -n 's/^"sampling":.*"samples":\([0-9]*\).*/\1/p' "$name.json") samples"
}

# check NAME [SHARE] - its shares are those of the time that the program spends; SHARE leads to main, if not all.
check()
{
    within 5 "$(total hot "$1.csv")" "${expected:-60}" || complain "$1: hot has another share"
    within 5 "$(total warm "$1.csv")" 30 || complain "$1: warm has another share"
    within 5 "$(total in_handler "$1.csv")" 10 || complain "$1: in_handler has another share"
    within 5 "$(total main "$1.csv")" "${2:-100}" || complain "$1: callers up to main are missing"
}

expected=
if [ -e "$HOST/lib/libstint.so" ]; then
    sample native "$HOST/lib" cc -O2
    check native
    expected=$(total hot native.csv)
fi
for way in "optimised:-O2" "plain:-O0" "signed:-O2 -mbranch-protection=standard"; do
    # shellcheck disable=SC2086 # flags are words
    sample "${way%%:*}" "$LIBRARIES" "$CC" ${way#*:}
    check "${way%%:*}"
done
# By frame pointers alone a handler's caller is not found: they do not tell where its frame ends.
sample pointers "$LIBRARIES" "$CC" -O2 -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer \
    -fno-asynchronous-unwind-tables -fno-unwind-tables
check pointers 90
case $CLANG in
*NOTFOUND | "") echo "clang is not installed" ;;
*)
    sample clang "$LIBRARIES" "$CLANG" -O2 -mbranch-protection=standard
    check clang
    ;;
esac
exit $failed
