#include "runtime/metrics.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/env.h"
#include "base/log.h"
#include "base/module.h"
#include "base/threads.h"
#include "report/module_metrics.h"

static char s_address[PATH_MAX];
static stint_module_metrics_fn *s_listen; /* NULL: no metrics are wanted */
static stint_module_serve_fn *s_serve;

static void tell(const char *reason)
{
    STINT_LOG(STINT_LOG_WARNING, "STINT_METRICS=%.256s: %s; there are no metrics", s_address, reason);
}

static void open_socket(void)
{
    char reason[512] = "";

    s_serve = s_listen(STINT_MODULE_REPORTS_VERSION, s_address, stint_log_is_forked(), reason, sizeof reason);
    if (reason[0])
        tell(reason);
}

/* Loads the module before there is another thread of the library: a child that is forked while one loads it would find
 * the linker's locks taken. Nor can a child be forked before its parent listens. */
void stint_metrics_start(void)
{
    const char *address = stint_env_text("STINT_METRICS");
    char reason[512];

    if (!address)
        return;
    (void)snprintf(s_address, sizeof s_address, "%s", address);
    void *function = stint_module_find(STINT_MODULE_METRICS, reason, sizeof reason);
    if (!function) {
        tell(reason);
        return;
    }
    memcpy(&s_listen, &function, sizeof s_listen);
    open_socket();
}

int stint_metrics_are_wanted(void)
{
    return s_listen != NULL;
}

static void *serve(void *unused)
{
    static const struct stint_module_snapshots snapshots = {stint_snapshot_take, stint_snapshot_free};

    stint_own_thread("stint-metrics");
    s_serve(&snapshots);
    return unused;
}

void stint_metrics_run(void)
{
    if (s_serve && stint_detach(serve, NULL, NULL))
        tell("a thread cannot be created");
}

void stint_metrics_run_in_child(void)
{
    if (!s_listen)
        return;
    open_socket();
    stint_metrics_run();
}
