/* What tests of builders share. */
#ifndef STINT_TEST_BUILT_H
#define STINT_TEST_BUILT_H

#include "memory.h"
#include "stat/builder.h"
#include "stint_test.h"
#include <stdio.h>
#include <string.h>

static const struct stint_process s_process = {.command = "", .host = "", .clock = "monotonic"};
static const struct stint_dropped s_dropped = {.nodes = 1, .negative = 11};

static inline struct stint_numbers ran(uint64_t total_ns)
{
    return (struct stint_numbers){.count = 1, .total_ns = total_ns, .min_ns = total_ns, .max_ns = total_ns};
}

/* Returns the position of a statistic without numbers. */
static inline size_t name(struct stint_builder *builder, const char *set, const char *text)
{
    const struct stint_stat like = {.set = set, .name = text, .file = "", .function = ""};
    return stint_builder_stat(builder, &like);
}

static inline size_t stat_of(struct stint_builder *builder, const char *set, const char *text, uint64_t total_ns)
{
    const struct stint_numbers numbers = ran(total_ns);
    const size_t stat = name(builder, set, text);
    stint_builder_add_stat(builder, stat, &numbers);
    return stat;
}

static inline struct stint_snapshot *end(struct stint_builder *builder)
{
    return stint_builder_end(builder, &s_process, &s_dropped);
}

#endif
