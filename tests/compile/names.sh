#!/bin/sh
# names.sh SOURCE COMPILER [FLAG...] - SOURCE compiles, and with STINT_NO_SHORT_NAMES stint's headers define only macros
# named STINT_....
set -eu

source=$1
shift
"$@" -fsyntax-only "$source"

# Prints the macros that <stint/stint.h> adds to those of the system headers it includes.
macros()
{
    "$@" -E -dM -DSTINT_NO_SHORT_NAMES - | sed -n 's/^#define \([A-Za-z_0-9]*\).*/\1/p' | sort
}
before=$(echo '#include <stddef.h>
#include <stdint.h>' | macros "$@")
after=$(echo '#include <stint/stint.h>' | macros "$@")
added=$(printf '%s\n%s\n%s\n' "$before" "$before" "$after" | sort | uniq -u)

if ! printf '%s\n' "$added" | grep -qx STINT_SCOPE; then
    echo "names.sh: found no macros"
    exit 1
fi
if printf '%s\n' "$added" | grep -v '^STINT_'; then
    echo "names.sh: these macros do not begin with STINT_"
    exit 1
fi
