#!/bin/sh
# guests.sh SOURCE OBJECT... -- LIBRARY... - checks what the libraries contain that programs load: nothing of SQLite, zlib
# or an HTTP server, none of the functions in the objects, which read recordings and make other files of them, and nothing
# that listens on a network. libstint_mpi leaves reports to libstint, which has all of them.
#
# The socket of `stint attach` is the only one that libraries listen at. That it is one in the file system is seen in the
# source, because a call of bind() looks the same for all kinds: it is in one file, and no file knows addresses of a
# network.
set -u

source=$1
shift
failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

complain()
{
    echo "guests.sh: $1"
    failed=1
}

while [ "$1" != -- ]; do
    echo "$1"
    shift
done >"$work/objects" # for one call, as each one loads compilers' plugins, which takes half a second
shift
xargs "$NM" -g --defined-only --format=posix <"$work/objects" | sed '/:$/d; s/ .*//' | sort -u >"$work/readers"
grep -qx stint_import_json "$work/readers" || complain "the objects have no names"

# undefined LIBRARY - what it takes from others, without versions.
undefined()
{
    "$NM" -D --undefined-only --format=posix "$1" | sed 's/[@ ].*//'
}

for library in "$@"; do
    "$NM" --defined-only --format=posix "$library" | sed 's/ .*//' | sort -u >"$work/defined"
    [ -s "$work/defined" ] || complain "$library has no names"
    comm -12 "$work/readers" "$work/defined" >"$work/both"
    [ ! -s "$work/both" ] || complain "$library has functions of the program: $(tr '\n' ' ' <"$work/both")"
    undefined "$library" >"$work/undefined"
    if grep -E '^(sqlite3_|MHD_|gz|(in|de)flate|crc32|(un)?compress$|elf_|dwfl_|getaddrinfo|inet_|in6addr_)' "$work/undefined"; then
        complain "$library needs these functions"
    fi
    "$READELF" -dW "$library" | grep NEEDED |
        grep -Ev '\[(libc|libm|libpthread|libdl|ld-linux[a-z0-9-]*|libstint|libmpi)\.so\.[0-9.]+\]' &&
        complain "$library needs these libraries"
    "$STRIP" -o "$work/stripped" "$library"
    "$STRINGS" -a "$work/stripped" | grep -iE 'sqlite[3_]|libz\.so|microhttpd|HTTP/1|CREATE TABLE' &&
        complain "$library has these texts"
    case $library in
    */libstint_mpi.so*)
        grep -qx stint_report_named "$work/undefined" || complain "$library writes reports itself, rather than with libstint"
        ;;
    esac
    case $library in
    */libstint.so* | */libstint_inject*) ;;
    *) grep -E '^(socket|bind|listen|accept4?)$' "$work/undefined" && complain "$library has a socket" ;;
    esac
done

grep -rlE '\<(bind|listen|accept4?)\(' "$source/src/core" "$source/src/parts" --include='*.c' >"$work/listening"
[ "$(cat "$work/listening")" = "$source/src/parts/control/listen.c" ] ||
    complain "not only the control socket listens: $(cat "$work/listening")"
grep -rnE '[AP]F_INET|sockaddr_in|netinet/|arpa/' "$source/src/core" "$source/src/parts" &&
    complain "these lines know addresses of a network"
exit $failed
