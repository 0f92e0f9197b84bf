/* Compares the verdicts on kernels that both sides counted, in one pass, since both are sorted by name. */
#include "diff/verdict_notes.h"

#include <stdio.h>
#include <string.h>

#include "diff/comparable.h"
#include "verdict/verdict.h"

enum { MOST = 10 };

/* A verdict that is a guess may be another one by chance. */
static int is_certain(const struct stint_verdict *verdict)
{
    return verdict->bound != STINT_BOUND_UNKNOWN && verdict->certainty != STINT_UNSURE;
}

/* Snapshots have kernels in the order of their names; *next is where to look on. Returns 0 if it lacks the kernel. */
static int find(struct stint_kernel_figures *figures, const struct stint_snapshot *snapshot, size_t *next,
                const char *kernel)
{
    for (size_t at = *next; stint_kernel_figures_next(figures, snapshot, &at); *next = at) {
        int order = strcmp(figures->kernel, kernel);
        if (order >= 0)
            return order == 0;
    }
    return 0;
}

static int note(const char *kernel, const struct stint_verdict *a, const struct stint_verdict *b,
                struct stint_array *notes, struct stint_arena *arena)
{
    char text[400];
    (void)snprintf(text, sizeof text, "%.200s was bound by %s in A, and is bound by %s in B", kernel,
                   stint_bound_name(a->bound), stint_bound_name(b->bound));
    return stint_diff_add_note(notes, arena, text);
}

int stint_diff_note_verdicts(const struct stint_snapshot *a, const struct stint_snapshot *b, struct stint_array *notes,
                             struct stint_arena *arena)
{
    struct stint_kernel_figures of_a, of_b;
    size_t next_a = 0, next_b = 0, changed = 0;
    char text[80];
    while (stint_kernel_figures_next(&of_b, b, &next_b)) {
        if (!find(&of_a, a, &next_a, of_b.kernel))
            continue;
        struct stint_verdict before = stint_verdict(&of_a), after = stint_verdict(&of_b);
        if (!is_certain(&before) || !is_certain(&after) || before.bound == after.bound)
            continue;
        if (++changed <= MOST && note(of_b.kernel, &before, &after, notes, arena))
            return -1;
    }
    if (changed <= MOST)
        return 0;
    (void)snprintf(text, sizeof text, "%zu more kernels are bound by something else in B", changed - MOST);
    return stint_diff_add_note(notes, arena, text);
}
