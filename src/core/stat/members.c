/* The tables of rows' members: their keys in reports, and how they are merged. */
#include "stat/members.h"

#include <string.h>

#include "stat/builder.h"
#include "stat/order.h"

/* The members of struct ROW, which each table defines. Most keys have the name of the member. A table does not compile
 * if a member's size does not fit its type. */
enum {
    SIZE_TEXTS = sizeof(struct stint_row_list),
    SIZE_U32 = sizeof(uint32_t),
    SIZE_U64 = sizeof(uint64_t),
    SIZE_I64 = sizeof(int64_t),
    SIZE_NUMBER = sizeof(double),
    SIZE_SQUARES = sizeof(double),
    SIZE_EXACT = sizeof(double),
    SIZE_SWITCH = sizeof(int),
    SIZE_TEXT = sizeof(const char *),
    SIZE_NAME = 16,
    SIZE_WORD = sizeof(enum stint_status),
    SIZE_INDEX = sizeof(size_t),
    SIZE_CONTEXT = sizeof(size_t),
    SIZE_BINS = sizeof(const struct stint_bin *),
    SIZE_DIMENSIONS = 3 * sizeof(uint32_t),
    SIZE_USE = sizeof(struct stint_gpu_use),
    SIZE_SPREAD = sizeof(const struct stint_spread *),
    SIZE_AVG = sizeof(struct stint_numbers),
    SIZE_P50 = SIZE_AVG,
    SIZE_P90 = SIZE_AVG,
    SIZE_P99 = SIZE_AVG,
    SIZE_STDDEV = SIZE_AVG
};

/* NOLINTBEGIN(bugprone-macro-parentheses): members' names */
#define AT(member) (uint16_t) offsetof(ROW, member)
#define CHECKED(type, member) (0 * sizeof(char[sizeof(((ROW *)0)->member) == SIZE_##type ? 1 : -1]))
#define MERGED(merge, key, type, of, presence, member)                                                                 \
    {                                                                                                                  \
        key, STINT_MEMBER_##type, of, STINT_MEMBER_##presence, STINT_MERGE_##merge,                                    \
            (uint16_t)(AT(member) + CHECKED(type, member))                                                             \
    }
#define MEMBER(key, type, of, presence, member) MERGED(KEEP, key, type, of, presence, member)
#define MERGE(merge, type, member) MERGED(merge, #member, type, 0, OPTIONAL, member)
#define SUM(type, member) MERGE(SUM, type, member)
#define SUM_IF_SET(type, member) MERGED(SUM, #member, type, 0, IF_SET, member)
#define OPTIONAL(type, member) MEMBER(#member, type, 0, OPTIONAL, member)
#define NEEDED(type, member) MEMBER(#member, type, 0, NEEDED, member)
#define IF(presence, type, member) MEMBER(#member, type, 0, IF_##presence, member)
#define WORD(presence, words, member) MEMBER(#member, WORD, STINT_WORDS_##words, presence, member)
#define INDEX(presence, rows, member) MEMBER(#member, INDEX, STINT_ROWS_##rows, presence, member)
#define NAMED(presence, place, member) MEMBER(#member, TEXT, STINT_TEXT_##place, presence, member)

/* A value made of several members, or of none. */
#define MADE(key, type, of, at)                                                                                        \
    {                                                                                                                  \
        key, STINT_MEMBER_##type, of, STINT_MEMBER_OPTIONAL, STINT_MERGE_KEEP, at                                      \
    }
#define OBJECT(key, rows, member) MADE(key, OBJECT, STINT_ROWS_##rows, AT(member))
#define ROWS(key, rows, member) MADE(key, ROWS, STINT_ROWS_##rows, AT(member))
#define SAMPLES(key, type, rows, member)                                                                               \
    {                                                                                                                  \
        key, STINT_MEMBER_##type, STINT_ROWS_##rows, STINT_MEMBER_IF_SET, STINT_MERGE_KEEP, AT(member)                 \
    }

/* The members of a struct stint_numbers called numbers. */
#define COUNTS                                                                                                         \
    MEMBER("count", U64, 0, OPTIONAL, numbers.count), MEMBER("recursive", U64, 0, OPTIONAL, numbers.recursive),        \
        MEMBER("total_ns", U64, 0, OPTIONAL, numbers.total_ns), MEMBER("self_ns", U64, 0, OPTIONAL, numbers.self_ns),  \
        MEMBER("min_ns", U64, 0, OPTIONAL, numbers.min_ns), MEMBER("max_ns", U64, 0, OPTIONAL, numbers.max_ns),        \
        MEMBER("cpu_ns", U64, 0, IF_SET, numbers.cpu_ns),                                                              \
        MEMBER("square_ns2", SQUARES, 0, OPTIONAL, numbers.square_ns2),                                                \
        MEMBER("overhead_ns", U64, 0, OPTIONAL, numbers.overhead_ns),                                                  \
        MEMBER("self_overhead_ns", U64, 0, OPTIONAL, numbers.self_overhead_ns),                                        \
        MEMBER("raw_min_ns", U64, 0, IF_SET, numbers.raw_min_ns),                                                      \
        MEMBER("raw_max_ns", U64, 0, IF_SET, numbers.raw_max_ns),                                                      \
        MEMBER("running", U64, 0, OPTIONAL, numbers.running),                                                          \
        MEMBER("running_ns", U64, 0, OPTIONAL, numbers.running_ns)
#define SPREAD(key, member) MEMBER(key, SPREAD, STINT_ROWS_SPREAD, IF_SET, member)
#define BINS MADE("bins", BINS, 0, AT(numbers.bins)), MEMBER("raw_bins", BINS, 0, IF_SET, numbers.raw_bins)
#define DISTRIBUTION                                                                                                   \
    MEMBER("avg_ns", AVG, 0, OPTIONAL, numbers), MEMBER("p50_ns", P50, 0, OPTIONAL, numbers),                          \
        MEMBER("p90_ns", P90, 0, OPTIONAL, numbers), MEMBER("p99_ns", P99, 0, OPTIONAL, numbers),                      \
        MEMBER("stddev_ns", STDDEV, 0, OPTIONAL, numbers), BINS
/* NOLINTEND(bugprone-macro-parentheses) */

/* ---------------------------------------------------------------------------------------------------------- process */

#define ROW struct stint_process
static const struct stint_member s_process[] = {
    OPTIONAL(I64, pid),   OPTIONAL(NAME, rank),         IF(SET, U32, ranks),    OPTIONAL(TEXT, command),
    OPTIONAL(TEXT, host), OPTIONAL(U64, start_unix_ns), OPTIONAL(U64, wall_ns),
};

static const struct stint_member s_clock[] = {
    MEMBER("name", TEXT, 0, OPTIONAL, clock),
    MEMBER("hz", NUMBER, 0, OPTIONAL, clock_hz),
    MEMBER("read_ns", NUMBER, 0, OPTIONAL, clock_read_ns),
};

static const struct stint_member s_overhead[] = {
    OPTIONAL(NUMBER, scope_ns),
    OPTIONAL(NUMBER, inside_ns),
    MEMBER("function_ns", NUMBER, 0, IF_SET, function.whole_ns),
    MEMBER("function_inside_ns", NUMBER, 0, IF_SET, function.inside_ns),
    MEMBER("range_ns", NUMBER, 0, IF_SET, range.whole_ns),
    MEMBER("range_inside_ns", NUMBER, 0, IF_SET, range.inside_ns),
    MEMBER("call_ns", NUMBER, 0, IF_SET, call.whole_ns),
    MEMBER("call_inside_ns", NUMBER, 0, IF_SET, call.inside_ns),
    IF(SET, NUMBER, added_ns),
    SUM_IF_SET(U64, added_samples),
    IF(SET, NUMBER, left_out_ns),
    SUM_IF_SET(U64, excluded_calls),
    SUM_IF_SET(U64, tiny_calls),
    SUM_IF_SET(U64, tiny_functions),
    MADE("total_ns", OVERHEAD, 0, 0),
};
#undef ROW

#define ROW struct stint_merged_process
static const struct stint_member s_processes[] = {
    OPTIONAL(I64, pid),     OPTIONAL(NAME, rank),  OPTIONAL(TEXT, command), OPTIONAL(U64, start_unix_ns),
    OPTIONAL(U64, wall_ns), OPTIONAL(U64, gpu_ns), OPTIONAL(U64, kernels),  OPTIONAL(U64, dropped),
};
#undef ROW

#define ROW struct stint_dropped
#define COUNT(name, ...) SUM(U64, name),
static const struct stint_member s_dropped[] = {STINT_I_DROPPED(COUNT)};
#undef COUNT
#undef ROW

#define ROW struct stint_thread
static const struct stint_member s_threads[] = {
    OPTIONAL(I64, pid),  OPTIONAL(I64, tid),   OPTIONAL(NAME, name), OPTIONAL(SWITCH, exited), IF(SET, NAME, state),
    IF(SET, U64, exits), IF(SET, U64, cpu_ns), IF(SET, U64, waits),  IF(SET, U64, preempted),
};
#undef ROW

/* ----------------------------------------------------------------------------------------------------------- scopes */

#define ROW struct stint_stat
static const struct stint_member s_stats[] = {
    NAMED(NEEDED, SET, set),
    NEEDED(TEXT, name),
    OPTIONAL(TEXT, file),
    OPTIONAL(U32, line),
    OPTIONAL(TEXT, function),
    SUM(SWITCH, by_thread),
    COUNTS,
    DISTRIBUTION,
    OPTIONAL(USE, gpu),
    OPTIONAL(USE, gpu_self),
    SPREAD("spread", numbers.spread),
    SPREAD("gpu_spread", gpu_spread),
    MADE("threads", PARTS, STINT_ROWS_THREAD_STATS, 0),
};
#undef ROW

#define ROW struct stint_thread_stat
static const struct stint_member s_thread_stats[] = {INDEX(NEEDED, THREADS, thread), COUNTS};
#undef ROW

#define ROW struct stint_context
static const struct stint_member s_contexts[] = {
    INDEX(NEEDED, STATS, stat),
    INDEX(NEEDED, CONTEXTS, parent),
    OPTIONAL(U32, depth),
    COUNTS,
    BINS,
    OPTIONAL(USE, gpu),
    OPTIONAL(USE, gpu_self),
    SPREAD("spread", numbers.spread),
};
#undef ROW

/* --------------------------------------------------------------------------------------------------------- barriers */

#define ROW struct stint_barrier_stat
static const struct stint_member s_barriers[] = {
    NAMED(NEEDED, SET, set),
    NEEDED(TEXT, name),
    WORD(NEEDED, BARRIER, kind),
    NEEDED(U32, participants),
    SUM(U32, pending),
    SUM(U64, rounds),
    OBJECT("total", BARRIER_TOTAL, total),
    ROWS("slowest", SLOWEST, slowest),
};
#undef ROW

#define ROW struct stint_barrier_part
#define GAPS                                                                                                           \
    OPTIONAL(U64, rounds), OPTIONAL(U64, gap_ns), OPTIONAL(U64, min_gap_ns), OPTIONAL(U64, max_gap_ns),                \
        OPTIONAL(U64, second_gap_ns), OPTIONAL(U64, last_two_gap_ns), OPTIONAL(U64, middle_gap_ns)
static const struct stint_member s_barrier_total[] = {GAPS};
static const struct stint_member s_slowest[] = {NEEDED(U32, participant), GAPS};
#undef ROW

/* ------------------------------------------------------------------------------------------------------------- GPUs */

#define ROW struct stint_gpu_info
static const struct stint_member s_gpu[] = {
    MERGE(COUNT, SWITCH, collected),
    MERGED(FIRST, "status", WORD, STINT_WORDS_STATUS, OPTIONAL, status),
    MERGE(FIRST, TEXT, reason),
    MERGE(OR, U32, what),
    MERGE(FIRST, U32, cupti_version),
    MERGE(MAX, NUMBER, clock_error_ns),
    SUM(U64, early),
    SUM_IF_SET(U64, reading_ns),
    MERGED(MAX, "cupti_kernel_ns", NUMBER, 0, IF_SET, cupti_kernel_ns),
    MERGED(MAX, "cupti_call_ns", NUMBER, 0, IF_SET, cupti_call_ns),
};
#undef ROW

#define ROW struct stint_gpu_device
static const struct stint_member s_gpu_devices[] = {
    NEEDED(U32, id),
    MERGE(FILL, TEXT, name),
    MERGE(FILL, U32, compute_major),
    MERGE(FILL, U32, compute_minor),
    MERGE(FILL, U32, multiprocessors),
    MERGE(FILL, U32, core_clock_khz),
    MERGE(FILL, U64, memory_bytes),
    MERGE(FILL, U64, memory_bytes_per_s),
    MERGE(FILL, U64, link_bytes_per_s),
};
#undef ROW

#define ROW struct stint_gpu_memory
static const struct stint_member s_gpu_memory[] = {
    NEEDED(U32, device), WORD(NEEDED, GPU_MEMORY, kind), OPTIONAL(SWITCH, pool), SUM(U64, allocations),
    SUM(U64, frees),     SUM(U64, current_bytes),        SUM(U64, peak_bytes),
};
#undef ROW

#define ROW struct stint_gpu_activity
static const struct stint_member s_gpu_activities[] = {
    WORD(NEEDED, GPU_KIND, kind),
    NAMED(NEEDED, POOL, name),
    NAMED(OPTIONAL, POOL, mangled),
    OPTIONAL(U32, device),
    OPTIONAL(U32, context),
    OPTIONAL(U32, stream),
    COUNTS,
    DISTRIBUTION,
    SUM(U64, bytes),
    MERGE(MIN, U64, min_bytes),
    MERGE(MAX, U64, max_bytes),
    SUM(NUMBER, square_bytes2),
    SPREAD("spread", numbers.spread),
};
#undef ROW

#define ROW struct stint_gpu_charge
static const struct stint_member s_gpu_charges[] = {
    INDEX(NEEDED, GPU_ACTIVITIES, activity),
    NEEDED(CONTEXT, context),
    MERGE(COUNT, U64, count),
    SUM(U64, total_ns),
    MERGE(MIN, U64, min_ns),
    MERGE(MAX, U64, max_ns),
    SUM(U64, bytes),
};
#undef ROW

#define ROW struct stint_gpu_instance
static const struct stint_member s_gpu_instances[] = {
    NEEDED(CONTEXT, context),
    INDEX(OPTIONAL, GPU_INSTANCES, parent),
};
#undef ROW

/* There are many events, so members that an event does not have are left out. */
#define ROW struct stint_gpu_event
static const struct stint_member s_gpu_events[] = {
    {"kind", STINT_MEMBER_EVENT, 0, STINT_MEMBER_NEEDED, STINT_MERGE_KEEP, 0},
    NAMED(NEEDED, POOL, name),
    OPTIONAL(U64, start_ns),
    OPTIONAL(U64, end_ns),
    OPTIONAL(U64, correlation),
    OPTIONAL(CONTEXT, context),
    INDEX(IF_INSTANCE, GPU_INSTANCES, instance),
    IF(SET, I64, pid),
    IF(SET, I64, tid),
    IF(ON_DEVICE, U32, device),
    IF(ON_DEVICE, U32, device_context),
    IF(ON_DEVICE, U32, stream),
    IF(KERNEL, DIMENSIONS, grid),
    IF(KERNEL, DIMENSIONS, block),
    IF(KERNEL, U32, registers),
    IF(KERNEL, U32, static_shared),
    IF(KERNEL, U32, dynamic_shared),
    IF(SET, U64, bytes),
    IF(SET, U64, address),
    WORD(IF_SET, GPU_MEMORY, source),
    WORD(IF_SET, GPU_MEMORY, destination),
    IF(GRAPH, U32, graph),
    IF(GRAPH, U64, graph_node),
    IF(SET, U64, captured),
    IF(PEER, U32, peer_device),
    IF(PEER, U32, peer_context),
};
#undef ROW

#define ROW struct stint_gpu_use
static const struct stint_member s_gpu_use[] = {
    OPTIONAL(U64, kernels),    OPTIONAL(U64, kernel_ns), OPTIONAL(U64, copies),   OPTIONAL(U64, copy_ns),
    OPTIONAL(U64, copy_bytes), OPTIONAL(U64, sets),      OPTIONAL(U64, set_ns),   OPTIONAL(U64, set_bytes),
    OPTIONAL(U64, spans),      OPTIONAL(U64, span_ns),   OPTIONAL(U64, launches), OPTIONAL(U64, launch_ns),
};
#undef ROW

#define ROW struct stint_spread
static const struct stint_member s_spread[] = {
    NEEDED(U32, ranks),           OPTIONAL(U32, min_rank),
    OPTIONAL(U32, max_rank),      OPTIONAL(U32, busy_rank),
    OPTIONAL(U64, min_ns),        OPTIONAL(U64, max_ns),
    OPTIONAL(U64, square_low),    IF(SET, U64, square_high),
    OPTIONAL(U64, idle_ns),       OPTIONAL(U64, busy_ns),
    OPTIONAL(TEXT, busy_host),    IF(SET, U64, lost_ns),
    IF(SET, U64, slow_lost_ns),   IF(SET, U64, slow_since_unix_ns),
    IF(SET, U64, slow_before_ns), IF(SET, U64, slow_after_ns),
    IF(SET, U32, slow_rank),      OPTIONAL(TEXT, slow_host),
    IF(SET, U64, shortest_ns),
};
#undef ROW

/* ------------------------------------------------------------------------------------------------------------- NVTX */

#define ROW struct stint_nvtx_info
static const struct stint_member s_nvtx[] = {
    SUM(U64, images),
    SUM(U64, open),
    SUM(U64, rest),
    SUM(U64, missing),
    SUM(U64, refused),
    SUM(U64, outlived),
    OPTIONAL(TEXT, outlived_set),
    OPTIONAL(TEXT, outlived_name),
};
#undef ROW

#define ROW struct stint_nvtx_value
static const struct stint_member s_nvtx_values[] = {
    NAMED(NEEDED, SET, set),
    NEEDED(TEXT, name),
    OPTIONAL(TEXT, field),
    MERGED(COUNT, "count", U64, 0, NEEDED, count),
    MERGED(SUM, "sum", EXACT, 0, NEEDED, sum),
    MERGED(MIN, "min", EXACT, 0, NEEDED, min),
    MERGED(MAX, "max", EXACT, 0, NEEDED, max),
};
#undef ROW

#define ROW struct stint_nvtx_name
static const struct stint_member s_nvtx_names[] = {
    OPTIONAL(I64, pid),
    WORD(NEEDED, NVTX_NAMED, what),
    OPTIONAL(TEXT, domain),
    NEEDED(U64, handle),
    MERGED(MIN, "name", TEXT, 0, NEEDED, name),
};
#undef ROW

/* ---------------------------------------------------------------------------------------------------------- samples */

#define ROW struct stint_sample_info
static const struct stint_member s_sampling[] = {
    MERGED(COUNT, "sampled", SWITCH, 0, NEEDED, sampled),
    MERGE(FIRST, SWITCH, wall),
    MERGE(FIRST, U32, hz),
    SUM(U64, samples),
    SUM(U64, time_ns),
    SUM(U64, cpu_ns),
    SUM(U64, leaves),
    SUM(U64, cut),
    SUM(U64, deep),
    SUM(U64, crowded),
    SUM(U64, unsampled),
};
#undef ROW

#define ROW struct stint_sample_module
static const struct stint_member s_sample_modules[] = {
    OPTIONAL(I64, pid), NEEDED(TEXT, path), OPTIONAL(TEXT, build_id),
    NEEDED(U64, begin), NEEDED(U64, end),   OPTIONAL(U64, bias),
};
#undef ROW

#define ROW struct stint_sample_frame
static const struct stint_member s_sample_frames[] = {INDEX(NEEDED, SAMPLE_MODULES, module), NEEDED(U64, address)};
#undef ROW

#define ROW struct stint_sample_stack
static const struct stint_member s_sample_stacks[] = {
    INDEX(NEEDED, SAMPLE_STACKS, parent),
    INDEX(NEEDED, SAMPLE_FRAMES, frame),
};
#undef ROW

#define ROW struct stint_sample_thread
static const struct stint_member s_sample_threads[] = {
    OPTIONAL(I64, pid),
    OPTIONAL(I64, tid),
    OPTIONAL(NAME, name),
    OPTIONAL(SWITCH, exited),
};
#undef ROW

#define ROW struct stint_sample_count
static const struct stint_member s_sample_counts[] = {
    INDEX(NEEDED, SAMPLE_THREADS, thread),           NEEDED(CONTEXT, context),
    INDEX(OPTIONAL, SAMPLE_STACKS, stack),           MERGED(SUM, "samples", U64, 0, NEEDED, samples),
    MERGED(SUM, "time_ns", U64, 0, NEEDED, time_ns),
};
#undef ROW

/* ------------------------------------------------------------------------------------------------------------ whole */

/* In the order in which they are written. Rows only refer to rows of earlier lists. */
#define ROW struct stint_snapshot
static const struct stint_member s_snapshot[] = {
    {"format", STINT_MEMBER_FORMAT, 0, STINT_MEMBER_NEEDED, STINT_MERGE_KEEP, 0},
    {"version", STINT_MEMBER_VERSION, 0, STINT_MEMBER_NEEDED, STINT_MERGE_KEEP, 0},
    OBJECT("process", PROCESS, process),
    OBJECT("clock", CLOCK, process),
    MADE("measured", MEASURED, 0, 0),
    OBJECT("overhead", OVERHEAD, process),
    OBJECT("dropped", DROPPED, dropped),
    MADE("sets", TEXTS, 0, AT(sets)),
    ROWS("threads", THREADS, threads),
    ROWS("stats", STATS, stats),
    ROWS("contexts", CONTEXTS, contexts),
    ROWS("barriers", BARRIERS, barriers),
    OBJECT("gpu", GPU, gpu),
    ROWS("gpu_devices", GPU_DEVICES, gpu_devices),
    ROWS("gpu_memory", GPU_MEMORY, gpu_memory),
    ROWS("gpu_activities", GPU_ACTIVITIES, gpu_activities),
    ROWS("gpu_charges", GPU_CHARGES, gpu_charges),
    ROWS("gpu_instances", GPU_INSTANCES, gpu_instances),
    ROWS("gpu_events", GPU_EVENTS, gpu_events),
    OBJECT("nvtx", NVTX, nvtx),
    ROWS("nvtx_values", NVTX_VALUES, nvtx_values),
    ROWS("nvtx_names", NVTX_NAMES, nvtx_names),
    ROWS("processes", PROCESSES, processes),
    SAMPLES("sampling", OBJECT, SAMPLING, sampling),
    SAMPLES("sample_modules", ROWS, SAMPLE_MODULES, sample_modules),
    SAMPLES("sample_frames", ROWS, SAMPLE_FRAMES, sample_frames),
    SAMPLES("sample_stacks", ROWS, SAMPLE_STACKS, sample_stacks),
    SAMPLES("sample_threads", ROWS, SAMPLE_THREADS, sample_threads),
    SAMPLES("sample_counts", ROWS, SAMPLE_COUNTS, sample_counts),
};
#undef ROW

#define TABLE(row, table) .members = table, .count = sizeof(table) / sizeof *(table), .size = sizeof(row)
#define PART(rows, row, table) [STINT_ROWS_##rows] = {TABLE(row, table)}
#define WHOLE(rows, row, table, object, ...)                                                                           \
    [STINT_ROWS_##rows] = {TABLE(row, table), .at = offsetof(struct stint_snapshot, object), __VA_ARGS__}
#define LIST(rows, row, list, ...) WHOLE(rows, row, s_##list, list, .is_list = 1, __VA_ARGS__)
#define NUMBERS(row) .numbers = offsetof(row, numbers)

const struct stint_row_table stint_row_tables[STINT_ROW_KINDS] = {
    PART(SNAPSHOT, struct stint_snapshot, s_snapshot),
    WHOLE(PROCESS, struct stint_process, s_process, process, .keys = 0),
    WHOLE(CLOCK, struct stint_process, s_clock, process, .keys = 0),
    WHOLE(OVERHEAD, struct stint_process, s_overhead, process, .keys = 0),
    WHOLE(DROPPED, struct stint_dropped, s_dropped, dropped, .keys = 0),
    LIST(THREADS, struct stint_thread, threads, .keys = 0, .order = stint_order_threads),
    LIST(STATS, struct stint_stat, stats, .keys = 2, NUMBERS(struct stint_stat), .merge = stint_merge_site,
         .order = stint_order_stats),
    LIST(THREAD_STATS, struct stint_thread_stat, thread_stats, .keys = 0, .order = stint_order_thread_stats),
    LIST(CONTEXTS, struct stint_context, contexts, .keys = 2, NUMBERS(struct stint_context),
         .order = stint_order_contexts),
    LIST(BARRIERS, struct stint_barrier_stat, barriers, .keys = 4, .merge = stint_merge_barrier,
         .order = stint_order_barriers),
    PART(BARRIER_TOTAL, struct stint_barrier_part, s_barrier_total),
    PART(SLOWEST, struct stint_barrier_part, s_slowest),
    WHOLE(GPU, struct stint_gpu_info, s_gpu, gpu, .keys = 0),
    LIST(GPU_DEVICES, struct stint_gpu_device, gpu_devices, .keys = 1, .merge = stint_merge_device,
         .order = stint_order_by_keys),
    LIST(GPU_MEMORY, struct stint_gpu_memory, gpu_memory, .keys = 3, .order = stint_order_by_keys),
    LIST(GPU_ACTIVITIES, struct stint_gpu_activity, gpu_activities, .keys = 6, NUMBERS(struct stint_gpu_activity),
         .order = stint_order_activities),
    LIST(GPU_CHARGES, struct stint_gpu_charge, gpu_charges, .keys = 2, .order = stint_order_by_keys),
    LIST(GPU_INSTANCES, struct stint_gpu_instance, gpu_instances, .keys = 0),
    LIST(GPU_EVENTS, struct stint_gpu_event, gpu_events, .keys = 0, .order = stint_order_events),
    PART(GPU_USE, struct stint_gpu_use, s_gpu_use),
    PART(SPREAD, struct stint_spread, s_spread),
    WHOLE(NVTX, struct stint_nvtx_info, s_nvtx, nvtx, .keys = 0, .merge = stint_merge_outlived),
    LIST(NVTX_VALUES, struct stint_nvtx_value, nvtx_values, .keys = 3, .order = stint_order_by_keys),
    LIST(NVTX_NAMES, struct stint_nvtx_name, nvtx_names, .keys = 4, .order = stint_order_by_keys),
    LIST(PROCESSES, struct stint_merged_process, processes, .keys = 0, .order = stint_order_processes),
    WHOLE(SAMPLING, struct stint_sample_info, s_sampling, sampling, .keys = 0),
    LIST(SAMPLE_MODULES, struct stint_sample_module, sample_modules, .keys = 3),
    LIST(SAMPLE_FRAMES, struct stint_sample_frame, sample_frames, .keys = 2),
    LIST(SAMPLE_STACKS, struct stint_sample_stack, sample_stacks, .keys = 2),
    LIST(SAMPLE_THREADS, struct stint_sample_thread, sample_threads, .keys = 4),
    LIST(SAMPLE_COUNTS, struct stint_sample_count, sample_counts, .keys = 3),
};

int stint_member_is_among(const struct stint_member *member, const char *keys)
{
    size_t length = strlen(member->key);
    for (const char *at = keys; (at = strstr(at, member->key)); at += length)
        if (at > keys && at[-1] == ' ' && at[length] == ' ')
            return 1;
    return 0;
}
