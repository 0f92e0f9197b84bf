#!/bin/sh
# mpi.sh NAME MPICC MPIRUN MPIFORT LIBRARIES MPI_LIBRARY STINT WORK ROOT BINARY - libstint_mpi with one MPI library, on four
# ranks. LIBRARIES is the folder of libstint, MPI_LIBRARY the libstint_mpi for this MPI, ROOT and BINARY the project's
# folders.
set -u

name=$1 mpicc=$2 mpirun=$3 mpifort=$4 libraries=$5 library=$6 stint=$7 work=$8 root=$9
shift 9
binary=$1
failed=0
unset STINT_REPORT STINT_OUTPUT STINT_MPI STINT_MPI_OUTPUT STINT_MPI_REPORT STINT_MPI_RANKS LD_PRELOAD
export STINT_MPI_LIBRARY="$library"
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1

case $name in
openmpi) options="--allow-run-as-root --oversubscribe --mca mpi_yield_when_idle 1 --mca btl_vader_single_copy_mechanism none" ;;
*) options= ;;
esac

complain()
{
    echo "$test: $1"
    failed=1
}

same()
{
    [ "$2" = "$3" ] || complain "$1 is '$2', not '$3'"
}

has()
{
    grep -qF -e "$2" "$1" || { complain "$1 has no '$2':"; cat "$1"; }
}

# on_ranks COMMAND... - runs it on four ranks; stderr in err, stdout in out.
on_ranks()
{
    # shellcheck disable=SC2086 # a list of options
    timeout 100 "$mpirun" $options -n 4 "$@" >out 2>err </dev/null
    same "the exit code of $*" $? 0
}

# field CSV-FILE NAME COLUMN
field()
{
    awk -F, -v name="$2" -v column="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $NF == name { print $at[column] }' "$1"
}

flags="-O1 -I$root/include -I$binary/include -DSTINT_WITH_TIMER=1"
# shellcheck disable=SC2086 # a list of flags
"$mpicc" $flags "$root/tests/mpi/job.c" -o job "$library" -L"$libraries" -lstint "-Wl,-rpath,${library%/*}:$libraries" &&
    "$mpicc" -O1 "$root/tests/mpi/plain.c" -o plain || exit 1

all_ranks_have_one_table()
{
    on_ranks env STINT_REPORT=off STINT_MPI_REPORT=ranks:csv ./job
    same "the number of tables" "$(grep -c '^kind,set' err)" 1
    for scope in step compute exchange MPI_Allreduce MPI_Sendrecv; do
        same "calls of $scope" "$(field err $scope calls)" 240
        same "ranks of $scope" "$(field err $scope ranks)" 4
    done
    same "ranks that write" "$(field err write ranks),$(field err write max_rank)" 1,0
    same "the rank that computes longest" "$(field err compute max_rank)" 2
    same "bytes of MPI_Allreduce" "$(field err MPI_Allreduce bytes)" 1920
    same "bytes of MPI_Sendrecv" "$(field err MPI_Sendrecv bytes)" 240000
    same "the rank that waits least" "$(field err MPI_Allreduce min_rank)" 2
}

# The time that the table states against the one that the program prints.
a_slow_rank_is_named_with_scope_and_time()
{
    on_ranks env STINT_REPORT=off STINT_MPI_RANKS="$work/rank%r.json" ./job
    has err ", 4 ranks, "
    line=$(grep '^slow: rank 2 (.*): compute, ' err) || { complain "no slow rank in:"; cat err; return; }
    since=$(echo "$line" | sed -n 's/.* since \(.* UTC\), .*/\1/p')
    [ -n "$since" ] || { complain "no time in: $line"; return; }
    told=$(sed -n 's/slow from \([0-9.]*\) on/\1/p' out)
    awk -v a="$(date -u -d "$since" +%s.%N)" -v b="$told" 'BEGIN { exit !(a - b < 0.3 && b - a < 0.3) }' ||
        complain "slow since $since, not since $(date -u -d "@$told")"
    grep -q '^barrier MPI/collective calls: .* of 4, .* slowest in .*: 2$' err || complain "rank 2 did not arrive last"
}

# The run before wrote them.
files_have_the_same_table()
{
    "$stint" merge rank3.json rank0.json rank2.json rank1.json >merged || complain "stint merge failed"
    cmp err merged || complain "the tables differ"
}

a_program_may_report_before_its_end()
{
    on_ranks env STINT_REPORT=off STINT_MPI=report ./job report
    same "the number of tables" "$(grep -c '^stint: job report, 4 ranks' err)" 2
    ! grep -q MPI_Allreduce err || complain "calls are timed though they should not be"
}

an_unchanged_program_has_the_table_too()
{
    on_ranks "$stint" run --format csv --report ranks ./plain
    same "the number of tables" "$(cat out err | grep -c '^kind,set')" 1
    same "calls of MPI_Allreduce" "$(field err MPI_Allreduce calls)" 48
    same "calls of MPI_Barrier" "$(field err MPI_Barrier calls)" 4
    same "bytes" "$(field err MPI_Allreduce bytes)" 1536
    same "the rank that waits least" "$(field err MPI_Allreduce min_rank)" 2
    on_ranks "$stint" run ./plain
    same "titles" "$(grep -c '^stint: ' err)" 1
    has err "stint: plain, 4 ranks, "
    on_ranks env STINT_MPI=off "$stint" run --quiet ./plain
    ! grep -q "4 ranks" err || complain "ranks are added up though they should not be"
}

# Each rank is recorded by itself, as nothing may wait for ranks on other hosts, where stint is not.
a_launcher_below_stint_has_the_table_too()
{
    for asked in "--format csv --report ranks" ""; do
        # shellcheck disable=SC2086 # lists of options
        timeout 100 "$stint" run $asked "$mpirun" $options -n 4 ./plain >out 2>err </dev/null
        same "the exit code" $? 0
        if [ "$asked" ]; then
            same "calls of MPI_Allreduce" "$(field err MPI_Allreduce calls)" 48
            same "ranks of MPI_Allreduce" "$(field err MPI_Allreduce ranks)" 4
            same "the rank that waits least" "$(field err MPI_Allreduce min_rank)" 2
        else
            same "titles" "$(grep -c '^stint: ' err)" 1
            has err "stint: plain, 4 ranks, "
        fi
    done
}

# By a library for Open MPI; the command uses no other for a program whose MPI is not known.
a_program_of_another_mpi_is_left_alone()
{
    other=${library%/*/*}/openmpi/${library##*/}
    [ $name = mpich ] && [ -e "$other" ] || return 0
    for how in on timers report; do
        on_ranks env LD_PRELOAD="$other" STINT_MPI=$how STINT_REPORT=csv ./plain
        ! grep MPI_ err || complain "calls are timed with STINT_MPI=$how"
    done
    env STINT_MPI_LIBRARY="$other" "$stint" run "$mpirun" -n 2 ./plain >out 2>err </dev/null
    has err "mpirun -n 4 stint run PROGRAM"
}

# counts_once MODULE - checks what the program of Fortran makes with that module, if it can be compiled.
counts_once()
{
    sed "s/use mpi\$/use $1/" "$root/tests/mpi/plain.f90" >fortran.f90
    [ -x "$mpifort" ] && "$mpifort" fortran.f90 -o fortran 2>fortran_errors || return 0
    on_ranks "$stint" run --format csv --report ranks ./fortran
    same "calls of MPI_Allreduce" "$(field err MPI_Allreduce calls)" 20
    same "calls of MPI_Barrier" "$(field err MPI_Barrier calls)" 20
    same "calls of MPI_Init" "$(field err MPI_Init calls)" 4
    same "tables" "$(grep -c '^kind,set' err)" 1
}

fortran_counts_once()
{
    counts_once mpi
    counts_once mpi_f08
}

for test in all_ranks_have_one_table a_slow_rank_is_named_with_scope_and_time files_have_the_same_table \
    a_program_may_report_before_its_end an_unchanged_program_has_the_table_too \
    a_launcher_below_stint_has_the_table_too a_program_of_another_mpi_is_left_alone fortran_counts_once; do
    $test
    echo "done: $test"
done
exit $failed
