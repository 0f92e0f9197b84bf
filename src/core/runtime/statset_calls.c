/* The public functions of statset.h that read or change what is recorded, and what paddle.hpp needs besides them. */
#include "stint/statset.h"

#include "base/log.h"
#include "record/collect.h"
#include "record/part.h"
#include "record/registry.h"
#include "record/scope.h"
#include "record/thread.h"
#include "runtime/runtime.h"
#include "stint/detail/paddle.h"

static struct stint_statset *or_global(struct stint_statset *set)
{
    return set ? set : stint_registry_set_at(0);
}

struct stint_statset *stint_statset_global(void)
{
    return stint_registry_set_at(0);
}

struct stint_statset *stint_statset_get(const char *name)
{
    struct stint_statset *set;
    if (!name || !*name || stint_runtime_start())
        return stint_registry_set_at(0);
    if (!stint_guard_begin()) {
        set = stint_registry_known_set(name);
        return set ? set : stint_registry_set_at(0);
    }
    set = stint_registry_set(name);
    stint_guard_end();
    return set;
}

const char *stint_statset_name(const struct stint_statset *set)
{
    return (set ? set : &stint_global_set)->name;
}

enum stint_status stint_statset_add(struct stint_statset *set, const char *name, uint64_t ns)
{
    enum stint_status status = stint_runtime_start();
    return status ? status : stint_scope_add(set, name, ns);
}

/* Starts the library and takes the lock. */
static enum stint_status begin_change(void)
{
    enum stint_status status = stint_runtime_start();
    if (status)
        return status;
    if (!stint_guard_begin())
        return STINT_ERROR_BUSY;
    stint_registry_lock();
    return STINT_OK;
}

static void end_change(void)
{
    stint_registry_unlock();
    stint_guard_end();
}

/* Returns the id, or 0 if the statistic is unknown: never seen, or deleted and not used since. Under the lock. */
static uint32_t find_stat(struct stint_statset *set, const char *name)
{
    struct stint_name key = stint_registry_name(set, name);
    uint32_t id = stint_registry_find(&key);
    struct stint_entry *entry = stint_registry_entry(id);
    if (entry->deleted)
        entry->deleted = !stint_collect_has_samples(id);
    return entry->deleted ? 0 : id;
}

/* Runs `change`, if any, on the statistic under the lock. An unknown name is logged, in Paddle's words. */
static enum stint_status change_one(struct stint_statset *set, const char *name,
                                    void (*change)(uint32_t id, struct stint_entry *entry, int value), int value)
{
    enum stint_status status = begin_change();
    if (status)
        return status;
    uint32_t id = *name ? find_stat(set, name) : 0;
    if (id && change)
        change(id, stint_registry_entry(id), value);
    end_change();
    if (id)
        return STINT_OK;
    STINT_LOG(STINT_LOG_ERROR, "%s is not registed in %s", name, stint_statset_name(set));
    return STINT_ERROR_NOT_FOUND;
}

enum stint_status stint_statset_require(struct stint_statset *set, const char *name)
{
    return change_one(set, name, NULL, 0);
}

static void forget(uint32_t id, struct stint_entry *entry, int value)
{
    entry->deleted = value;
    stint_registry_reset_id(id);
}

static void set_by_thread(uint32_t id, struct stint_entry *entry, int value)
{
    (void)id;
    entry->by_thread = value;
}

enum stint_status stint_statset_delete(struct stint_statset *set, const char *name)
{
    if (!name || !*name)
        return STINT_ERROR_INVALID_ARGUMENT;
    return change_one(set, name, forget, 1);
}

enum stint_status stint_statset_set_thread_info(struct stint_statset *set, const char *name, int by_thread)
{
    if (name)
        return change_one(set, name, set_by_thread, !!by_thread);
    enum stint_status status = begin_change();
    if (status)
        return status;
    set = or_global(set);
    set->by_thread = !!by_thread;
    for (uint32_t id = 1; id <= stint_registry_last_id(); id++)
        if (stint_registry_entry(id)->set == set)
            stint_registry_entry(id)->by_thread = !!by_thread;
    end_change();
    return STINT_OK;
}

static enum stint_status reset(const struct stint_statset *set, enum stint_reset how)
{
    enum stint_status status = begin_change();
    if (status)
        return status;
    stint_registry_reset(set, how);
    stint_registry_unlock();
    stint_parts_reset(set, how); /* without the lock, which threads that launch may need */
    stint_guard_end();
    return STINT_OK;
}

enum stint_status stint_statset_reset(struct stint_statset *set, enum stint_reset how)
{
    return reset(or_global(set), how);
}

enum stint_status stint_reset(enum stint_reset how)
{
    return reset(NULL, how);
}

enum stint_status stint_snapshot_take(struct stint_snapshot **snapshot)
{
    if (!snapshot)
        return STINT_ERROR_INVALID_ARGUMENT;
    *snapshot = NULL;
    enum stint_status status = stint_runtime_start();
    if (status)
        return status;
    struct stint_costs costs = stint_measure_costs();
    return stint_collect(snapshot, &costs, 0);
}

/* Begins a section that a signal handler on the same thread must not enter. */
static enum stint_status enter_call(void)
{
    enum stint_status status = stint_runtime_start();
    if (status)
        return status;
    return stint_guard_begin() ? STINT_OK : STINT_ERROR_BUSY;
}

enum stint_status stint_i_paddle_register(struct stint_statset *set, const char *name)
{
    enum stint_status status = enter_call();
    if (status)
        return status;
    struct stint_name key = stint_registry_name(set, name);
    uint32_t id = stint_registry_id(&key, NULL);
    if (id) {
        stint_registry_lock();
        stint_registry_entry(id)->deleted = 0;
        stint_registry_unlock();
    }
    stint_guard_end();
    return id ? STINT_OK : STINT_ERROR_LIMIT;
}

enum stint_status stint_i_paddle_reset(struct stint_statset *set, const char *name)
{
    enum stint_status status = enter_call();
    if (status)
        return status;
    struct stint_name key = stint_registry_name(set, name);
    stint_registry_lock();
    uint32_t id = stint_registry_find(&key);
    if (id)
        stint_registry_reset_id(id);
    stint_registry_unlock();
    stint_guard_end();
    return id ? STINT_OK : STINT_ERROR_NOT_FOUND;
}

void stint_i_paddle_log_slow(const char *name, const char *info, uint64_t span_us)
{
    STINT_LOG(STINT_LOG_INFO, "Stat: [%s] %s [Span:%llums%lluus] ", name, info, (unsigned long long)(span_us / 1000),
              (unsigned long long)(span_us % 1000));
}
