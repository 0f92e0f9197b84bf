/* Counts how many values differ, by sorting them. */
#include "formats/distinct.h"

size_t stint_distinct(const struct stint_rank *ranks, size_t count, struct stint_arena *arena)
{
    const size_t *order = stint_rank_order(ranks, count, arena);
    size_t distinct = 0;
    for (size_t i = 0; order && i < count; i++)
        distinct += i == 0 || ranks[order[i]].value != ranks[order[i - 1]].value;
    return order ? distinct : count;
}
