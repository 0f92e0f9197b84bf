/* Passes launches of kernels on to libstint_module.so, which has CUPTI count them in hardware. The module is loaded
 * only if counters are asked for; without it all functions here do nothing. */
#include "gpu/counted_launch.h"

#include <string.h>

#include "base/env.h"
#include "base/log.h"
#include "gpu/driver.h"
#include "model/counting.h"
#include "modules/module.h"
#include "record/path.h"
#include "record/registry.h"

static const struct stint_counting *s_counting;
static char s_reason[256]; /* why there is none, if it was looked for */

static const char *scope(uint32_t path, uint32_t *parent)
{
    if (path <= STINT_PATH_ROOT || path > stint_path_last())
        return NULL;
    struct stint_path at = stint_path_at(path);
    *parent = at.parent;
    return stint_registry_entry(at.id)->name;
}

static void begin_thread(void)
{
    stint_driver_own = 1;
}

static struct stint_counting_host s_host = {NULL, scope, begin_thread};

static void open_module(const char *metrics)
{
    stint_counting_open_fn *open;
    void *function = stint_module_find(STINT_COUNTING_SYMBOL, s_reason, sizeof s_reason);

    if (!function)
        return;
    memcpy(&open, &function, sizeof open);
    s_counting = open(STINT_COUNTING_VERSION, metrics, &s_host);
    if (!s_counting)
        strcpy(s_reason, "libstint_module.so has another version than this library");
}

int stint_counting_start(const struct stint_cupti *cupti)
{
    const char *metrics = stint_env_text("STINT_COUNTERS");

    s_host.cupti = cupti->library;
    if (!metrics || s_counting)
        return metrics != NULL;
    open_module(metrics);
    if (!s_counting)
        STINT_LOG(STINT_LOG_WARNING, "STINT_COUNTERS: nothing is counted: %s", s_reason);
    return s_counting != NULL;
}

const struct stint_counting *stint_counting_load(void)
{
    if (!s_counting)
        open_module(NULL);
    return s_counting;
}

const struct stint_counting *stint_counting(void)
{
    return s_counting;
}

const char *stint_counting_reason(void)
{
    return s_reason;
}

/* What CUPTI and the module do is none of the program's. Launches without an id only measure what launches cost. */
void stint_counting_call(const struct stint_cupti_call *call, uint32_t path, int is_captured)
{
    struct stint_counted_call counted = {.function = call->function,
                                         .symbol = call->symbol,
                                         .parameters = call->parameters,
                                         .context = call->context,
                                         .path = path,
                                         .ends = call->site == STINT_CUPTI_EXIT,
                                         .is_captured = is_captured};

    if (!s_counting || !call->correlation)
        return;
    counted.failed = counted.ends && *(const int *)call->result;
    stint_driver_own++;
    s_counting->call(&counted);
    stint_driver_own--;
}

static void put(void *builder, const struct stint_nvtx_value *value)
{
    stint_builder_add(builder, STINT_ROWS_NVTX_VALUES, value);
}

void stint_counting_collect(struct stint_builder *builder)
{
    if (s_counting)
        s_counting->collect(put, builder);
}

void stint_counting_reset(void)
{
    if (s_counting)
        s_counting->reset();
}

void stint_counting_after_fork(void)
{
    s_counting = NULL;
}
