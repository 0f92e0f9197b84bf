/* What paddle.hpp needs besides the public functions. */
#include "stint/detail/paddle.h"

#include "base/log.h"
#include "record/registry.h"
#include "record/thread.h"
#include "runtime/start.h"

/* Begins a section that a signal handler on the same thread must not enter. */
static enum stint_status begin(void)
{
    enum stint_status status = stint_runtime_start();
    if (status)
        return status;
    return stint_guard_begin() ? STINT_OK : STINT_ERROR_BUSY;
}

enum stint_status stint_i_paddle_register(struct stint_statset *set, const char *name)
{
    enum stint_status status = begin();
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
    enum stint_status status = begin();
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
