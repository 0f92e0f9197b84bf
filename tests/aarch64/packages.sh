#!/bin/sh
# packages.sh FOLDER - unpacks there, from Debian's arm64 packages, the libraries that stint, its program and its tests
# are linked with, and those libraries' own. Neither apt's lists nor the architectures of this system change. Does
# nothing if that is done; exits with 1, and says why, if it cannot be done.
set -eu

folder=$1
wanted="libcmocka-dev libsqlite3-dev zlib1g-dev libiberty-dev libdw-dev libmicrohttpd-dev"
[ ! -e "$folder/complete" ] || exit 0
# Ubuntu has other mirrors for arm64.
if ! grep -qx 'ID=debian' /etc/os-release 2>/dev/null; then
    echo "The libraries for aarch64 are taken from Debian's mirrors, and this is not Debian" >&2
    exit 1
fi
rm -rf "$folder"
mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial"
folder=$(CDPATH='' cd -- "$folder" && pwd)
: >"$folder/apt/status" # nothing is installed

# apt_arm64 ARGUMENT... - apt-get with lists of its own.
apt_arm64()
{
    apt-get -qq -y -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o APT::Sandbox::User= \
        -o APT::Install-Recommends=false -o Dir::State="$folder/apt" -o Dir::State::status="$folder/apt/status" \
        -o Dir::Cache="$folder/apt" "$@" >&2
}

# shellcheck disable=SC2086 # the list is to be split
if ! apt_arm64 update || ! apt_arm64 --download-only install $wanted; then
    echo "The libraries for aarch64 cannot be downloaded" >&2
    exit 1
fi
# The cross compiler has the C library's headers.
for package in "$folder"/apt/archives/*.deb; do
    case $package in
    */libc6-dev_* | */linux-libc-dev_* | */libcrypt-dev_*) ;;
    *) dpkg -x "$package" "$folder" ;;
    esac
done
[ -e "$folder/lib" ] || ln -s usr/lib "$folder/lib" # newer Debian has all below usr
# clang compiles for every processor: these scripts, which tests use, choose this one.
mkdir "$folder/bin"
for clang in clang clang++; do
    if command -v "$clang" >/dev/null; then
        printf '#!/bin/sh\nexec %s --target=aarch64-linux-gnu "$@"\n' "$clang" >"$folder/bin/$clang"
        chmod +x "$folder/bin/$clang"
    fi
done
rm -r "$folder/apt"
touch "$folder/complete"
