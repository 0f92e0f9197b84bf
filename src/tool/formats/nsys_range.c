/* Ranges of NVTX: how long they took. */
#include "formats/nsys.h"

static void collect_styles(struct stint_nsys *nsys, unsigned wanted)
{
    struct stint_nsys_ranges ranges;
    if (stint_nsys_find_ranges(nsys, &ranges))
        return;
    for (size_t i = 0; i < nsys->snapshot->stat_count && !nsys->failed; i++) {
        if (!(wanted & 1u << ranges.style[i]) || !nsys->snapshot->stats[i].numbers.count)
            continue;
        struct stint_nsys_row *row = stint_nsys_add_row(nsys);
        if (!row)
            return;
        struct stint_numbers numbers = stint_nsys_range_numbers(nsys, i);
        row->range = stint_nsys_range_name(nsys, i);
        row->style = stint_nsys_style_name(ranges.style[i]);
        row->spread = stint_nsys_spread_of(&numbers);
    }
}

void stint_nsys_collect_ranges(struct stint_nsys *nsys)
{
    collect_styles(nsys, 1u << STINT_NSYS_PUSH_POP | 1u << STINT_NSYS_START_END);
}

void stint_nsys_collect_push_pop(struct stint_nsys *nsys)
{
    collect_styles(nsys, 1u << STINT_NSYS_PUSH_POP);
}

void stint_nsys_collect_start_end(struct stint_nsys *nsys)
{
    collect_styles(nsys, 1u << STINT_NSYS_START_END);
}
