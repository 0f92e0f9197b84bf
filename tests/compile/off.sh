#!/bin/sh
# off.sh SOURCE OUT COMPILER [FLAG...] - with timers compiled out, SOURCE's object has no stint symbol, and is the same as
# if its lines with macros were empty.
set -eu

source=$1
out=$2
shift 2

# Both sources have the same name, since an object contains the name of its source.
mkdir -p "$out"
cp "$source" "$out/call_site.c"
"$@" -DSTINT_WITH_TIMER=0 -c "$out/call_site.c" -o "$out/with.o"
grep -Ev '(REGISTER_|FOR_|STINT_GPU_|STINT_OP|STINT_ADOPT|STINT_COUNTERS)[A-Z_]*\(' "$source" >"$out/call_site.c"
"$@" -DSTINT_WITH_TIMER=0 -c "$out/call_site.c" -o "$out/without.o"

failed=0
if nm "$out/with.o" | grep stint; then
    echo "off.sh: the object has symbols of stint"
    failed=1
fi
# Instructions with relocations, then the contents of every section; without objdump's first lines, which name the file.
for object in with without; do
    objdump -d -r -s "$out/$object.o" | sed 1,3d >"$out/$object.txt"
done
if ! diff -u "$out/without.txt" "$out/with.txt"; then
    echo "off.sh: the object differs from one without the macros"
    failed=1
fi
[ -s "$out/with.txt" ] || failed=1
exit $failed
