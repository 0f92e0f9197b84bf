#!/bin/sh
# names.sh ABI LIBRARY... - each library is named after the number of the binary interface, and what it offers of stint's
# own has one version, of that number. Names of other libraries that it takes the place of have none: the dynamic linker
# would not find them. What needs libstint's interface needs that version.
set -u

abi=$1
shift
failed=0

complain()
{
    echo "names.sh: $1"
    failed=1
}

# names_in NM_FLAG VERSION LIBRARY - prints names of stint's without this version, and others with one of stint's.
names_in()
{
    nm -D "$1" --format=posix "$3" | awk -v wanted="$2" '
        $2 == "A" || $2 == "w" { next } # the version itself; what need not be there
        { version = $1; sub(/^[^@]*/, "", version) }
        /^stint_/ ? version != wanted : version ~ /STINT/ { print $1 }'
}

for library in "$@"; do
    name=$(basename "$library" | sed 's/\.so.*/.so/')
    soname=$(readelf -dW "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
    [ "$soname" = "$name.$abi" ] || complain "$library has the soname '$soname'"
    wrong="$(names_in --defined-only "@@STINT_$abi" "$library")$(names_in --undefined-only "@STINT_$abi" "$library")"
    [ -z "$wrong" ] || complain "$library has these names with another version than STINT_$abi: $wrong"
done
exit $failed
