/* Reads variables of the environment as texts, switches, numbers and choices. A wrong value is never silent, and never
 * fatal. */
#include "base/env.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"

const char *stint_env_text(const char *name)
{
    const char *text = secure_getenv(name);
    return text && *text ? text : NULL;
}

size_t stint_env_choice(const char *name, const char *words, size_t otherwise)
{
    const char *text = stint_env_text(name), *all = words, *using = words;
    size_t length;
    if (!text)
        return otherwise;
    for (size_t i = 0; *words; i++, words += length + (words[length] == '|')) {
        length = strcspn(words, "|");
        if (strncasecmp(text, words, length) == 0 && !text[length])
            return i;
        if (i == otherwise)
            using = words;
    }
    STINT_LOG(STINT_LOG_WARNING, "%s=%.64s is not understood: expected %s; using %.*s", name, text, all,
              (int)strcspn(using, "|"), using);
    return otherwise;
}

int stint_env_switch(const char *name, int otherwise)
{
    return (int)(stint_env_choice(name, "off|on|0|1|false|true|no|yes", (size_t) !!otherwise) & 1);
}

uint64_t stint_env_number(const char *name, uint64_t otherwise, uint64_t least, uint64_t most)
{
    const char *text = stint_env_text(name);
    char *end = NULL;
    if (!text)
        return otherwise;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && !*end && !errno && number >= least && number <= most)
        return number;
    STINT_LOG(STINT_LOG_WARNING, "%s=%.64s is not understood: expected a number from %llu to %llu; using %llu", name,
              text, (unsigned long long)least, (unsigned long long)most, (unsigned long long)otherwise);
    return otherwise;
}
