#!/bin/sh
# What bash proposes after "stint".
. "$(dirname -- "$0")/lib.sh"

command -v bash >/dev/null || { echo "no bash"; exit 77; }

# proposed WORD... - completes the last of the words behind "stint", which may be empty.
proposed()
{
    # shellcheck disable=SC2016
    bash --norc -c '
        . "$1"
        shift
        COMP_WORDS=("$STINT" "$@")
        COMP_CWORD=$#
        _stint
        printf "%s\n" "${COMPREPLY[@]}"' bash "$COMPLETION" "$@" | tr '\n' ' '
}

commands_are_proposed()
{
    same "after stint" "$(proposed "")" "run nvprof attach top metrics stats samples ops export diff merge report doctor --help --version "
    same "after stint d" "$(proposed d)" "diff doctor "
}

every_option_is_proposed()
{
    for command in run stats export diff merge report; do
        proposed $command -- >all
        for option in $(stint $command --help | grep -o -e '--[a-z-]*[a-z]' | sort -u); do
            case $option in --type|--list) ;; *) has all "$option " ;; esac # of nsys, of stats
        done
    done
}

files_are_proposed()
{
    : >a.sqlite
    for command in stats export diff merge report; do
        same "a file of $command" "$(proposed $command a.s)" "a.sqlite "
    done
    same "-o" "$(proposed diff -o a.s)" "a.sqlite "
    same "--log-file" "$(proposed run --log-file a.s)" "a.sqlite "
}

values_are_proposed()
{
    same "--gpu" "$(proposed run --gpu '')" "on off kernels api "
    same "--api" "$(proposed run --api o)" "on off "
    same "--from-start" "$(proposed run --from-start '')" "on off "
    same "after attach" "$(proposed attach 1 --o)" "--on --off "
    has "$(proposed attach '' >all; echo all)" "$$ "
    same "--report" "$(proposed run --report tab)" "table "
    same "a second report" "$(proposed run --report tree,ta)" "tree,table "
    same "--format" "$(proposed run --quiet --format j)" "json "
    same "--report of stats" "$(proposed stats a.sqlite --report tab)" "table "
    same "--format of diff" "$(proposed diff a.json --format j)" "json junit "
    same "--sort of diff" "$(proposed diff --sort '')" "change name total "
    same "--by" "$(proposed diff --by k)" "kernel "
    same "a number" "$(proposed run --top '')" " "
}

every_report_proposed_is_one()
{
    same "the last" "$(proposed run --report cuda_api_s)" "cuda_api_sum "
    for name in $(proposed run --report ''); do
        stint run --quiet --report "$name" true || complain "stint knows no $name"
    done
}

formats_of_export_are_proposed()
{
    same "--format" "$(proposed export a.json --format p)" "perfetto pprof "
    same "--weight" "$(proposed export --weight '')" "host gpu bytes samples "
    for format in $(proposed export --format ''); do
        stint export none --format "$format" 2>err
        lacks err "there is no format"
    done
}

options_of_the_program_are_not_ours()
{
    : >--gpx
    same "after the program" "$(proposed run --gpu on ls --gp)" "--gpx "
    same "after --" "$(proposed run -- ls --gp)" "--gpx "
}

options_of_nvprof_are_proposed()
{
    proposed nvprof -- >all
    for option in $(stint nvprof --help | grep -o -e '--[a-z-]*[a-z]' | sort -u); do
        has all "$option "
    done
    for option in $(cat all); do
        stint nvprof "$option" x >out 2>err
        lacks err "there is no option"
        has "${COMPLETION%/src/*}/docs/migrating-from-nvprof.md" "\`$option\`"
    done
    same "-u" "$(proposed nvprof --csv -u m)" "ms "
    same "--profile-from-start" "$(proposed nvprof -o x --profile-from-start o)" "on off "
    : >--gpx
    same "after the program" "$(proposed nvprof -o x ls --gp)" "--gpx "
}

run_tests commands_are_proposed every_option_is_proposed files_are_proposed values_are_proposed \
    every_report_proposed_is_one options_of_nvprof_are_proposed formats_of_export_are_proposed \
    options_of_the_program_are_not_ours
