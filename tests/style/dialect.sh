#!/bin/sh
# dialect.sh ROOT - what can be written in several ways is written in one:
#
#   i++;                    not ++i; where the value is not used
#   strcmp(a, b) == 0       not !strcmp(a, b), and not strcmp(a, b) alone as a condition
#   const char *name = …;   not const char *const name, nor const size_t count: no const for a local variable itself
#   for (size_t i = 0; …)   not a variable that was declared elsewhere
#
# Lines are looked at one by one, without comments and strings.
set -u

cd "$1" || exit 1

find src -name '*.[ch]' -exec awk '
function complain(what) {
    printf "%s:%d: %s:%s\n", FILENAME, FNR, what, $0
    failed = 1
}

# Removes strings, characters and comments, of which one may go on in the next line.
function code_of(line,    before, at) {
    gsub(/\\./, "", line)
    gsub(/"[^"]*"/, "0", line)
    gsub(/'\''[^'\'']*'\''/, "0", line)
    if (in_comment) {
        at = index(line, "*/")
        if (!at)
            return ""
        line = substr(line, at + 2)
        in_comment = 0
    }
    while ((at = index(line, "/*"))) {
        before = substr(line, 1, at - 1)
        line = substr(line, at + 2)
        at = index(line, "*/")
        if (!at) {
            in_comment = 1
            return before
        }
        line = before substr(line, at + 2)
    }
    sub(/\/\/.*/, "", line)
    return line
}

# Whether a comparison of texts is a condition by itself, or the operand of && or ||.
function is_bare(code,    depth, i, c, before) {
    while (match(code, /(strcmp|strncmp|memcmp|strcasecmp|strncasecmp)\(/)) {
        before = substr(code, 1, RSTART - 1)
        code = substr(code, RSTART + RLENGTH)
        depth = 1
        for (i = 1; depth && i <= length(code); i++) {
            c = substr(code, i, 1)
            depth += (c == "(") - (c == ")")
        }
        code = substr(code, i)
        if (depth)
            return 0
        if (before ~ /((if|while) \(|&& |\|\| )$/ && code ~ /^(\)| &&| \|\||$)/)
            return 1
    }
    return 0
}

FNR == 1 { in_comment = 0 }
{
    code = code_of($0)
    if (code ~ /(^ *|[;}{] *|\) |else )(\+\+|--)[A-Za-z_(*]/ || code ~ /for \([^;]*;[^;]*; (\+\+|--)/)
        complain("write x++, not ++x, where the value is not used")
    if (code ~ /!(strcmp|strncmp|memcmp|strcasecmp|strncasecmp)\(/ || is_bare(code))
        complain("compare what it returns with 0")
    if (code ~ /^ / && code !~ /^ *static / && code ~ /^[^(]*\*const [a-z_0-9]+ =/)
        complain("this local variable needs no const")
    if (code ~ /^ +const [a-z_0-9 ]+ [a-z_0-9]+ =/)
        complain("this local variable needs no const")
    if (code ~ /for \([a-z_0-9]+ =/)
        complain("declare the variable in the loop")
}
END { exit failed }
' {} + || exit 1
