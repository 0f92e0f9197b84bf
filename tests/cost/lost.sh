#!/bin/sh
# Counts what stint run costs for each process that has left a report or only its socket, in instructions: the cost must
# not depend on how many there are.
#
#     lost.sh STINT
set -eu

stint=$1
few=500
many=4000

# shellcheck source=tests/cost/lib.sh
. "$(dirname -- "$0")/lib.sh"

# What so many processes leave in the folder of the run, of which each second one has been killed.
cat >"$folder/leave" <<'END'
i=0
while [ $i -lt "$1" ]; do
    i=$((i + 2))
    echo '{"format":"stint-report","version":1,"process":{"pid":'$i'}}' >"$STINT_CONTROL/$i.json"
    : >"$STINT_CONTROL/$((i + 1)).17.sock"
done
END

# run COUNT - prints what each of so many processes costs.
run()
{
    instructions "$1" "$stint" run --report off sh "$folder/leave" "$1"
}

of_few=$(run $few)
of_many=$(run $many)
echo "instructions of each process: $of_few of $few, $of_many of $many"
grep -q "and $((many / 2 - 1)) others ended without a report" "$folder/said"
[ "$of_many" -gt 0 ] && [ "$of_many" -lt "$of_few" ] # which also have what stint run costs by itself
