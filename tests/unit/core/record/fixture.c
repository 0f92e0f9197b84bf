#include "record/fixture.h"

#include <pthread.h>
#include <string.h>

#include "base/clock.h"
#include "captured_log.h"
#include "memory.h"
#include "record/collect.h"
#include "record/thread.h"
#include "stint_test.h"

/* ------------------------------------------------------------------------------------------------------------ clock */

static uint64_t s_now;
static uint64_t s_step;
static double s_ns_per_tick;

uint64_t __wrap_stint_clock_ticks(void);
uint64_t __wrap_stint_clock_now_ns(void);
uint64_t __wrap_stint_clock_wall_ns(void);
int __wrap_stint_clock_is_inline(void);
double __wrap_stint_clock_ns_per_tick(void);

uint64_t clock_now(void)
{
    return __atomic_add_fetch(&s_now, s_step, __ATOMIC_RELAXED);
}

void clock_advance(uint64_t ns)
{
    __atomic_add_fetch(&s_now, ns, __ATOMIC_RELAXED);
}

void clock_go_back(uint64_t ns)
{
    __atomic_sub_fetch(&s_now, ns, __ATOMIC_RELAXED);
}

void clock_set_step(uint64_t ns)
{
    s_step = ns;
}

void clock_set_ns_per_tick(double ns)
{
    s_ns_per_tick = ns;
}

uint64_t __wrap_stint_clock_ticks(void)
{
    return clock_now();
}

uint64_t __wrap_stint_clock_now_ns(void)
{
    return clock_now();
}

uint64_t __wrap_stint_clock_wall_ns(void)
{
    return clock_now();
}

int __wrap_stint_clock_is_inline(void)
{
    return 0;
}

double __wrap_stint_clock_ns_per_tick(void)
{
    return s_ns_per_tick;
}

/* ------------------------------------------------------------------------ what src/core/runtime is to the macros */

/* In tests that link src/core/runtime, its functions take the place of these, and find the library started. */
#define WITHOUT_RUNTIME __attribute__((weak))

enum stint_status __wrap_stint_runtime_start(void);

enum stint_status __wrap_stint_runtime_start(void)
{
    return STINT_OK;
}

WITHOUT_RUNTIME uint64_t stint_now_us(void)
{
    return clock_now() / 1000;
}

WITHOUT_RUNTIME struct stint_i_node *stint_i_enter_slow(struct stint_i_site *site, const char *name,
                                                        struct stint_statset *set)
{
    return stint_scope_enter(site, name, set, 0);
}

WITHOUT_RUNTIME struct stint_i_node *stint_i_enter_since(struct stint_i_site *site, const char *name,
                                                         struct stint_statset *set, uint64_t start_us)
{
    struct stint_i_node *node = stint_i_enter(site, name, set);
    stint_scope_move_start(node, start_us);
    return node;
}

WITHOUT_RUNTIME struct stint_i_node *stint_i_enter_dynamic(struct stint_i_site *site, const char *name,
                                                           struct stint_statset *set)
{
    return stint_scope_enter_dynamic(site, name, set, 0);
}

WITHOUT_RUNTIME struct stint_i_node *stint_i_enter_dynamic_since(struct stint_i_site *site, const char *name,
                                                                 struct stint_statset *set, uint64_t start_us)
{
    struct stint_i_node *node = stint_scope_enter_dynamic(site, name, set, 0);
    stint_scope_move_start(node, start_us);
    return node;
}

WITHOUT_RUNTIME uint64_t stint_i_leave_slow(struct stint_i_node *node, uint64_t now)
{
    return stint_scope_leave(node, now);
}

WITHOUT_RUNTIME void stint_i_check_name(const struct stint_i_site *site, const char *name)
{
    stint_scope_check_name(site, name);
}

WITHOUT_RUNTIME void stint_i_report_slow(const struct stint_i_slow_scope *scope, uint32_t id, uint64_t span)
{
    stint_scope_report_slow(scope, id, span);
}

/* Returns the id; 0 if it is unknown, or deleted and without samples since. Under the lock. */
static uint32_t find(struct stint_statset *set, const char *name)
{
    const struct stint_name key = stint_registry_name(set, name);
    const uint32_t id = stint_registry_find(&key);
    return id && stint_registry_entry(id)->deleted && !stint_collect_has_samples(id) ? 0 : id;
}

enum stint_status delete_statistic(struct stint_statset *set, const char *name)
{

    stint_registry_lock();
    uint32_t id = find(set, name);
    if (id) {
        stint_registry_entry(id)->deleted = 1;
        stint_registry_reset_id(id);
    }
    stint_registry_unlock();
    return id ? STINT_OK : STINT_ERROR_NOT_FOUND;
}

void reset_set(const struct stint_statset *set, enum stint_reset how)
{
    stint_registry_lock();
    stint_registry_reset(set, how);
    stint_registry_unlock();
}

/* ------------------------------------------------------------------------------------------------------------ setup */

static const struct stint_limits s_limits = {.nodes = 1 << 20, .names = FIXTURE_NAMES, .threads = 1000};

int fixture_start(void **state)
{
    stint_clock_start(STINT_CLOCK_MONOTONIC);
    return stint_registry_start(&s_limits) || stint_thread_start();
}

static void leave_all(void)
{
    const struct stint_thread_record *record = stint_thread_self();
    while (record && record->tree.hot.current->parent)
        stint_scope_leave(record->tree.hot.current, 0);
}

int fixture_reset(void **state)
{
    memory_recover();
    leave_all();
    s_now = 1000000000;
    s_step = 0;
    s_ns_per_tick = 1;
    stint_limits = s_limits;
    stint_registry_set_enabled(1);
    stint_tree_set_percentiles(1);
    reset_set(NULL, STINT_RESET_ALL);
    s_now += 1000000000;
    stint_dropped = (struct stint_dropped){0};
    captured_log_begin();
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- scopes */

struct stint_i_node *enter(const char *name)
{
    return stint_scope_enter_dynamic(NULL, name, NULL, 0);
}

void run(const char *name, uint64_t ns)
{
    struct stint_i_node *node = enter(name);
    clock_advance(ns);
    stint_i_leave(node);
}

void in_thread(void *(*function)(void *argument), void *argument)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, function, argument), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

/* -------------------------------------------------------------------------------------------------------- snapshots */

struct stint_snapshot *take(void)
{
    const struct stint_costs costs = {0};
    struct stint_snapshot *snapshot = NULL;
    assert_int_equal(stint_collect(&snapshot, &costs, 0), STINT_OK);
    assert_non_null(snapshot);
    return snapshot;
}

const struct stint_numbers *numbers_of(const struct stint_snapshot *snapshot, const char *name)
{
    const struct stint_stat *stat = stint_snapshot_find(snapshot, NULL, name);
    return stat ? &stat->numbers : NULL;
}

/* A copy that outlives its snapshot. */
static struct stint_numbers copy(const struct stint_numbers *numbers)
{
    struct stint_numbers result = {0};
    if (numbers)
        result = *numbers;
    result.bins = NULL;
    result.bin_count = 0;
    return result;
}

struct stint_numbers now_of(const char *name)
{
    struct stint_snapshot *snapshot = take();
    const struct stint_numbers numbers = copy(numbers_of(snapshot, name));
    stint_snapshot_free(snapshot);
    return numbers;
}

/* Returns whether the context is reached by the names between `path` and `end`. */
static int is_at(const struct stint_snapshot *snapshot, size_t context, const char *path, const char *end)
{
    while (context != STINT_NO_PARENT) {
        const char *name = snapshot->stats[snapshot->contexts[context].stat].name;
        const size_t length = strlen(name);
        if ((size_t)(end - path) < length || memcmp(end - length, name, length))
            return 0;
        end -= length;
        context = snapshot->contexts[context].parent;
        if (context != STINT_NO_PARENT && (end == path || *--end != '/'))
            return 0;
    }
    return end == path;
}

struct stint_numbers now_at(const char *path)
{
    struct stint_snapshot *snapshot = take();
    struct stint_numbers numbers = {0};
    for (size_t i = 0; i < snapshot->context_count; ++i)
        if (is_at(snapshot, i, path, path + strlen(path)))
            numbers = copy(&snapshot->contexts[i].numbers);
    stint_snapshot_free(snapshot);
    return numbers;
}

uint64_t percentile_of(const char *name, double p)
{
    struct stint_snapshot *snapshot = take();
    const struct stint_numbers *numbers = numbers_of(snapshot, name);
    const uint64_t ns = numbers ? stint_numbers_percentile_ns(numbers, p) : 0;
    stint_snapshot_free(snapshot);
    return ns;
}

void check_dropped(struct stint_dropped expected)
{
#define SAME(name, ...) assert_int_equal(stint_dropped.name, expected.name);
    STINT_I_DROPPED(SAME)
}
