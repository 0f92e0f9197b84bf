#!/bin/sh
# amalgamation.sh SOURCE CONFIG_FOLDER - makes stint.h and stint.c, and compiles them without warnings; samples that include
# them print what they print with the library.
set -u

source=$1
config=$2
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset STINT_REPORT STINT_OUTPUT STINT_TRACE STINT_GPU STINT_CONTROL
warnings="-Wall -Wextra -Wpedantic -Wconversion -Werror"

command -v python3 >/dev/null || exit 77

complain()
{
    echo "amalgamation.sh: $1"
    failed=1
}

# has FILE TEXT
has()
{
    grep -Fq -e "$2" "$1" || complain "no '$2' in: $(cat "$1")"
}

python3 "$source/cmake/amalgamate.py" "$source" "$config" . || exit 1
before=$(date +%s)
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -O2 $warnings -c stint.c -o stint.o || exit 1
echo "amalgamation.sh: $(wc -c <stint.c) bytes of stint.c, compiled in about $(($(date +%s) - before)) s"
if command -v clang >/dev/null; then
    # shellcheck disable=SC2086
    clang -std=c11 -fsyntax-only $warnings stint.c || complain "clang does not compile it"
fi

# sample NAME COMPILER... - runs a sample of that folder, with the report in NAME.out.
sample()
{
    name=$1
    shift
    sed 's|<stint/stint.h>|"stint.h"|' "$source/samples/$name"/*.c* >"$name.source" 2>/dev/null
    "$@" -DSTINT_WITH_TIMER=1 -I. "$name.source" -x none stint.o -lpthread -ldl -lm -o "$name" || complain "$name cannot be linked"
    "./$name" >"$name.out" 2>&1 || complain "$name: exit code $?"
}

sample 01_scoped_timer "${CC:-cc}" -x c -std=c11
has 01_scoped_timer.out "46072 divisors"
has 01_scoped_timer.out "2 scopes, 1 thread"
sample 02_threads "${CC:-cc}" -x c -std=c11
has 02_threads.out "1 thread + 4 exited"
has 02_threads.out "BarrierStatSet status"
sample 03_nested_self_time "${CC:-cc}" -x c -std=c11
has 03_nested_self_time.out "─ merge"
sample 04_cpp_exceptions "${CXX:-c++}" -x c++ -std=c++11
has 04_cpp_exceptions.out "2000 good, 1000 bad, sum 9000"
has 04_cpp_exceptions.out "bad line"
sample 07_barriers "${CC:-cc}" -x c -std=c11
has 07_barriers.out "forwardBackward_end"
STINT_TRACE=trace.stint ./01_scoped_timer 2>trace.err >/dev/null
has trace.err "STINT_TRACE has no effect"
exit $failed
