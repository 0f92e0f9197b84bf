#!/bin/sh
# Builds and tests stint in every way that counts: with timers on, with timers off, under AddressSanitizer with
# UndefinedBehaviorSanitizer, and under ThreadSanitizer. Installs what is missing first, if it may.
#
# The last line is "N passed, N failed, N skipped", the sums over all of them. Exits with 1 if anything failed; a build
# that fails counts as one failed test. `sh tests/run.sh PRESET...` runs only these presets.
#
# What failed is run a second time, alone, since a machine that does too much at once can fail a test of whole processes.
# What then passes counts as passed, and is named above the last line, as what fails again is, with its output.
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
require libsqlite3-dev has_header cc sqlite3.h
require pkg-config command -v pkg-config
require_install
require_cmake

cd "$root"
passed=0
failed=0
skipped=0
notes=build/notes.txt
mkdir -p build
: >"$notes"

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

# names FILE PATTERN - the tests whose line matches.
names()
{
    grep -e "<testcase .*$2" "$1" 2>/dev/null | sed 's/.*<testcase name="\([^"]*\)".*/\1/'
}

# Runs the failed tests of a preset alone, and sets `again` to how many of them pass.
run_again()
{
    report=build/$preset/junit_again.xml
    output=build/$preset/again.txt
    code=0
    $prefix ctest --preset "$preset" --rerun-failed -j 1 --output-on-failure --output-junit junit_again.xml \
        >"$output" 2>&1 || code=$?
    again=$(count '<testcase .*status="run"' "$report")
    names "$report" 'status="run"' | sed "s/^/$preset: passed only when it ran alone: /" >>"$notes"
    names "$report" 'status="fail"' | sed "s/^/$preset: failed: /" >>"$notes"
    [ "$code" -eq 0 ] || tail -n 120 "$output" >>"$notes"
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
    again=0
    if [ "$code" -ne 0 ] && [ "$bad" -eq 0 ]; then
        echo "$preset: failed: the workflow" >>"$notes"
        bad=1
    elif [ "$bad" -gt 0 ]; then
        run_again
    fi
    passed=$((passed + ${good:-0} + again))
    failed=$((failed + bad - again))
    skipped=$((skipped + ${skips:-0}))
}

[ $# -gt 0 ] || set -- test off asan tsan
for name in "$@"; do
    run_preset "$name"
done

echo
cat "$notes"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
