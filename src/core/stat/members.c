/* The tables of rows' members: their keys in reports, and how they are merged. Those of what every program has. */
#include "stat/members.h"

#include <string.h>

#include "stat/member_macros.h"

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
    IF(SET, NUMBER, budget),
    IF(SET, NUMBER, thinned_ns),
    IF(SET, NUMBER, thinned_hooks_ns),
    MADE("total_ns", OVERHEAD, 0, 0),
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
    DERIVED("gpu", GPU_USE, gpu),
    DERIVED("gpu_self", GPU_USE, gpu_self),
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
    DERIVED("gpu", GPU_USE, gpu),
    DERIVED("gpu_self", GPU_USE, gpu_self),
    SPREAD("spread", numbers.spread),
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

#define WEAK(kind, table) extern const struct stint_row_table stint_rows_##table __attribute__((weak));
STINT_ROW_LIST(WEAK)

const struct stint_row_table stint_rows_snapshot = {TABLE(struct stint_snapshot, s_snapshot)};
const struct stint_row_table stint_rows_process = {WHOLE(struct stint_process, s_process, process)};
const struct stint_row_table stint_rows_clock = {WHOLE(struct stint_process, s_clock, process)};
const struct stint_row_table stint_rows_overhead = {WHOLE(struct stint_process, s_overhead, process)};
const struct stint_row_table stint_rows_dropped = {WHOLE(struct stint_dropped, s_dropped, dropped)};
const struct stint_row_table stint_rows_threads = {LIST(struct stint_thread, threads), .order = stint_order_threads};
const struct stint_row_table stint_rows_stats = {LIST(struct stint_stat, stats), .keys = 2, NUMBERS(struct stint_stat),
                                                 .merge = stint_merge_site, .order = stint_order_stats};
const struct stint_row_table stint_rows_thread_stats = {LIST(struct stint_thread_stat, thread_stats),
                                                        .order = stint_order_thread_stats};
const struct stint_row_table stint_rows_contexts = {LIST(struct stint_context, contexts), .keys = 2,
                                                    NUMBERS(struct stint_context), .order = stint_order_contexts};

#define ADDRESS(kind, table) [STINT_ROWS_##kind] = &stint_rows_##table,
const struct stint_row_table *const stint_row_tables[STINT_ROW_KINDS] = {STINT_ROW_LIST(ADDRESS)};

/* ---------------------------------------------------------------------------------------------------------- values */

static const struct stint_value s_none = {.kind = STINT_VALUE_NONE};

static struct stint_value number(uint64_t value)
{
    return (struct stint_value){.kind = STINT_VALUE_UNSIGNED, .number = value};
}

static struct stint_value text(const char *value)
{
    return (struct stint_value){.kind = STINT_VALUE_TEXT, .text = value ? value : ""};
}

static struct stint_value place_of_context(size_t context)
{
    return context == STINT_GPU_NO_SCOPE       ? text(STINT_WORD_NO_SCOPE)
           : context == STINT_GPU_UNATTRIBUTED ? text(STINT_WORD_UNATTRIBUTED)
                                               : number(context);
}

/* What needs a histogram, without which there is none. */
static struct stint_value distribution(const struct stint_numbers *numbers, enum stint_member_type type)
{
    static const double percentiles[] = {0.50, 0.90, 0.99};
    if (!numbers->bin_count)
        return s_none;
    if (type == STINT_MEMBER_STDDEV)
        return (struct stint_value){.kind = STINT_VALUE_REAL, .real = stint_numbers_stddev_ns(numbers)};
    return number(stint_numbers_percentile_ns(numbers, percentiles[type - STINT_MEMBER_P50]));
}

struct stint_value stint_member_value(const struct stint_row_table *table, const struct stint_member *member,
                                      const void *row)
{
    const void *at = (const char *)row + member->at;
    switch (member->type) {
    case STINT_MEMBER_U32:
        return number(*(const uint32_t *)at);
    case STINT_MEMBER_U64:
        return number(*(const uint64_t *)at);
    case STINT_MEMBER_I64:
        return (struct stint_value){.kind = STINT_VALUE_SIGNED, .integer = *(const int64_t *)at};
    case STINT_MEMBER_NUMBER:
    case STINT_MEMBER_SQUARES:
    case STINT_MEMBER_EXACT:
        return (struct stint_value){.kind = STINT_VALUE_REAL, .real = *(const double *)at};
    case STINT_MEMBER_SWITCH:
        return (struct stint_value){.kind = STINT_VALUE_SWITCH, .number = *(const int *)at != 0};
    case STINT_MEMBER_TEXT:
        return text(*(const char *const *)at);
    case STINT_MEMBER_NAME:
        return text(at);
    case STINT_MEMBER_WORD:
        return text(stint_word((enum stint_words)member->of, *(const uint32_t *)at));
    case STINT_MEMBER_KIND:
        return text(stint_word((enum stint_words)member->of, table->word(row)));
    case STINT_MEMBER_INDEX:
        return *(const size_t *)at == SIZE_MAX ? s_none : number(*(const size_t *)at);
    case STINT_MEMBER_CONTEXT:
        return place_of_context(*(const size_t *)at);
    case STINT_MEMBER_AVG:
        return number(stint_numbers_avg_ns(at));
    case STINT_MEMBER_P50:
    case STINT_MEMBER_P90:
    case STINT_MEMBER_P99:
    case STINT_MEMBER_STDDEV:
        return distribution(at, (enum stint_member_type)member->type);
    default:
        return (struct stint_value){.kind = STINT_VALUE_SEVERAL};
    }
}

#define COMPARE(type, a, b) ((*(const type *)(a) > *(const type *)(b)) - (*(const type *)(a) < *(const type *)(b)))

int stint_member_compare(const struct stint_member *member, const void *a, const void *b)
{
    if (stint_member_is_short(member))
        return COMPARE(uint32_t, a, b);
    if (member->type == STINT_MEMBER_TEXT)
        return stint_member_text(a) == stint_member_text(b) ? 0 : strcmp(stint_member_text(a), stint_member_text(b));
    if (member->type == STINT_MEMBER_NAME)
        return strcmp(a, b);
    if (member->type == STINT_MEMBER_I64)
        return COMPARE(int64_t, a, b);
    return stint_member_is_real(member) ? COMPARE(double, a, b) : COMPARE(uint64_t, a, b);
}

int stint_member_is_empty(const struct stint_member *member, const void *at)
{
    if (member->type == STINT_MEMBER_TEXT)
        return !*stint_member_text(at);
    return stint_member_is_short(member) ? !*(const uint32_t *)at : !*(const uint64_t *)at;
}

int stint_member_is_among(const struct stint_member *member, const char *keys)
{
    size_t length = strlen(member->key);
    for (const char *at = keys; (at = strstr(at, member->key)); at += length)
        if (at > keys && at[-1] == ' ' && at[length] == ' ')
            return 1;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ words */

#define WEAK_WORDS(words) extern const struct stint_word_list stint_word_list_##words __attribute__((weak))
WEAK_WORDS(barrier);
WEAK_WORDS(gpu_kind);
WEAK_WORDS(event);
WEAK_WORDS(gpu_memory);
WEAK_WORDS(nvtx_named);

static const struct stint_word_list *const s_lists[] = {
    [STINT_WORDS_BARRIER] = &stint_word_list_barrier,       [STINT_WORDS_GPU_KIND] = &stint_word_list_gpu_kind,
    [STINT_WORDS_EVENT] = &stint_word_list_event,           [STINT_WORDS_GPU_MEMORY] = &stint_word_list_gpu_memory,
    [STINT_WORDS_NVTX_NAMED] = &stint_word_list_nvtx_named,
};

const char *stint_word(enum stint_words words, unsigned value)
{
    const struct stint_word_list *list = s_lists[words];
    if (words == STINT_WORDS_STATUS)
        return stint_status_name((enum stint_status)value);
    return list && value < list->count ? list->words + value * list->size : "";
}
