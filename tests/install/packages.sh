#!/bin/sh
# packages.sh BUILD WORK SOURCE EXPECTED - Debian's packages of BUILD, made in WORK/packages: their names, what is in
# them, and what they need. They are installed in a root that has nothing else, programs are built there in three ways
# and run, and after their removal nothing is left. EXPECTED is as for consume.sh, as are CMAKE, CC and PKG_CONFIG.
set -eu

build=$1
work=$2/packages
source=$3
expected=$4
root=$work/root
prefix=$root/usr

fail()
{
    echo "packages.sh: $*"
    exit 1
}

for tool in dpkg-deb dpkg-shlibdeps file; do
    command -v $tool >/dev/null || { echo "no $tool: the packages dpkg-dev and file have them"; exit 77; }
done
as_root=
[ "$(id -u)" -eq 0 ] || as_root=fakeroot
[ -z "$as_root" ] || command -v $as_root >/dev/null || { echo "neither root nor fakeroot"; exit 77; }

rm -rf "$work"
mkdir -p "$work/bin" "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
(cd "$build" && "$CPACK" -G DEB -B "$work/made" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip \
    -D "CPACK_PACKAGE_CONTACT=Tests <tests@example.org>") >"$work/cpack.log" 2>&1 || { cat "$work/cpack.log"; exit 1; }

# The library's package is named after its soname, as Debian's policy asks.
soname=$(readelf -d "$build/lib/libstint.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
library=libstint${soname#libstint.so.}
packages="$library libstint-dev stint stint-doc"
[ ! -e "$build/lib/libstint_mpi.so" ] || packages="$packages libstint-mpi${library#libstint} libstint-mpi-dev"
for package in $packages; do
    mv "$work/made/${package}_"*.deb "$work/$package.deb" || fail "no package $package"
    dpkg-deb -c "$work/$package.deb" | sed -n '/^[-l]/s/^[^ ]* \([^ ]*\) .* \.\(\/usr\/[^ ]*\).*/\1 \2/p' >"$work/$package.txt"
    ! grep -v '^root/root ' "$work/$package.txt" || fail "not root's in $package"
    for file in copyright changelog.Debian.gz changelog.gz; do
        grep -q " /usr/share/doc/$package/$file$" "$work/$package.txt" || fail "no $file in $package"
    done
done
! ls "$work/made/"*.deb 2>/dev/null || fail "more packages than expected"
[ -z "$(cat "$work"/*.txt | sort | uniq -d)" ] || fail "files in two packages: $(cat "$work"/*.txt | sort | uniq -d)"

# has PACKAGE NAME... - files whose folder depends on the system have no folder here.
has()
{
    list=$work/$1.txt
    shift
    for name in "$@"; do
        grep -q "/$name$" "$list" || fail "no $name in ${list##*/}"
    done
}
has "$library" "$soname" "libstint.so.[0-9]*.[0-9]*" "libstint_functions.so.${soname#*.so.}"
[ "$(grep -c -v /usr/share/doc/ "$work/$library.txt")" -eq 4 ] || fail "other files than libraries in $library.txt"
has libstint-dev usr/include/stint/stint.h libstint.so libstint_functions.so libstint.a pkgconfig/stint.pc \
    cmake/stint/stintConfig.cmake
has stint usr/bin/stint libstint_inject.so libstint_inject_osrt.so libstint_module.so libstint_sample.so \
    usr/share/bash-completion/completions/stint usr/share/stint/python/sitecustomize.py
has stint-doc docs/cookbook.md samples/01_scoped_timer/scoped_timer.c README.md
if [ -e "$build/lib/libstint_mpi.so" ]; then
    has "libstint-mpi${library#libstint}" "libstint_mpi.so.${soname#*.so.}"
    has libstint-mpi-dev usr/include/stint/mpi.h libstint_mpi.so cmake/stint/stintMpiTargets.cmake
fi
if [ -f "$build/man/stint.1" ]; then
    has stint man1/stint-run.1.gz man7/stint.7.gz
    has libstint-dev man3/stint.3.gz man3/REGISTER_TIMER.3.gz
fi

# A root in which what they need from elsewhere is said to be installed. ldconfig is none that changes this machine.
needed=$(for package in $packages; do dpkg-deb -f "$work/$package.deb" Depends; done |
    tr ',' '\n' | awk 'NF && $1 !~ /stint/ {print $1}' | sort -u)
case $needed in *libc6*) ;; *) fail "no package needs libc6: $needed" ;; esac
dpkg-query -s $needed >"$root/var/lib/dpkg/status"
printf '#!/bin/sh\necho called >>"%s/ldconfig.log"\n' "$work" >"$work/bin/ldconfig"
chmod +x "$work/bin/ldconfig"
PATH=$work/bin:$PATH:/usr/sbin:/sbin
export PATH
in_root()
{
    $as_root dpkg --root="$root" --force-script-chrootless --log=/dev/null "$@" >>"$work/dpkg.log" 2>&1
}
! in_root -i "$work/libstint-dev.deb" || fail "libstint-dev can be installed without the library"
in_root --purge libstint-dev
in_root -i $(for package in $packages; do echo "$work/$package.deb"; done) || { cat "$work/dpkg.log"; exit 1; }
[ -s "$work/ldconfig.log" ] || fail "the dynamic linker was not told of the libraries"

# A program, built by find_package and by pkg-config, and without either.
ln -s root/usr "$work/prefix"
CXX='' CUDACXX='' sh "$source/tests/install/consume.sh" find_package "$work" "$source" "$expected" || fail "find_package"
CXX='' CUDACXX='' sh "$source/tests/install/consume.sh" pkg_config "$work" "$source" "$expected" || fail "pkg-config"
libraries=$(dirname "$(find "$prefix/lib" -name libstint.so)")
"$CC" "$source/tests/install/consumer/main.c" -o "$work/consumer" -I "$prefix/include" -L "$libraries" -lstint
LD_LIBRARY_PATH=$libraries "$work/consumer" 2>"$work/report.txt" >/dev/null
grep -q request "$work/report.txt" || { cat "$work/report.txt"; fail "no scope in the report"; }
"$prefix/bin/stint" run true 2>"$work/report.txt" || { cat "$work/report.txt"; fail "stint run"; }

! in_root -r "$library" || fail "the library can be removed before libstint-dev"
in_root --purge $packages || { cat "$work/dpkg.log"; exit 1; }
left=$(find "$root" ! -type d ! -path '*/var/lib/dpkg/*')
[ -z "$left" ] || fail "left behind: $left"
