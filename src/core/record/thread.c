/* A record for each thread, from its first scope to its exit, when its tree is added to that of the exited threads. The
 * guard keeps a signal handler from recording by the slow path while its thread is in it. */
#include "record/thread.h"

#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process.h"
#include "record/part.h"
#include "record/scope.h"

/* What a thread without a record points to: its state equals no stint_i_state, so the slow path makes the record. */
struct stint_i_tree stint_no_tree = {.state = UINT32_MAX, .counting = UINT32_MAX, .complete = UINT32_MAX};

STINT_I_THREAD_LOCAL struct stint_i_tree *stint_i_self __attribute__((tls_model("initial-exec"))) = &stint_no_tree;

static STINT_I_THREAD_LOCAL volatile int tl_guarded __attribute__((tls_model("initial-exec")));

static struct {
    pthread_key_t key;
    int has_key;
    uint64_t count; /* of live records */
    struct stint_arena arena;
    struct stint_thread_record *live;
    struct stint_thread_record *free;
    struct stint_tree exited;
    int any_exited;
} s_records;

struct stint_thread_exits stint_thread_exits;
const struct stint_helping *stint_helping;

int stint_guard_begin(void)
{
    if (tl_guarded)
        return 0;
    tl_guarded = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return 1;
}

void stint_guard_end(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    tl_guarded = 0;
}

int stint_guard_is_held(void)
{
    return tl_guarded;
}

struct stint_thread_record *stint_thread_first(void)
{
    return s_records.live;
}

const struct stint_tree *stint_thread_exited(void)
{
    return s_records.any_exited ? &s_records.exited : NULL;
}

/* ---------------------------------------------------------------------------------------------------- coming, going */

static void (*s_prepare)(void);

void stint_thread_on_first_scope(void (*prepare)(void))
{
    s_prepare = prepare;
}

/* Under the lock. */
static struct stint_thread_record *new_record(void)
{
    struct stint_thread_record *record = s_records.free;
    if (!record)
        record = stint_arena_alloc(&s_records.arena, sizeof *record);
    else
        s_records.free = record->next;
    if (!record)
        return NULL;
    record->tree.kind = STINT_TREE_THREAD;
    if (stint_tree_begin_again(&record->tree)) {
        stint_tree_empty(&record->tree);
        record->next = s_records.free;
        s_records.free = record;
        return NULL;
    }
    record->tid = syscall(SYS_gettid);
    record->names = NULL;
    record->noted = NULL;
    record->jumps = NULL;
    record->extension = NULL;
    record->role = record->tid == getpid() ? STINT_THREAD_MAIN : STINT_THREAD_ORDINARY;
    record->launches = 0;
    record->adopted = NULL;
    stint_parts_thread_begins(record);
    record->next = s_records.live;
    record->link = &s_records.live;
    if (record->next)
        record->next->link = &record->next;
    __atomic_store_n(&s_records.live, record, __ATOMIC_RELEASE);
    return record;
}

static void unlink_record(struct stint_thread_record *record)
{
    *record->link = record->next;
    if (record->next)
        record->next->link = record->link;
}

static void count_abandoned(const struct stint_tree *tree)
{
    for (const struct stint_i_node *node = tree->hot.current; node->parent; node = node->parent)
        if (node->start) /* else it runs on another thread, for which this one works */
            stint_count_dropped(&stint_dropped.abandoned);
}

/* Adds the tree to the exited threads'. Returns -1, and changes nothing, if there is no memory. */
static int fold(const struct stint_tree *tree)
{
    struct stint_arena scratch = {0};
    int failed = 0;
    if (!s_records.any_exited && stint_tree_begin(&s_records.exited, STINT_TREE_EXITED))
        failed = -1;
    s_records.any_exited |= !failed;
    if (!failed && !stint_tree_merge(&s_records.exited, tree, &scratch).nodes)
        failed = -1;
    stint_arena_free(&scratch);
    return failed;
}

/* Folds a thread that is exiting or has exited, and frees its record; under the lock. A thread that cannot be folded
 * for lack of memory stays in the list, so that nothing is lost. */
static void put_away(struct stint_thread_record *record)
{
    stint_parts_thread_ends(record);
    if (fold(&record->tree))
        return;
    count_abandoned(&record->tree);
    unlink_record(record);
    stint_tree_empty(&record->tree);
    record->next = s_records.free;
    s_records.free = record;
    __atomic_sub_fetch(&s_records.count, 1, __ATOMIC_RELAXED);
}

/* A thread that gets a new record while it exits counts once. Under the lock. */
static void count_exit(const struct stint_thread_usage *usage)
{
    static STINT_I_THREAD_LOCAL int tl_counted __attribute__((tls_model("initial-exec")));
    if (tl_counted)
        return;
    tl_counted = 1;
    stint_thread_exits.count++;
    stint_thread_exits.usage.cpu_ns += usage->cpu_ns;
    stint_thread_exits.usage.waits += usage->waits;
    stint_thread_exits.usage.preempted += usage->preempted;
}

/* Called when the thread exits. Scopes that pthread_exit or a cancellation has left end here, as the C library does not
 * unwind C functions that were compiled without -fexceptions. The thread may still run scopes, in later destructors:
 * they get a new record. Calls of the C library do not: they take the thread down, and would get one even after the
 * last round of destructors, when ThreadSanitizer does not know the thread any more. */
static void retire(void *argument)
{
    struct stint_thread_record *record = argument;
    struct stint_thread_usage usage = {0};
    stint_scope_leave_until(record->tree.root);
    stint_i_self = &stint_no_tree;
    (void)stint_own_work_begin();
    if (!stint_guard_begin())
        return;
    if (stint_cpu_is_on)
        usage = stint_process_thread_usage(record->tid);
    stint_registry_lock();
    count_exit(&usage);
    put_away(record);
    stint_registry_unlock();
    stint_guard_end();
}

enum { AT_ONCE = -1 };

/* How often threads were refused since the last search for dead ones that found none. */
static int64_t s_refused = AT_ONCE;

/* Puts away threads that died without notice, because their last destructors ran scopes after the C library's last
 * round of calls here. */
static void put_dead_away(void)
{
    struct stint_thread_record *next;
    stint_registry_lock();
    for (struct stint_thread_record *record = s_records.live; record; record = next) {
        next = record->next;
        if (syscall(SYS_tgkill, getpid(), record->tid, 0) < 0 && errno == ESRCH) {
            put_away(record);
            __atomic_store_n(&s_refused, AT_ONCE, __ATOMIC_RELAXED); /* where one was, there may be more */
        }
    }
    stint_registry_unlock();
}

static int join_limit(void)
{
    if (__atomic_add_fetch(&s_records.count, 1, __ATOMIC_RELAXED) <= stint_limits.threads)
        return 1;
    __atomic_sub_fetch(&s_records.count, 1, __ATOMIC_RELAXED);
    return 0;
}

/* Whether to ask the system about each live thread. A thread does so less and less often, and all threads together,
 * after a search that found none, once for as many refusals as there are live threads: a refusal costs about one call
 * to the system. */
static int may_look_for_dead(uint32_t refused)
{
    if ((refused & (refused + 1)) != 0)
        return 0;
    int64_t known = __atomic_load_n(&s_refused, __ATOMIC_RELAXED);
    if (known != AT_ONCE)
        known = __atomic_add_fetch(&s_refused, 1, __ATOMIC_RELAXED);
    return (known == AT_ONCE || known > (int64_t)__atomic_load_n(&s_records.count, __ATOMIC_RELAXED)) &&
           __atomic_compare_exchange_n(&s_refused, &known, 0, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static int take_place(void)
{
    static STINT_I_THREAD_LOCAL uint32_t tl_refused;
    if (join_limit())
        return 1;
    if (may_look_for_dead(tl_refused)) {
        put_dead_away();
        if (join_limit())
            return 1;
    }
    tl_refused++;
    stint_count_dropped(&stint_dropped.threads);
    return 0;
}

static struct stint_thread_record *add_record(void)
{
    if (!take_place())
        return NULL;
    stint_registry_lock();
    struct stint_thread_record *record = new_record();
    stint_registry_unlock();
    if (!record) {
        __atomic_sub_fetch(&s_records.count, 1, __ATOMIC_RELAXED);
        stint_count_dropped(&stint_dropped.memory);
        return NULL;
    }
    if (s_records.has_key)
        pthread_setspecific(s_records.key, record);
    stint_i_self = &record->tree.hot;
    if (s_prepare)
        s_prepare();
    return record;
}

struct stint_thread_record *stint_thread_acquire(void)
{
    struct stint_thread_record *record = stint_thread_self();
    return record ? record : add_record();
}

int stint_thread_start(void)
{
    s_records.has_key = pthread_key_create(&s_records.key, retire) == 0;
    return s_records.has_key ? 0 : -1;
}

/* The other threads do not exist here; their trees are left alone, so that the child need not copy their pages. */
void stint_thread_after_fork(void)
{
    struct stint_thread_record *self = stint_thread_self();
    s_records.live = self;
    s_records.count = self != NULL;
    stint_thread_exits = (struct stint_thread_exits){0};
    if (self) {
        self->next = NULL;
        self->link = &s_records.live;
        self->tid = syscall(SYS_gettid);
        self->role = STINT_THREAD_MAIN;
    }
}

/* ------------------------------------------------------------------------------------------------------------ names */

uint32_t stint_thread_id_of(struct stint_thread_record *record, const struct stint_name *name,
                            const struct stint_i_site *site)
{
    uint32_t id = stint_thread_cached_id(record, name);
    if (id)
        return id;
    id = stint_registry_id(name, site);
    if (!record->names)
        record->names = stint_arena_alloc(&record->tree.arena, STINT_NAME_SLOTS * sizeof *record->names);
    if (id && record->names) {
        uint32_t *ids = record->names[name->hash % STINT_NAME_SLOTS];
        STINT_I_STORE(&ids[1], ids[0]);
        STINT_I_STORE(&ids[0], id);
    }
    return id;
}

/* --------------------------------------------------------------------------------------------------------- CPU time */

int stint_cpu_is_on;

void stint_cpu_start(void)
{
    stint_cpu_is_on = 1;
    stint_registry_set_inline(0);
}

void stint_cpu_begin_slow(struct stint_i_node *node)
{
    node->cpu_start = stint_clock_cpu_ns();
}

/* In a forked child the thread's CPU time begins at 0. */
void stint_cpu_end_slow(struct stint_i_node *node)
{
    uint64_t now = stint_clock_cpu_ns();
    STINT_I_ADD(&node->cpu, now >= node->cpu_start ? now - node->cpu_start : now);
}
