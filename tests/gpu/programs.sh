#!/bin/sh
# programs.sh FOLDER - runs programs.cu, which does what real CUDA programs do, on a machine with an NVIDIA GPU: plain,
# with a counter that uses CUPTI alone (counter.cpp), and with libstint_inject.so from a build in FOLDER. With stint,
# output and exit code have to be the same as alone, and stint's numbers the same as the counter's. Then it times
# launches from several threads. Its output and exit code are like those of run.sh.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
build=$(CDPATH='' cd -- "${1:-$root/build/gpu}" && pwd) || exit 2
checks=$build/checks/programs
required=${STINT_REQUIRE_GPU-}
rm -rf "$checks"
mkdir -p "$checks" "$build/tests/gpu"

# shellcheck source=tests/gpu/lib.sh
. "$here/lib.sh"
# shellcheck source=tests/gpu/against_counter.sh
. "$here/against_counter.sh"

begin_injecting
build_counter
build_programs
pass build "$(took) s"

for case in cooperative dynamic loop compile managed map ipc pool assert; do
    check "$case" "$program" "$case"
done
# The kernel whose assertion fails has no times, or no record, and the one before may not have one, either.
limit 60 env "CUDA_INJECTION64_PATH=$inject" STINT_GPU=on STINT_REPORT=gpu "$program" assert >"$checks/named.log" 2>&1
expect_line named $(($? != 7)) '^GPU: [12] launch.* not measured: '
check replay "$program" replay 100
for count in 1 4 8; do
    check "threads_$count" "$program" threads "$count"
done

# ------------------------------------------------------------------------------------------------------------------- launches

# ns_of MODE COUNT - prints the time of a launch, which the program writes to stderr.
ns_of()
{
    case $1 in
    plain) "$program" threads "$2" ;;
    cupti) with_counter rate_cupti "$program" threads "$2" ;;
    *) with_stint "rate_$1" "$1" "$program" threads "$2" ;;
    esac 2>&1 >/dev/null | sed -n 's/^\([0-9]*\) ns per launch$/\1/p'
}

# Modes take turns, so that a noisy moment affects all of them; the minimum counts.
rounds=${STINT_ROUNDS:-5}
for count in 1 4 8; do
    for round in $(seq "$rounds"); do
        for mode in plain cupti kernels on; do
            echo "$mode $(ns_of "$mode" "$count")"
        done
    done | awk -v threads="$count" '
        NF == 2 { all[$1] = all[$1] " " $2; if (!($1 in least) || $2 + 0 < least[$1]) least[$1] = $2 + 0 }
        END {
            printf "%d threads, ns per launch, the least of:", threads
            split("plain cupti kernels on", modes, " ")
            for (i = 1; i <= 4; i++) printf "  %s %d (%s )", modes[i], least[modes[i]], all[modes[i]]
            printf "\n"
            exit !(least["cupti"] > 0 && least["kernels"] > 0 && least["kernels"] <= 1.25 * least["cupti"])
        }' >"$checks/launches_$count.log"
    if [ $? -eq 0 ]; then
        pass "launches_$count" "$(cat "$checks/launches_$count.log")"
    else
        fail "launches_$count" "kernels more than 1.25 of cupti: $(cat "$checks/launches_$count.log")"
    fi
done

finish 0
