#!/bin/sh
# A Prometheus asks stint metrics, and a node exporter that collects their files, on this machine; then it is queried.
. "$(dirname -- "$0")/lib.sh"

unset STINT_CHECKPOINT
for needed in prometheus prometheus-node-exporter promtool python3; do
    command -v $needed >/dev/null || { echo "there is no $needed"; exit 77; }
done
! stint metrics --listen ./m.sock 1 2>&1 | grep "built without" || exit 77

metrics()
{
    python3 "$here/metrics.py" "$@"
}

# query EXPRESSION
query()
{
    metrics query "$prometheus_port" "$1"
}

# answers EXPRESSION NUMBER - whether Prometheus says so.
answers()
{
    [ "$(query "$1")" = "$2" ]
}

configure()
{
    cat >prometheus.yml <<END
global: {scrape_interval: 200ms, scrape_timeout: 200ms, evaluation_interval: 1h}
scrape_configs:
  - {job_name: service, static_configs: [{targets: ["127.0.0.1:$service_port"]}]}
  - {job_name: node, static_configs: [{targets: ["127.0.0.1:$node_port"]}]}
END
}

# Starts all, and waits until Prometheus has both. What is asked has ended its scopes, so that numbers stay.
begin()
{
    set -- $(metrics free 3)
    service_port=$1
    node_port=$2
    prometheus_port=$3
    configure
    promtool check config prometheus.yml >config.txt 2>&1 || complain "the configuration is wrong: $(cat config.txt)"
    mkdir files
    mkdir -m 700 control
    STINT_CONTROL="$WORK/control" "$SUBJECT" rest "$WORK/over" work >out 2>err &
    until_true grep -q . out
    "$STINT" metrics --listen "127.0.0.1:$service_port" "$(sed 1q out)" 2>err &
    server=$!
    STINT_CHECKPOINT=0.1 STINT_REPORT=prometheus STINT_OUTPUT="$WORK/files/%p.prom" \
        "$SUBJECT" rest "$WORK/over" "in a file" >out2 2>err2 &
    prometheus-node-exporter --collector.disable-defaults --collector.textfile \
        --collector.textfile.directory="$WORK/files" --web.listen-address="127.0.0.1:$node_port" >node.txt 2>&1 &
    node=$!
    prometheus --config.file=prometheus.yml --storage.tsdb.path=tsdb --log.level=error \
        --web.listen-address="127.0.0.1:$prometheus_port" >prometheus.txt 2>&1 &
    prometheus=$!
    until_true answers 'count(stint_scope_active{job="service",scope="work"})' 1
    until_true answers 'count(stint_scope_active{job="node",scope="in a file"})' 1
}

end()
{
    : >over
    kill "$server" "$prometheus" "$node"
    wait
}

prometheus_says_what_programs_did()
{
    begin
    same "the count" "$(query 'stint_scope_duration_seconds_count{job="service",scope="work"}')" 20000
    same "the bucket" "$(query 'stint_scope_duration_seconds_bucket{job="service",scope="work",le="+Inf"}')" 20000
    same "the count of the file" "$(query 'stint_scope_duration_seconds_count{job="node",scope="in a file"}')" 20000
    same "programs" "$(query 'count(stint_build_info{program="test_cli_subject"})')" 2
    same "files that could not be read" "$(query 'node_textfile_scrape_error')" 0
    same "processes" "$(query 'sum(up)')" 2
    until_true answers 'rate(stint_scope_duration_seconds_count{job="service",scope="beat"}[5s]) > bool 10' 1
    until_true answers 'rate(stint_scope_duration_seconds_count{job="node",scope="beat"}[5s]) > bool 10' 1
    # beats are of 10 ms or a little more
    until_true answers 'histogram_quantile(0.5, rate(stint_scope_duration_seconds_bucket{job="service",scope="beat"}[5s])) > bool 0.01' 1
    for counter in stint_scope_duration_seconds_count stint_scope_duration_seconds_sum \
        stint_scope_duration_seconds_bucket stint_scope_self_seconds_total; do
        same "resets of $counter" "$(query "sum(resets($counter[1m]))")" 0
    done
    dashboard_can_be_shown
    end
}

# A query that Prometheus refuses is an error, and one about scopes has an answer.
dashboard_can_be_shown()
{
    metrics expressions "$DASHBOARD" | grep -v '^label_values' |
        sed 's/\$__rate_interval/5s/g; s/"\$set"/".*"/g; s/"\$scope"/".*"/g' >queries
    [ "$(wc -l <queries)" -gt 5 ] || complain "the dashboard has no queries"
    while IFS= read -r expression; do
        answer=$(query "$expression" 2>refused) || complain "$expression is refused: $(tail -n 1 refused)"
        case $expression in
        *gpu* | *barrier* | *dropped*) ;;
        *) [ "$answer" != none ] || complain "$expression has no answer" ;;
        esac
    done <queries
}

run_tests prometheus_says_what_programs_did
