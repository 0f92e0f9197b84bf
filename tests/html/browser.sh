#!/bin/sh
# What stint writes in a browser: browser.sh SCRIPT. Needs node, Chromium, and what package.json names, which `npm ci` in
# this folder installs; STINT_NODE_MODULES may name another folder. Without them the test is skipped. Nothing is
# downloaded.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

skip()
{
    echo "skipped: there is no $1"
    exit 77
}

command -v node >/dev/null || skip node
BROWSER=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip chromium
modules=${STINT_NODE_MODULES:-$here/node_modules}
for module in playwright-core speedscope; do
    [ -d "$modules/$module" ] || skip "$module in $modules"
done

rm -rf "$WORK"
mkdir -p "$WORK"
if [ -n "${PAGES:-}" ]; then
    SOURCES=$(CDPATH='' cd -- "$here/../.." && pwd) # the program may have been compiled in another copy of them
    export SOURCES
    "$PAGES" "$WORK" || exit 1
elif [ -n "${DATABASE:-}" ]; then
    RECORDING=$WORK/large.sqlite
    export RECORDING
    "$DATABASE" "$RECORDING" || exit 1
fi

# node looks for modules beside the script.
cp "$here/$1" "$here/check.mjs" "$WORK"
ln -s "$modules" "$WORK/node_modules"
GOLDEN=$here/../golden
export BROWSER GOLDEN
exec node "$WORK/$1" "$WORK"
