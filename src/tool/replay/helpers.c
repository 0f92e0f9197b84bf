/* Finds the scope that waits for what a helper thread does: by the names of PyTorch's threads, and by who has launched
 * before. */
#include "replay/helpers.h"

#include "replay/replay.h"
#include "support/adopt_rule.h"

struct stint_helper {
    int64_t pid;
    int64_t tid;
};

int stint_helpers_find(struct stint_helpers *helpers, struct stint_arena *arena, const struct stint_replay *replay)
{
    const struct stint_open_thread *threads = replay->open.threads.items;
    const char *const *names = replay->names.items;
    *helpers = (struct stint_helpers){.rule = (int)stint_adopt_rule_asked()};
    for (size_t i = 0; i < replay->open.threads.count; i++) {
        if (!threads[i].data || !stint_is_autograd(names[threads[i].data - 1]))
            continue;
        struct stint_helper *row = stint_array_add(&helpers->rows, arena, sizeof *row);
        if (!row)
            return -1;
        *row = (struct stint_helper){threads[i].pid, threads[i].tid};
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
