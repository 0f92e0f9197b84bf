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

title_is_the_users()
{
    stint report "$recording" --output page.html --title 'a & b'
    has page.html "<title>a &amp; b</title>"
}

# refused TEXT ARGUMENT... - exits with 2, says TEXT, and writes nothing.
refused()
{
    text=$1
    shift
    stint report "$@" >out 2>err
    same "the exit code of: $*" $? 2
    has err "$text"
    same "stdout" "$(cat out)" ""
    [ ! -e page.html ] || complain "a page was written"
}

usage_is_explained()
{
    refused "expected a file: stint report FILE -o OUT.html"
    refused "no output was given: stint report a.json -o OUT.html" a.json
    refused "expected one file, but there is also b.json: stint merge adds several up" a.json b.json -o page.html
    refused "did you mean --title?" --titel x
    refused "option --title needs a value" a.json --title
}

bad_files_are_refused()
{
    refused "missing.json: " missing.json -o page.html
    : >empty.json
    refused "empty.json" empty.json -o page.html
    echo '{"format":"something"}' >other.json
    refused "other.json" other.json -o page.html
}

page_that_cannot_be_written_is_told()
{
    refused "nowhere/page.html cannot be written" "$recording" -o nowhere/page.html
}

old_page_stays_when_the_new_one_fails()
{
    echo old >page
    stint report missing.json -o page 2>/dev/null
    same "the page" "$(cat page)" old
}

help_fits_a_screen()
{
    stint report --help >out
    same "the exit code" $? 0
    [ "$(wc -l <out)" -le 24 ] || complain "it has $(wc -l <out) lines"
    [ "$(awk '{ if (length > m) m = length } END { print m }' out)" -le 80 ] || complain "it is too wide"
}

run_tests page_is_written page_goes_to_stdout title_is_the_users usage_is_explained bad_files_are_refused \
    page_that_cannot_be_written_is_told old_page_stays_when_the_new_one_fails help_fits_a_screen
