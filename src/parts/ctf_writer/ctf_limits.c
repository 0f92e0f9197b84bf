/* Reads sizes, times and counts with their units from the environment's variables for long recordings. */
#include "ctf_writer/ctf_limits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/process.h"
#include "support/annotation.h"

/* A packet takes up to 32 KiB, and a ring consists of eight files. */
enum { RING_LEAST = 1 << 18 };

/* Reads a number and its unit, up to a comma or the end. Returns where that is, or NULL if it is none. */
static const char *read_number(const char *text, const char *const *units, const uint64_t *factors, uint64_t *value)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || errno)
        return NULL;
    for (; *units; units++, factors++) {
        size_t length = strlen(*units), found = strcspn(end, ",");
        if (found == length && strncmp(end, *units, length) == 0)
            return __builtin_mul_overflow(number, *factors, value) ? NULL : end + length;
    }
    return NULL;
}

static const char *read_bytes(const char *text, uint64_t *bytes)
{
    static const char *const units[] = {"", "K", "M", "G", NULL};
    static const uint64_t factors[] = {1, 1 << 10, 1 << 20, 1 << 30};
    return read_number(text, units, factors, bytes);
}

static const char *read_time(const char *text, uint64_t *ns)
{
    static const char *const units[] = {"us", "ms", "s", "m", "h", NULL};
    static const uint64_t factors[] = {1000, 1000000, 1000000000, UINT64_C(60000000000), UINT64_C(3600000000000)};
    return read_number(text, units, factors, ns);
}

static const char *read_count(const char *text, uint64_t *count)
{
    static const char *const units[] = {"", NULL};
    static const uint64_t factors[] = {1};
    static const char keep[] = "keep=";
    return strncmp(text, keep, sizeof keep - 1) == 0 ? read_number(text + sizeof keep - 1, units, factors, count)
                                                     : NULL;
}

/* Reads sizes, times and, unless `count` is NULL, "keep=NUMBER", separated by commas. Returns 0, or -1 for all else. */
static int read_list(const char *text, uint64_t *bytes, uint64_t *ns, uint64_t *count)
{
    const char *end;
    do {
        end = count ? read_count(text, count) : NULL;
        if (!end)
            end = read_bytes(text, bytes);
        if (!end)
            end = read_time(text, ns);
        if (!end)
            return -1;
        text = end + 1;
    } while (*end == ',');
    return 0;
}

int stint_ctf_limits_read_max(struct stint_ctf_limits *limits, const char *text)
{
    return read_list(text, &limits->bytes, &limits->until_ns, NULL);
}

int stint_ctf_limits_read_ring(struct stint_ctf_limits *limits, const char *text)
{
    if (read_list(text, &limits->ring_bytes, &limits->ring_ns, NULL) || !stint_ctf_limits_is_ring(limits))
        return -1;
    return limits->ring_bytes && limits->ring_bytes < RING_LEAST ? -1 : 0;
}

int stint_ctf_limits_read_pieces(struct stint_ctf_limits *limits, const char *text)
{
    if (read_list(text, &limits->piece_bytes, &limits->piece_ns, &limits->pieces))
        return -1;
    if (limits->piece_bytes && limits->piece_bytes < RING_LEAST)
        return -1;
    return stint_ctf_limits_has_pieces(limits) ? 0 : -1;
}

/* Names may contain colons, times do not. */
int stint_ctf_limits_read_slow(struct stint_ctf_limits *limits, const char *text)
{
    for (limits->slow_count = 0; *text; limits->slow_count++) {
        size_t length = strcspn(text, ",");
        const char *colon = memrchr(text, ':', length);
        struct stint_ctf_slow *slow = &limits->slow[limits->slow_count];
        if (limits->slow_count == STINT_CTF_MOST_SLOW || !colon || colon == text ||
            (size_t)(colon - text) >= sizeof slow->name || read_time(colon + 1, &slow->ns) != text + length ||
            (text[length] && !text[length + 1]))
            return -1;
        memcpy(slow->name, text, (size_t)(colon - text));
        slow->name[colon - text] = '\0';
        text += length + (text[length] == ',');
    }
    return limits->slow_count ? 0 : -1;
}

static const struct {
    const char *variable;
    int (*read)(struct stint_ctf_limits *limits, const char *text);
    const char *expected;
} s_variables[] = {
    {"STINT_TRACE_MAX", stint_ctf_limits_read_max, "is neither a size, such as 500M or 2G, nor a time, such as 10s"},
    {"STINT_TRACE_RING", stint_ctf_limits_read_ring,
     "is neither a size of 256K or more, such as 64M, nor a time, such as 30s, nor both, as in 64M,30s"},
    {"STINT_TRACE_ROTATE", stint_ctf_limits_read_pieces,
     "is neither a size of 256K or more, such as 1G, nor a time, such as 1h, nor both, with or without keep=NUMBER, as "
     "in 1G,1h,keep=24"},
    {"STINT_DUMP_SLOW", stint_ctf_limits_read_slow,
     "is not a list of scopes and thresholds, such as request:50ms,*commit:2s"},
};

int stint_ctf_limits_read(struct stint_ctf_limits *limits, char *reason, size_t size)
{
    *limits = (struct stint_ctf_limits){.bytes = UINT64_MAX, .until_ns = UINT64_MAX};
    for (size_t i = 0; i < sizeof s_variables / sizeof s_variables[0]; i++) {
        const char *text = stint_env_text(s_variables[i].variable);
        if (!text || s_variables[i].read(limits, text) == 0)
            continue;
        (void)snprintf(reason, size, "%s=%.64s %s", s_variables[i].variable, text, s_variables[i].expected);
        return -1;
    }
    if (!stint_ctf_limits_is_ring(limits) || !stint_ctf_limits_has_pieces(limits))
        return 0;
    (void)snprintf(reason, size, "STINT_TRACE_RING and STINT_TRACE_ROTATE contradict each other");
    return -1;
}

/* Knows of each calling context how long is too long, so that the end of a scope is one comparison, and leaves a pause
 * between two alarms. */

#define LEAST_PAUSE_NS UINT64_C(10000000000)

static uint64_t slow_ns(const struct stint_ctf_limits *limits, const char *name)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < limits->slow_count; i++) {
        const struct stint_ctf_slow *slow = &limits->slow[i];
        if (slow->ns < least && stint_pattern_matches(slow->name, strlen(slow->name), name))
            least = slow->ns;
    }
    return least;
}

/* Paths count up, but not all are contexts. */
int stint_ctf_watch_context(struct stint_ctf_watch *watch, const struct stint_ctf_limits *limits,
                            const struct stint_event_context *context, struct stint_arena *arena)
{
    if (!limits->slow_count)
        return 0;
    watch->pause_ns = limits->ring_ns > LEAST_PAUSE_NS ? limits->ring_ns : LEAST_PAUSE_NS;
    while (watch->slow.count <= context->path) {
        uint64_t *ns = stint_array_add(&watch->slow, arena, sizeof *ns);
        if (!ns)
            return -1;
        *ns = UINT64_MAX;
    }
    ((uint64_t *)watch->slow.items)[context->path] = slow_ns(limits, context->name);
    return 0;
}
