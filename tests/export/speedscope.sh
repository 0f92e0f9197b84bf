#!/bin/sh
# speedscope shows what is exported, in a browser. Needs node, Chromium, and the modules that `npm install` puts into this
# folder, or that are in STINT_NODE_MODULES.
. "$(dirname -- "$0")/lib.sh"

modules=${STINT_NODE_MODULES:-$here/node_modules}
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)

command -v node >/dev/null || { echo "no node"; exit 77; }
[ -n "$browser" ] || { echo "no Chromium"; exit 77; }
[ -d "$modules/playwright-core" ] && [ -d "$modules/speedscope" ] || { echo "no playwright-core and speedscope"; exit 77; }

export_all speedscope.json
cp "$GOLDEN/export_speedscope_samples.json" samples.speedscope.json
# Of files with other events, speedscope shows only these.
{
    echo '{"traceEvents": ['
    grep '"ph": "P"' -A 100 "$GOLDEN/export_chrome_samples.json" | grep -v '"ph": "M"'
} >v8.json
"$STINT" export "$GOLDEN/report_json_gpu.json" -o chrome.json
"$STINT" export "$GOLDEN/report_json_gpu.json" -o host.collapsed
"$STINT" export "$GOLDEN/report_json_gpu.json" --format collapsed --weight gpu -o device.collapsed
cp "$here/speedscope.mjs" .
ln -s "$modules" node_modules
node speedscope.mjs "$browser" "$modules/speedscope/dist/release" "$PWD"/*.json "$PWD"/*.collapsed >shown 2>err ||
    complain "speedscope complained: $(cat shown err)"

# shows FILE TEXT
shows()
{
    grep "^$1	" shown | grep -qF -e "$2" || complain "$1 does not show '$2': $(grep "^$1	" shown)"
}

shows gpu.speedscope.json "thread 4711 (train) (1/8)"
shows training.speedscope.json "host time"
shows nasty.speedscope.json "host time"
shows samples.speedscope.json "samples of thread 4712 (1/3)"
shows v8.json "v8.json (1/2)"
shows chrome.json "GPU 0 (NVIDIA H200) (pid 0), stream 7 (tid 7) (1/5)"
shows host.collapsed "host.collapsed"
exit $failed
