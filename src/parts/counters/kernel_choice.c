/* Compares the names of kernels and scopes with the user's patterns, where names of C++ may be given in short, and
 * decides which launches of a kernel are counted. Scopes around a launch are named through a function of the library
 * that has them: the module itself has no tree. */
#include "counters/kernel_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/process.h"
#include "support/annotation.h"

enum { BASE_SIZE = 4096 }; /* longer names are matched as a whole only */

/* Commas within brackets belong to a name of C++. */
static size_t pattern_length(const char *patterns)
{
    size_t length = 0;
    for (int depth = 0; patterns[length] && (depth > 0 || patterns[length] != ','); length++)
        depth += (strchr("(<", patterns[length]) != NULL) - (strchr(")>", patterns[length]) != NULL);
    return length;
}

/* Returns what is behind the last "::" that is not within brackets; those of operators are none. */
static const char *base_of(const char *name, const char *end)
{
    static const char call_operator[] = "operator";
    const char *base = name;
    int depth = 0;
    for (const char *at = name; at < end; at++) {
        if (depth == 0 && strncmp(at, call_operator, sizeof call_operator - 1) == 0)
            break;
        depth += (*at == '<' || *at == '(') - (*at == '>' || *at == ')');
        if (depth == 0 && at + 1 < end && at[0] == ':' && at[1] == ':')
            base = at + 2;
    }
    return base;
}

static int matches_base(const char *pattern, size_t length, const char *name)
{
    char base[BASE_SIZE];
    size_t bare_length;
    const char *bare = stint_bare_name(name, &bare_length), *at = base_of(bare, bare + bare_length);
    bare_length -= (size_t)(at - bare);
    if (bare_length >= sizeof base)
        return 0;
    memcpy(base, at, bare_length);
    base[bare_length] = '\0';
    if (stint_pattern_matches(pattern, length, base))
        return 1;
    char *arguments = strncmp(base, "operator", 8) != 0 ? strchr(base, '<') : NULL;
    if (arguments)
        *arguments = '\0';
    return arguments && stint_pattern_matches(pattern, length, base);
}

static int matches_kernel(const char *pattern, size_t length, const char *name)
{
    return stint_pattern_matches_name(pattern, length, name) || matches_base(pattern, length, name);
}

static int is_among(const char *patterns, const char *name,
                    int (*matches)(const char *pattern, size_t length, const char *name))
{
    int among = !patterns || !*patterns || *patterns == '!';
    size_t length;
    for (const char *at = patterns; at && *at; at += length + (at[length] == ',')) {
        length = pattern_length(at);
        int excludes = *at == '!';
        if (matches(at + excludes, length - (size_t)excludes, name))
            among = !excludes;
    }
    return among;
}

int stint_kernel_is_among(const char *patterns, const char *name)
{
    return is_among(patterns, name, matches_kernel);
}

int stint_scope_name_is_among(const char *patterns, const char *name)
{
    return is_among(patterns, name, stint_pattern_matches_name);
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
            return "it waits for other devices, and would wait forever in a replay";
    return NULL;
}

enum { MOST_DEPTH = 64 };

static size_t write_path(char *out, size_t size, stint_scope_name_fn *scope, uint32_t path, int depth)
{
    uint32_t parent;
    const char *name = depth < MOST_DEPTH ? scope(path, &parent) : NULL;
    size_t used = name ? write_path(out, size, scope, parent, depth + 1) : 0;
    if (!name)
        return 0;
    int length = snprintf(out + used, size - used, "%s%s", used ? "/" : "", name);
    used += length > 0 ? (size_t)length : 0;
    return used < size ? used : size - 1;
}

size_t stint_scope_path(char *out, size_t size, stint_scope_name_fn *scope, uint32_t path)
{
    return write_path(out, size, scope, path, 0);
}

int stint_scope_is_among(const char *patterns, stint_scope_name_fn *scope, uint32_t path)
{
    uint32_t parent;
    for (const char *name; (name = scope(path, &parent)); path = parent)
        if (stint_scope_name_is_among(patterns, name))
            return 1;
    return !patterns;
}
