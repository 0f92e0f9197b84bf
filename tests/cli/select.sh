#!/bin/sh
# What of the reports is shown: --top, --sort, --unit, --include, --exclude; and --functions.
. "$(dirname -- "$0")/lib.sh"

# rows FILE - how many rows name a scope of $MANY.
rows()
{
    grep -cE ' (main|scope [0-9]+)$' "$1"
}

tree_of_its_own_accord_has_ten_rows()
{
    stint run "$MANY" 60 2>err
    same "the number of rows" "$(rows err)" 10
    has err "… 51 more rows, "
    has err " % of the time (--top 0 shows all)"
}

all_rows_are_shown_when_asked_for()
{
    for options in "--top 0" "--report tree" "--format table" "--report summary --top 0"; do
        # shellcheck disable=SC2086 # two words
        stint run $options "$MANY" 60 2>err
        same "the number of rows with $options" "$(rows err)" 61
        lacks err "more row"
    done
}

top_is_the_number_of_rows()
{
    stint run --top 3 "$MANY" 60 2>err
    same "the number of rows" "$(rows err)" 3
    has err "… 58 more rows, "
    stint run --report table --top 5 "$MANY" 60 2>err
    same "the number of rows" "$(rows err)" 5
}

small_shares_are_left_out_of_trees()
{
    file=$GOLDEN/report_json_training.json
    "$STINT" stats "$file" --report tree --format table >all 2>err
    "$STINT" stats "$file" --report tree --min-percent 10 >big 2>err
    awk '/^Time/ { begun = 1; next } /^[^ 0-9]/ { begun = 0 } begun && $1 >= 10 { print $NF }' all >expected
    awk '/^Time/ { begun = 1; next } /^[^ 0-9]/ { begun = 0 } begun { print $NF }' big >shown
    [ -s expected ] || complain "there is no row of 10 % in: $(cat all)"
    diff expected shown || complain "other rows than those of 10 % are shown"
    has big "(--top 0 --min-percent 0 shows all)"
}

recursion_may_be_one_row()
{
    cat >deep.json <<'EOT'
{"format":"stint-report","version":1,"process":{"pid":7},
"stats":[{"set":"","name":"a","count":3,"recursive":2,"total_ns":900,"self_ns":60},
{"set":"","name":"b","count":2,"recursive":1,"total_ns":890,"self_ns":40},
{"set":"","name":"leaf","count":2,"total_ns":800,"self_ns":800}],
"contexts":[{"stat":0,"parent":null,"count":1,"total_ns":900,"self_ns":10},
{"stat":1,"parent":0,"count":1,"total_ns":890,"self_ns":20},
{"stat":2,"parent":1,"count":1,"total_ns":500,"self_ns":500},
{"stat":0,"parent":1,"count":1,"total_ns":370,"self_ns":20},
{"stat":0,"parent":3,"count":1,"total_ns":350,"self_ns":30},
{"stat":1,"parent":4,"count":1,"total_ns":320,"self_ns":20},
{"stat":2,"parent":5,"count":1,"total_ns":300,"self_ns":300}]}
EOT
    stint stats deep.json --report tree --fold-recursion --unit ns >out 2>err
    [ ! -s err ] || complain "said: $(cat err)"
    awk '/^Time/ { begun = 1; next } /^[^ 0-9]/ { begun = 0 } begun { print $2, $3, $4, $5, $NF }' out >rows
    same "the rows" "$(cat rows)" "900 60 3 900 a
890 40 2 890 b
800 800 2 400 leaf"
}

top_may_be_said_without_stint_run()
{
    for top in 3 0; do
        STINT_TOP=$top STINT_REPORT=tree STINT_OUTPUT=report "$MANY" 60
        STINT_TOP=$top STINT_REPORT=tree "$MANY" 60 2>err
        same "the file with $top" "$(rows report)" "$((top ? top : 61))"
        same "stderr with $top" "$(rows err)" "$((top ? top : 61))"
        [ $top = 0 ] || has err " of the time (STINT_TOP=0 shows all)"
    done
    STINT_REPORT=summary "$MANY" 60 2>err
    has err "(STINT_TOP=0 shows all)"
    STINT_TOP=some "$MANY" 3 2>err
    has err "STINT_TOP=some is not understood"
}

programs_get_all_rows()
{
    stint run --format csv --top 3 "$MANY" 60 2>err
    same "the number of rows" "$(grep -c '^GlobalStatInfo,' err)" 61
}

rows_are_in_the_order_asked_for()
{
    stint run --report table --sort name "$MANY" 12 2>err
    same "the order" "$(grep -oE '(main|scope [0-9]+)$' err | tr '\n' ',')" \
        "main,scope 1,scope 10,scope 11,scope 12,scope 2,scope 3,scope 4,scope 5,scope 6,scope 7,scope 8,scope 9,"
}

times_are_in_the_unit_asked_for()
{
    stint run --report table --unit ns "$MANY" 3 2>err
    has err "Total(ns)"
    has err "Avg(ns)"
}

excluded_scopes_are_left_out_everywhere()
{
    stint run --report table,tree --exclude 'scope [2-5]' "$MANY" 6 2>err
    lines err " main" 2
    lines err " scope 1" 2
    lines err " scope 3" 0
    has err "  └─ scope 1"
    has err "     └─ scope 6"
    has err "stint: --include, --exclude: left out of process "
    has err ": 4 of 7 scopes and ranges ("
}

included_scopes_are_all_there_is()
{
    stint run --report table --include 'scope*' --exclude 'scope 2' --include 'scope 2[12]' "$MANY" 22 2>err
    same "the number of rows" "$(rows err)" 21
    lacks err " main"
}

what_is_left_out_is_said_unless_quiet()
{
    stint run --quiet --exclude 'scope 1' "$MANY" 2 2>err
    lacks err "left out"
    stint run --exclude nothing "$MANY" 2 2>err
    has err "nothing is left out of process "
}

functions_are_recorded()
{
    stint run --functions '*' --report csv "$INSTRUMENTED" 2>err
    same "the exit code" $? 0
    has err "GlobalStatInfo,inner,6,"
    has err "GlobalStatInfo,outer,2,"
    stint run --functions '!inner' --report csv "$INSTRUMENTED" 2>err
    has err "GlobalStatInfo,outer,2,"
    lacks err "inner"
}

functions_and_what_is_injected_are_one_recording()
{
    STINT_INJECT_LIBRARY=$RECORDS stint run --functions 'main,outer' --report tree "$INSTRUMENTED" 2>err
    lines err "stint: " 1
    lines err "─ outer" 1
    lines err " main" 1
}

without_functions_nothing_is_preloaded_for_them()
{
    # shellcheck disable=SC2016
    stint run --quiet sh -c 'echo "$LD_PRELOAD"' >out
    lacks out functions
}

functions_need_their_library()
{
    mkdir -p elsewhere/bin
    cp "$STINT" elsewhere/bin/stint
    elsewhere/bin/stint run --functions '*' "$INSTRUMENTED" >out 2>err
    same "the exit code" $? 2
    has err "--functions: libstint_functions.so was not found beside stint"
}

run_tests tree_of_its_own_accord_has_ten_rows all_rows_are_shown_when_asked_for \
    top_is_the_number_of_rows small_shares_are_left_out_of_trees recursion_may_be_one_row \
    top_may_be_said_without_stint_run \
    programs_get_all_rows rows_are_in_the_order_asked_for times_are_in_the_unit_asked_for \
    excluded_scopes_are_left_out_everywhere included_scopes_are_all_there_is what_is_left_out_is_said_unless_quiet \
    functions_are_recorded functions_and_what_is_injected_are_one_recording \
    without_functions_nothing_is_preloaded_for_them functions_need_their_library
