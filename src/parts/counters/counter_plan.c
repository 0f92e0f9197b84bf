/* From the text of STINT_COUNTERS to a list of metrics that the chip has, and to CUPTI's schedule of passes for it.
 * What the chip lacks is left out, and noted if the user named it. Groups, by which STINT_COUNTERS takes metrics, are
 * lists for a question that one asks about a kernel. Metrics are divided among several runs of a program, so that no
 * kernel has to be replayed: only CUPTI knows what fits into one pass, so the largest part that does is found by
 * bisection. */
#include "counters/counter_plan.h"

#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- groups */

#define ELAPSED ".avg.pct_of_peak_sustained_elapsed "
#define ACTIVE ".avg.pct_of_peak_sustained_active "
#define THREADS(op) "smsp__sass_thread_inst_executed_op_" op "_pred_on.sum "
#define PIPE(pipe) "sm__inst_executed_pipe_" pipe ELAPSED
#define STALL(cause) "smsp__average_warps_issue_stalled_" cause "_per_issue_active.ratio "

/* Shares of the whole time: of a kernel that runs on a few multiprocessors only, these may be busy all the time they
 * are active, while the device is not. The time itself is in each group, because it is what the others are compared
 * with. */
#define TIME "gpu__time_duration.sum "

static const struct {
    const char *name, *metrics;
} s_groups[] = {
    {"speed-of-light",
     TIME "sm__throughput" ELAPSED "gpu__compute_memory_throughput" ELAPSED "l1tex__throughput" ELAPSED
          "lts__throughput" ELAPSED "gpu__dram_throughput" ELAPSED PIPE("alu") PIPE("fma") PIPE("fp64") PIPE("lsu")
              PIPE("xu") "sm__pipe_tensor_cycles_active" ELAPSED},
    {"flops", TIME THREADS("hadd") THREADS("hmul") THREADS("hfma") THREADS("fadd") THREADS("fmul") THREADS("ffma")
                  THREADS("dadd") THREADS("dmul")
                      THREADS("dfma") "sm__inst_executed_pipe_tensor.sum "
                                      "sm__ops_path_tensor_src_fp16.sum sm__ops_path_tensor_src_bf16_dst_fp32.sum "
                                      "sm__ops_path_tensor_src_tf32_dst_fp32.sum sm__ops_path_tensor_src_fp64.sum "
                                      "sm__ops_path_tensor_src_fp8.sum sm__ops_path_tensor_src_int8.sum "},
    {"memory",
     TIME "dram__bytes_read.sum dram__bytes_write.sum lts__t_bytes.sum l1tex__t_bytes.sum "
          "smsp__sass_inst_executed_op_shared.sum l1tex__data_pipe_lsu_wavefronts_mem_shared.sum "
          "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum lts__t_sector_hit_rate.pct "
          "l1tex__t_sector_hit_rate.pct "
          "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio "
          "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio "
          "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio "
          "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio smsp__sass_inst_executed_op_local.sum "},
    {"occupancy", TIME "sm__warps_active" ACTIVE "sm__warps_active.avg.per_cycle_active "
                       "smsp__warps_eligible.avg.per_cycle_active smsp__issue_active.avg.per_cycle_active "
                       "sm__cycles_active.avg sm__cycles_elapsed.max "},
    {"stalls", TIME STALL("long_scoreboard") STALL("short_scoreboard") STALL("barrier") STALL("math_pipe_throttle")
                   STALL("mio_throttle") STALL("lg_throttle") STALL("tex_throttle") STALL("wait") STALL("not_selected")
                       STALL("selected") STALL("no_instruction") STALL("drain") STALL("membar") STALL("dispatch_stall")
                           STALL("imc_miss") STALL("branch_resolving") STALL("sleeping") STALL("misc")},
};

enum { GROUPS = sizeof s_groups / sizeof s_groups[0] };

const char *stint_counter_group_at(size_t index, const char **metrics)
{
    *metrics = index < GROUPS ? s_groups[index].metrics : NULL;
    return index < GROUPS ? s_groups[index].name : NULL;
}

const char *stint_counter_group(const char *name, size_t length)
{
    for (size_t i = 0; i < GROUPS; i++)
        if (strlen(s_groups[i].name) == length && memcmp(s_groups[i].name, name, length) == 0)
            return s_groups[i].metrics;
    return NULL;
}

/* --------------------------------------------------------------------------------------------------------- the plan */

enum { NAME_SIZE = 256 };

static const char s_separators[] = ", ";

const char *const stint_counter_suffixes[STINT_COUNTER_SUFFIXES] = {".sum", ".ratio",
                                                                    ".avg.pct_of_peak_sustained_elapsed"};

/* Makes CUPTI's object for a chip. Returns NULL if that failed. */
static void *host_of(struct stint_range_api *api, const char *chip)
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

/* Adds a name to one of the plan's arrays unless it is there. Returns -1 without memory. */
static int keep_metric(struct stint_counter_plan *plan, struct stint_array *names, const char *name)
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
        return keep_metric(plan, &plan->names, name);
    for (size_t i = 0; !strchr(name, '.') && i < STINT_COUNTER_SUFFIXES; i++) {
        (void)snprintf(whole, sizeof whole, "%s%s", name, stint_counter_suffixes[i]);
        if (has(plan, whole))
            return keep_metric(plan, &plan->names, whole);
    }
    return keep_metric(plan, &plan->absent, name);
}

/* Metrics of groups that the chip lacks are not reported as absent: other chips have other pipes. */
static int add_group(struct stint_counter_plan *plan, const char *metrics)
{
    char name[NAME_SIZE];
    for (size_t length; (length = strcspn(metrics, " ")); metrics += length + 1) {
        (void)snprintf(name, sizeof name, "%.*s", (int)length, metrics);
        if (has(plan, name) && keep_metric(plan, &plan->names, name))
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

/* Schedules metrics in an object of CUPTI's that has none yet: each call that adds some begins a pass of its own.
 * Returns 0, or -1 if a function failed or there is no memory. */
static int schedule_metrics(struct stint_counter_schedule *schedule, struct stint_range_api *api, void *host,
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

/* Returns how many passes the metrics need together; 0 if a function failed. Metrics cannot be taken out of an object
 * of CUPTI's again, so each attempt has one of its own. */
static size_t passes_of(struct stint_range_api *api, const char *chip, const char **names, size_t count)
{
    struct stint_arena scratch = {0};
    struct stint_array all = {.items = names, .count = count};
    struct stint_counter_schedule schedule;
    struct stint_range_host_end end = {.size = STINT_RANGE_SIZE(stint_range_host_end, host)};
    end.host = host_of(api, chip);
    if (!end.host)
        return 0;
    int failed = schedule_metrics(&schedule, api, end.host, &all, &scratch);
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
        else if (keep_metric(plan, &plan->unsplit, names[i]))
            return -1;
    all->count = kept;
    return 0;
}

/* Puts the plan's metrics into parts, in their order, each as large as one pass allows; leaves only the part of `run`,
 * counted from 1, in the plan, and how many there are. Metrics that only a replay of kernels counts are in none.
 * Returns 0, or -1 if a function failed. */
static int split_plan(struct stint_counter_plan *plan, const char *chip, size_t run)
{
    struct stint_array all = plan->names;
    const char **names = all.items;
    plan->names = (struct stint_array){0};
    if (leave_out_patched(plan, &all))
        return -1;
    for (size_t at = 0, count; at < all.count; at += count ? count : 1) {
        if (fill(plan->api, chip, names + at, all.count - at, &count))
            return -1;
        if (!count && keep_metric(plan, &plan->unsplit, names[at]))
            return -1;
        plan->runs += count > 0;
        for (size_t i = at; plan->runs == run && i < at + count; i++)
            if (keep_metric(plan, &plan->names, names[i]))
                return -1;
    }
    return 0;
}

/* Leaves only the metrics of that run. */
static int take_part(struct stint_counter_plan *plan, const char *chip, size_t run)
{
    struct stint_range_host_end end = {.size = STINT_RANGE_SIZE(stint_range_host_end, host), .host = plan->host};
    plan->is_split = 1;
    if (split_plan(plan, chip, run))
        return -1;
    (void)stint_range_call(plan->api, STINT_RANGE_HOST_END, &end);
    plan->host = host_of(plan->api, chip);
    return plan->host ? 0 : -1;
}

int stint_counter_plan(struct stint_counter_plan *plan, struct stint_range_api *api, const char *chip,
                       const char *metrics, size_t run)
{
    *plan = (struct stint_counter_plan){.api = api, .host = host_of(api, chip)};
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
    return schedule_metrics(&plan->schedule, api, plan->host, &plan->names, &plan->arena);
}

/* ------------------------------------------------------------------------------------------------------ all metrics */

static const char *description_of(struct stint_range_api *api, void *host, const char *name)
{
    struct stint_range_properties properties = {
        .size = STINT_RANGE_SIZE(stint_range_properties, type), .host = host, .name = name};
    int failed = stint_range_call(api, STINT_RANGE_PROPERTIES, &properties);
    return failed || !properties.description ? "" : properties.description;
}

static int put_kind(struct stint_range_api *api, void *host, enum stint_metric_kind kind, stint_metric_list_fn *put)
{
    struct stint_range_base_metrics metrics = {
        .size = STINT_RANGE_SIZE(stint_range_base_metrics, count), .host = host, .type = (int)kind};
    if (stint_range_call(api, STINT_RANGE_BASE_METRICS, &metrics))
        return -1;
    for (size_t i = 0; i < metrics.count; i++)
        put(kind, metrics.names[i], description_of(api, host, metrics.names[i]));
    return 0;
}

static int put_all(struct stint_range_api *api, stint_metric_list_fn *put)
{
    struct stint_range_initialize begin = {.size = STINT_RANGE_SIZE(stint_range_initialize, reserved)};
    struct stint_range_chip chip = {.size = STINT_RANGE_SIZE(stint_range_chip, name)};
    if (stint_range_call(api, STINT_RANGE_INITIALIZE, &begin) || stint_range_call(api, STINT_RANGE_CHIP, &chip))
        return -1;
    void *host = host_of(api, chip.name);
    for (int kind = 0; host && kind < STINT_METRIC_KINDS; kind++)
        if (put_kind(api, host, (enum stint_metric_kind)kind, put))
            return -1;
    return host ? 0 : -1;
}

int stint_metric_list(void *cupti, stint_metric_list_fn *put, char *why, size_t size)
{
    struct stint_range_api api = {.result = 0};
    if (stint_range_open(&api, cupti)) {
        (void)snprintf(why, size, "this CUPTI has no range profiler: counters need CUPTI 12.6 or later");
        return -1;
    }
    if (put_all(&api, put) == 0)
        return 0;
    stint_range_explain(&api, why, size);
    return -1;
}
