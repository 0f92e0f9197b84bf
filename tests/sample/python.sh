#!/bin/sh
# python.sh [PYTHON] - functions of Python in samples, compared with what a program says of itself.
. "$(dirname -- "$0")/../cli/lib.sh"
unset STINT_INJECT_LIBRARY STINT_SAMPLE
PYTHON=${1:-python3}
SOURCE=$(cd "$(dirname -- "$0")" && pwd)
set --

known='import sys; sys.exit(not (sys.implementation.name == "cpython" and (3, 9) <= sys.version_info[:2] <= (3, 13)))'
"$PYTHON" -c "$known" 2>/dev/null || {
    echo "$PYTHON is no CPython 3.9 to 3.13"
    exit 77
}

# A function's total is within 3 points of its own account, and as much again as 1000 samples can be off.
functions_have_the_time_that_they_measure_themselves()
{
    stint run --sample --quiet --store accounts.sqlite --report off "$PYTHON" "$SOURCE/accounts.py" >own
    stint samples accounts.sqlite --csv >table
    while read -r name share; do
        awk -F, -v name="$name" -v share="$share" '
            {
                split($7, parts, " ")
                sub(/^.*\./, "", parts[2])
                if (parts[1] ~ /^accounts.py:[0-9]+$/ && parts[2] == name)
                    told = $4
            }
            END { exit !(share < 5 || (told > share - 5.5 && told < share + 5.5)) }' table ||
            complain "$name says $share %: $(grep "accounts.py:[0-9]* .*$name" table)"
    done <own
    [ "$(wc -l <own)" -eq 7 ] || complain "the program did not finish: $(cat own)"
}

scripts_do_not_notice()
{
    cat >noticed.py <<'END'
import gc, os, signal, subprocess, sys, threading, time
def f(n):
    return n and f(n - 1)
for i in range(300):
    thread = threading.Thread(target=f, args=(200,))
    thread.start()
    thread.join()
child = os.fork()
if not child:
    f(500)
    os._exit(3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), sys.getrecursionlimit(), os.environ.get("PYTHONPERFSUPPORT"))
print(subprocess.run([sys.executable, "-c", "print(sum(range(1000)))"], capture_output=True).stdout)
try:
    f(sys.getrecursionlimit() + 10)
except RecursionError:
    print("too deep")
END
    for how in 997 wall:997; do
        "$PYTHON" -W ignore noticed.py >plain
        stint run --sample="$how" --quiet --report off "$PYTHON" -W ignore noticed.py >sampled
        cmp -s plain sampled || complain "--sample=$how: $(cat sampled)"
    done
}

run_tests functions_have_the_time_that_they_measure_themselves scripts_do_not_notice
