/* Set-up at first use, and what a fork changes. */
#include "runtime/runtime.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/process.h"
#include "record/collect.h"
#include "record/part.h"
#include "record/registry.h"
#include "record/suspend.h"
#include "record/thread.h"

enum { UNSTARTED, READY, BROKEN };

/* Defaults of the limits, and how far the environment may raise them. */
enum { MAX_NODES = 1 << 18, MAX_NAMES = 1 << 16, MAX_THREADS = 1 << 12, MAX_LIMIT = 1 << 28 };

static int s_state;

int stint_runtime_is_ours(void)
{
    return __atomic_load_n(&s_state, __ATOMIC_ACQUIRE) == READY && stint_process_is(STINT_SET_UP);
}

/* ------------------------------------------------------------------------------------------------------------- fork */

/* Several threads may fork at once. */
static STINT_I_THREAD_LOCAL int tl_fork_guarded __attribute__((tls_model("initial-exec")));

/* No other thread may hold the lock while the child is created, because in the child it would never be released. */
static void before_fork(void)
{
    tl_fork_guarded = stint_guard_begin();
    if (!tl_fork_guarded)
        return;
    stint_parts_at(STINT_BEFORE_FORK);
    stint_registry_lock();
}

static void after_fork_in_parent(void)
{
    if (!tl_fork_guarded)
        return;
    stint_registry_unlock();
    stint_parts_at(STINT_AFTER_FORK);
    stint_guard_end();
}

/* The child reports only what it records from here on, including the scopes that are running. */
static void after_fork_in_child(void)
{
    if (stint_process_is_sealed)
        return;
    stint_process_mark(STINT_SET_UP);
    if (!tl_fork_guarded) { /* another thread may have held it */
        stint_registry_reset_lock();
        stint_registry_lock();
    }
    stint_thread_after_fork();
    stint_clock_restart();
    stint_dropped = (struct stint_dropped){0};
    stint_registry_reset(NULL, STINT_RESET_ALL);
    stint_registry_unlock();
    stint_output_after_fork();
    stint_exit_after_fork();
    stint_parts_at(STINT_IN_CHILD);
    stint_suspend_make_due();
    if (tl_fork_guarded)
        stint_guard_end();
}

#ifdef __GLIBC__
/* What pthread_atfork calls. There the last argument says with which library the handlers go: at exit, which may be
 * between those before and those after a fork of another thread, and then nobody would release the locks. */
STINT_API int __register_atfork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void),
                                void *library); // NOLINT
#else
#define __register_atfork(before, in_parent, in_child, library) pthread_atfork(before, in_parent, in_child)
#endif

/* ------------------------------------------------------------------------------------------------------------ start */

#ifdef __GLIBC__
/* A program that is linked with -static has neither function, and need not stay. */
#pragma weak dladdr1
#pragma weak dlopen

static int is_kept_anyway(const struct link_map *map)
{
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_FLAGS_1)
            return (entry->d_un.d_val & DF_1_NODELETE) != 0;
    return 0;
}

/* Makes the object that stint is linked into stay where it is. It may be a plugin that the program unloads, while
 * handlers of signals and of fork, destructors of threads and stint's own threads are in it. */
static void stay_loaded(void)
{
    Dl_info info;
    struct link_map *map;
    if (!dladdr1 || !dlopen)
        return;
    if (dladdr1(&s_state, &info, (void **)&map, RTLD_DL_LINKMAP) && map->l_name[0] && /* "" is the program */
        !is_kept_anyway(map))
        (void)dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}
#else
static void stay_loaded(void)
{
    /* musl does not unload what it has loaded. */
}
#endif

static enum stint_clock_choice clock_choice(void)
{
    return (enum stint_clock_choice)stint_env_choice("STINT_CLOCK", "auto|tsc|monotonic|fast", STINT_CLOCK_AUTO);
}

static struct stint_limits read_limits(void)
{
    return (struct stint_limits){
        .nodes = stint_env_number("STINT_MAX_NODES", MAX_NODES, 1, MAX_LIMIT),
        .names = stint_env_number("STINT_MAX_NAMES", MAX_NAMES, 1, MAX_LIMIT),
        .threads = stint_env_number("STINT_MAX_THREADS", MAX_THREADS, 1, MAX_LIMIT),
    };
}

static void start(void)
{
    struct stint_limits limits = read_limits();
    stint_process_mark(STINT_SET_UP);
    stay_loaded();
    stint_copies_start();
    stint_log_learn_zone();
    stint_collect_learn_rank();
    stint_clock_start(clock_choice());
    stint_output_start();
    if (stint_registry_start(&limits)) {
        STINT_LOG(STINT_LOG_ERROR, "no memory for the tables of stint: nothing is recorded");
        stint_registry_set_enabled(0);
        __atomic_store_n(&s_state, BROKEN, __ATOMIC_RELEASE);
        return;
    }
    stint_tree_set_percentiles(stint_env_switch("STINT_PERCENTILES", 1));
    if (!stint_env_switch("STINT_COMPENSATE", 1))
        stint_measure_leave_in();
    (void)stint_thread_start();
    stint_registry_set_inline(stint_clock_is_inline());
    if (stint_env_switch("STINT_CPU", 0))
        stint_cpu_start();
    stint_suspend(STINT_SUSPENDED_PROGRAM, !stint_env_switch("STINT_ENABLE", 1));
    if (!stint_env_switch("STINT_FROM_START", 1))
        stint_suspend_follow();
    stint_parts_at(STINT_AT_START); /* before the handlers of signals, which leave those alone that a part wants */
    (void)__register_atfork(before_fork, after_fork_in_parent, after_fork_in_child, NULL);
    stint_exit_start();
    if (stint_env_switch("STINT_SIGNALS", 1))
        stint_fatal_start(stint_env_text("STINT_SIGNALS") != NULL);
    __atomic_store_n(&s_state, READY, __ATOMIC_RELEASE);
    stint_parts_run(0); /* after that, because their threads take snapshots */
}

enum stint_status stint_runtime_start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (STINT_I_UNLIKELY(__atomic_load_n(&s_state, __ATOMIC_ACQUIRE) == UNSTARTED)) {
        int error = errno;
        if (!stint_guard_begin()) {
            stint_count_dropped(&stint_dropped.reentrant);
            return STINT_ERROR_BUSY;
        }
        pthread_once(&once, start);
        stint_guard_end();
        errno = error;
    }
    return __atomic_load_n(&s_state, __ATOMIC_ACQUIRE) == READY ? STINT_OK : STINT_ERROR_NO_MEMORY;
}
