#!/bin/sh
# stint report --serve: what answers whom, and what does not.
. "$(dirname -- "$0")/lib.sh"

! stint metrics --listen ./m.sock 1 2>&1 | grep "built without" || exit 77

the_page_is_for_its_reader_alone()
{
    command -v python3 >/dev/null || { echo "no python3: not checked"; return; }
    python3 "$here/serve.py" "$STINT" "$GOLDEN/report_json_gpu.json" >out 2>&1 || complain "$(cat out)"
}

run_tests the_page_is_for_its_reader_alone
