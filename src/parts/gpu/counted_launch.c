/* Passes launches of kernels on to libstint_module.so, which has CUPTI count them in hardware. The module is loaded
 * only if counters are asked for; without it all functions here do nothing. */
#include "gpu/callback.h"

#include <string.h>

#include "base/log.h"
#include "base/process.h"
#include "contexts/contexts.h"
#include "gpu/call_table.h"
#include "model/counting.h"
#include "modules/module.h"
#include "record/registry.h"
#include "record/thread.h"
#include "stint/gpu.h"

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
    const struct stint_counting *counting = open(STINT_COUNTING_VERSION, metrics, &s_host);
    __atomic_store_n(&s_counting, counting, __ATOMIC_RELEASE); /* other threads may launch at the moment */
    if (!counting)
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

/* What the program has asked for is done by the module, once collecting has been started. Returns NULL if it cannot be
 * loaded; the reason then says why. */
static const struct stint_counting *load_counting(void)
{
    if (!s_counting)
        open_module(NULL);
    return s_counting;
}

const struct stint_counting *stint_counting(void)
{
    return __atomic_load_n(&s_counting, __ATOMIC_ACQUIRE);
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
    const struct stint_counting *counting = stint_counting();
    if (!counting || !call->correlation)
        return;
    counted.failed = counted.ends && *(const int *)call->result;
    stint_driver_own++;
    counting->call(&counted);
    stint_driver_own--;
}

static void put(void *builder, const struct stint_nvtx_value *value)
{
    stint_builder_add(builder, STINT_ROWS_NVTX_VALUES, value);
}

void stint_counting_collect(struct stint_builder *builder)
{
    const struct stint_counting *counting = stint_counting();
    if (counting)
        counting->collect(put, builder);
}

void stint_counting_reset(void)
{
    const struct stint_counting *counting = stint_counting();
    if (counting)
        counting->reset();
}

void stint_counting_after_fork(void)
{
    s_counting = NULL;
}

/* The public functions of counters.h, which libstint_module.so implements. */

/* Inside the guard. What the module asks of CUDA is none of the program's calls. */
static enum stint_status start(const struct stint_counters_options *options)
{
    const struct stint_counting *counting = load_counting();
    if (!counting)
        return STINT_ERROR_UNAVAILABLE;
    stint_driver_own++;
    enum stint_status status = counting->start(options);
    stint_driver_own--;
    if (!status)
        stint_call_table_count(1);
    return status;
}

enum stint_status stint_counters_start(const struct stint_counters_options *options)
{
    if (!options || !options->metrics || !*options->metrics)
        return STINT_ERROR_INVALID_ARGUMENT;
    enum stint_status status = stint_gpu_start(NULL);
    if (status)
        return status;
    if (!stint_guard_begin())
        return STINT_ERROR_BUSY;
    status = start(options);
    stint_guard_end();
    return status;
}

enum stint_status stint_counters_stop(void)
{
    const struct stint_counting *counting = stint_counting();
    if (!counting)
        return STINT_ERROR_NOT_STARTED;
    stint_driver_own++;
    enum stint_status status = counting->stop();
    stint_driver_own--;
    if (counting->status() == STINT_ERROR_NOT_STARTED) /* not if STINT_COUNTERS asks for them */
        stint_call_table_count(0);
    return status;
}

/* Without GPU activity nothing is counted, whatever the module says. */
static const struct stint_counting *usable(void)
{
    return stint_gpu_status() ? NULL : stint_counting();
}

enum stint_status stint_counters_status(void)
{
    const struct stint_counting *counting = usable();
    if (counting)
        return counting->status();
    if (stint_gpu_status())
        return stint_gpu_status();
    return *s_reason ? STINT_ERROR_UNAVAILABLE : STINT_ERROR_NOT_STARTED;
}

const char *stint_counters_reason(void)
{
    const struct stint_counting *counting = usable();
    if (counting)
        return counting->reason();
    return stint_gpu_status() ? stint_gpu_reason() : s_reason;
}

enum stint_status stint_counters_read(enum stint_counters_of of, const char *names, const char *metric,
                                      struct stint_counter *counter)
{
    const struct stint_counting *counting = stint_counting();
    if (!counter || !metric || !*metric || (of != STINT_COUNTERS_OF_KERNELS && of != STINT_COUNTERS_OF_SCOPES))
        return STINT_ERROR_INVALID_ARGUMENT;
    *counter = (struct stint_counter){.launches = 0};
    return counting ? counting->read(of, names, metric, counter) : STINT_ERROR_NOT_FOUND;
}
