#!/bin/sh
# Builds and tests stint in every way that counts: with timers on, with timers off, under AddressSanitizer with
# UndefinedBehaviorSanitizer, under ThreadSanitizer, and for aarch64, whose programs qemu runs. Installs what is missing
# first, if it may.
#
# `sh tests/run.sh` is for each change: all code is tested, each piece once. Unit tests run under AddressSanitizer only,
# tests of programs without it, ThreadSanitizer and qemu get what they are best at, and tests with the label `thorough` are
# left out and named at the end. `sh tests/run.sh --all` is for a release: the whole in each way. `sh tests/run.sh
# PRESET...` runs only these presets.
#
# The last line is "N passed, N failed, N skipped", the sums over all of them. Exits with 1 if anything failed; a build
# that fails counts as one failed test.
#
# Everything is built in one go, and each preset is tested as soon as it is built: tests wait a lot, and compilers give way
# to them. Those of whole programs, which wait most, run beside all others. What only some tests need is installed
# meanwhile.
#
# What failed is run a second time, alone, since a machine that does too much at once can fail a test of whole processes.
# What then passes counts as passed, and is named above the last line, as what fails again is, with its output, and what
# was skipped, with the reason.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/cmake/require.sh"

require gcc command -v gcc
require g++ command -v g++
require libc6-dev has_header cc stdio.h
require ninja-build command -v ninja
require cmake command -v cmake
require libcmocka-dev has_header cc cmocka.h
require libsqlite3-dev has_header cc sqlite3.h
require zlib1g-dev has_header cc zlib.h
require libiberty-dev has_header cc libiberty/demangle.h
require libdw-dev has_header cc elfutils/libdwfl.h
require libmicrohttpd-dev has_header cc microhttpd.h
require pkg-config command -v pkg-config
require valgrind command -v valgrind
# What reads stint's files: a test without its reader is skipped.
require python3 command -v python3
require protobuf-compiler command -v protoc
require sqlite3 command -v sqlite3
# A terminal for stint top.
require tmux command -v tmux
require_install
require_cmake

# What only thorough tests need.
want_thorough()
{
    # Another MPI library.
    want mpich command -v mpirun.mpich
    want libmpich-dev command -v mpicc.mpich
    # Packages of Debian's.
    want dpkg-dev command -v dpkg-shlibdeps
    want file command -v file
    want lintian command -v lintian
}

# install_wanted PRESETS - what only some tests need.
install_wanted()
{
    [ -z "$1" ] || want_thorough
    want openmpi-bin command -v mpirun.openmpi
    want libopenmpi-dev command -v mpicc.openmpi
    want gfortran command -v gfortran
    want musl-tools command -v musl-gcc
    # Another processor.
    want gcc-aarch64-linux-gnu command -v aarch64-linux-gnu-gcc
    want g++-aarch64-linux-gnu command -v aarch64-linux-gnu-g++
    want qemu-user-static command -v qemu-aarch64-static
    # What compares the library with its interface at the last release.
    want abigail-tools command -v abidiff
    # Manual pages.
    want pandoc command -v pandoc
    # What compiles and checks code otherwise than gcc.
    want clang command -v clang
    want clang-format command -v clang-format
    want_install
    # A browser for the page of `stint report`, and what clicks in it. Apart, because some systems have no such packages.
    command -v google-chrome >/dev/null || want chromium command -v chromium
    want nodejs command -v node
    want npm command -v npm
    want_install
    # Prometheus: only the programs, because installed packages would start services.
    if ! command -v promtool >/dev/null && command -v dpkg >/dev/null; then
        mkdir -p build/prometheus
        (cd build/prometheus && apt-get download -qq prometheus prometheus-node-exporter &&
            for package in *.deb; do dpkg -x "$package" . && rm "$package"; done) >/dev/null 2>&1 ||
            echo "Prometheus cannot be downloaded: the test cli.prometheus is skipped" >&2
    fi
    if [ ! -d tests/html/node_modules ] && command -v npm >/dev/null; then
        (cd tests/html && npm ci --silent --no-fund --no-audit) ||
            echo "npm cannot install what tests/html/package.json names: html.browser and others are skipped" >&2
    fi
    # The other processor's libraries; has_aarch64 says why if there are none.
    case $1 in
    "" | --all | *aarch64*) sh tests/aarch64/packages.sh build/arm64 >/dev/null 2>&1 || true ;;
    esac
}

cd "$root"
install_wanted "$*" &
installing=$!
# Version managers put a script in front of the interpreter, which looks for it anew each time, and takes longer than most
# of what tests have it do.
mkdir -p build/python
ln -sf "$(python3 -c 'import sys; print(sys.executable)')" build/python/python3
PATH=$root/build/python:$PATH:$root/build/prometheus/usr/bin
export PATH
passed=0
failed=0
skipped=0
notes=build/notes.txt
mkdir -p build
: >"$notes"

# Folders that are configured already keep the generator they have. What was compiled in another clone serves this one,
# which the folders' names must not spoil. Presets share nothing, so that it would be in vain to ask the preprocessor.
export CMAKE_GENERATOR=Ninja
if command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
    export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$root}" CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
fi

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

# skips PRESET - what was skipped and why, which is the last line of a test, or marked; a line for each reason.
skips()
{
    python3 - "$1" <<'EOF'
import re
import sys
import xml.etree.ElementTree as xml
names = {}
for case in xml.parse(f"build/{sys.argv[1]}/junit.xml").iter("testcase"):
    if case.find("skipped") is not None:
        said = (case.findtext("system-out") or "which does not say why").strip()
        reason = (re.findall("^(?:skipped|on the CPU): (.*)", said, re.MULTILINE) or said.splitlines())[-1]
        names.setdefault(reason, []).append(case.get("name"))
for reason, tests in names.items():
    print(f"{sys.argv[1]}: skipped, {reason}:", *tests)
EOF
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

# Sets `prefix`, which the commands of a preset begin with.
choose_prefix()
{
    prefix=
    case $preset in
    tsan) prefix=$without_aslr ;;
    aarch64*) prefix="sh tests/aarch64/enter.sh" ;;
    esac
}

# Whether programs for aarch64 can be built and run; their libraries are unpacked below build.
has_aarch64()
{
    command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64-static >/dev/null &&
        sh tests/aarch64/packages.sh build/arm64 && sh tests/aarch64/enter.sh true
}

# build PRESET - whether it could be built.
build()
{
    preset=$1
    choose_prefix
    echo
    echo "==== $preset: build"
    $prefix cmake --preset "$preset" && $prefix nice cmake --build --preset "$preset"
}

# test_all JOBS PRESET... - tests one after the other when it is built, and leaves its exit code in build/PRESET/tested.
# Runs in the background, and ends early if the script does.
test_all()
{
    jobs=$1
    shift
    for preset in "$@"; do
        until [ -e "build/$preset/built" ]; do
            kill -0 $$ 2>/dev/null || return 0
            sleep 1
        done
        code=$(cat "build/$preset/built")
        choose_prefix
        if [ "$code" = 0 ]; then
            $prefix ctest --preset "$preset" -j "$jobs" >"build/$preset/tests.txt" 2>&1 || code=$?
        fi
        echo "$code" >"build/$preset/tested"
    done
}

# finish PRESET CODE - prints what its tests said, if there were any, and counts them. CODE is not 0 if something failed.
finish()
{
    preset=$1
    code=$2
    report=build/$preset/junit.xml
    if [ "$code" = missing ]; then
        echo "$preset: not built: the compiler for aarch64, qemu or the libraries are missing" >>"$notes"
        return
    fi
    choose_prefix
    echo
    echo "==== $preset: tests"
    cat "build/$preset/tests.txt" 2>/dev/null || true

    # A test that ctest could not start, or that a broken fixture held up, is "notrun" as one that skipped itself is.
    all=$(count '<testcase ' "$report")
    good=$(count '<testcase .*status="run"' "$report")
    left_out=$(count '<skipped message="SKIP_' "$report")
    bad=$((${all:-0} - ${good:-0} - ${left_out:-0}))
    again=0
    if [ "$code" -ne 0 ] && [ "$bad" -eq 0 ]; then
        echo "$preset: failed: the build, or ctest itself" >>"$notes"
        bad=1
    elif [ "$bad" -gt 0 ]; then
        run_again
    fi
    passed=$((passed + ${good:-0} + again))
    failed=$((failed + bad - again))
    skipped=$((skipped + ${left_out:-0}))
    [ "${left_out:-0}" -eq 0 ] || skips "$preset" >>"$notes"
    case $preset in
    test-quick) ctest --test-dir "build/$preset" -N -L thorough -FA '.*' | awk '
        $1 == "Test" && $2 ~ /^#/ { names = names " " $3 } END { print "test-quick: left to sh tests/run.sh --all:" names }' >>"$notes" ;;
    esac
}

case $* in
"") set -- asan-quick test-quick tsan-quick aarch64-quick off ;; # whose tests take least is last
--all) set -- asan test tsan aarch64 off ;;
esac
of_programs=
others=
for name in "$@"; do
    mkdir -p "build/$name"
    rm -f "build/$name/junit.xml" "build/$name/tests.txt" "build/$name/built" "build/$name/tested"
    case $name in
    test*) of_programs="$of_programs $name" ;;
    *) others="$others $name" ;;
    esac
done
# shellcheck disable=SC2086 # the lists are to be split
test_all 4 $of_programs &
# shellcheck disable=SC2086
test_all "$(nproc)" $others &
for name in "$@"; do
    code=0
    case $name in
    asan* | tsan* | off) ;;
    *) wait "$installing" || true ;;
    esac
    case $name in
    aarch64*) has_aarch64 || code=missing ;;
    esac
    [ "$code" = missing ] || build "$name" || code=$?
    echo "$code" >"build/$name/built.new"
    mv "build/$name/built.new" "build/$name/built"
done
wait
for name in "$@"; do
    finish "$name" "$(cat "build/$name/tested")"
done

echo
cat "$notes"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
