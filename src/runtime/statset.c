/* The public functions of statset.h that read or change what is recorded. */
#include "stint/statset.h"

#include "base/log.h"
#include "record/collect.h"
#include "record/registry.h"
#include "record/scope.h"
#include "runtime/exit.h"
#include "runtime/start.h"

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
    if (!name || !*name || stint_runtime_start())
        return stint_registry_set_at(0);
    return stint_registry_set(name);
}

const char *stint_statset_name(const struct stint_statset *set)
{
    return set ? set->name : stint_registry_set_at(0)->name;
}

enum stint_status stint_statset_add(struct stint_statset *set, const char *name, uint64_t ns)
{
    return stint_runtime_start() ? STINT_ERROR_NO_MEMORY : stint_scope_add(set, name, ns);
}

/* Runs `change` on the statistic under the lock. An unknown name is logged, in Paddle's words. */
static enum stint_status change_one(struct stint_statset *set, const char *name,
                                    void (*change)(uint32_t id, struct stint_entry *entry, int value), int value)
{
    const struct stint_name key = stint_registry_name(set, name);
    uint32_t id;

    stint_registry_lock();
    id = stint_registry_find(&key);
    if (id)
        change(id, stint_registry_entry(id), value);
    stint_registry_unlock();
    if (id)
        return STINT_OK;
    STINT_LOG(STINT_LOG_ERROR, "%s is not registed in %s", name, or_global(set)->name);
    return STINT_ERROR_NOT_FOUND;
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
    return stint_runtime_start() ? STINT_ERROR_NO_MEMORY : change_one(set, name, forget, 1);
}

enum stint_status stint_statset_set_thread_info(struct stint_statset *set, const char *name, int by_thread)
{
    if (stint_runtime_start())
        return STINT_ERROR_NO_MEMORY;
    if (name)
        return change_one(set, name, set_by_thread, !!by_thread);
    set = or_global(set);
    stint_registry_lock();
    set->by_thread = !!by_thread;
    for (uint32_t id = 1; id <= stint_registry_last_id(); ++id)
        if (stint_registry_entry(id)->set == set)
            stint_registry_entry(id)->by_thread = !!by_thread;
    stint_registry_unlock();
    return STINT_OK;
}

static void reset(const struct stint_statset *set, enum stint_reset how)
{
    if (stint_runtime_start())
        return;
    stint_registry_lock();
    stint_registry_reset(set, how);
    stint_registry_unlock();
    stint_exit_note_reset();
}

void stint_statset_reset(struct stint_statset *set, enum stint_reset how)
{
    reset(or_global(set), how);
}

void stint_reset(enum stint_reset how)
{
    reset(NULL, how);
}

enum stint_status stint_snapshot_take(struct stint_snapshot **snapshot)
{
    struct stint_costs costs;

    if (!snapshot)
        return STINT_ERROR_INVALID_ARGUMENT;
    *snapshot = NULL;
    if (stint_runtime_start())
        return STINT_ERROR_NO_MEMORY;
    costs = stint_measure_costs();
    return stint_collect(snapshot, &costs, 0);
}
