#!/bin/sh
# What is JSON can be read as JSON.
. "$(dirname -- "$0")/lib.sh"

command -v python3 >/dev/null && python3 -c 'import json' 2>/dev/null || { echo "no python3"; exit 77; }

export_all json
for file in *.json; do
    python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$file" 2>err ||
        complain "$file: $(tail -n 1 err)"
done
exit $failed
