#!/bin/sh
# enter.sh COMMAND... - runs a command where the system starts programs for aarch64 by qemu, and where these find their
# libraries in build/arm64. Tests start such programs, which start others.
#
# The system is told so in a namespace of its own, which Linux has since 6.7, and nothing changes outside; for older
# ones, install qemu-user-binfmt. qemu has to be the static one: libraries preloaded into programs are not for it.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
QEMU_LD_PREFIX=$(CDPATH='' cd -- "$here/../../build/arm64" && pwd)
export QEMU_LD_PREFIX

if [ "$1" = --register ]; then # in the namespace
    shift
    mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    # The first bytes of an ELF file for aarch64, and which bits count; P: qemu gets the program's own name, too.
    magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
    mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
    printf '%s' ":aarch64:M::$magic:$mask:$(command -v qemu-aarch64-static):FP" >/proc/sys/fs/binfmt_misc/register
    exec "$@"
fi
if unshare --user --map-root-user --mount sh "$0" --register true 2>/dev/null; then
    exec unshare --user --map-root-user --mount sh "$0" --register "$@"
fi
if ! "$QEMU_LD_PREFIX/lib/ld-linux-aarch64.so.1" --version >/dev/null 2>&1; then
    echo "This system does not start programs for aarch64: install qemu-user-binfmt, or use Linux 6.7 or later" >&2
    exit 1
fi
exec "$@"
