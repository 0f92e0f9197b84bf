#!/bin/sh
# bench.sh FOLDER [SECONDS] - measures what stint's modes cost real programs, on a machine with an NVIDIA GPU and with a
# build of stint in FOLDER, beside CUPTI alone (counter.cpp) and torch.profiler. Each mode runs in processes of its own,
# and modes take turns, in the opposite order in every other round: programs.cu in a process for each turn, PyTorch's
# programs in one for all turns (bench_turns.py). Rounds go on for SECONDS, 200 unless told, half of it for each. Prints
# a table in Markdown, in which a cell is the minimum and the median over all rounds, and how limits are kept. Without
# PyTorch only programs.cu is timed. The exit code is 1 if a limit was missed or a mode did not work, and 77 without a
# GPU.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

# shellcheck source=tests/gpu/lib.sh
. "$here/lib.sh"
begin_checks bench "${1-}"
budget=${2:-200}
python=${STINT_PYTHON:-python3}
# shellcheck source=tests/gpu/against_counter.sh
. "$here/against_counter.sh"

begin_injecting
build_counter
build_programs
stint=$build/bin/stint
values=$checks/values
: >"$values"

has_torch=1
if ! "$python" -c 'import torch; raise SystemExit(not torch.cuda.is_available())' >/dev/null 2>&1; then
    has_torch=0
    skip torch "$python has no PyTorch that can use the GPU"
fi

# in_mode MODE COMMAND... - runs the program for at most $most seconds; what the mode prints goes to files.
in_mode()
{
    mode=$1
    shift
    case $mode in
    plain) limit "$most" "$@" ;;
    profiler) limit "$most" "$@" --profiler ;;
    cupti) limit "$most" env "CUDA_INJECTION64_PATH=$counter" COUNTER_LAUNCHES=1 "COUNTER_OUTPUT=$checks/cupti.report" "$@" ;;
    kernels) limit "$most" "$stint" run --quiet --log-file "$checks/kernels.report.%p" --gpu kernels -- "$@" ;;
    run) limit "$most" "$stint" run --quiet --log-file "$checks/run.report.%p" -- "$@" ;;
    all) limit "$most" "$stint" run --quiet --log-file "$checks/all.report.%p" --api all -- "$@" ;;
    store) limit "$most" "$stint" run --quiet --log-file "$checks/store.report.%p" --store "$checks/store.db" -- "$@" ;;
    esac
}

# time_program ROUND MODE CASE ARGUMENT... - one of programs.cu, which prints nanoseconds to stderr.
time_program()
{
    round=$1
    name=$3
    wanted=$2
    shift 3
    [ "$wanted" != profiler ] || return 0
    in_mode "$wanted" "$program" "$@" 2>"$checks/program.err" >/dev/null
    ns=$(sed -n 's/^\([0-9][0-9]*\) ns per .*/\1/p' "$checks/program.err")
    if [ -n "$ns" ]; then
        echo "$round $wanted $name $ns $ns" >>"$values"
    else
        fail "${name}_$wanted" "it printed no time:"
        show "$checks/program.err" 5
    fi
}

# time_programs ROUND MODE
time_programs()
{
    for count in 1 4 8; do
        time_program "$1" "$2" "threads_$count" threads "$count"
    done
    time_program "$1" "$2" replay replay 500
}

# time_torch SECONDS - the PyTorch programs, one process for each mode.
time_torch()
{
    for each in $modes; do
        mkfifo "$checks/$each.in" "$checks/$each.out"
        in_mode "$each" "$python" "$here/bench_torch.py" <"$checks/$each.in" >"$checks/$each.out" \
            2>"$checks/$each.torch.err" &
    done
    # shellcheck disable=SC2086 # words
    if limit "$most" "$python" "$here/bench_turns.py" "$1" "$checks" $modes >>"$values" 2>"$checks/turns.err"; then
        wait
    else
        fail torch "$(tail -n 1 "$checks/turns.err")"
        tail -n 3 "$checks"/*.torch.err
        # shellcheck disable=SC2046 # numbers
        kill $(jobs -p) 2>/dev/null
    fi
}

# check_recorded MODE - a fast result is worthless if nothing was recorded.
check_recorded()
{
    if cat "$checks/$1".report.* 2>/dev/null | grep -q "$2"; then
        pass "recorded_$1" "its reports have kernels"
    else
        fail "recorded_$1" "its reports have no kernels"
    fi
}

# ----------------------------------------------------------------------------------------------------------------- rounds

modes='plain cupti kernels run all store profiler'
backwards='profiler store all run kernels cupti plain'
most=60
start=$(took)
round=0
longest=0
while [ $round -eq 0 ] || [ $(($(took) - start + longest)) -le $((budget / 2)) ]; do
    round=$((round + 1))
    before=$(took)
    order=$modes
    [ $((round % 2)) -eq 1 ] || order=$backwards
    for each in $order; do
        time_programs "$round" "$each"
    done
    last=$(($(took) - before))
    [ $last -le $longest ] || longest=$last
done
most=500
[ $has_torch -eq 0 ] || time_torch $((budget / 2))
check_recorded cupti '^[1-9]'
for each in kernels run all store; do
    check_recorded $each 'nothing()'
done

# ------------------------------------------------------------------------------------------------------------------ table

echo
awk '
function median(list, parts, i, j, swap, n) {
    n = split(list, parts, " ")
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && parts[j - 1] + 0 > parts[j] + 0; j--) {
            swap = parts[j]; parts[j] = parts[j - 1]; parts[j - 1] = swap
        }
    return n % 2 ? parts[(n + 1) / 2] : (parts[n / 2] + parts[n / 2 + 1]) / 2
}
function cell(mode, name, key, form) {
    key = mode SUBSEP name
    if (!(key in least))
        return "-"
    form = scale[name] == 1 ? "%.0f / %.0f" : "%.2f / %.2f"
    return sprintf(form, least[key] / scale[name], median(medians[key]) / scale[name])
}
# What a mode adds to plain: the median of the differences within each round.
function added(mode, name, i, list) {
    for (i = 1; (i, mode, name) in value; i++)
        list = list " " (value[i, mode, name] - value[i, "plain", name])
    return list == "" ? 0 : median(list)
}
function share(mode, other, name, unit) {
    unit = added(other, name)
    return unit > 0.02 * least["plain", name] ? added(mode, name) / unit : ""
}
# How long a step takes in one mode, in units of the other: the median of the quotients within each round.
function ratio(mode, other, name, i, list) {
    for (i = 1; (i, mode, name) in value; i++)
        list = list " " value[i, mode, name] / value[i, other, name]
    return list == "" ? "" : median(list)
}
function judge(got, most, what) {
    if (got == "") {
        printf "- %s: not compared, because one was not measured, or torch.profiler added less than 2 %%\n", what
        return
    }
    printf "- %s: %.2f, limit %.2f: %s\n", what, got, most, got <= most ? "kept" : "**missed**"
    missed += got > most
}
{
    key = $2 SUBSEP $3
    value[$1, $2, $3] = $5
    medians[key] = medians[key] " " $5
    if (!(key in least) || $4 + 0 < least[key])
        least[key] = $4 + 0
}
END {
    modes = split("plain cupti kernels run all store profiler", mode, " ")
    cases = split("resnet50 gpt2 eager tokens threads_1 threads_4 threads_8 replay", name, " ")
    split("ResNet-50, training step, ms|GPT-2, training step, ms|1000 small operations, ms|a token of a GPT, ms|" \
        "launch, 1 thread, ns|launch, 4 threads, ns|launch, 8 threads, ns|node of a graph, ns", title, "|")
    for (i = 1; i <= cases; i++) {
        for (rounds = 0; (rounds + 1, "plain", name[i]) in value;)
            rounds++
        printf "%s%s %d", i == 1 ? "Minimum / median over rounds: " : ", ", name[i], rounds
    }
    print "\n"
    print "| | plain | CUPTI alone | `--gpu kernels` | `stint run` | `--api all` | `--store` | torch.profiler |"
    print "|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= cases; i++) {
        scale[name[i]] = i <= 4 ? 1000000 : 1
        printf "| %s |", title[i]
        for (j = 1; j <= modes; j++)
            printf " %s |", cell(mode[j], name[i])
        print ""
    }
    print "\nWhat is added to a step, in units of what torch.profiler adds:\n"
    for (i = 1; i <= 2; i++) {
        judge(share("kernels", "profiler", name[i]), 0.35, name[i] ", --gpu kernels")
        judge(share("run", "profiler", name[i]), 0.5, name[i] ", stint run")
        judge(share("all", "profiler", name[i]), 1.2, name[i] ", --api all")
    }
    print "\nA step that is recorded, in units of one that is not:\n"
    for (i = 1; i <= 2; i++)
        judge(ratio("store", "run", name[i]), 1.05, name[i] ", --store")
    print "\nA launch, in units of one with CUPTI alone, minima:\n"
    for (i = 5; i <= 7; i++) {
        at = "cupti" SUBSEP name[i]
        judge(least[at] ? least["kernels", name[i]] / least[at] : "", 1.1, name[i] ", --gpu kernels")
        judge(least[at] ? least["run", name[i]] / least[at] : "", 1.3, name[i] ", stint run")
    }
    exit missed > 0
}' "$values" | tee "$checks/table.md"
if grep -q missed "$checks/table.md"; then
    fail limits "see above"
else
    pass limits "all that were compared"
fi
finish 0
