#!/bin/sh
# program.sh ABI LIBRARY ARCHIVE SOURCE BUILD - a program that was compiled with the first headers of this interface runs
# with LIBRARY, and linked with ARCHIVE. One of another interface is refused, by a line: by the linker if it would be
# linked, and by the dynamic linker if it has been.
set -u

abi=$1
library=$2
archive=$3
source=$4
build=$5
case $("${CC:-cc}" -dumpmachine) in
x86_64-*) ;;
*) echo "program_$abi.s is for x86-64"; exit 77 ;;
esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
LD_LIBRARY_PATH=$(dirname "$library")
export LD_LIBRARY_PATH
unset STINT_OUTPUT STINT_TRACE || true
STINT_REPORT=off
export STINT_REPORT
rest="-lpthread -ldl -lm"

fail()
{
    echo "program.sh: $*"
    [ ! -s "$work/log" ] || cat "$work/log"
    exit 1
}

# runs FILE LIBRARY... - links and runs it, with each clock that there is.
runs()
{
    "${CC:-cc}" -std=c11 -I "$source/include" -I "$build/include" "$@" $rest -o "$work/program" >"$work/log" 2>&1 ||
        fail "$1 cannot be linked with $2"
    for clock in tsc monotonic fast; do
        STINT_CLOCK=$clock LD_BIND_NOW=1 "$work/program" >"$work/log" 2>&1 || fail "$1 with $2, clock $clock: exit $?"
    done
}

for file in "program_$abi.s" program.c; do
    runs "$source/tests/abi/$file" "$library"
    runs "$source/tests/abi/$file" "$archive"
done

# What inlined code reads has the number in its name.
other=$((abi + 1))
sed "s/stint_i_self_$abi/stint_i_self_$other/g" "$source/tests/abi/program_$abi.s" >"$work/other.s"
for with in "$library" "$archive"; do
    ! "${CC:-cc}" "$work/other.s" "$with" $rest -o "$work/other" 2>"$work/log" || fail "linked, although of interface $other"
    grep -q "undefined reference to .stint_i_self_$other'" "$work/log" || fail "$with: another message than expected"
done

# A library of the same name whose interface has grown to another version.
echo "unsigned stint_version(void); unsigned stint_version(void) { return 0; }" >"$work/library.c"
echo "unsigned stint_version(void); int main(void) { return (int)stint_version(); }" >"$work/main.c"
echo "STINT_$other { global: stint_version; };" >"$work/map"
"${CC:-cc}" -shared -fPIC "$work/library.c" "-Wl,-soname,libstint.so.$abi,--version-script=$work/map" \
    -o "$work/libstint.so.$abi" || fail "no library"
"${CC:-cc}" "$work/main.c" "$work/libstint.so.$abi" -o "$work/later" || fail "no program"
LD_LIBRARY_PATH=$work "$work/later" || fail "exit code $?"
! "$work/later" 2>"$work/log" || fail "a program of a later interface runs"
[ "$(wc -l <"$work/log")" -eq 1 ] && grep -q "version .STINT_$other' not found" "$work/log" || fail "another message"
