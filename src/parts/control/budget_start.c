/* STINT_BUDGET: loads what keeps it, and gives that what it needs of libstint. */
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/process.h"
#include "control/listen.h"
#include "model/budget_host.h"
#include "modules/module.h"
#include "record/part.h"
#include "record/registry.h"
#include "record/scope.h"
#include "record/thread.h"
#include "record/tree.h"

static struct stint_budget_host s_host = {
    .version = STINT_BUDGET_VERSION, .entries = &stint_entries, .ticks = stint_clock_ticks};

void stint_budget_start(void)
{
    const char *text = stint_env_text("STINT_BUDGET"), *reason;
    char why[512];
    stint_budget_fn *open;
    if (!text)
        return;
    s_host.ticks_per_ns = 1 / stint_clock_ns_per_tick();
    s_host.needs_all = stint_parts_want_report | stint_cpu_is_on | stint_scope_has_listener();
    void *function = stint_module_find(STINT_BUDGET_SYMBOL, why, sizeof why);
    memcpy(&open, &function, sizeof open);
    reason = why;
    stint_budget = function ? open(&s_host, text, &reason) : NULL;
    if (!stint_budget)
        STINT_LOG(STINT_LOG_WARNING, "STINT_BUDGET=%.64s is ignored: %s", text, reason);
}
