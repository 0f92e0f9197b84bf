#!/bin/sh
# static.sh ARCHIVE INCLUDE... - what a program takes of libstint.a: the core, and the parts that it refers to. If that
# is OPTIMISED, its size, too.
set -u

archive=$1
shift
limit=300000 # bytes that one timer and the table at exit add to an empty program, after strip
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset STINT_REPORT STINT_OUTPUT STINT_TRACE STINT_GPU STINT_CONTROL

complain()
{
    echo "static.sh: $1"
    failed=1
}

cat >"$work/empty.c" <<'END'
int main(void)
{
    return 0;
}
END
cat >"$work/timer.c" <<'END'
#include <stint/stint.h>
int main(void)
{
    STINT_SCOPE("work");
    return 0;
}
END

# link PROGRAM SOURCE OPTION... - prints the size of the program, without symbols.
link()
{
    program=$work/$1
    source=$2
    shift 2
    # shellcheck disable=SC2086 # folders
    "$CC" -O2 -static -Wl,--gc-sections $includes -DSTINT_WITH_TIMER=1 "$source" "$@" -lpthread -ldl -lm -o "$program" \
        >"$work/errors" 2>&1 || { cat "$work/errors" >&2; exit 77; } # no libc.a
    "$STRIP" "$program"
    wc -c <"$program"
}

includes=
for folder; do
    includes="$includes -I$folder"
done
empty=$(link empty "$work/empty.c") || exit
timer=$(link timer "$work/timer.c" "$archive") || exit
echo "one timer adds $((timer - empty)) bytes to an empty program of $empty"
[ -z "$OPTIMISED" ] || [ $((timer - empty)) -le $limit ] || complain "that is more than $limit"

"$work/timer" 2>"$work/report"
grep -q ' work$' "$work/report" || complain "there is no table"
STINT_GPU=on "$work/timer" 2>"$work/report"
grep -q 'STINT_GPU has no effect.*-Wl,-u,stint_part_gpu' "$work/report" || complain "the missing part is not told"
grep -q ' work$' "$work/report" || complain "there is no table beside that"
STINT_REPORT=nvprof "$work/timer" 2>"$work/report"
grep -q 'STINT_REPORT has no effect.*stint_part_modules' "$work/report" || complain "the missing reports are not told"
grep -q ' work$' "$work/report" || complain "there is no table in their place"

link gpu "$work/timer.c" -Wl,-u,stint_part_gpu "$archive" >"$work/size" || exit
[ "$(cat "$work/size")" -gt "$timer" ] || complain "the part gpu was not linked"
STINT_GPU=on "$work/gpu" 2>"$work/report"
grep -q 'STINT_GPU has no effect' "$work/report" && complain "a part that was linked is missing"

cat >"$work/errors.c" <<'END'
#include <dlfcn.h>
#include <signal.h>
#include <stint/stint.h>
static int is_told(void)
{
    const char *error = dlerror();
    return error && error[1] == 'n' && !dlopen("/nowhere.so", RTLD_NOW);
}
int main(void)
{
    int is_clean = !dlerror() && !dlopen("/nowhere.so", RTLD_NOW);
    signal(SIGUSR1, SIG_IGN);
    is_clean &= is_told();
    STINT_SCOPE("work");
    return !(is_clean && is_told());
}
END
link errors "$work/errors.c" "$archive" >"$work/size" || exit
"$work/errors" 2>"$work/report" || complain "dlerror tells of what stint has looked for"

exit $failed
