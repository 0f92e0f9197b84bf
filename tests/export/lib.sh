# What the tests of this folder share. Each writes files from the recordings in tests/golden, and has a reader read them.
failed=0
here=$(cd "$(dirname -- "$0")" && pwd)
rm -rf "$WORK"
mkdir -p "$WORK"
cd "$WORK" || exit 1

complain()
{
    echo "$1"
    failed=1
}

# export_all ENDING - a file for each recording that has events: gpu.ENDING, ...
export_all()
{
    for report in gpu gpu_nasty gpu_extreme; do
        "$STINT" export "$GOLDEN/report_json_$report.json" -o "$report.$1" 2>err || complain "$report.$1: $(cat err)"
    done
}
