#!/bin/sh
# reports.sh ROOT - all hand-written lists of reports agree with src/core/report/report_list.h.
set -u

cd "$1" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# compare WHAT FILE - fails if the file differs from the expected one.
compare()
{
    diff -u "$work/expected" "$2" >"$work/diff" && return
    echo "reports.sh: $1 has other reports than src/core/report/report_list.h:"
    sed 1,2d "$work/diff"
    failed=1
}

# Kind, identifier, name and help of each row, separated by tabs.
sed -n 's/^    \(CORE\|PROF\|TEXT\|NSYS\)(\([A-Z_]*\), [^"]*"\([^"]*\)".*"\([^"]*\)").*/\1\t\2\t\3\t\4/p' \
    src/core/report/report_list.h >"$work/rows"
[ "$(wc -l <"$work/rows")" -gt 20 ] || { echo "reports.sh: the list cannot be read"; exit 1; }

# The enum, with the help as its comment.
grep -v ^NSYS "$work/rows" | cut -f 2,4 >"$work/expected"
sed -n 's/^    STINT_FORMAT_\([A-Z_]*\) = .*\/\* \(.*\) \*\//\1\t\2/p' include/stint/report.h >"$work/enum"
compare include/stint/report.h "$work/enum"

cut -f 3 "$work/rows" | sort >"$work/expected"

# The terms of the definition list.
sed -n '/^\*\*STINT_REPORT\*\* chooses/,/^With GPU activity/p' docs/man/stint.7.md |
    awk '/^:   / { print before } { before = $0 }' | tr -d ' ' | tr ',' '\n' | sort >"$work/terms"
compare docs/man/stint.7.md "$work/terms"

while read -r name; do
    grep -q "\`$name[\`-]" docs/formats.md || { echo "reports.sh: docs/formats.md has no \`$name\`"; failed=1; }
done <"$work/expected"

# The program's help names some of them.
sed -n '/{"report"/,/{"format"/p' src/tool/cli/run_options.c | grep -o '[a-z_-]*' | sort -u >"$work/words"
for name in table tree nvprof gpu gpu-trace api-trace csv json paddle summary processes nvtx_sum cuda_gpu_kern_sum; do
    grep -qx -e "$name" "$work/words" && grep -qx -e "$name" "$work/expected" ||
        { echo "reports.sh: stint run --help and the list differ in $name"; failed=1; }
done

exit $failed
