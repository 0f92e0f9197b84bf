/* The public functions behind the macros: they start the library, then record. */
#include "base/clock.h"
#include "record/collect.h"
#include "record/registry.h"
#include "record/scope.h"
#include "record/suspend.h"
#include "record/tree.h"
#include "runtime/runtime.h"
#include "stint/config.h"
#include "stint/timer.h"
#include "stint/version.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

/* Where the stack of the function ends that has called this one: what stint_i_begin notes inline. */
#define CALLERS_PLACE ((uintptr_t)__builtin_dwarf_cfa())

struct stint_i_node *stint_i_enter_slow(struct stint_i_site *site, const char *name, struct stint_statset *set)
{
    return stint_runtime_start() ? NULL : stint_scope_enter(site, name, set, CALLERS_PLACE);
}

struct stint_i_node *stint_i_enter_since(struct stint_i_site *site, const char *name, struct stint_statset *set,
                                         uint64_t start_us)
{
    struct stint_i_node *node = stint_i_enter(site, name, set);
    stint_scope_move_start(node, start_us);
    return node;
}

/* A thread that may take the fast path need not ask whether the library has started. */
struct stint_i_node *stint_i_enter_dynamic(struct stint_i_site *site, const char *name, struct stint_statset *set)
{
    if (STINT_I_UNLIKELY(stint_i_self->state != STINT_I_LOAD(&stint_i_state)) && stint_runtime_start())
        return NULL;
    return stint_scope_enter_dynamic(site, name, set, CALLERS_PLACE);
}

struct stint_i_node *stint_i_enter_dynamic_since(struct stint_i_site *site, const char *name, struct stint_statset *set,
                                                 uint64_t start_us)
{
    struct stint_i_node *node = stint_i_enter_dynamic(site, name, set);
    stint_scope_move_start(node, start_us);
    return node;
}

uint64_t stint_i_leave_slow(struct stint_i_node *node, uint64_t now)
{
    return stint_scope_leave(node, now);
}

__attribute__((cold)) void stint_i_abandon(struct stint_i_node *node)
{
    stint_scope_abandon(node);
}

void stint_i_add_functions(const struct stint_i_functions *functions)
{
    stint_measure_functions(functions);
}

int stint_i_measure_function(struct stint_i_function_cost *cost)
{
    return stint_measure_function(cost);
}

void stint_i_check_name(const struct stint_i_site *site, const char *name)
{
    stint_scope_check_name(site, name);
}

__attribute__((cold)) void stint_i_report_slow(const struct stint_i_slow_scope *scope, uint32_t id, uint64_t span)
{
    stint_scope_report_slow(scope, id, span);
}

enum stint_status stint_timer_start(struct stint_timer *timer, const char *name, struct stint_statset *set)
{
    enum stint_status status = stint_runtime_start();
    return status ? status : stint_scope_timer_start(timer, name, set);
}

enum stint_status stint_timer_stop(struct stint_timer *timer)
{
    enum stint_status status = stint_runtime_start();
    return status ? status : stint_scope_timer_stop(timer);
}

void stint_set_enabled(int enabled)
{
    if (!stint_runtime_start())
        stint_suspend(STINT_SUSPENDED_PROGRAM, !enabled);
}

int stint_enabled(void)
{
    return !stint_runtime_start() && stint_registry_enabled();
}

void stint_set_percentiles(int enabled)
{
    if (!stint_runtime_start())
        stint_tree_set_percentiles(enabled);
}

uint64_t stint_now_us(void)
{
    return stint_clock_now_ns() / 1000;
}

int stint_with_timer(void)
{
    return STINT_WITH_TIMER;
}

unsigned stint_version(void)
{
    return STINT_VERSION;
}

const char *stint_version_string(void)
{
    return TEXT(STINT_VERSION_MAJOR) "." TEXT(STINT_VERSION_MINOR) "." TEXT(STINT_VERSION_PATCH);
}
