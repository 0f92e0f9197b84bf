/* Puts stint's functions where NVTX calls them, in each image of NVTX that a process has, and adds at the end what they
 * have gathered to a snapshot. */
#include "nvtx/handler.h"

#include <stddef.h>
#include <string.h>

#include "base/log.h"
#include "base/process.h"
#include "base/text.h"
#include "nvtx/payload.h"
#include "nvtx/range.h"
#include "nvtx/string.h"
#include "record/collect.h"
#include "record/part.h"
#include "record/scope.h"
#include "runtime/runtime.h"
#include "stat/builder.h"
#include "stat/members.h"

/* ------------------------------------------------------------------------------------------------------------ start */

static int make_room(void)
{
    return stint_nvtx_strings_start() || stint_nvtx_spans_start() || stint_nvtx_values_start() ||
                   stint_nvtx_names_start() || stint_nvtx_schemas_start() || stint_nvtx_counters_start()
               ? -1
               : 0;
}

/* The child reports its own numbers. It inherits open ranges and names. */
static void after_fork_in_child(void)
{
    stint_nvtx_window_after_fork();
    stint_nvtx_counts =
        (struct stint_nvtx_info){.images = stint_nvtx_counts.images, .refused = stint_nvtx_counts.refused};
}

static int s_started;

/* The first thread makes room; other threads wait. Returns 1, or 0 if there is no memory; then the next call tries
 * again. */
static int start(void)
{
    int error;
    if (!stint_entries || !stint_nvtx_begin(&error))
        return 0;
    stint_registry_lock();
    if (!s_started)
        __atomic_store_n(&s_started, !make_room(), __ATOMIC_RELEASE);
    stint_registry_unlock();
    stint_nvtx_end(error);
    STINT_I_STORE(&stint_parts_have_rows, 1);
    return s_started;
}

/* The statistic has no samples but those of the measurement, so no report shows it. */
static void push_and_pop(unsigned repeats, stint_i_work_fn *work)
{
    uint64_t value = 3;
    for (unsigned i = 0; i < repeats; i++) {
        stint_nvtx_call_push_text("measured by stint");
        value = stint_i_work(work, value);
        stint_nvtx_call_pop();
    }
    __asm__ volatile("" : : "r"(value));
}

/* ----------------------------------------------------------------------------------------------------------- attach */

#define CALL(module, callback, number, name, function, ...)                                                            \
    case (number):                                                                                                     \
        return (stint_nvtx_any_fn *)stint_nvtx_call_##function;
#define CALLS(module, ENTRIES)                                                                                         \
    stint_nvtx_any_fn *stint_nvtx_##module##_calls(unsigned callback)                                                  \
    {                                                                                                                  \
        switch (callback) {                                                                                            \
            ENTRIES(CALL)                                                                                              \
        }                                                                                                              \
        return NULL;                                                                                                   \
    }
#define FITS(module, callback, number, ...)                                                                            \
    _Static_assert((number) < STINT_NVTX_CALLBACKS, "nobody would look for the function");

STINT_NVTX_ENTRIES(FITS)
CALLS(core, STINT_NVTX_CORE_ENTRIES)
CALLS(core2, STINT_NVTX_CORE2_ENTRIES)
CALLS(cuda, STINT_NVTX_CUDA_ENTRIES)
CALLS(cudart, STINT_NVTX_CUDART_ENTRIES)
CALLS(payload, STINT_NVTX_PAYLOAD_ENTRIES)
CALLS(counter, STINT_NVTX_COUNTER_ENTRIES)

/* Sets those callbacks that the caller's version of NVTX has. */
static void set_module(const struct stint_nvtx_callbacks *callbacks, int module, stint_nvtx_calls_fn *calls)
{
    stint_nvtx_any_fn ***table = NULL;
    unsigned count = 0;
    if (!callbacks->module(module, &table, &count) || !table)
        return;
    for (unsigned i = 0; i < count && i < STINT_NVTX_CALLBACKS; i++)
        if (calls(i) && table[i])
            *table[i] = calls(i);
}

static void tell_version(stint_nvtx_get_table_fn *get_table)
{
    const struct stint_nvtx_version_info *info = get_table(STINT_NVTX_TABLE_VERSION);
    if (info && info->size >= sizeof *info && info->set_version)
        info->set_version(STINT_NVTX_VERSION);
}

int stint_nvtx_attach(stint_nvtx_get_table_fn *get_table)
{
    const struct stint_nvtx_callbacks *callbacks = get_table ? get_table(STINT_NVTX_TABLE_CALLBACKS) : NULL;
    if (!callbacks || callbacks->size < sizeof *callbacks || !start())
        return 0;
    tell_version(get_table);
    set_module(callbacks, STINT_NVTX_CORE, stint_nvtx_core_calls);
    set_module(callbacks, STINT_NVTX_CORE2, stint_nvtx_core2_calls);
    if (stint_nvtx_window_is_set()) {
        set_module(callbacks, STINT_NVTX_CORE, stint_nvtx_window_core_calls);
        set_module(callbacks, STINT_NVTX_CORE2, stint_nvtx_window_core2_calls);
    }
    set_module(callbacks, STINT_NVTX_CUDA, stint_nvtx_cuda_calls);
    set_module(callbacks, STINT_NVTX_CUDART, stint_nvtx_cudart_calls);
    stint_measure_with(STINT_COST_RANGE, push_and_pop);
    stint_nvtx_count(&stint_nvtx_counts.images, 1);
    return 1;
}

/* While 0x0103 was being developed, the numbers after DOMAIN_IS_ENABLED had other meanings, except that of
 * SCOPE_REGISTER. */
static int has_function(const struct stint_nvtx_module *module, unsigned callback)
{
    return module->id != STINT_NVTX_PAYLOAD_MODULE || module->compatibility >= STINT_NVTX_PAYLOAD_COMPATIBILITY ||
           callback <= STINT_NVTX_DOMAIN_IS_ENABLED || callback == STINT_NVTX_SCOPE_REGISTER;
}

static void set_extension(const struct stint_nvtx_module *module, stint_nvtx_calls_fn *calls)
{
    const struct stint_nvtx_segment *segment = module->segment_count ? module->segments : NULL;
    for (unsigned i = 0; segment && i < segment->slot_count && i < STINT_NVTX_CALLBACKS; i++)
        if (calls(i) && has_function(module, i))
            segment->slots[i] = (intptr_t)calls(i);
}

/* Later versions with the same upper half only add to the interface. */
static int is_compatible(unsigned theirs, unsigned first)
{
    return theirs >> 8 == first >> 8 && theirs >= first;
}

int stint_nvtx_attach_extension(struct stint_nvtx_module *module)
{
    if (!module || module->size < sizeof *module || !start())
        return 0;
    if (module->id == STINT_NVTX_PAYLOAD_MODULE &&
        is_compatible(module->compatibility, STINT_NVTX_PAYLOAD_FIRST_COMPATIBILITY)) {
        set_extension(module, stint_nvtx_payload_calls);
        if (stint_nvtx_window_is_set())
            set_extension(module, stint_nvtx_window_payload_calls);
    } else if (module->id == STINT_NVTX_COUNTER_MODULE &&
               is_compatible(module->compatibility, STINT_NVTX_COUNTER_COMPATIBILITY)) {
        set_extension(module, stint_nvtx_counter_calls);
    } else {
        stint_nvtx_count(&stint_nvtx_counts.refused, 1);
    }
    return 1;
}

/* ---------------------------------------------------------------------------------------------------------- collect */

/* Copies as many whole characters as fit. */
static void copy_name(char *out, size_t size, const char *name)
{
    size_t length = stint_utf8_cut(name, size - 1);
    memcpy(out, name, length);
    out[length] = '\0';
}

static void add_values(struct stint_builder *builder)
{
    struct stint_nvtx_value row;
    int found;
    for (size_t i = 0; (found = stint_nvtx_value_at(i, &row)) >= 0; i++)
        if (found)
            stint_builder_add(builder, STINT_ROWS_NVTX_VALUES, &row);
}

static void add_names(struct stint_builder *builder)
{
    struct stint_nvtx_name row;
    int found;
    for (size_t i = 0; (found = stint_nvtx_name_at(i, &row)) >= 0; i++)
        if (found)
            stint_builder_add(builder, STINT_ROWS_NVTX_NAMES, &row);
}

/* Counts the threads that are in a range that outlived the range around it, and names one of these ranges. */
static void add_outlived(struct stint_nvtx_info *info)
{
    for (const struct stint_thread_record *record = stint_thread_first(); record; record = record->next) {
        const struct stint_nvtx_ranges *ranges = __atomic_load_n(&record->extension, __ATOMIC_ACQUIRE);
        if (!ranges || !stint_nvtx_has_outlived(ranges))
            continue;
        const struct stint_entry *entry = stint_registry_entry(STINT_I_LOAD(&ranges->outlived)->id);
        info->outlived++;
        info->outlived_set = entry->set->name;
        info->outlived_name = entry->name;
    }
}

/* If there is such a program: adds the values of events, names, and info to the snapshot, and gives its
 * threads the names that the program gave them. */
static void collect(struct stint_builder *builder, int emergency)
{
    struct stint_nvtx_info info = stint_nvtx_info();
    struct stint_thread *threads = builder->rows[STINT_ROWS_THREADS].items;
    (void)emergency;
    if (!__atomic_load_n(&s_started, __ATOMIC_ACQUIRE))
        return;
    add_outlived(&info);
    stint_builder_add(builder, STINT_ROWS_NVTX, &info);
    add_values(builder);
    add_names(builder);
    for (size_t i = 0; i < builder->rows[STINT_ROWS_THREADS].count; i++) {
        const char *name = stint_nvtx_name_of(STINT_NVTX_THREAD, &stint_nvtx_domains[0], (uint64_t)threads[i].tid);
        if (name && *name && !threads[i].exited)
            copy_name(threads[i].name, sizeof threads[i].name, name);
    }
}

struct stint_nvtx_info stint_nvtx_info(void)
{
    struct stint_nvtx_info info;
    const uint64_t *from = (const uint64_t *)(const void *)&stint_nvtx_counts;
    uint64_t *to = (uint64_t *)(void *)&info;
    for (size_t i = 0; i < sizeof info / sizeof *to; i++)
        to[i] = STINT_I_LOAD(&from[i]);
    info.open = stint_nvtx_spans_open();
    return info;
}

/* ------------------------------------------------------------------------------------------------------------- part */

static int attach(const void *argument)
{
    const struct stint_nvtx_offer *offer = argument;
    if (stint_runtime_start())
        return 0;
    return offer->get_table ? stint_nvtx_attach(offer->get_table) : stint_nvtx_attach_extension(offer->module);
}

static void run(int in_child)
{
    (void)in_child;
    stint_nvtx_op_start();
}

STINT_HAS_ROWS(nvtx_values);
STINT_PART(nvtx) = {
    .name = "nvtx",
    .at[STINT_AT_START] = stint_ranges_start,
    .run = run,
    .at[STINT_IN_CHILD] = after_fork_in_child,
    .collect = collect,
    .attach = attach,
};

/* Reads STINT_NVTX at the start, and joins scopes to the tool that it asks for. */

void stint_ranges_start(void)
{
    enum { AUTO, ON, OFF };
    static const struct stint_listener listener = {stint_nvtx_push, stint_nvtx_pop};
    size_t choice = stint_env_choice("STINT_NVTX", "auto|on|off", AUTO);

    if (choice == OFF)
        return;
    enum stint_nvtx nvtx = stint_nvtx_start(choice == ON);
    if (choice == ON && nvtx == STINT_NVTX_NO_MEMORY)
        STINT_LOG(STINT_LOG_WARNING, "STINT_NVTX=on, but there is no memory: scopes are not passed on as ranges");
    else if (choice == ON || nvtx == STINT_NVTX_ATTACHED)
        stint_scope_listen(&listener);
}
