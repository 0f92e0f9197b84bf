#!/bin/sh
# Builds and tests stint in every way that counts: with timers on, with timers off, under AddressSanitizer with
# UndefinedBehaviorSanitizer, and under ThreadSanitizer. Installs what is missing first, if it may.
#
# The last line is "N passed, N failed, N skipped", the sums over all of them. Exits with 1 if anything failed; a build
# that fails counts as one failed test. `sh tests/run.sh PRESET...` runs only these presets.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/cmake/require.sh"

# clang, clang-format and nvcc are used where they are, but too large to be installed for their few tests.
require gcc command -v gcc
require g++ command -v g++
require libc6-dev has_header cc stdio.h
require make command -v make
require cmake command -v cmake
require libcmocka-dev has_header cc cmocka.h
require pkg-config command -v pkg-config
require_install
require_cmake

cd "$root"
passed=0
failed=0
skipped=0

# ThreadSanitizer cannot place its shadow where addresses are randomised over more bits than it knows.
without_aslr=
if setarch "$(uname -m)" -R true 2>/dev/null; then
    without_aslr="setarch $(uname -m) -R"
fi

# count PATTERN FILE - the lines that match; 0 if there is no file.
count()
{
    grep -c -e "$1" "$2" 2>/dev/null || true
}

run_preset()
{
    preset=$1
    report=build/$preset/junit.xml
    prefix=
    [ "$preset" != tsan ] || prefix=$without_aslr

    echo
    echo "==== $preset"
    rm -f "$report"
    code=0
    $prefix cmake --workflow --preset "$preset" || code=$?

    # A test that ctest could not start, or that a broken fixture held up, is "notrun" as one that skipped itself is.
    all=$(count '<testcase ' "$report")
    good=$(count '<testcase .*status="run"' "$report")
    skips=$(count '<skipped message="SKIP_' "$report")
    bad=$((${all:-0} - ${good:-0} - ${skips:-0}))
    if [ "$code" -ne 0 ] && [ "$bad" -eq 0 ]; then
        echo "tests/run.sh: the workflow $preset failed"
        bad=1
    fi
    passed=$((passed + ${good:-0}))
    failed=$((failed + bad))
    skipped=$((skipped + ${skips:-0}))
}

[ $# -gt 0 ] || set -- test off asan tsan
for name in "$@"; do
    run_preset "$name"
done

echo
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
