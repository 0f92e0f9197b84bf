#include "counters/kernel_choice.h"

#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "base/log.h"
#include "base/pattern.h"

/* Commas within brackets belong to a name of C++. */
static size_t pattern_length(const char *patterns)
{
    size_t length = 0;
    for (int depth = 0; patterns[length] && (depth > 0 || patterns[length] != ','); length++)
        depth += (strchr("(<", patterns[length]) != NULL) - (strchr(")>", patterns[length]) != NULL);
    return length;
}

int stint_kernel_is_among(const char *patterns, const char *name)
{
    int among = !patterns || !*patterns || *patterns == '!';
    size_t length;
    for (const char *at = patterns; at && *at; at += length + (at[length] == ',')) {
        length = pattern_length(at);
        int excludes = *at == '!';
        if (stint_pattern_matches_name(at + excludes, length - (size_t)excludes, name))
            among = !excludes;
    }
    return among;
}

int stint_kernel_launches(struct stint_kernel_choice *choice, const char *text)
{
    char *end;
    if (strcmp(text, "all") == 0) {
        choice->first = 1;
        choice->last = UINT64_MAX;
        return 0;
    }
    if (*text < '1' || *text > '9')
        return -1;
    choice->first = choice->last = strtoull(text, &end, 10);
    if (*end == '-' && end[1] >= '1' && end[1] <= '9')
        choice->last = strtoull(end + 1, &end, 10);
    return *end || choice->last < choice->first ? -1 : 0;
}

struct stint_kernel_choice stint_kernel_choice(void)
{
    const char *launches = stint_env_text("STINT_COUNTERS_LAUNCHES");
    struct stint_kernel_choice choice = {.kernels = stint_env_text("STINT_COUNTERS_KERNELS"),
                                         .scopes = stint_env_text("STINT_COUNTERS_SCOPES"),
                                         .first = 1,
                                         .last = STINT_KERNEL_LAUNCHES};
    if (launches && stint_kernel_launches(&choice, launches))
        STINT_LOG(STINT_LOG_WARNING,
                  "STINT_COUNTERS_LAUNCHES=%.60s is not understood: expected a number, such as 3, a range, such as "
                  "2-5, or all; the first %d launches of each kernel are counted",
                  launches, (int)STINT_KERNEL_LAUNCHES);
    return choice;
}

/* CUPTI runs one kernel after the other, and each several times. */
const char *stint_kernel_waits(const char *name)
{
    static const char *const prefixes[] = {"ncclDevKernel", "ncclKernel", "nvshmem"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return "it waits for other devices, which a replay would do for ever";
    return NULL;
}
