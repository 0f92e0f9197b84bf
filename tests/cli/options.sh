#!/bin/sh
# Options, help, and what is said of mistakes.
. "$(dirname -- "$0")/lib.sh"

nothing_runs_after_a_mistake()
{
    refused 'did you mean' run --quite touch ran
    [ ! -e ran ] || complain "the program ran"
}

help_is_a_line_for_each_option()
{
    for command in "" run nvprof attach stats doctor export report ops samples merge metrics; do
        # shellcheck disable=SC2086 # none is a word
        stint $command --help >out 2>err
        same "the exit code of: $command --help" $? 0
        same "stderr" "$(cat err)" ""
        same "lines of $command --help with several options" "$(grep -c '^  .*--[a-z].*--[a-z].*  ' out)" 0
        [ "$(wc -L <out)" -le 80 ] || complain "$command --help has more than 80 columns"
        has out "Usage: stint"
    done
}

help_has_sections()
{
    stint run --help >out
    for title in 'What to record:' 'When to record:' 'What to print:' GPU: 'Files to write:'; do
        lines out "$title" 1
    done
    stint help run | cmp -s - out || complain "stint help run is not stint run --help"
}

number_behind_sample_is_a_frequency()
{
    refused 'type --sample=1000' run --sample 1000 true
}

# Of nvprof's options the help has only those that mean something here; docs/migrating-from-nvprof.md has all.
help_and_manual_name_every_option()
{
    for command in run stats export diff merge report attach top; do
        stint $command --help >out
        for option in $(stint $command --complete | grep -o '^--[a-z-]*'); do
            has out "$option"
            has "$MANUALS/stint-$command.1.md" "$option"
        done
    done
}

version_is_one_line()
{
    for command in "" run nvprof attach top doctor; do
        # shellcheck disable=SC2086
        stint $command --version >out
        grep -Eqx 'stint [0-9]+\.[0-9]+\.[0-9]+' out || complain "not a version: $(cat out)"
    done
}

# Every run starts this program: what few commands need, they load themselves.
starts_with_few_libraries()
{
    LD_TRACE_LOADED_OBJECTS=1 "$STINT" >out
    has out libc.so
    lacks out libmicrohttpd
    [ -n "$SANITIZE" ] || lacks out libdw # LeakSanitizer needs it linked
}

doctor_says_no_without_a_gpu_driver()
{
    [ ! -e /proc/driver/nvidia/version ] || return
    stint doctor "$SUBJECT" >out 2>err
    same "the exit code" $? 1
    same "stderr" "$(cat err)" ""
    has out "ok  program    $SUBJECT"
    has out "ok  injection  $INJECT"
    has out "NO  recording"
    has out "GPU work will not be recorded."
    # But for words that are longer, as paths are.
    if grep -v / out | grep -q '.\{81\}'; then
        complain "more than 80 columns: $(cat out)"
    fi
}

doctor_knows_programs_that_cannot_be_recorded()
{
    stint doctor ./nothing >out
    has out "NO  program    ./nothing: No such file"
    stint doctor "./$(printf '\033[31m')" >out
    has out 'NO  program    ./\x1b[31m: No such file'
    printf '#!/bin/sh\n' >script
    chmod +x script
    stint doctor ./script >out
    has out "./script, a script"
}

doctor_names_variables_of_other_tools()
{
    NSYS_PROFILING_SESSION_ID=1 NVTX_INJECTION64_PATH=/nowhere/tool.so CUDA_INJECTION64_PATH=/dev/null \
        stint doctor >out
    has out "NO  profilers  NSYS_PROFILING_SESSION_ID is set"
    has out "--  NVTX       NVTX_INJECTION64_PATH names /nowhere/tool.so: No such file"
    has out "ok  CUDA       CUDA_INJECTION64_PATH names /dev/null, which is called as well"
}

# footer_says FOLDER - prints what the report of a program that uses CUDA says of overhead.
footer_says()
{
    XDG_STATE_HOME=$1 STINT_INJECT_LIBRARY=$REAL STINT_CUPTI_PATH=$CUPTI stint run --report table "$PLAIN" cuda 2>err >&2
    grep '^overhead: ' err
}

footer_has_what_cupti_takes()
{
    footer_says "$PWD/state" | grep -Eq ' in CUPTI, at least ' || complain "no cost of CUPTI: $(cat err)"
    XDG_STATE_HOME=$PWD/state STINT_INJECT_LIBRARY=$REAL STINT_CUPTI_PATH=$CUPTI STINT_MODULE=$MODULE stint run --report off \
        --store x.db "$PLAIN" cuda 2>err
    XDG_STATE_HOME=$PWD/state stint merge x.db x.db --report table 2>&1 | grep -q '^overhead: .* in CUPTI, at least ' ||
        complain "no cost of CUPTI in a sum"
    XDG_STATE_HOME=$PWD/state stint report x.db -o x.html
    grep -q '"overhead: .* in CUPTI, at least ' x.html || complain "no cost of CUPTI on the page"
    footer_says "$PWD/none" | grep -Eq "; CUPTI's cost is not included: stint run .* add it after stint doctor --measure\$" ||
        complain "CUPTI's cost is said to be known: $(cat err)"
}

# The mock's device takes the same time for all.
doctor_measures_what_the_device_can_do_at_most()
{
    XDG_STATE_HOME=$PWD/state LD_LIBRARY_PATH=$(dirname "$CUPTI")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
        MOCK_CUPTI=slow=200 stint doctor --measure >out 2>err
    same "misuse" "$(cat err)" ""
    grep -Eqx 'ok  memory     copy [0-9]+, read [0-9]+, l2 [0-9]+ GB/s' out || complain "no memory: $(cat out)"
    grep -Eqx 'ok  computing  fp64 .*, fp32 .*, fp16 .* TFLOP/s' out || complain "no fp32: $(cat out)"
    grep -Eqx 'ok  CUPTI      costs [0-9.]+ us per kernel, [0-9]+ ns per other call' out ||
        complain "not what CUPTI takes: $(cat out)"
    has out "ok  kept       for Mock GPU in $PWD/state/stint/ceilings.tsv"
    grep -Eq '^Mock GPU	13000	copy	[0-9]' state/stint/ceilings.tsv || complain "nothing is kept"
    footer_has_what_cupti_takes
    XDG_STATE_HOME=$PWD/state MOCK_CUPTI=module=218 \
        LD_LIBRARY_PATH=$(dirname "$CUPTI")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} stint doctor --measure >out 2>&1
    has out "ok  memory     not measured"
    has out "--  CUPTI      its cost could not be measured: CUDA failed"
}

doctor_cannot_measure_without_a_gpu_driver()
{
    [ ! -e /proc/driver/nvidia/version ] || return
    XDG_STATE_HOME=$PWD/state stint doctor --measure >out
    same "the exit code" $? 1
    has out "NO  measuring  libcuda.so.1 is missing"
    [ ! -e state ] || complain "something was kept"
}

text_that_cannot_be_written_is_told()
{
    for command in --version help 'run --help' 'stats --list' doctor; do
        # shellcheck disable=SC2086
        stint $command >/dev/full 2>err
        same "the exit code of: $command" $? 1
        has err "stint: standard output cannot be written: No space left on device"
    done
}

run_tests \
    text_that_cannot_be_written_is_told nothing_runs_after_a_mistake help_is_a_line_for_each_option help_has_sections number_behind_sample_is_a_frequency help_and_manual_name_every_option version_is_one_line \
    starts_with_few_libraries \
    doctor_says_no_without_a_gpu_driver doctor_knows_programs_that_cannot_be_recorded \
    doctor_names_variables_of_other_tools doctor_cannot_measure_without_a_gpu_driver ${CUPTI:+doctor_measures_what_the_device_can_do_at_most}
