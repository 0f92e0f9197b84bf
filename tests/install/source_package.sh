#!/bin/sh
# source_package.sh BUILD WORK SOURCE - the archive of the source has the same bytes if another user makes it of a clone
# elsewhere, at another time, with other settings; nothing of BUILD is in it.
set -eu

build=$1
work=$2/source_package
source=$3

git -C "$source" rev-parse HEAD >/dev/null 2>&1 || { echo "no git, or no clone"; exit 77; }
rm -rf "$work"
mkdir -p "$work/one" "$work/two" "$work/home"
(cd "$build" && "$CPACK" --config CPackSourceConfig.cmake -B "$work/one") >"$work/cpack.log" 2>&1 ||
    { cat "$work/cpack.log"; exit 1; }
one=$(ls "$work"/one/*.tar.gz)
version=${one##*/stint-}

printf '[core]\n\tautocrlf = true\n\tattributesFile = %s/attributes\n[tar]\n\tumask = 0077\n' "$work" >"$work/home/.gitconfig"
echo '*.md export-ignore' >"$work/attributes"
git clone -q --no-checkout "$source" "$work/clone"
(
    umask 077
    export HOME="$work/home" TZ=Asia/Tokyo LC_ALL=C
    "$CMAKE" -D "CPACK_STINT_SOURCE=$work/clone" -D "CPACK_PACKAGE_VERSION=${version%.tar.gz}" \
        -D "CPACK_PACKAGE_DIRECTORY=$work/two" -P "$source/cmake/StintSource.cmake"
)
cmp "$one" "$work"/two/*.tar.gz
sha256sum "$one"
tar -tzf "$one" | sed "s|^stint-${version%.tar.gz}/||" >"$work/list.txt"
for file in CMakeLists.txt README.md include/stint/stint.h; do
    grep -qx "$file" "$work/list.txt" || { echo "source_package.sh: no $file"; exit 1; }
done
! grep -q '^build/' "$work/list.txt" || { echo "source_package.sh: the build is in the archive"; exit 1; }
