/* Divides metrics among several runs of a program, so that no kernel has to be replayed. Only CUPTI knows what fits
 * into one pass, so the largest part that does is found by bisection. */
#include "counters/plan_split.h"

#include <string.h>

/* Returns how many passes the metrics need together; 0 if a function failed. Metrics cannot be taken out of an object
 * of CUPTI's again, so each attempt has one of its own. */
static size_t passes_of(struct stint_range_api *api, const char *chip, const char **names, size_t count)
{
    struct stint_arena scratch = {0};
    struct stint_array all = {.items = names, .count = count};
    struct stint_counter_schedule schedule;
    struct stint_range_host_end end = {.size = STINT_RANGE_SIZE(stint_range_host_end, host)};
    end.host = stint_counter_host(api, chip);
    if (!end.host)
        return 0;
    int failed = stint_counter_schedule(&schedule, api, end.host, &all, &scratch);
    stint_arena_free(&scratch);
    if (failed)
        return 0;
    (void)stint_range_call(api, STINT_RANGE_HOST_END, &end);
    return schedule.passes;
}

/* Sets *count to how many of the metrics, from the first on, one pass can count; 0 if the first needs several. */
static int fill(struct stint_range_api *api, const char *chip, const char **names, size_t most, size_t *count)
{
    size_t passes = passes_of(api, chip, names, most), fits = 0, fails = most;
    if (passes == 1)
        fits = most;
    while (passes && fails - fits > 1) {
        size_t middle = fits + (fails - fits) / 2;
        passes = passes_of(api, chip, names, middle);
        fits = passes == 1 ? middle : fits;
        fails = passes == 1 ? fails : middle;
    }
    *count = fits;
    return passes ? 0 : -1;
}

/* Such metrics are counted by kernels that CUPTI has patched. In a range that is not replayed each of them is 0, and no
 * function fails (seen on an H100 with CUPTI 13.0). */
static int needs_patching(const char *name)
{
    return strstr(name, "__sass_") != NULL;
}

/* Moves metrics that only a replay of kernels counts out of `all`. */
static int leave_out_patched(struct stint_counter_plan *plan, struct stint_array *all)
{
    const char **names = all->items;
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++)
        if (!needs_patching(names[i]))
            names[kept++] = names[i];
        else if (stint_counter_keep(plan, &plan->unsplit, names[i]))
            return -1;
    all->count = kept;
    return 0;
}

int stint_plan_split(struct stint_counter_plan *plan, const char *chip, size_t run)
{
    struct stint_array all = plan->names;
    const char **names = all.items;
    plan->names = (struct stint_array){0};
    if (leave_out_patched(plan, &all))
        return -1;
    for (size_t at = 0, count; at < all.count; at += count ? count : 1) {
        if (fill(plan->api, chip, names + at, all.count - at, &count))
            return -1;
        if (!count && stint_counter_keep(plan, &plan->unsplit, names[at]))
            return -1;
        plan->runs += count > 0;
        for (size_t i = at; plan->runs == run && i < at + count; i++)
            if (stint_counter_keep(plan, &plan->names, names[i]))
                return -1;
    }
    return 0;
}
