#!/bin/sh
# Counts what a step of each path of cost_paths costs, in instructions and in memory accesses, and compares it with
# expected.txt. valgrind counts, so the machine and its load do not matter; the compiler does, so each compiler has
# numbers of its own, and the test is skipped for compilers without numbers.
#
#     cost.sh PROGRAM COMPILER FOLDER_OF_CUPTI EXPECTED
set -eu

program=$1
compiler=$2
export STINT_CUPTI_PATH="$3"
expected=$4
export STINT_CLOCK=tsc STINT_REPORT=off

# shellcheck source=tests/cost/lib.sh
. "$(dirname -- "$0")/lib.sh"

# Its CPUID has rdtscp then, too, but it does not know the instruction.
[ "$(uname -m)" != x86_64 ] || grep -qw rdtscp /proc/cpuinfo || skip "this machine has no rdtscp"

# sum FILE... - prints "instructions<TAB>accesses" for each of callgrind's files, without the C library, which takes
# different paths on different processors. A line below "calls=" repeats the cost of the called functions.
sum()
{
    awk '
        FNR == 1 { if (NR > 1) print instructions "\t" accesses; instructions = accesses = 0 }
        /^c?ob=/ {
            id = substr($1, index($1, "="))
            if (NF > 1) foreign[id] = $2 ~ /\/(libc|ld-linux)[^\/]*$/
            if (/^ob=/) counts = !foreign[id]
        }
        /^calls=/ { getline; next }
        /^[0-9+*-]/ && counts { instructions += $2; accesses += $3 + $4 }
        END { print instructions "\t" accesses }' "$@"
}

# count MODE FUNCTION - counts in FUNCTION, including everything it calls. Appends a line
# "name<TAB>walk<TAB>instructions<TAB>accesses" for each walk, two per path, to $folder/walks.
count()
{
    code=0
    valgrind --tool=callgrind --cache-sim=yes --collect-atstart=no --toggle-collect="$2" \
        --dump-after=stint_cost_walk --callgrind-out-file="$folder/$1" "$program" "$1" \
        >"$folder/$1.names" 2>"$folder/$1.log" || code=$?
    [ "$code" -ne 77 ] || skip "the processor's counter cannot be read here"
    if [ "$code" -ne 0 ]; then
        cat "$folder/$1.log"
        exit 1
    fi
    parts=
    part=0
    while read -r name; do
        printf '%s\tfew\n%s\tmany\n' "$name" "$name"
        parts="$parts $folder/$1.$((part + 1)) $folder/$1.$((part + 2))"
        part=$((part + 2))
    done <"$folder/$1.names" >"$folder/$1.walks"
    # shellcheck disable=SC2086 # one word a file
    sum $parts | paste "$folder/$1.walks" - >>"$folder/walks"
}

# Counts each path, and keeps the lesser of this count and those before.
measure()
{
    count scopes stint_cost_walk
    count noted stint_cost_walk
    count launches stint_callback
    # The two walks differ by 10000 steps: MANY of cost_paths.c.
    awk -F '\t' -v compiler="$compiler" '
        $2 == "few" { instructions = $3; accesses = $4 }
        $2 == "many" {
            if (!($1 in least)) paths[++count] = $1
            if (!($1 in least) || $3 - instructions < least[$1]) {
                least[$1] = $3 - instructions
                beside[$1] = $4 - accesses
            }
        }
        END {
            for (i = 1; i <= count; i++)
                printf "%s\t%s\t%d\t%d\n", compiler, paths[i], least[paths[i]] / 10000 + 0.5, beside[paths[i]] / 10000 + 0.5
        }' "$folder/walks" >"$folder/seen"
}

measure
grep -q "^$compiler	" "$expected" || {
    cat "$folder/seen"
    skip "${expected##*/} has no numbers for $compiler; those of this build are above"
}

judge()
{
    awk -F '\t' -v compiler="$compiler" '
    # A span in an octave that is new to a histogram takes the slow path, which depends on how long things took: once in
    # some hundred steps, so that an average may round up or down.
    # Launches take it more often on a busy machine: 341 to 345 instructions were seen.
    function differs(seen, expected, apart) {
        apart = path ~ /^CUPTI tells/ ? 0.015 * expected : 1
        return seen - expected > apart || expected - seen > apart
    }
    function complain(what, seen, expected) {
        printf "%s: %d %s a step, expected %d\n", path, seen, what, expected
        failed = 1
    }
    FILENAME == ARGV[1] { if ($1 == compiler) { instructions[$2] = $3; accesses[$2] = $4 } next }
    {
        path = $2
        if (!(path in instructions)) { printf "%s: expected.txt does not have it\n", path; failed = 1; next }
        if (differs($3, instructions[path]))
            complain("instructions", $3, instructions[path])
        if (differs($4, accesses[path]))
            complain("memory accesses", $4, accesses[path])
    }
    END { exit failed }' "$expected" "$folder/seen"
}

# On a busy machine paths take slow ways more often: once more, then.
judge || { measure && judge; } || {
    echo
    echo "If the change is intended, replace the lines of $compiler in tests/cost/expected.txt by these, and say why:"
    cat "$folder/seen"
    exit 1
}
cat "$folder/seen"
