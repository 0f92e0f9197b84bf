#include "html/script.h"

#include <string.h>

/* U+2028 and U+2029 are these, and A8 or A9. */
static const char s_separator[] = "\xe2\x80";

static int put(const struct stint_script *script, const char *text, size_t length)
{
    return length ? script->write(script->context, text, length) : 0;
}

static const char *escape_of(char c)
{
    switch (c) {
    case '<':
        return "\\u003c";
    case '>':
        return "\\u003e";
    case '&':
        return "\\u0026";
    default:
        return NULL;
    }
}

/* Writes a byte behind what is held. */
static int put_byte(struct stint_script *script, char c)
{
    if (script->held < 2 && c == s_separator[script->held]) {
        script->held++;
        return 0;
    }
    size_t held = script->held;
    script->held = 0;
    if (held == 2 && (c == '\xa8' || c == '\xa9'))
        return put(script, c == '\xa8' ? "\\u2028" : "\\u2029", 6);
    if (put(script, s_separator, held))
        return -1;
    if (c == s_separator[0]) {
        script->held = 1;
        return 0;
    }
    const char *escape = escape_of(c);
    return escape ? put(script, escape, strlen(escape)) : put(script, &c, 1);
}

static int is_plain(char c)
{
    return c != s_separator[0] && !escape_of(c);
}

int stint_script_write(void *context, const char *text, size_t length)
{
    struct stint_script *script = context;
    for (size_t at = 0; at < length;) {
        size_t plain = 0;
        while (!script->held && at + plain < length && is_plain(text[at + plain]))
            plain++;
        if (put(script, text + at, plain))
            return -1;
        at += plain;
        if (at < length && put_byte(script, text[at++]))
            return -1;
    }
    return 0;
}
