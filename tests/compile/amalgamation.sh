#!/bin/sh
# amalgamation.sh FOLDER LIBRARY SAMPLE COMMAND... - COMMAND makes stint.h and stint.c in FOLDER. The sample is compiled with
# them by the command that the documentation prints. No two sources may share a variable, and other programs see no more
# names than LIBRARY has.
set -u

folder=$1
library=$2
sample=$3
shift 3
failed=0
unset STINT_REPORT STINT_OUTPUT STINT_TRACE || true

complain()
{
    echo "amalgamation.sh: $1"
    failed=1
}

rm -f "$folder"/stint.[ch]
"$@" || exit 1
mkdir -p "$folder/include/stint" || exit 1
cp "$folder/stint.h" "$folder/include/stint" || exit 1 # where samples look for it
cd "$folder" || exit 1

# Of two definitions of other things that have one name, a compiler complains. But a variable may be declared twice.
twice=$(sed -n 's/^static [^=(){}]*[ *]\([a-z_]*\)\(\[.*\]\)*;$/\1/p' stint.c | sort | uniq -d)
[ -z "$twice" ] || complain "two sources have a variable $twice"

sed 's|<stint/stint.h>|"stint.h"|' "$sample" >main.c || exit 1
${CC:-cc} main.c stint.c -lpthread -ldl -lm -o main || exit 1
STINT_TRACE=trace.stint ./main >out 2>&1 || complain "exit code $?"
for text in "46072 divisors" "2 scopes, 1 thread" "STINT_TRACE has no effect"; do
    grep -Fq -e "$text" out || complain "no '$text' in: $(cat out)"
done

${CC:-cc} -shared -fPIC stint.c -o library.so || exit 1
# Linkers export the beginning and the end of a section although they are hidden.
"${NM:-nm}" -D --defined-only library.so | awk '$3 !~ /^__(start|stop)_stint_parts$/ { print $3 }' | sort >names
"${NM:-nm}" -D --defined-only "$library" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort >library_names
extra=$(comm -23 names library_names)
[ -z "$extra" ] || complain "the library does not have: $extra"
exit $failed
