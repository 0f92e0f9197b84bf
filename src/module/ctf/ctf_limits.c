#include "ctf/ctf_limits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"

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
    static const char *const units[] = {"ms", "s", NULL};
    static const uint64_t factors[] = {1000000, 1000000000};
    return read_number(text, units, factors, ns);
}

int stint_ctf_limits_read_max(struct stint_ctf_limits *limits, const char *text)
{
    const char *end;
    do {
        end = read_bytes(text, &limits->bytes);
        if (!end)
            end = read_time(text, &limits->until_ns);
        if (!end)
            return -1;
        text = end + 1;
    } while (*end == ',');
    return 0;
}

int stint_ctf_limits_read_ring(struct stint_ctf_limits *limits, const char *text)
{
    const char *end = read_bytes(text, &limits->ring_bytes);
    return end && !*end && limits->ring_bytes >= RING_LEAST ? 0 : -1;
}

int stint_ctf_limits_read(struct stint_ctf_limits *limits, char *reason, size_t size)
{
    const char *most = stint_env_text("STINT_TRACE_MAX"), *ring = stint_env_text("STINT_TRACE_RING");
    *limits = (struct stint_ctf_limits){UINT64_MAX, UINT64_MAX, 0};
    if (most && stint_ctf_limits_read_max(limits, most)) {
        (void)snprintf(reason, size,
                       "STINT_TRACE_MAX=%.64s is neither a size, such as 500M or 2G, nor a time, such as 10s", most);
        return -1;
    }
    if (ring && stint_ctf_limits_read_ring(limits, ring)) {
        (void)snprintf(reason, size, "STINT_TRACE_RING=%.64s is no size of 256K or more, such as 64M", ring);
        return -1;
    }
    return 0;
}
