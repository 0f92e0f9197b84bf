#!/bin/sh
# Metrics: the reports prometheus and openmetrics, and stint metrics. tests/cli/prometheus.sh has a Prometheus ask.
. "$(dirname -- "$0")/lib.sh"

unset STINT_CHECKPOINT
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
! stint metrics --listen ./m.sock 1 2>&1 | grep "built without" || exit 77
python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3 # which has Debian's modules

metrics()
{
    "$python" "$here/metrics.py" "$@"
}

# check FILE - has promtool read it, where there is one.
check()
{
    if command -v promtool >/dev/null; then
        promtool check metrics <"$1" >said 2>&1
        same "what promtool says of $1" "$?: $(cat said)" "0: "
    fi
}

report_has_what_the_program_did()
{
    STINT_REPORT=prometheus "$SUBJECT" "a \"b\"" 7 >/dev/null 2>all.prom
    same "the count" "$(metrics value all.prom stint_scope_duration_seconds_count 'scope=a \"b\"')" 7
    same "the last bucket" "$(metrics value all.prom stint_scope_duration_seconds_bucket le=+Inf)" 7
    check all.prom
    STINT_REPORT=openmetrics "$SUBJECT" work 7 >/dev/null 2>all.om
    metrics parse all.om || complain "OpenMetrics cannot be parsed"
    same "the last line" "$(tail -n 1 all.om)" "# EOF"
}

golden_files_are_read_by_others()
{
    for file in "$GOLDEN"/report_prometheus_*; do
        check "$file"
    done
    for file in "$GOLDEN"/report_openmetrics_*; do
        metrics parse "$file" || complain "$file cannot be parsed"
    done
}

dashboard_asks_for_metrics_that_there_are()
{
    metrics names "$DASHBOARD" "$GOLDEN"/report_prometheus_* "$GOLDEN"/report_openmetrics_* || complain "the dashboard"
}

a_report_of_a_file_has_metrics_too()
{
    STINT_REPORT=json STINT_OUTPUT=run.json "$SUBJECT" work 7 >/dev/null
    stint stats run.json --report prometheus >run.prom
    same "the count" "$(metrics value run.prom stint_scope_duration_seconds_count)" 7
    check run.prom
}

# start [COMMAND...] - runs the subject by this, until `end` ends all; $child is its process id.
start()
{
    rm -f out
    mkdir -p -m 700 control
    STINT_CONTROL=$WORK/control "$@" "$SUBJECT" until "$WORK/over" work >out 2>err &
    launchers="${launchers-} $!"
    until_true grep -q . out
    child=$(sed 1q out)
}

# serve ADDRESS [PROCESS...] - has stint answer there, until `end`.
serve()
{
    address=$1
    shift
    "$STINT" metrics --listen "$address" "$@" 2>served &
    server=$!
    until_true metrics get "$address"
}

end()
{
    : >over
    for launcher in ${launchers-}; do
        wait "$launcher"
        same "the exit code" $? 0
    done
    launchers=
    [ -n "${server-}" ] || return 0
    kill -INT "$server"
    wait "$server"
    same "the exit code of stint metrics" $? 0
    server=
}

a_unix_socket_answers()
{
    start env
    serve "$WORK/m.sock" "$child"
    metrics get "$WORK/m.sock" >all.om 2>status
    same "the status" "$(cat status)" "HTTP/1.1 200 OK"
    [ "$(metrics value all.om stint_scope_active scope=work)" = 1 ] || [ "$(metrics value all.om stint_scope_active)" = 0 ] ||
        complain "the scope neither runs nor rests"
    metrics parse all.om || complain "OpenMetrics cannot be parsed"
    metrics steady "$WORK/m.sock" 40 || complain "a counter fell"
    end
    same "what is left" "$(ls ./*.sock 2>/dev/null)" ""
}

# Those of stint run, too, and one that begins later; one that has ended is not asked any longer.
processes_are_told_apart()
{
    start env
    one=$child
    serve "$WORK/m.sock"
    start env "$STINT" run --report off
    for pid in "$one" "$child"; do
        until_true has_count "$pid"
        same "programs with the number $pid" "$(metrics value all.om stint_build_info "pid=$pid" program=test_cli_subject)" 1
    done
    metrics parse all.om || complain "OpenMetrics cannot be parsed"
    metrics steady "$WORK/m.sock" 20 || complain "a counter fell"
    kill -9 "$one"
    until_true has_no_count "$one"
    launchers=${launchers##* }
    end
}

has_count()
{
    metrics get "$WORK/m.sock" >all.om 2>/dev/null
    [ "$(metrics value all.om stint_scope_duration_seconds_count scope=work "pid=$1")" != none ]
}

has_no_count()
{
    ! has_count "$1"
}

# The clock's rate becomes more exact meanwhile, and what the scope took in all a nanosecond less.
counters_of_scopes_that_rest_do_not_fall()
{
    mkdir -m 700 control
    STINT_CONTROL=$WORK/control "$SUBJECT" rest "$WORK/over" work >out 2>err &
    launchers=$!
    until_true grep -q . out
    serve "$WORK/m.sock" "$(sed 1q out)"
    metrics steady "$WORK/m.sock" 100 || complain "a counter fell"
    end
}

strange_clients_are_got_rid_of()
{
    start env
    serve "$WORK/m.sock" "$child"
    "$python" -c '
import socket, sys
silent = socket.socket(socket.AF_UNIX)
silent.connect("m.sock")
for request, status in [(b"\r\n\r\n", b""), (b"GET /metricsandmore HTTP/1.1\r\nHost: x\r\n\r\n", b"404"),
                        (b"POST /metrics HTTP/1.1\r\nHost: x\r\n\r\n", b"405"), (b"x" * 90000, b"4")]:
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(15)
    client.connect("m.sock")
    try:
        client.sendall(request)
        answer = client.recv(100)
    except OSError:
        answer = b""
    if answer and not answer.startswith(b"HTTP/1.1 " + status):
        sys.exit("%r was answered with %r" % (request[:20], answer))
' || complain "strange clients are answered"
    metrics get "$WORK/m.sock" >all.om 2>status
    same "the status" "$(cat status)" "HTTP/1.1 200 OK"
    end
}

# A site whose name leads to this machine sends its own name.
only_this_machine_is_answered()
{
    start env
    port=$(metrics free 1)
    serve "127.0.0.1:$port" "$child"
    same "where it listens" "$(metrics port "$server")" "$port"
    metrics get "127.0.0.1:$port" >all.om 2>/dev/null
    has all.om "pid=\"$child\""
    metrics get "127.0.0.1:$port" 10 /metrics evil.example >/dev/null 2>status
    same "the status for another site" "$(cat status)" "HTTP/1.1 403 Forbidden"
    end
    for address in 0.0.0.0:9464 "[::]:9464" example.com:9464 9464 127.0.0.1 127.0.0.1:0 127.0.0.1:70000; do
        stint metrics --listen $address 2>err
        same "the exit code for $address" $? 2
        has err "--listen $address: expected a port of this machine"
    done
}

a_process_that_has_ended_has_no_metrics()
{
    start env
    serve "$WORK/m.sock" "$child"
    : >over
    until_true is_unavailable
    end
}

who_does_not_answer_is_told_and_delays_no_others()
{
    start env
    stopped=$child
    start env
    serve "$WORK/m.sock" "$stopped" "$child"
    kill -s STOP "$stopped"
    began=$(date +%s)
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
        metrics get "$WORK/m.sock" >got
    done
    [ $(($(date +%s) - began)) -lt 12 ] || complain "it has waited each time"
    has got "pid=\"$child\""
    lacks got "pid=\"$stopped\""
    lines served "stint: process $stopped does not answer: until it does, its metrics are missing" 1
    kill -s CONT "$stopped"
    end
}

is_unavailable()
{
    metrics get "$WORK/m.sock" 2>&1 | grep -q "^HTTP/1.1 503 "
}

a_socket_that_was_left_is_replaced()
{
    start env
    serve "$WORK/m.sock" "$child"
    kill -9 "$server"
    wait "$server" 2>/dev/null
    [ -S m.sock ] || complain "the server that was killed took its socket along"
    serve "$WORK/m.sock" "$child"
    stint metrics --listen "$WORK/m.sock" "$child" 2>err
    same "the exit code of another" $? 1
    has err "Address already in use"
    end
}

run_tests report_has_what_the_program_did golden_files_are_read_by_others \
    dashboard_asks_for_metrics_that_there_are a_report_of_a_file_has_metrics_too \
    a_unix_socket_answers processes_are_told_apart counters_of_scopes_that_rest_do_not_fall \
    strange_clients_are_got_rid_of only_this_machine_is_answered a_process_that_has_ended_has_no_metrics \
    a_socket_that_was_left_is_replaced who_does_not_answer_is_told_and_delays_no_others
