#!/bin/sh
# compilers.sh SOURCE BUILD [LEVEL...] - compiles headers in each language standard, and the two files of the core, which
# have been made, with all other compilers that are installed: gcc-N and g++-N, clang-N and clang++-N, and musl's. What is
# compiled is linked in each way that programs are, and prints what it should. Says what it has compiled. With options
# that optimise, such as -O0 -O1 -O2 -O3 -Os -flto, it does so with each of these, and with the default compilers, too.
set -u

source=$1
build=$2
shift 2
levels="${*:--O1}"
with_default=${1-}
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset STINT_REPORT STINT_OUTPUT STINT_TRACE STINT_GPU STINT_CONTROL
cp "$build"/amalgamation/stint.[ch] .
# Without those that need NVTX's headers or MPI's.
(cd "$source/include" && ls stint/*.h) | grep -v -e annotate.h -e op.h -e mpi.h | sed 's/.*/#include <&>/' >all.c
{ cat all.c && echo "#include <stint/stint.hpp>"; } >all.cpp
sed 's|<stint/stint.h>|"stint.h"|' "$source"/samples/02_threads/*.c >threads.c

complain()
{
    echo "compilers.sh: $1"
    failed=1
}

# others NAME - the compilers NAME-N but, unless levels were given, the default one, with which other tests run.
others()
{
    for folder in $(echo "$PATH" | tr : ' '); do
        for path in "$folder/$1"-[0-9] "$folder/$1"-[0-9][0-9]; do
            [ ! -x "$path" ] || realpath "$path"
        done
    done | sort -u | if [ -n "$with_default" ]; then cat; else grep -Fxv -e "$(realpath "$(command -v "$1")")"; fi
}

# headers COMPILER LANGUAGE STANDARD... - compiles all of them without warnings.
headers()
{
    compiler=$1
    language=$2
    shift 2
    everything=
    # Not these: what C++98 and C99 lack, and what is meant: padding, pointers as arrays, functions that few files use.
    case $compiler in *clang*) everything="-Weverything -Wno-c++98-compat -Wno-c++98-compat-pedantic -Wno-padded
        -Wno-unknown-warning-option -Wno-pre-c11-compat -Wno-declaration-after-statement -Wno-unsafe-buffer-usage
        -Wno-used-but-marked-unused -Wno-reserved-macro-identifier -Wno-reserved-identifier" ;; esac
    for standard in "$@"; do
        # shellcheck disable=SC2086
        "$compiler" "-std=$standard" -Wall -Wextra -Wpedantic -Wshadow -Wconversion $everything -Werror -D_GNU_SOURCE \
            -fsyntax-only -I"$source/include" -I"$build/include" "all.$language" 2>err || {
            complain "$compiler -std=$standard: $(head -n 6 err)"
        }
    done
    echo "$compiler: headers: $*"
}

# program COMPILER LINKED... - compiles the two files, and links them with a sample in each of these ways.
program()
{
    compiler=$1
    shift
    for level in $levels; do
        for file in threads stint; do
            "$compiler" -std=c11 "$level" -fPIE -Wall -Wextra -Wpedantic -Werror -DSTINT_WITH_TIMER=1 -D_GNU_SOURCE \
                -c $file.c 2>err || complain "$compiler $level: $(head -n 6 err)"
        done
        for way in "$@"; do
            rm -f program
            "$compiler" "$level" "$way" threads.o stint.o -o program -lpthread -ldl -lm 2>err ||
                complain "$compiler $level $way: $(head -n 6 err)"
            # A thread that came too late for any work has no scope.
            ./program >out 2>&1 || complain "$compiler $level $way: exit code $?"
            grep -q "1 thread + [1-4] exited" out || complain "$compiler $level $way: $(head -n 3 out)"
        done
    done
    echo "$compiler: program: $levels: $*"
}

for compiler in $(others gcc) $(others clang); do
    headers "$compiler" c c11 c17 c2x
    program "$compiler" -pie -no-pie -static -static-pie
done
for compiler in $(others g++) $(others clang++); do
    headers "$compiler" cpp c++11 c++14 c++17 c++20 c++2b
done
if command -v musl-gcc >/dev/null; then
    headers musl-gcc c c11
    program musl-gcc -pie -no-pie -static -static-pie
fi
exit $failed
