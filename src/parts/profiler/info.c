/* Splits the text of a macro's arguments where the preprocessor would, to find the info that follows the name. */
#include <string.h>

#include "profiler/profiler.h"

/* Returns where the literal that begins here ends. */
static const char *skip_literal(const char *at)
{
    char quote = *at++;

    while (*at && *at != quote)
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

/* Splits arguments as the preprocessor does: commas in parentheses and in literals do not separate them. */
const char *stint_activation_info(const char *arguments)
{
    int depth = 0;

    for (const char *at = arguments; *at;) {
        if (*at == '"' || *at == '\'') {
            at = skip_literal(at);
            continue;
        }
        depth += (*at == '(') - (*at == ')');
        if (*at++ == ',' && !depth)
            return at + strspn(at, " ");
    }
    return "";
}
