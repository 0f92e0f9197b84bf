#!/bin/sh
# stint report: a recording as a page.
. "$(dirname -- "$0")/lib.sh"

recording=$GOLDEN/report_json_gpu.json

page_is_written()
{
    stint report "$recording" -o page.html >out 2>err
    same "the exit code" $? 0
    same "what it says" "$(cat out err)" ""
    has page.html "<title>train</title>"
    has page.html "convolve"
    same "the last line" "$(tail -n 1 page.html)" "</html>"
}

page_goes_to_stdout()
{
    stint report "$recording" -o page.html
    stint report -o - "$recording" >out
    cmp out page.html || complain "it differs"
}

what_is_said_of_a_recording_is_on_its_page()
{
    STINT_TRACE=killed.stint "$SUBJECT" until stop step >out &
    until_true grep -q . killed.stint/thread-1
    kill -KILL $!
    wait $! 2>/dev/null
    stint report killed.stint -o page.html 2>err
    has err "killed.stint: of a program that was killed, or still runs: up to "
    has page.html "\"$(sed 's/^stint: //' err)\""
}

title_is_the_users()
{
    stint report "$recording" --output page.html --title 'a & b'
    has page.html "<title>a &amp; b</title>"
}

bad_files_are_refused()
{
    refused "missing.json: " report missing.json -o page.html
    : >empty.json
    refused "empty.json" report empty.json -o page.html
    echo '{"format":"something"}' >other.json
    refused "other.json" report other.json -o page.html
}

names_of_other_kinds_of_files_are_refused()
{
    for name in page.pdf page.json ./a.b/page.svg; do
        refused "$name: the page is HTML: give it a name that ends in .html" report "$recording" -o $name
    done
    mkdir a.b
    for name in page a.b/page page.HTM; do
        stint report "$recording" -o $name || complain "failed: $name"
    done
}

page_that_cannot_be_written_is_told()
{
    refused "nowhere/page.html cannot be written" report "$recording" -o nowhere/page.html
}

old_page_stays_when_the_new_one_fails()
{
    echo old >page
    stint report missing.json -o page 2>/dev/null
    same "the page" "$(cat page)" old
}

# Three of the recording's events touch the first time, and none touches the second.
a_part_has_its_events_and_numbers()
{
    refused "but none of them matches the filters" report "$recording" -o page.html --filter-time 100ms/200ms
    stint report "$recording" -o page.html --filter-time 11ms/11.6ms 2>err
    has page.html '"from_ns":11000000,'
    has page.html '"wall_ns":600000}'
    same "its events" "$(sed -n 's/.*"timeline":{"events":\([0-9]*\),.*/\1/p' page.html)" 3
}

page_is_served_until_it_is_ended()
{
    ! stint metrics --listen ./m.sock 1 2>&1 | grep -q "built without" || return 0
    (exec "$STINT" report "$recording" --serve >address 2>err) &
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ -s address ] && break
        sleep 0.5
    done
    has err "press Ctrl-C to stop"
    grep -Eq '^http://127\.0\.0\.1:[0-9]+/[0-9a-f]{32}/$' address || complain "the address is $(cat address)"
    port=$(sed 's/.*:\([0-9]*\).*/\1/' address)
    refused "the page cannot be served at port $port: " report "$recording" --serve="$port"
    kill -TERM $!
    wait $!
    same "the exit code" $? 0
}

run_tests page_is_written page_goes_to_stdout what_is_said_of_a_recording_is_on_its_page title_is_the_users \
    bad_files_are_refused names_of_other_kinds_of_files_are_refused page_that_cannot_be_written_is_told old_page_stays_when_the_new_one_fails \
    a_part_has_its_events_and_numbers page_is_served_until_it_is_ended
