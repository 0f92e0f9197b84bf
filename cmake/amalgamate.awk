# Writes stint.h and stint.c, which a program is compiled with instead of being linked with a library:
#
#   awk -v OUT=<folder> -v FOLDERS="<folder>..." -f amalgamate.awk <public header> <source>...
#
# FOLDERS have the headers. Each is written out where it is included first, and those in stint.h are not in stint.c again.
# So the sources are one file to the compiler: none may use a name for something of its own that another uses. The tests
# compile.amalgamation* fail if one does.

function path_of(name, by,    count, folder, i, path, line)
{
    sub(/^stint\/config\.h$/, "&.in", name)
    count = split(FOLDERS, folder, " ")
    for (i = 1; i <= count; i++) {
        path = folder[i] "/" name
        if ((path in added) || (getline line < path) >= 0) {
            close(path)
            return path
        }
    }
    print by ": there is no " name > "/dev/stderr"
    exit 1
}

# Appends a file to `lines`; what its sources include of the system in all cases goes to stint.c's beginning.
function add(path,    line, part, depth)
{
    if (path in added)
        return
    added[path] = 1
    depth = path ~ /\.c$/ # a header's guard is one
    while ((getline line < path) > 0) {
        depth += (line ~ /^#if/) - (line ~ /^#endif/)
        gsub(/@STINT_CONFIG_TIMER@/, 1, line)
        gsub(/@STINT_CONFIG_PROFILER@/, 0, line)
        if (line ~ /^#include "/) {
            split(line, part, "\"")
            add(path_of(part[2], path))
        } else if (line ~ /^#include </ && depth == 1) {
            if (!(line in added))
                print line > out
            added[line] = 1
        } else {
            lines[++count] = line
        }
    }
    close(path)
}

function put_lines(    i)
{
    for (i = 1; i <= count; i++)
        print lines[i] > out
    count = 0
}

BEGIN {
    out = OUT "/stint.h"
    print "/* stint.h - see stint.c. */" > out
    add(ARGV[1])
    put_lines()
    out = OUT "/stint.c"
    print "/* stint.c - timers, sets of statistics, the tree of scopes, barriers, and reports, in one file. A program that" > out
    print " * includes stint.h is compiled with it, as C11, without anything else of stint:" > out
    print " *" > out
    print " *     cc main.c stint.c -lpthread -ldl -lm" > out
    print " *" > out
    print " * GPUs, NVTX, recordings, samples and checkpoints need the library. The licence is that of stint. */" > out
    print "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#include \"stint.h\"\n" > out
    for (i = 2; i < ARGC; i++) {
        lines[++count] = "\n/* " ARGV[i] " */"
        add(ARGV[i])
    }
    print "\n#pragma GCC visibility push(hidden)" > out
    print "#pragma GCC diagnostic ignored \"-Wunused-function\" /* of headers */" > out
    put_lines()
}
