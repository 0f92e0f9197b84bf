/* Escapes what would end a script element, as the last step before bytes go out, so that nobody else has to think of
 * it. */
#include "html/script.h"

#include <string.h>

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

int stint_script_write(void *context, const char *text, size_t length)
{
    const struct stint_script *script = context;
    for (const char *end = text + length; text < end;) {
        size_t plain = 0;
        while (text + plain < end && !escape_of(text[plain]))
            plain++;
        const char *escape = plain ? NULL : escape_of(*text);
        if (script->write(script->context, escape ? escape : text, escape ? strlen(escape) : plain))
            return -1;
        text += escape ? 1 : plain;
    }
    return 0;
}
