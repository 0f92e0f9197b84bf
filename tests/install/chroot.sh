#!/bin/sh
# chroot.sh PACKAGES [ROOT] - installs Debian's packages of the folder PACKAGES, such as those that the test
# install.packages leaves in build/test/tests/install/packages, by apt-get in a system of its own; builds a program there
# by find_package, by pkg-config and without either, runs it, and removes the packages. The system is that of this
# machine, made by mmdebstrap or debootstrap in ROOT (build/chroot), where it stays for the next time: 300 MB. Needs root
# and a mirror. No test of ctest, because making the system takes a minute or more.
set -eu

packages=$(cd "$1" && pwd)
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=${2:-$here/../../build/chroot}

fail()
{
    echo "chroot.sh: $*" >&2
    exit 1
}

[ "$(id -u)" -eq 0 ] || fail "only root may change its root"
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
if [ ! -e "$root/usr/bin/cmake" ]; then
    rm -rf "$root"
    needed=gcc,libc6-dev,cmake,make,pkg-config
    if command -v mmdebstrap >/dev/null; then
        mmdebstrap --quiet --variant=minbase --include=$needed "$suite" "$root" || fail "mmdebstrap made no system"
    elif command -v debootstrap >/dev/null; then
        debootstrap --variant=minbase --include=$needed "$suite" "$root" >/dev/null || fail "debootstrap made no system"
    else
        echo "neither mmdebstrap nor debootstrap"
        exit 77
    fi
fi

in_root()
{
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
files()
{
    (cd "$root" && find etc usr -xdev \( -path usr/share/man -o -name __pycache__ \) -prune -o ! -type d -print | sort)
}

rm -rf "$root/stint"
mkdir "$root/stint"
cp -r "$packages"/*.deb "$here/consumer" "$root/stint"
in_root apt-get update -qq
names=$(for package in "$packages"/*.deb; do dpkg-deb -f "$package" Package; done)
in_root apt-get purge -y -qq $names >/dev/null 2>&1 || true
in_root apt-get install -y -qq --no-install-recommends $(dpkg-deb -f "$packages/stint.deb" Depends |
    tr ',' '\n' | awk 'NF && $1 !~ /stint/ {print $1}') >/dev/null 2>&1 || fail "what the packages need is not there"
files >"$root/stint/before"
in_root sh -c 'apt-get install -y -qq --no-install-recommends /stint/*.deb' >"$root/stint/install.log" 2>&1 ||
    { cat "$root/stint/install.log"; fail "the packages cannot be installed"; }

in_root sh -euc '
    cd /stint
    cmake -S consumer -B find_package >cmake.log && cmake --build find_package >>cmake.log || { cat cmake.log; exit 1; }
    gcc consumer/main.c -o pkg_config $(pkg-config --cflags --libs stint)
    gcc consumer/main.c -o neither -lstint
    gcc -static consumer/main.c -o static $(pkg-config --static --cflags --libs stint)
    for program in find_package/consumer_c ./pkg_config ./neither ./static; do
        "$program" 2>report >/dev/null && grep -q request report || { cat report; echo "$program: no scope"; exit 1; }
        echo "$program: $(ldd "$program" 2>&1 | sed -n "s/.*\(libstint[^ ]*\) => \([^ ]*\).*/\2/p")"
    done
    stint run ./neither 2>report >/dev/null && grep -q request report || { cat report; exit 1; }
    stint --version
' || fail "a program cannot be built or run"
in_root apt-get purge -y -qq $names >/dev/null 2>&1 || fail "the packages cannot be removed"
files >"$root/stint/after"
cmp "$root/stint/before" "$root/stint/after" || { diff "$root/stint/before" "$root/stint/after"; fail "files are left"; }
echo "installed, used and removed: $(echo $names)"
