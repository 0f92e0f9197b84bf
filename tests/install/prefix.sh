#!/bin/sh
# prefix.sh CMAKE BUILD WORK - installs BUILD, then moves the tree to WORK/prefix: no file in it may contain its
# original path.
set -eu

cmake=$1
build=$2
work=$3

rm -rf "$work/installed" "$work/prefix"
"$cmake" --install "$build" --prefix "$work/installed" >"$work/install.log"
mv "$work/installed" "$work/prefix"

if grep -rlF -e "$work/installed" -e "$build" "$work/prefix/lib"*/cmake "$work/prefix/lib"*/pkgconfig "$work/prefix/include"; then
    echo "prefix.sh: these files name the folder they were built in or installed to"
    exit 1
fi
