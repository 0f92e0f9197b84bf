/* STINT_SAMPLE and stint_sample_start: loads libstint_sample.so, and gives it what it needs of libstint. */
#include <pthread.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/process.h"
#include "contexts/contexts.h"
#include "model/sampler.h"
#include "modules/module.h"
#include "record/collect.h"
#include "record/part.h"
#include "record/thread.h"
#include "recording/stream.h"
#include "runtime/runtime.h"
#include "stat/members.h"
#include "support/own_thread.h"

static const struct stint_sampler *s_sampler;
static char s_reason[512];

static int is_own_work(void)
{
    return stint_is_own_work;
}

static uint32_t path_parent(uint32_t path)
{
    return stint_path_at(path).parent;
}

static size_t path_stat(struct stint_builder *builder, uint32_t path)
{
    return stint_collect_stat(builder, stint_path_at(path).id);
}

static void (*s_collect)(struct stint_builder *builder, int emergency);

static void collect_also(void (*add)(struct stint_builder *builder, int emergency))
{
    __atomic_store_n(&s_collect, add, __ATOMIC_RELEASE);
}

static struct stint_sampler_host s_host = {
    .version = STINT_SAMPLER_VERSION,
    .state = &stint_i_state,
    .have_rows = &stint_parts_have_rows,
    .is_own_work = is_own_work,
    .path_now = stint_path_now,
    .path_parent = path_parent,
    .path_stat = path_stat,
    .collect_also = collect_also,
    .detach = stint_detach_delayed,
    .must_rest = stint_must_rest,
    .own_thread = stint_own_thread,
    .hide_handler = stint_handler_hide,
    .show_handler = stint_handler_show,
};

static void load(void)
{
    stint_sampler_fn *sampler;
    void *function = stint_module_find_sampler(STINT_SAMPLER, s_reason, sizeof s_reason);
    if (!function)
        return;
    memcpy(&sampler, &function, sizeof sampler);
    if (stint_parts_want_report)
        s_host.ticks = stint_clock_ticks;
    s_sampler = sampler(&s_host);
    if (s_sampler && s_host.ticks)
        stint_stream_add_sampler(s_sampler);
    if (!s_sampler)
        strcpy(s_reason, "libstint_sample.so is of another version, or another stint in this process uses it");
}

/* Inside the guard. */
static enum stint_status start(const char *how)
{
    static pthread_once_t s_once = PTHREAD_ONCE_INIT;
    pthread_once(&s_once, load);
    if (!s_sampler)
        return STINT_ERROR_UNAVAILABLE;
    stint_paths_start();
    return s_sampler->start(how, s_reason, sizeof s_reason);
}

static int s_has_reported;

static void note_report(const struct stint_snapshot *snapshot, int is_news, int emergency, int is_exec)
{
    (void)snapshot, (void)emergency, (void)is_exec;
    s_has_reported |= is_news;
}

static void end(void)
{
    if (s_sampler && !s_has_reported)
        s_sampler->end();
}

static void begin_in_child(void)
{
    s_has_reported = 0;
}

static void run(int in_child)
{
    const char *how = in_child ? NULL : stint_module_samples_wanted();
    if (how && start(how))
        STINT_LOG(STINT_LOG_WARNING, "STINT_SAMPLE=%.64s: no samples are taken: %s", how, s_reason);
}

/* Samples belong to no set. */
static void reset(const struct stint_statset *set, enum stint_reset how)
{
    (void)how;
    if (!set && s_sampler)
        s_sampler->reset();
}

static void collect(struct stint_builder *builder, int emergency)
{
    void (*const add)(struct stint_builder *, int) = __atomic_load_n(&s_collect, __ATOMIC_ACQUIRE);
    if (add)
        add(builder, emergency);
}

/* No more samples may be taken. */
static int stop(const void *unused)
{
    (void)unused;
    if (s_sampler)
        s_sampler->stop();
    return 1;
}

STINT_HAS_ROWS(sample_counts);
STINT_PART(sampler) = {.name = "sampler",
                       .at = {[STINT_IN_CHILD] = begin_in_child, [STINT_AT_END] = end},
                       .run = run,
                       .collect = collect,
                       .reset = reset,
                       .attach = stop,
                       .report = note_report};

enum stint_status stint_sample_start(const char *how)
{
    enum stint_status status = stint_runtime_start();
    if (status)
        return status;
    if (!stint_guard_begin())
        return STINT_ERROR_BUSY;
    status = start(how ? how : "on");
    stint_guard_end();
    return status;
}

void stint_sample_stop(void)
{
    (void)stop(NULL);
}

/* Runs before main, so that threads are found as they begin. */
__attribute__((constructor)) static void start_as_asked(void)
{
    if (stint_module_samples_wanted() && !stint_runtime_is_injected)
        (void)stint_runtime_start();
}
