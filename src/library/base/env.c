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

size_t stint_env_choice(const char *name, const char *const *words, size_t count, size_t otherwise)
{
    const char *text = stint_env_text(name);
    char list[128] = "";

    if (!text)
        return otherwise;
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(text, words[i]) == 0)
            return i;
    for (size_t i = 0; i < count; i++) {
        strncat(list, i ? "|" : "", sizeof list - strlen(list) - 1);
        strncat(list, words[i], sizeof list - strlen(list) - 1);
    }
    STINT_LOG(STINT_LOG_WARNING, "%s=%.64s is not understood: expected %s; using %s", name, text, list,
              words[otherwise]);
    return otherwise;
}

int stint_env_switch(const char *name, int otherwise)
{
    static const char *const words[] = {"off", "on", "0", "1", "false", "true", "no", "yes"};

    return (int)(stint_env_choice(name, words, sizeof words / sizeof words[0], (size_t) !!otherwise) & 1);
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
