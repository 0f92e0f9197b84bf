# lib.sh - for tests of how a cost grows: instructions that valgrind counts do not depend on the machine and its load.
# $folder is an empty folder of the test's own.

skip()
{
    echo "skipped: $1"
    exit 77
}

command -v valgrind >/dev/null || skip "valgrind is not installed"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# instructions COUNT [OPTION...] PROGRAM [ARGUMENT...] - prints the instructions that the program executes for each of
# so many things. Options are callgrind's.
instructions()
{
    count=$1
    shift
    valgrind --tool=callgrind --callgrind-out-file="$folder/counts" "$@" 2>"$folder/said" || {
        cat "$folder/said" >&2
        exit 1
    }
    awk -v count="$count" '/^(summary|totals):/ { total = $2 } END { print int(total / count) }' "$folder/counts"
}
