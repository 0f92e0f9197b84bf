/* What stint top shows: what the processes that are watched did between two looks at them. */
#ifndef STINT_CLI_TOP_VIEW_H
#define STINT_CLI_TOP_VIEW_H

#include "base/text.h"
#include "cli/live.h"
#include "stint/report.h"

struct stint_top_process {
    long long pid;
    char *folder; /* in which it listens */
    struct stint_snapshot *last;
    struct stint_live_rows rows; /* of `last` */
    int is_there;                /* it answered the last time */
    /* Between the last two looks; since it began, if there was only one. */
    uint64_t wall_ns, gpu_ns, kernels, scopes;
};

struct stint_top {
    struct stint_arena arena;
    struct stint_array processes; /* struct stint_top_process */
    int wants_all;                /* every process of this user that listens, also those that begin later */
    struct stint_live_rows rows;  /* between the last two looks, of all together */
    uint64_t wall_ns;             /* the longest of the processes' */
    int is_first;                 /* there was one look: all is since the processes began */
};

/* Adds a process to those that a struct stint_top watches; `folder` is copied. */
void stint_top_watch(void *top, long long pid, const char *folder);

/* Asks all of them. Returns how many have answered. */
size_t stint_top_look(struct stint_top *top);

static inline struct stint_top_process *stint_top_process(const struct stint_top *top, size_t i)
{
    return (struct stint_top_process *)top->processes.items + i;
}

void stint_top_free(struct stint_top *top);

/* ------------------------------------------------------------------------------------------------------------- view */

struct stint_top_view {
    struct stint_layout layout;
    enum stint_live_order order;
    double seconds; /* between two looks */
    size_t rows;    /* most rows; 0: all */
    size_t first;   /* row that is shown first */
    int is_by_process;
    int is_paused;
    int shows_help;
};

void stint_top_put(struct stint_text *text, struct stint_top *top, const struct stint_top_view *view);

/* Returns the word for an order, as --sort takes it. */
const char *stint_top_order_word(enum stint_live_order order);

#endif
