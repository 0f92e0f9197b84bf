#!/bin/sh
# CTest finds the measurements in the output of a test.
. "$(dirname -- "$0")/lib.sh"

cat >CMakeLists.txt <<EOF
cmake_minimum_required(VERSION 3.25)
project(measured NONE)
include(CTest)
add_test(NAME measured COMMAND "$STINT" export "$GOLDEN/report_json_nasty.json" --format ctest)
EOF
cmake -S . -B build >out 2>&1 && (cd build && ctest -D ExperimentalStart && ctest -D ExperimentalTest) >>out 2>&1 ||
    complain "ctest: $(cat out)"
cat build/Testing/*/Test.xml >measured.xml

# has TEXT
has()
{
    grep -qF -e "$1" measured.xml || complain "Test.xml has no '$1'"
}

has '<NamedMeasurement type="numeric/integer" name="comma, &quot;quote&quot; and \backslash count">'
has '<NamedMeasurement type="numeric/double" name="comma, &quot;quote&quot; and \backslash total (us)">'
has '<Value>800.000</Value>'
exit $failed
