#!/bin/sh
# lintian.sh FOLDER - lintian finds no error in the packages there.
set -eu

command -v lintian >/dev/null || { echo "no lintian"; exit 77; }
set -- "$1"/*.deb
[ -f "$1" ] || { echo "no packages were made"; exit 77; }
lintian --allow-root --fail-on error "$@"
