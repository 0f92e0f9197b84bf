#!/bin/sh
# coverage.sh [OPTION...] - builds stint for gcov, runs all tests, or those that these options of ctest choose, and prints
# which share of the lines and branches ran. Counts of an earlier run are forgotten.
set -eu
cd "$(dirname -- "$0")/.."
cmake --preset coverage >/dev/null
cmake --build --preset coverage
find build/coverage -name '*.gcda' -delete
ctest --preset coverage "$@" || echo "coverage.sh: some tests failed, so that the shares are too low" >&2
python3 tests/coverage.py build/coverage
