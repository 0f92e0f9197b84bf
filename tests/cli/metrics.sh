#!/bin/sh
# Metrics: the reports prometheus and openmetrics, and STINT_METRICS. tests/cli/prometheus.sh has a Prometheus ask.
. "$(dirname -- "$0")/lib.sh"

unset STINT_METRICS STINT_CHECKPOINT
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3 # which has Debian's modules

metrics()
{
    "$python" "$here/metrics.py" "$@"
}

# start VARIABLE=VALUE... - runs the subject with these, until `end` ends all; $child is its process id.
start()
{
    rm -f out
    env "$@" "$SUBJECT" until "$WORK/over" work >out 2>err &
    launcher=$!
    until_true grep -q . out
    child=$(sed 1q out)
}

end()
{
    : >over
    wait "$launcher"
    same "the exit code" $? 0
    wait
    rm over
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

a_unix_socket_answers()
{
    start STINT_METRICS="$WORK/%p.sock"
    until_true test -S "$child.sock"
    metrics get "$WORK/$child.sock" >all.om 2>status
    same "the status" "$(cat status)" "HTTP/1.1 200 OK"
    [ "$(metrics value all.om stint_scope_active scope=work)" = 1 ] || [ "$(metrics value all.om stint_scope_active)" = 0 ] ||
        complain "the scope neither runs nor rests"
    metrics parse all.om || complain "OpenMetrics cannot be parsed"
    metrics steady "$WORK/$child.sock" 40 || complain "a counter fell"
    end
    same "what is left" "$(ls ./*.sock 2>/dev/null)" ""
}

# The clock's rate becomes more exact meanwhile, and what the scope took in all a nanosecond less.
counters_of_scopes_that_rest_do_not_fall()
{
    STINT_METRICS="$WORK/s.sock" "$SUBJECT" rest "$WORK/over" work >out 2>err &
    launcher=$!
    until_true grep -q . out
    until_true metrics get "$WORK/s.sock"
    metrics steady "$WORK/s.sock" 100 || complain "a counter fell"
    end
}

# A client that says nothing keeps others waiting for two seconds, and one that asks for something else for none.
strange_clients_are_got_rid_of()
{
    start STINT_METRICS="$WORK/s.sock"
    until_true test -S s.sock
    "$python" -c '
import socket, sys, time
silent = socket.socket(socket.AF_UNIX)
silent.connect("s.sock")
for request in b"\r\n\r\n", b"GET /metricsandmore HTTP/1.1\r\n\r\n", b"POST /metrics HTTP/1.1\r\n\r\n", b"x" * 9000:
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(10)
    client.connect("s.sock")
    try:
        client.sendall(request)
        answer = client.recv(100)
    except OSError:
        answer = b""
    if answer and not answer.startswith(b"HTTP/1.1 404 "):
        sys.exit("%r was answered with %r" % (request[:20], answer))
' || complain "strange clients are answered"
    metrics get "$WORK/s.sock" >all.om 2>status
    same "the status" "$(cat status)" "HTTP/1.1 200 OK"
    end
}

processes_take_one_port_each()
{
    set -- $(metrics free 1)
    start STINT_METRICS="127.0.0.1:$1-$(($1 + 20))"
    until_true metrics port "$child"
    one=$(metrics port "$child")
    start STINT_METRICS="127.0.0.1:$1-$(($1 + 20))"
    until_true metrics port "$child"
    two=$(metrics port "$child")
    [ "$one" != "$two" ] || complain "two processes have the port $one"
    for port in "$one" "$two"; do
        metrics get "127.0.0.1:$port" >all.om 2>/dev/null
        has all.om 'stint_scope_duration_seconds_count{set="GlobalStatInfo",scope="work"}'
    done
    end
}

a_socket_that_was_left_is_replaced()
{
    start STINT_METRICS="$WORK/s.sock"
    until_true test -S s.sock
    kill -9 "$child"
    wait "$launcher" 2>/dev/null
    [ -S s.sock ] || complain "the process that was killed took its socket along"
    start STINT_METRICS="$WORK/s.sock"
    until_true metrics get "$WORK/s.sock"
    start STINT_METRICS="$WORK/s.sock"
    until_true grep -q "Address already in use" err
    end
}

# The child neither takes its parent's clients nor complains.
a_child_leaves_the_socket_to_its_parent()
{
    STINT_METRICS="$WORK/s.sock" STINT_OUTPUT=report.%p "$SUBJECT" fork child 5 2>err
    same "the exit code" $? 0
    lacks err "STINT_METRICS"
    same "the number of reports" "$(ls report.* | wc -l)" 2
}

others_machines_are_not_let_in()
{
    for address in 0.0.0.0:9464 "[::]:9464" example.com:9464 9464 127.0.0.1 127.0.0.1:0 127.0.0.1:70000 127.0.0.1:9-8; do
        STINT_METRICS=$address "$SUBJECT" until "$WORK/over" work 2>err >out &
        launcher=$!
        until_true grep -qF "STINT_METRICS=$address: expected a port of this machine" err
        end
    done
}

run_tests report_has_what_the_program_did golden_files_are_read_by_others \
    dashboard_asks_for_metrics_that_there_are a_report_of_a_file_has_metrics_too \
    a_unix_socket_answers counters_of_scopes_that_rest_do_not_fall strange_clients_are_got_rid_of \
    processes_take_one_port_each a_socket_that_was_left_is_replaced a_child_leaves_the_socket_to_its_parent others_machines_are_not_let_in
