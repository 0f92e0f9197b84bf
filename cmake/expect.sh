#!/bin/sh
# expect.sh [REGEX...] -- COMMAND [ARGUMENT...]
#
# Runs COMMAND and shows what it printed. Fails unless it exits with 0 and some line of its output, stdout or stderr,
# matches each extended REGEX. (ctest's PASS_REGULAR_EXPRESSION ignores the exit code.)
set -u

expected=
while [ "$1" != "--" ]; do
    expected="$expected$1
"
    shift
done
shift

output=$("$@" 2>&1)
code=$?
printf '%s\n' "$output"

failed=0
if [ $code -ne 0 ]; then
    echo "expect.sh: exit code $code"
    failed=1
fi
while IFS= read -r regex; do
    if [ -n "$regex" ] && ! printf '%s\n' "$output" | grep -Eq -e "$regex"; then
        echo "expect.sh: no line matches: $regex"
        failed=1
    fi
done <<END
$expected
END
exit $failed
