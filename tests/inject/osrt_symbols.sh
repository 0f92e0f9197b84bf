#!/bin/sh
# osrt_symbols.sh INJECT_OSRT - checks that the library exports nothing but functions that the C library has, too, and
# what CUDA and NVTX look for.
set -u

inject=$1
libc=$(ldd "$inject" | sed -n 's/.*libc\.so\.[0-9]* => \([^ ]*\).*/\1/p')
[ -n "$libc" ] || { echo "no libc was found"; exit 77; }
names()
{
    "$NM" -D --defined-only --format=posix "$1" | sed 's/[@ ].*//' | LC_ALL=C sort -u
}

names "$libc" >"osrt_libc.$$"
unknown=$(names "$inject" | LC_ALL=C comm -23 - "osrt_libc.$$" | grep -v '^InitializeInjection')
known=$(names "$inject" | LC_ALL=C comm -12 - "osrt_libc.$$" | wc -l)
rm -f "osrt_libc.$$"
[ -z "$unknown" ] || { echo "osrt_symbols.sh: exports names that the C library does not have: $unknown"; exit 1; }
[ "$known" -gt 140 ] || { echo "osrt_symbols.sh: wraps only $known functions"; exit 1; }
