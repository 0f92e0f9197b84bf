#!/bin/sh
# consume.sh WAY WORK SOURCE EXPECTED - builds the programs of consumer/ in WORK, with stint found in one WAY:
#
#   find_package, find_package_static             of WORK/prefix
#   pkg_config, pkg_config_static                 of WORK/prefix; static links the whole program statically
#   add_subdirectory, add_subdirectory_static     of SOURCE; static is BUILD_SHARED_LIBS=OFF
#
# Each program must exit with 0, print nothing but its own line to stdout, and report every name in EXPECTED (separated
# by semicolons) on stderr at exit. The compilers are CC, CXX and CUDACXX; the latter two may be missing. The installed
# stint::stint is DEFAULT_LIBRARY.
set -eu

way=$1
work=$2
source=$3
expected=$4
here=$source/tests/install
prefix=$work/prefix
build=$work/$way

# What was compiled for the shared library serves the static one, too.
case $way in
add_subdirectory_static)
    build=$work/add_subdirectory
    rm -f "$build"/consumer_*
    ;;
*) rm -rf "$build" ;;
esac
mkdir -p "$build"

with_cmake()
{
    "$CMAKE" -S "$here/consumer" -B "$build" "$@" >"$build/configure.log" 2>&1 ||
        { cat "$build/configure.log"; exit 1; }
    "$CMAKE" --build "$build"
}

with_pkg_config()
{
    [ -n "$PKG_CONFIG" ] && [ "${PKG_CONFIG%NOTFOUND}" = "$PKG_CONFIG" ] || { echo "no pkg-config"; exit 77; }
    # In a multiarch libdir, stint.pc is one level deeper.
    pc=$(find "$prefix/" -name stint.pc)
    flags=$(PKG_CONFIG_PATH=${pc%/*} "$PKG_CONFIG" $1 --cflags --libs stint)
    echo "flags: $flags"
    set -x
    "$CC" "$here/consumer/main.c" -o "$build/consumer_c" $flags $2
    [ -n "$2" ] || "$CC" -finstrument-functions "$here/consumer/main.c" -o "$build/consumer_functions" \
        $(PKG_CONFIG_PATH=${pc%/*} "$PKG_CONFIG" --cflags --libs stint_functions)
    [ -z "$CXX" ] || "$CXX" "$here/consumer/main.cpp" -o "$build/consumer_cpp" $flags $2
    [ -z "$CUDACXX" ] || [ -n "$2" ] || "$CUDACXX" "$here/consumer/main.cu" -o "$build/consumer_cu" $flags
    set +x
    [ -f "$(PKG_CONFIG_PATH=${pc%/*} "$PKG_CONFIG" --variable=inject stint)" ] || { echo "consume.sh: stint.pc names no libstint_inject.so"; exit 1; }
    LD_LIBRARY_PATH=$(PKG_CONFIG_PATH=${pc%/*} "$PKG_CONFIG" --variable=libdir stint)
    export LD_LIBRARY_PATH
}

case $way in
find_package) with_cmake -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" ;;
find_package_static)
    with_cmake -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" -DCONSUMER_LIBRARY=stint::stint_static -DCONSUMER_CUDA=OFF ;;
pkg_config) with_pkg_config "" "" ;;
pkg_config_static) with_pkg_config --static -static ;;
add_subdirectory) with_cmake -DCONSUMER_SUBDIRECTORY="$source" -DCMAKE_UNITY_BUILD=ON ;;
add_subdirectory_static)
    with_cmake -DCONSUMER_SUBDIRECTORY="$source" -DBUILD_SHARED_LIBS=OFF -DCONSUMER_CUDA=OFF ;;
esac

# These may be set in the environment.
unset STINT_REPORT STINT_OUTPUT STINT_ENABLE || true

ran=0
for program in "$build"/consumer_c "$build"/consumer_cpp "$build"/consumer_cu; do
    [ -x "$program" ] || continue
    ran=$((ran + 1))
    echo "== $program"
    "$program" >"$build/stdout" 2>"$build/stderr"
    cat "$build/stdout" "$build/stderr"
    [ "$(cat "$build/stdout")" = "done" ] || { echo "consume.sh: stdout has more than the program's output"; exit 1; }
    for name in $(echo "$expected" | tr ';' ' '); do
        grep -q "$name" "$build/stderr" || { echo "consume.sh: no $name in the report"; exit 1; }
    done
    case $way:$DEFAULT_LIBRARY in
    *static:* | find_package:stint_static) ! ldd "$program" | grep stint || { echo "consume.sh: linked to the shared library"; exit 1; } ;;
    *) ldd "$program" | grep -q 'libstint\.so' || { echo "consume.sh: not linked to the shared library"; exit 1; } ;;
    esac
done

# This one is compiled with -finstrument-functions and linked to stint::functions.
if [ -x "$build/consumer_functions" ]; then
    echo "== $build/consumer_functions"
    "$build/consumer_functions" >"$build/stdout" 2>"$build/stderr"
    cat "$build/stderr"
    grep -qw work "$build/stderr" || { echo "consume.sh: no function in the report"; exit 1; }
fi

# The installed library finds the installed libstint_module.so beside it.
if [ "$way" = find_package ] && [ "$DEFAULT_LIBRARY" != stint_static ]; then
    STINT_REPORT=prometheus STINT_TRACE=$build/trace.stint "$build/consumer_c" 2>"$build/stderr"
    grep -q "stint_build_info" "$build/stderr" || { cat "$build/stderr"; echo "consume.sh: no report of the module"; exit 1; }
    [ -d "$build/trace.stint" ] || { cat "$build/stderr"; echo "consume.sh: no trace"; exit 1; }
fi

# If the module cannot be loaded, as in most fully static programs, one line says so, and the table is printed.
case $way in
pkg_config*)
    STINT_REPORT=threads,nvprof STINT_MODULE=$build/none.so "$build/consumer_c" 2>"$build/stderr"
    cat "$build/stderr"
    [ "$(grep -c "$build/none.so.*install it beside" "$build/stderr")" = 1 ] || { echo "consume.sh: expected exactly one line about the module"; exit 1; }
    [ "$(grep -c "Time(%)" "$build/stderr")" = 1 ] || { echo "consume.sh: expected exactly one table"; exit 1; }
    ;;
esac
[ "$ran" -gt 0 ] || { echo "consume.sh: no program was built"; exit 1; }
