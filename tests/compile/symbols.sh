#!/bin/sh
# symbols.sh SHARED STATIC - checks which symbols the two libraries define, what they require of a linker, and, if they
# are OPTIMISED, their sizes.
set -u

shared=$1
static=$2
limit=300000 # bytes, after strip
# Compilers of some systems, such as Ubuntu's, protect stacks and jumps unless told otherwise: a sixth more.
! printf '__SSP_STRONG__' | "$CC" -E -P -x c - | grep -q '^[0-9]' || limit=350000
# Instructions of aarch64 have four bytes each.
! printf '__aarch64__' | "$CC" -E -P -x c - | grep -qx 1 || limit=350000
failed=0
names=$(mktemp)
trap 'rm -f "$names" "$names".*' EXIT

complain()
{
    echo "symbols.sh: $1"
    failed=1
}

# The interface has one version, and each of its names has it; what libstint takes the place of has none (names.sh).
exported=$("$NM" -D --defined-only --format=posix "$shared" | sed -e '/ A /d' -e 's/[@ ].*//' | sort)
[ -n "$exported" ] || complain "$shared exports nothing"
# longjmp ends scopes that it leaves, in the shared library only: src/parts/jumps.
exported=$(printf '%s\n' "$exported" | grep -Ev '^(_?setjmp|__sigsetjmp|_?longjmp|siglongjmp|__longjmp_chk)$')
# _exit and _Exit replace libc's, to write the report first (src/core/runtime/exit.c), and so do those by which programs
# ask for handlers of signals and for the stacks that these run on (handlers.c).
if printf '%s\n' "$exported" |
    grep -Ev '^(stint_.*|_exit|_Exit|sigaction|sigaltstack|(bsd_|sysv_|__sysv_)?signal|sigset|siginterrupt)$'; then
    complain "$shared exports these names, which do not begin with stint_"
fi

# Members of the archive find each other by names that are hidden, and that a user's cannot be.
for kind in DEFAULT HIDDEN; do
    "$READELF" -sW "$static" | awk -v kind=$kind '($5 == "GLOBAL" || $5 == "WEAK") && $6 == kind && $7 != "UND" { print $8 }' |
        sort >"$names.$kind"
done
if ! printf '%s\n' "$exported" | diff - "$names.DEFAULT"; then
    complain "the global names of $static differ from those that $shared exports"
fi
grep -v '^stint_' "$names.HIDDEN" && complain "$static shares these names among its members, which do not begin with stint_"
grep -qx stint_part_gpu "$names.HIDDEN" || complain "$static has no name by which a linker takes the part gpu"

dynamic=$("$READELF" -dW "$shared")
usual='libc|libpthread|libdl|ld-linux[a-z0-9-]*'
[ -n "$OPTIMISED" ] || usual="$usual|libm" # a square root is a call
if printf '%s\n' "$dynamic" | grep NEEDED | grep -Ev "\[($usual)\.so\.[0-9]+\]"; then
    complain "$shared needs these libraries"
fi
for flag in NODELETE NOW; do
    printf '%s\n' "$dynamic" | grep FLAGS | grep -qw "$flag" || complain "$shared lacks the flag $flag"
done
"$READELF" -lW "$shared" | grep -q GNU_RELRO || complain "$shared has no GNU_RELRO segment"
"$READELF" -lW "$shared" | grep GNU_STACK | grep -q RWE && complain "$shared has an executable stack"

# A user's compiler would optimise libstint.a again, with the names that are local to it, if it held the compiler's notes.
"$READELF" -SW "$static" | grep -q '\.gnu\.lto_' && complain "$static contains code for link-time optimisation"

stripped=$names
"$STRIP" -o "$stripped" "$shared"
size=$(wc -c <"$stripped")
echo "$shared: $size bytes stripped"
[ -z "$OPTIMISED" ] || [ "$size" -lt "$limit" ] || complain "that is $limit bytes or more"

exit $failed
