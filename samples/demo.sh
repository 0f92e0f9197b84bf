#!/bin/sh
# Builds stint and its samples, and runs the demo: bilinear interpolation under scoped timers. If a compiler, make or
# CMake is missing, it installs them first if it is allowed to.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/cmake/require.sh"

require gcc command -v cc
require libc6-dev has_header cc stdio.h
require make command -v make
require cmake command -v cmake
require_install
require_cmake

cd "$root"
cmake --workflow --preset demo
echo
exec build/demo/bin/stint_demo "$@"
