#!/bin/sh
# annotate_off.sh SOURCE OUT COMPILER [FLAG...] - with annotations compiled out, SOURCE's object has no symbol of stint or
# NVTX, and is the same as if its lines with macros were empty.
set -eu

source=$1
out=$2
shift 2
failed=0

# compare OFF - compares both objects compiled with that flag. The sources have the same name, since an object contains
# the name of its source.
compare()
{
    cp "$source" "$out/call_site.c"
    "$@" -c "$out/call_site.c" -o "$out/with.o"
    grep -Ev '(STINT_[A-Z_]+\(|uint64_t id;)' "$source" >"$out/call_site.c"
    "$@" -c "$out/call_site.c" -o "$out/without.o"

    if nm "$out/with.o" | grep -Ei 'stint|nvtx|domain$'; then
        echo "annotate_off.sh: the object has symbols of stint or NVTX"
        failed=1
    fi
    # Instructions with relocations, then the contents of every section; without objdump's first lines, which name the
    # file.
    for object in with without; do
        objdump -d -r -s "$out/$object.o" | sed 1,3d >"$out/$object.txt"
    done
    if ! diff -u "$out/without.txt" "$out/with.txt"; then
        echo "annotate_off.sh: the object differs from one without the macros"
        failed=1
    fi
    [ -s "$out/with.txt" ] || failed=1
}

mkdir -p "$out"
compare "$@" -DSTINT_WITH_NVTX=0
compare "$@" -DNVTX_DISABLE
exit $failed
