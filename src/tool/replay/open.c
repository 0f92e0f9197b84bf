/* Keeps what is open on each thread, which call launched what, and which scope waits for a thread that helps others. */
#include "replay/open.h"

#include "base/arena.h"
#include "support/own_thread.h"

static struct stint_open *open_of(const struct stint_open_thread *thread)
{
    return thread->open.items;
}

/* ---------------------------------------------------------------------------------------------------------- threads */

static const struct stint_table_key s_thread = STINT_TABLE_KEY(struct stint_open_thread, pid, tid);

/* Returns NULL without memory. */
static struct stint_open_thread *thread_of(struct stint_open_threads *threads, int64_t pid, int64_t tid)
{
    struct stint_open_thread like = {.pid = pid, .tid = tid};
    struct stint_open_thread *thread = threads->threads.items;
    if (threads->last < threads->threads.count && thread[threads->last].pid == pid && thread[threads->last].tid == tid)
        return thread + threads->last;
    thread = stint_table_take(&threads->threads, &s_thread, &threads->arena, &like);
    threads->last = stint_table_position(&threads->threads, &s_thread, thread);
    return thread;
}

/* ------------------------------------------------------------------------------------------------------------- time */

/* Reports the time up to `ns` as spent in the innermost open scope or call. */
static void tell_until(struct stint_open_threads *threads, struct stint_open_thread *thread, uint64_t ns)
{
    if (thread->open.count && threads->spent && ns > thread->at_ns)
        threads->spent(threads->caller, thread, &open_of(thread)[thread->open.count - 1], ns - thread->at_ns);
    if (ns > thread->at_ns)
        thread->at_ns = ns;
}

static void set_least(struct stint_open *open, size_t at)
{
    open[at].least_end_ns = open[at].end_ns;
    if (at && open[at - 1].least_end_ns < open[at].end_ns)
        open[at].least_end_ns = open[at - 1].least_end_ns;
}

/* Closes what ends first. Ranges of different NVTX domains need not nest, so something that began later may stay
 * open. */
static void close_first(struct stint_open_thread *thread)
{
    struct stint_open *open = open_of(thread);
    size_t at = thread->open.count - 1;
    uint64_t least_ns = open[at].least_end_ns;
    while (open[at].end_ns != least_ns)
        at--;
    thread->open.count--;
    thread->has_moved |= at < thread->open.count;
    for (; at < thread->open.count; at++) {
        open[at] = open[at + 1];
        set_least(open, at);
    }
}

static void settle(struct stint_open_threads *threads, struct stint_open_thread *thread, uint64_t ns)
{
    while (thread->open.count) {
        uint64_t least_ns = open_of(thread)[thread->open.count - 1].least_end_ns;
        if (least_ns > ns)
            break;
        tell_until(threads, thread, least_ns);
        close_first(thread);
    }
    tell_until(threads, thread, ns);
}

/* ------------------------------------------------------------------------------------------------------------ calls */

struct stint_open_thread *stint_open_at(struct stint_open_threads *threads, int64_t pid, int64_t tid, uint64_t ns)
{
    struct stint_open_thread *thread = thread_of(threads, pid, tid);
    if (thread)
        settle(threads, thread, ns);
    else
        threads->failed = 1;
    return thread;
}

struct stint_open *stint_open_push(struct stint_open_threads *threads, struct stint_open_thread *thread,
                                   uint64_t end_ns)
{
    int has_room = thread->open.count < STINT_OPEN_MOST;
    struct stint_open *open = has_room ? stint_array_add(&thread->open, &threads->arena, sizeof *open) : NULL;
    threads->too_deep += !has_room;
    threads->failed |= has_room && !open;
    if (!open)
        return NULL;
    *open = (struct stint_open){.end_ns = end_ns};
    set_least(open_of(thread), thread->open.count - 1);
    return open;
}

struct stint_open *stint_open_scope(const struct stint_open_thread *thread)
{
    struct stint_open *open = open_of(thread);
    for (size_t i = thread->open.count; i-- > 0;)
        if (!open[i].is_call)
            return &open[i];
    return NULL;
}

int stint_open_in_call(const struct stint_open_thread *thread)
{
    return thread->open.count && open_of(thread)[thread->open.count - 1].is_call;
}

void stint_open_finish(struct stint_open_threads *threads)
{
    struct stint_open_thread *all = threads->threads.items;
    for (size_t i = 0; i < threads->threads.count; i++)
        settle(threads, &all[i], UINT64_MAX);
}

void stint_open_free(struct stint_open_threads *threads)
{
    stint_arena_free(&threads->arena);
}

/* --------------------------------------------------------------------------------------------------------- launches */

/* Ids of a process count up, so that consecutive ids have consecutive places, and an entry is overwritten after
 * STINT_LAUNCHES calls. */
struct stint_launch_entry {
    uint64_t correlation; /* 0: free */
    int64_t pid;
    size_t number;
};

static size_t place_of(int64_t pid, uint64_t correlation)
{
    return (size_t)((correlation + stint_hash_mix((uint64_t)pid, 0)) % STINT_LAUNCHES);
}

int stint_launches_put(struct stint_launches *launches, int64_t pid, uint64_t correlation, size_t number)
{
    if (!correlation)
        return 0;
    if (!launches->entries)
        launches->entries = stint_arena_alloc(&launches->arena, STINT_LAUNCHES * sizeof *launches->entries);
    if (!launches->entries)
        return -1;
    launches->entries[place_of(pid, correlation)] =
        (struct stint_launch_entry){.correlation = correlation, .pid = pid, .number = number};
    return 0;
}

size_t stint_launches_find(const struct stint_launches *launches, int64_t pid, uint64_t correlation)
{
    if (!launches->entries || !correlation)
        return STINT_GPU_UNATTRIBUTED;
    const struct stint_launch_entry *entry = &launches->entries[place_of(pid, correlation)];
    return entry->correlation == correlation && entry->pid == pid ? entry->number : STINT_GPU_UNATTRIBUTED;
}

void stint_launches_free(struct stint_launches *launches)
{
    stint_arena_free(&launches->arena);
}

/* ---------------------------------------------------------------------------------------------------------- helpers */

struct stint_helper {
    int64_t pid;
    int64_t tid;
};

int stint_helpers_find(struct stint_helpers *helpers, struct stint_arena *arena,
                       const struct stint_open_threads *threads, const char *const *names)
{
    const struct stint_open_thread *all = threads->threads.items;
    *helpers = (struct stint_helpers){.rule = (int)stint_adopt_rule_asked()};
    for (size_t i = 0; i < threads->threads.count; i++) {
        if (!all[i].data || !stint_is_autograd(names[all[i].data - 1]))
            continue;
        struct stint_helper *row = stint_array_add(&helpers->rows, arena, sizeof *row);
        if (!row)
            return -1;
        *row = (struct stint_helper){all[i].pid, all[i].tid};
    }
    return 0;
}

void stint_helpers_see_launch(struct stint_open_thread *thread)
{
    thread->data = 1;
}

static int is_autograd(const struct stint_helpers *helpers, const struct stint_open_thread *thread)
{
    const struct stint_helper *rows = helpers->rows.items;
    for (size_t i = 0; i < helpers->rows.count; i++)
        if (rows[i].pid == thread->pid && rows[i].tid == thread->tid)
            return 1;
    return 0;
}

/* As in contexts/adopt.c: the thread that has launched other work, and the main thread if there are several. */
static const struct stint_open *waiting_for_autograd(const struct stint_helpers *helpers,
                                                     struct stint_open_threads *threads, int64_t pid, uint64_t ns)
{
    const struct stint_open *of_main = NULL, *of_other = NULL;
    size_t others = 0, main_launches = 0;
    for (size_t i = 0; i < threads->threads.count; i++) {
        const struct stint_open_thread *at = (const struct stint_open_thread *)threads->threads.items + i;
        if (at->pid != pid || is_autograd(helpers, at))
            continue;
        const struct stint_open *scope = stint_open_scope(stint_open_at(threads, at->pid, at->tid, ns));
        if (scope && at->tid == pid) {
            of_main = scope;
            main_launches = at->data;
        } else if (scope && at->data) {
            of_other = scope;
            others++;
        }
    }
    if (!others || main_launches)
        return of_main;
    return others == 1 ? of_other : NULL;
}

const struct stint_open *stint_helpers_waiting(const struct stint_helpers *helpers, struct stint_open_threads *threads,
                                               const struct stint_open_thread *thread, uint64_t ns, int is_scope)
{
    if (helpers->rule == STINT_ADOPT_NOTHING)
        return NULL;
    if (is_autograd(helpers, thread))
        return waiting_for_autograd(helpers, threads, thread->pid, ns);
    int is_asked = helpers->rule == STINT_ADOPT_ALL || (helpers->rule == STINT_ADOPT_LAUNCHES && !is_scope);
    const struct stint_open_thread *main_thread =
        is_asked && thread->tid != thread->pid ? stint_open_at(threads, thread->pid, thread->pid, ns) : NULL;
    return main_thread ? stint_open_scope(main_thread) : NULL;
}
