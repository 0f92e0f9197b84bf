# Sourced by samples/demo.sh and tests/run.sh: what the build needs, and how it gets here. POSIX sh.
#
#   require PACKAGE TEST...   notes that PACKAGE is missing unless the command TEST... succeeds
#   require_install           installs with apt-get what is missing, if it may; otherwise names it and exits with 1
#   want PACKAGE TEST...      the same for what only some tests need
#   want_install              installs what was wanted since the last time, if it may; otherwise names it
#   require_cmake             exits with 1 unless CMake knows workflow presets (3.25)

required=
wanted=
updated=

require()
{
    package=$1
    shift
    "$@" >/dev/null 2>&1 || required="$required $package"
}

# has_header COMPILER HEADER
has_header()
{
    echo "#include <$2>" | "$1" -E - >/dev/null 2>&1
}

want()
{
    package=$1
    shift
    "$@" >/dev/null 2>&1 || wanted="$wanted $package"
}

# Sets as_root to what a command needs before it to install packages; to false if there is no way.
find_as_root()
{
    if ! command -v apt-get >/dev/null 2>&1; then
        as_root=false
    elif [ "$(id -u)" -eq 0 ]; then
        as_root=env
    elif sudo -n true 2>/dev/null; then
        as_root="sudo -n env"
    else
        as_root=false
    fi
}

# apt_install PACKAGE... - by lists of today: packages that others name may be gone.
apt_install()
{
    if [ -z "$updated" ]; then
        $as_root DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2 ||
            echo "apt-get update failed; trying with the lists there are" >&2
        updated=yes
    fi
    $as_root DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

require_install()
{
    [ -n "$required" ] || return 0
    find_as_root
    if [ "$as_root" = false ]; then
        echo "Missing:$required (the names are Debian's and Ubuntu's). Install them, then run this again:" >&2
        echo "    sudo apt-get install$required" >&2
        exit 1
    fi
    echo "Installing:$required" >&2
    # shellcheck disable=SC2086 # the list is to be split
    if ! apt_install $required; then
        echo "apt-get could not install:$required" >&2
        exit 1
    fi
}

want_install()
{
    [ -n "$wanted" ] || return 0
    find_as_root
    # shellcheck disable=SC2086 # the list is to be split
    if [ "$as_root" = false ] || ! apt_install $wanted; then
        echo "Not installed, so tests that need them are skipped:$wanted" >&2
    fi
    wanted=
}

require_cmake()
{
    version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9]*\.[0-9]*\).*/\1/p')
    if [ "${version%%.*}" -lt 3 ] || { [ "${version%%.*}" -eq 3 ] && [ "${version#*.}" -lt 25 ]; }; then
        echo "CMake 3.25 or later is needed, and this is $version: $(command -v cmake)." >&2
        echo "Debian 12 and Ubuntu 24.04 have it; for older ones see https://cmake.org/download/." >&2
        exit 1
    fi
}
