#!/bin/sh
# check.sh PROGRAM EXPECTED - PROGRAM prints what EXPECTED says, times and process numbers aside, and exits with 0.
set -u
LC_ALL=C
export LC_ALL

program=$1
expected=$2
output=$(STINT_REPORT=off "$program" 2>&1) || {
    printf '%s\n' "$output"
    echo "check.sh: $program failed"
    exit 1
}

# Sorts what stands between headers by name: totals, by which stint sorts, vary.
sort_rows()
{
    awk '
        function flush(  i, j, row) {
            for (i = 2; i <= count; ++i) {
                row = rows[i]
                for (j = i - 1; j && rows[j] > row; --j)
                    rows[j + 1] = rows[j]
                rows[j + 1] = row
            }
            for (i = 1; i <= count; ++i)
                print rows[i]
            count = 0
        }
        /^I Stat=/ { rows[++count] = $0; next }
        { flush(); print }
        END { flush() }'
}

# Without glog's prefix; numbers that vary become the letter that stands in EXPECTED; columns narrow to one blank.
normal=$(
    printf '%s\n' "$output" | grep -v 'GPU Profiler Stat: ' | sed -E \
        -e 's/^([IWE])[0-9]{4} [0-9:.]+ +[0-9]+ [A-Za-z_.]+:[0-9]+\] /\1 /' \
        -e 's/TID=[0-9]+ */TID=T /' \
        -e 's/(total|avg|max|min)=[0-9.e+-]+ */\1=N /g' \
        -e 's/\[Span:[0-9]+ms[0-9]+us\]/[Span:NmsNus]/' \
        -e 's/^(I +(totAbstract|[0-9]+))( +[0-9.e-]+){4} +0\.8 /\1 G G G G 0.8 /' \
        -e 's/ +/ /g' -e 's/ $//' | sort_rows
)
if [ "$normal" != "$(cat "$expected")" ]; then
    printf '%s\n' "$normal" | diff -u "$expected" -
    exit 1
fi
