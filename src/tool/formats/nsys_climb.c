/* Statistics as ranges of NVTX. A scope is a push/pop range of the domain "stint", as in a tool that records scopes
 * through NVTX (STINT_NVTX). */
#include <string.h>

#include "formats/nsys.h"
#include "report/gpu_sum.h"
#include "stint/nvtx_stats.h"

const char *stint_nsys_domain_in(const char *set, const char *kind)
{
    size_t length = strlen(kind);
    if (strncmp(set, kind, length) != 0 || (set[length] && set[length] != ':'))
        return NULL;
    return set[length] ? set + length + 1 : "";
}

unsigned stint_nsys_style_of(const char *set, const char *name)
{
    struct stint_stat stat = {.set = set, .name = name};
    if (stint_nsys_domain_in(set, STINT_NVTX_START_END_SET))
        return STINT_NSYS_START_END;
    if (stint_nsys_domain_in(set, STINT_NVTX_MARK_SET) || stint_nsys_domain_in(set, STINT_NVTX_COUNTER_SET) ||
        stint_gpu_is_call(&stat) || stint_stat_is_os_call(&stat) || stint_stat_is_adopted(&stat))
        return STINT_NSYS_NO_RANGE;
    return STINT_NSYS_PUSH_POP;
}

int stint_nsys_find_ranges(struct stint_nsys *nsys, struct stint_nsys_ranges *ranges)
{
    const struct stint_snapshot *snapshot = nsys->snapshot;
    *ranges = (struct stint_nsys_ranges){
        .snapshot = snapshot,
        .style = stint_nsys_alloc(nsys, snapshot->stat_count, sizeof *ranges->style),
        .seen = stint_nsys_alloc(nsys, snapshot->stat_count, sizeof *ranges->seen),
    };
    if (nsys->failed)
        return -1;
    for (size_t i = 0; i < snapshot->stat_count; i++)
        ranges->style[i] = (unsigned char)stint_nsys_style_of(snapshot->stats[i].set, snapshot->stats[i].name);
    return 0;
}

const char *stint_nsys_style_name(unsigned style)
{
    return style == STINT_NSYS_START_END ? "StartEnd" : "PushPop";
}

/* ------------------------------------------------------------------------------------------------------------ names */

const char *stint_nsys_full_name(struct stint_nsys *nsys, const char *set, const char *name)
{
    const char *domain = stint_nsys_domain_in(set, STINT_NVTX_START_END_SET);
    if (!domain)
        domain = stint_nsys_domain_in(set, STINT_NVTX_SET);
    if (domain)
        return stint_nsys_join(nsys, (const char *const[]){domain, ":", name}, 3);
    if (nsys->snapshot->set_count && strcmp(set, nsys->snapshot->sets[0]) == 0)
        return stint_nsys_join(nsys, (const char *const[]){"stint:", name}, 2);
    return stint_nsys_join(nsys, (const char *const[]){"stint:", set, "/", name}, 4);
}

const char *stint_nsys_range_name(struct stint_nsys *nsys, size_t position)
{
    const struct stint_stat *stat = &nsys->snapshot->stats[position];
    return stint_nsys_full_name(nsys, stat->set, stat->name);
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

/* A statistic's own numbers lack the time of instances within another instance; its contexts have the full time of
 * each. */
struct stint_numbers stint_nsys_range_numbers(struct stint_nsys *nsys, size_t position)
{
    const struct stint_snapshot *snapshot = nsys->snapshot;
    struct stint_numbers numbers = {0};
    if (!snapshot->stats[position].numbers.recursive)
        return snapshot->stats[position].numbers;
    for (size_t i = 0; i < snapshot->context_count; i++)
        if (snapshot->contexts[i].stat == position)
            stint_nsys_add_numbers(nsys, &numbers, &snapshot->contexts[i].numbers);
    return numbers;
}

/* ------------------------------------------------------------------------------------------------------------ climb */

void stint_nsys_begin_climb(struct stint_nsys_ranges *ranges)
{
    ranges->climbs++;
}

size_t stint_nsys_climb(struct stint_nsys_ranges *ranges, size_t *context, int *is_again)
{
    while (*context < ranges->snapshot->context_count) {
        size_t stat = ranges->snapshot->contexts[*context].stat;
        *context = ranges->snapshot->contexts[*context].parent;
        if (ranges->style[stat] != STINT_NSYS_PUSH_POP)
            continue;
        *is_again = ranges->seen[stat] == ranges->climbs;
        ranges->seen[stat] = ranges->climbs;
        return stat;
    }
    return STINT_NO_PARENT;
}
