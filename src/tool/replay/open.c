/* Keeps what is open on each thread. */
#include "replay/open.h"

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
    struct stint_open_thread *thread = (struct stint_open_thread *)threads->threads.items + threads->last;
    if (threads->last < threads->threads.count && thread->pid == pid && thread->tid == tid)
        return thread;
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
    return thread;
}

struct stint_open *stint_open_push(struct stint_open_threads *threads, struct stint_open_thread *thread,
                                   uint64_t end_ns)
{
    if (thread->open.count == STINT_OPEN_MOST)
        return NULL;
    struct stint_open *open = stint_array_add(&thread->open, &threads->arena, sizeof *open);
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
