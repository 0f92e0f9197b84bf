#include "process/gpu/launches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const struct mock_kernel forward = {"forward", FORWARD_NS}, backward = {"backward", BACKWARD_NS};

void launch(const struct mock_kernel *kernel, unsigned count)
{
    const struct mock_dim grid = {4, 2, 1}, block = {128, 1, 1};
    for (unsigned i = 0; i < count; ++i)
        (void)cudaLaunchKernel(kernel, grid, block, NULL, 0, NULL);
}

void launch_in(const char *scope, const struct mock_kernel *kernel, unsigned count)
{
    STINT_SCOPE_DYNAMIC(scope);

    launch(kernel, count);
}

int not_as_required(int line, const char *condition)
{
    fprintf(stderr, "line %d: not %s\n", line, condition);
    return 1;
}

/* -------------------------------------------------------------------------------------------------------- snapshots */

static struct stint_snapshot *take(void)
{
    struct stint_snapshot *snapshot;
    if (stint_snapshot_take(&snapshot))
        abort();
    return snapshot;
}

struct seen seen_activity(const char *name)
{
    struct stint_snapshot *snapshot = take();
    struct seen seen = {0, 0};
    for (size_t i = 0; i < snapshot->gpu_activity_count; ++i)
        if (!strcmp(snapshot->gpu_activities[i].name, name)) {
            seen.count += snapshot->gpu_activities[i].numbers.count;
            seen.total_ns += snapshot->gpu_activities[i].numbers.total_ns;
        }
    stint_snapshot_free(snapshot);
    return seen;
}

static struct stint_stat seen_stat(const char *set, const char *name)
{
    struct stint_snapshot *snapshot = take();
    const struct stint_stat *found = stint_snapshot_find(snapshot, set, name);
    const struct stint_stat stat = found ? *found : (struct stint_stat){0};
    stint_snapshot_free(snapshot);
    return stat;
}

struct stint_gpu_use seen_use(const char *scope)
{
    return seen_stat(NULL, scope).gpu;
}

struct stint_gpu_use seen_self_use(const char *scope)
{
    return seen_stat(NULL, scope).gpu_self;
}

uint64_t seen_calls(const char *function)
{
    return seen_stat(STINT_API_SET, function).numbers.count;
}

struct seen seen_charge(size_t context)
{
    struct stint_snapshot *snapshot = take();
    struct seen seen = {0, 0};
    for (size_t i = 0; i < snapshot->gpu_charge_count; ++i) {
        const struct stint_gpu_charge *charge = &snapshot->gpu_charges[i];
        if (charge->context != context || snapshot->gpu_activities[charge->activity].kind != STINT_GPU_KERNEL)
            continue;
        seen.count += charge->count;
        seen.total_ns += charge->total_ns;
    }
    stint_snapshot_free(snapshot);
    return seen;
}

int charges_add_up(void)
{
    struct stint_snapshot *snapshot = take();
    int wrong = 0;
    for (size_t i = 0; i < snapshot->gpu_activity_count; ++i) {
        uint64_t count = snapshot->gpu_activities[i].numbers.count;
        uint64_t ns = snapshot->gpu_activities[i].numbers.total_ns;
        for (size_t j = 0; j < snapshot->gpu_charge_count; ++j)
            if (snapshot->gpu_charges[j].activity == i) {
                count -= snapshot->gpu_charges[j].count;
                ns -= snapshot->gpu_charges[j].total_ns;
            }
        wrong |= count || ns;
    }
    stint_snapshot_free(snapshot);
    return !wrong;
}

/* ------------------------------------------------------------------------------------------------------------- JSON */

void assert_no_misuse(const struct result *result)
{
    if (occurrences(result->err, "mock: misuse"))
        fail_msg("CUPTI was misused: %.2000s", result->err);
}

void assert_good(const struct result *result)
{
    assert_no_misuse(result);
    assert_exit(result, 0);
}

/* Returns the number of `key` after `row`, in the line of `report` that has `row`. */
static uint64_t number_in_row(const char *report, const char *row, const char *key)
{
    const char *at = report ? strstr(report, row) : NULL;
    char part[64];
    snprintf(part, sizeof part, "\"%s\":", key);
    const char *found = at ? strstr(at, part) : NULL;
    if (!found || memchr(at, '\n', (size_t)(found - at)))
        fail_msg("no %s of %s in the report: %.4000s", key, row, report ? report : "there is none");
    return found ? strtoull(found + strlen(part), NULL, 10) : 0;
}

uint64_t activity_number(const char *report, const char *name, const char *key)
{
    const char *const activities = report ? strstr(report, "\"gpu_activities\":") : NULL;
    char row[128];
    snprintf(row, sizeof row, ",\"name\":\"%s\",\"mangled\":", name);
    return number_in_row(activities, row, key);
}

/* The rest of the statistic's line contains its total use as an object. */
uint64_t use_number(const char *report, const char *scope, const char *key)
{
    const char *const stats = report ? strstr(report, "\n\"stats\":") : NULL;
    char row[128];
    const char *at, *use;
    snprintf(row, sizeof row, ",\"name\":\"%s\",", scope);
    at = stats ? strstr(stats, row) : NULL;
    use = at ? strstr(at, "\"gpu\":") : NULL;
    if (!use || memchr(at, '\n', (size_t)(use - at)))
        fail_msg("%s used no GPU in the report: %.4000s", scope, report ? report : "there is none");
    return number_in_row(use, "\"gpu\":", key);
}
