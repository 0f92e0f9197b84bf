#!/bin/sh
# functions.sh LANGUAGE LIBRARIES WORK COMPILER [C_COMPILER] - compiles the programs here with -finstrument-functions,
# runs them with libstint_functions from the folder LIBRARIES, linked or preloaded, and compares the counts that they
# print with those in stint's report. LANGUAGE is c or cpp. C_COMPILER is needed for cpp: it compiles a program that is
# not instrumented.
set -u

language=$1
libraries=$2
work=$3
compiler=$4
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
failed=0
checks=0

rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
link="-L$libraries -Wl,-rpath,$libraries -lstint_functions"

complain()
{
    echo "functions.sh: $1"
    failed=1
}

# build OUTPUT FLAG... - builds $sources, instrumented.
build()
{
    output=$1
    shift
    # shellcheck disable=SC2086 # lists of words
    "$compiler" -finstrument-functions -pthread $sources -o "$output" "$@" || { complain "cannot build $output"; return 1; }
}

# number KEY FILE - prints the first number after "KEY":.
number()
{
    sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$2" | sed 1q
}

# count NAME - prints the count of the statistic of that name in the report; nothing if there is none.
count()
{
    grep -F ",\"name\":\"$1\"," report >line || return
    sed 's/,"recursive".*//; s/.*"count"://' line
}

# run COMMAND... - runs it with a report.
run()
{
    echo "== $*"
    rm -f report
    STINT_REPORT=json STINT_OUTPUT=report STINT_FUNCTIONS=all,${patterns-} "$@" >out || { complain "exit code $?"; return 1; }
    [ -s report ] || { complain "no report"; return 1; }
}

# compare COMMAND... - runs it, then checks every count that it printed.
compare()
{
    run "$@" || return
    while IFS='	' read -r expected name; do
        case $name in
        "(abandoned)") found=$(number abandoned report) ;;
        "T "*) # a template: there is a name for each type
            found=0
            for type in int double; do
                part=$(count "$(echo "$name" | sed "s/T geo/$type geo/; s/<T>/<$type>/; s/(T)/($type)/")")
                [ "$part" = 100 ] || complain "$name with $type: in the report $part times"
            done
            continue
            ;;
        *) found=$(count "$name") ;;
        esac
        checks=$((checks + 1))
        [ "$found" = "$expected" ] || complain "$name: ${found:-not} in the report, $expected in the program"
    done <out
    [ "$(wc -l <out)" -gt 5 ] || complain "the program printed too little"
}

# expect COUNT NAME
expect()
{
    found=$(count "$2")
    checks=$((checks + 1))
    [ "$found" = "$1" ] || complain "$2: ${found:-not} in the report instead of $1"
}

in_c()
{
    "$compiler" -finstrument-functions -O2 -fPIC -shared "$here/shared.c" -o libshared.so || complain "cannot build libshared.so"
    sources=$here/calls.c
    shared="-L. -lshared -Wl,-rpath,$work"
    # shellcheck disable=SC2086 # lists of words
    {
        for level in -O0 -O1 -O2 -O3 -Os; do
            build linked$level $level $shared $link && compare ./linked$level
        done
        build pie -O2 -fPIE -pie $shared $link && compare ./pie
        build at_fixed_address -O2 -fno-pie -no-pie $shared $link && compare ./at_fixed_address
        build by_frame_pointer -O2 -fno-omit-frame-pointer $shared $link && compare ./by_frame_pointer
        build preloaded -O2 $shared && compare env LD_PRELOAD="$libraries/libstint_functions.so" ./preloaded

        # The function is identified by the address that the program uses, which may be in the program itself.
        run ./at_fixed_address && [ "$(count shared)" -gt 20 ] || complain "shared: $(count shared) in the report"

        build stripped -O2 $shared $link -s && run ./stripped && {
            grep -q '"name":"stripped+0x[0-9a-f]*"' report || complain "no function is named by its address"
            expect "" fibonacci
        }
        build exporting -O2 $shared $link -s -rdynamic && run ./exporting && {
            expect 465 fibonacci
            expect "" leaf
        }

        exported=$(nm -D --defined-only --format=posix "$libraries/libstint_functions.so" | sed 's/ .*//' |
            grep -v -e '^__gcov_' -e '^mangle_path$' | sort | tr '\n' ' ') # gcov's
        [ "$exported" = "__cyg_profile_func_enter __cyg_profile_func_exit dlclose " ] ||
            complain "the library exports: $exported"

        patterns='fibonacci,is_*,!is_odd' && compare_patterns
        patterns='!@libshared.so' && run ./linked-O2 && expect "" shared && expect 465 fibonacci
        patterns='@libshared.so' && run ./linked-O2 && [ -n "$(count shared)" ] && expect "" fibonacci
        unset patterns
    }
}

compare_patterns()
{
    run ./linked-O2 || return
    expect 465 fibonacci
    expect 110 is_even
    expect "" is_odd
    expect "" leaf
}

in_cpp()
{
    sources=$here/calls.cpp
    # shellcheck disable=SC2086 # lists of words
    {
        for level in -O0 -O1 -O2 -O3 -Os; do
            build linked$level $level $link && compare ./linked$level
        done
        build at_fixed_address -O2 -fno-pie -no-pie $link && compare ./at_fixed_address
        build preloaded -O2 && compare env LD_PRELOAD="$libraries/libstint_functions.so" ./preloaded
        build with_static_runtime -O2 -static-libstdc++ -static-libgcc $link && compare ./with_static_runtime

        patterns='geometry::*,!*::operator*,overloaded(double\, char const?)' && run ./linked-O2 && {
            expect 100 "geometry::shape::area(int) const"
            expect 100 "overloaded(double, char const*)"
            expect "" "overloaded(int)"
            expect "" "geometry::shape::operator[](int) const"
        }
        unset patterns

        sources=$here/malloc.cpp
        build malloc -O1 $link && run ./malloc && expect 3 "work(int)"

        # The C++ library is loaded with the plugin, long after libstint_functions.
        sources=$here/plugin.cpp
        build plugin.so -O2 -fPIC -shared
        build plain.so -O2 -fPIC -shared -DWITHOUT_RUNTIME -nodefaultlibs -lc
        "$1" "$here/host.c" -o host -ldl || complain "cannot build host"
        run env LD_PRELOAD="$libraries/libstint_functions.so" ./host ./plugin.so && {
            expect 3 entry
            expect 3 "int plugin::twice<int>(int)"
        }
        # Without the C++ library, names are not demangled.
        run env LD_PRELOAD="$libraries/libstint_functions.so" ./host ./plain.so && expect 3 _ZN6plugin5twiceIiEET_S1_
    }
}

case $language in
c) in_c ;;
cpp) in_cpp "$5" ;;
*) complain "LANGUAGE has to be c or cpp" ;;
esac
echo "$checks checks"
[ "$checks" -gt 50 ] || complain "too few checks"
exit $failed
