#!/bin/sh
# dump.sh DUMP LIBRARY SOURCE - the interface of LIBRARY is that of DUMP, which is kept in the repository: functions,
# their parameters, enumerators, and each struct that programs are compiled with, to the last member. What is added does
# no harm, and is not in it before the next release. It is the same on each processor. The comparison is shown to find what
# does harm: dumps of other interfaces differ.
#
# STINT_RECORD_GOLDEN=1 writes DUMP. Before STINT_ABI is released, and after that only if programs that are compiled
# already run with the change, such as a spare member that is used now.
set -u

dump=$1
library=$2
source=$3
folder=$source/tests/abi

command -v abidiff >/dev/null || { echo "no abidiff: the package abigail-tools has it"; exit 77; }
readelf -SW "$library" | grep -q '\.debug_info' || { echo "$library has no debug information"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# A line each for what has a name, without names of folders.
if [ -n "${STINT_RECORD_GOLDEN-}" ]; then
    abidw --suppressions "$folder/suppressions.ini" --headers-dir "$source/include" --drop-private-types \
        --exported-interfaces-only --no-parameter-names --no-elf-needed --no-show-locs --no-corpus-path \
        --no-comp-dir-path "$library" >"$work/dump" || exit 1
    sed -e 's/^ *//' -e "s/ path='[^']*'//" -e 's/type-id-/t/g' "$work/dump" | tr -d '\n' |
        sed -E -e 's/<(elf-symbol|[a-z]*-decl|[a-z]*-type|[a-z]*-type-def|typedef-decl|abi-instr) /\n&/g' \
            -e 's/(<data-member[^>]*>)\n/\1/g' >"$dump"
    echo >>"$dump"
fi

# compare DUMP - finds how the library differs, if it does.
compare()
{
    abidiff --suppressions "$folder/suppressions.ini" --no-added-syms --no-architecture "$1" "$library" >"$work/report" 2>&1
}

if ! compare "$dump"; then
    cat "$work/report"
    echo "dump.sh: programs that are compiled already may not run with $library"
    exit 1
fi

# type_of NAME - prints the number that the type has in the dump.
type_of()
{
    sed -n "s/<type-decl name='$*' .*id='\([^']*\)'.*/\1/p" "$dump"
}

# other WORDS PATTERN REPLACEMENT - a dump that differs in this is not the library's, and the report has these words.
other()
{
    sed -E "s/$2/$3/" "$dump" >"$work/other"
    ! cmp -s "$dump" "$work/other" || { echo "dump.sh: nothing to change for: $1"; exit 1; }
    ! compare "$work/other" || { echo "dump.sh: no difference is seen in: $1"; exit 1; }
    grep -q "$1" "$work/report" || { cat "$work/report"; echo "dump.sh: '$1' is not in this report"; exit 1; }
}
other stint_gone "<elf-symbol name='stint_version'" "<elf-symbol name='stint_gone'"
other "return type changed" "(stint_version@@STINT_1'><return type-id=')[^']*" "\1$(type_of unsigned long int)"
other "STINT_ERROR_BUSY' from value '99'" "(<enumerator name='STINT_ERROR_BUSY' value=')[0-9]*" "\199"
other "type size changed" "(<class-decl name='stint_gpu_event' size-in-bits=')[0-9]*" "\164"
other "offset changed" "(layout-offset-in-bits=')[0-9]*('><var-decl name='noted_limit')" "\18\2"
