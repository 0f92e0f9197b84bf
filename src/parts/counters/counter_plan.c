/* From the text of STINT_COUNTERS to a list of metrics that the chip has, and to CUPTI's schedule of passes for it.
 * What the chip lacks is left out, and noted if the user named it. */
#include "counters/counter_plan.h"

#include <stdio.h>
#include <string.h>

#include "counters/counter_groups.h"
#include "counters/plan_split.h"

enum { NAME_SIZE = 256 };

static const char s_separators[] = ", ";

const char *const stint_counter_suffixes[STINT_COUNTER_SUFFIXES] = {".sum", ".ratio",
                                                                    ".avg.pct_of_peak_sustained_elapsed"};

void *stint_counter_host(struct stint_range_api *api, const char *chip)
{
    struct stint_range_host_initialize begin = {.size = STINT_RANGE_SIZE(stint_range_host_initialize, host),
                                                .chip = chip};
    return stint_range_call(api, STINT_RANGE_HOST_INITIALIZE, &begin) ? NULL : begin.host;
}

/* Adding a metric that the chip lacks would spoil CUPTI's object, so this is asked first. */
static int has(struct stint_counter_plan *plan, const char *name)
{
    struct stint_range_properties properties = {
        .size = STINT_RANGE_SIZE(stint_range_properties, type), .host = plan->host, .name = name};
    return !stint_range_call(plan->api, STINT_RANGE_PROPERTIES, &properties);
}

int stint_counter_keep(struct stint_counter_plan *plan, struct stint_array *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(((const char **)names->items)[i], name) == 0)
            return 0;
    const char **place = stint_array_add(names, &plan->arena, sizeof *place);
    const char *copy = stint_arena_copy(&plan->arena, name, strlen(name));
    if (!place || !copy)
        return -1;
    *place = copy;
    return 0;
}

/* CUPTI takes names without a suffix for valid, but does not evaluate them. */
static int add_metric(struct stint_counter_plan *plan, const char *name)
{
    char whole[NAME_SIZE];
    if (strchr(name, '.') && has(plan, name))
        return stint_counter_keep(plan, &plan->names, name);
    for (size_t i = 0; !strchr(name, '.') && i < STINT_COUNTER_SUFFIXES; i++) {
        (void)snprintf(whole, sizeof whole, "%s%s", name, stint_counter_suffixes[i]);
        if (has(plan, whole))
            return stint_counter_keep(plan, &plan->names, whole);
    }
    return stint_counter_keep(plan, &plan->absent, name);
}

/* Metrics of groups that the chip lacks are not reported as absent: other chips have other pipes. */
static int add_group(struct stint_counter_plan *plan, const char *metrics)
{
    char name[NAME_SIZE];
    for (size_t length; (length = strcspn(metrics, " ")); metrics += length + 1) {
        (void)snprintf(name, sizeof name, "%.*s", (int)length, metrics);
        if (has(plan, name) && stint_counter_keep(plan, &plan->names, name))
            return -1;
    }
    return 0;
}

static int add_groups(struct stint_counter_plan *plan)
{
    const char *metrics;
    for (size_t i = 0; stint_counter_group_at(i, &metrics); i++)
        if (add_group(plan, metrics))
            return -1;
    return 0;
}

static int add_word(struct stint_counter_plan *plan, const char *word, size_t length)
{
    char name[NAME_SIZE];
    const char *group = stint_counter_group(word, length);
    (void)snprintf(name, sizeof name, "%.*s", (int)length, word);
    if (strcmp(name, "all") == 0)
        return add_groups(plan);
    return group ? add_group(plan, group) : add_metric(plan, name);
}

int stint_counter_schedule(struct stint_counter_schedule *schedule, struct stint_range_api *api, void *host,
                           const struct stint_array *names, struct stint_arena *arena)
{
    struct stint_range_add_metrics add = {.size = STINT_RANGE_SIZE(stint_range_add_metrics, count),
                                          .host = host,
                                          .names = names->items,
                                          .count = names->count};
    struct stint_range_image_size size = {.size = STINT_RANGE_SIZE(stint_range_image_size, bytes), .host = host};
    if (stint_range_call(api, STINT_RANGE_ADD_METRICS, &add) || stint_range_call(api, STINT_RANGE_IMAGE_SIZE, &size))
        return -1;
    struct stint_range_image image = {.size = STINT_RANGE_SIZE(stint_range_image, image),
                                      .host = host,
                                      .bytes = size.bytes,
                                      .image = stint_arena_alloc(arena, size.bytes)};
    struct stint_range_passes passes = {
        .size = STINT_RANGE_SIZE(stint_range_passes, passes), .bytes = size.bytes, .image = image.image};
    if (!image.image || stint_range_call(api, STINT_RANGE_IMAGE, &image) ||
        stint_range_call(api, STINT_RANGE_PASSES, &passes))
        return -1;
    *schedule = (struct stint_counter_schedule){image.image, size.bytes, passes.passes};
    return 0;
}

/* Leaves only the metrics of that run. */
static int take_part(struct stint_counter_plan *plan, const char *chip, size_t run)
{
    struct stint_range_host_end end = {.size = STINT_RANGE_SIZE(stint_range_host_end, host), .host = plan->host};
    plan->is_split = 1;
    if (stint_plan_split(plan, chip, run))
        return -1;
    (void)stint_range_call(plan->api, STINT_RANGE_HOST_END, &end);
    plan->host = stint_counter_host(plan->api, chip);
    return plan->host ? 0 : -1;
}

int stint_counter_plan(struct stint_counter_plan *plan, struct stint_range_api *api, const char *chip,
                       const char *metrics, size_t run)
{
    *plan = (struct stint_counter_plan){.api = api, .host = stint_counter_host(api, chip)};
    if (!plan->host)
        return -1;
    for (const char *at = metrics; *(at += strspn(at, s_separators)); at += strcspn(at, s_separators))
        if (add_word(plan, at, strcspn(at, s_separators)))
            return -1;
    api->result = 0;
    if (run != STINT_PLAN_WHOLE && take_part(plan, chip, run))
        return -1;
    if (!plan->names.count)
        return -1;
    return stint_counter_schedule(&plan->schedule, api, plan->host, &plan->names, &plan->arena);
}
