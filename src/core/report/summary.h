/* Values for a whole snapshot that several formats need. */
#ifndef STINT_REPORT_SUMMARY_H
#define STINT_REPORT_SUMMARY_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "report/line.h"
#include "stat/numbers.h"
#include "stint/report.h"

struct stint_summary {
    size_t scopes;        /* number of statistics; here and below, without calls of CUDA's API */
    uint64_t measured_ns; /* 100 %: time within scopes, of all threads; running scopes with their time so far */
    uint64_t activations; /* ended and running */
    uint64_t recursive;
    uint64_t running;
    uint64_t running_ns; /* of the outermost running scopes */
    /* Activations of each kind; calls of CUDA's API, or else launches, if their cost is known. */
    uint64_t recorded[STINT_COST_KINDS];
    uint64_t left_out;  /* activations that were left out to keep a budget, */
    double left_out_ns; /* and what that cost */
    double cupti_ns;    /* what CUPTI itself took, estimated; 0: not measured */
    double overhead_ns; /* estimated, for all of these, with CUPTI; 0: not measured */
    size_t live_threads;
    int exited_threads; /* any */
    uint64_t exits;     /* how many; 0: unknown */
};

struct stint_summary stint_summarize(const struct stint_snapshot *snapshot);

/* Whether a context is in no scope: STINT_NO_PARENT, or a call of CUDA's API outside all scopes. */
int stint_summary_is_apart(const struct stint_snapshot *snapshot, size_t context);

/* GPU activity. */
struct stint_gpu_sum {
    int any;                           /* GPUs did something */
    int spans;                         /* there was no collector: times are those of STINT_GPU_SCOPE */
    uint64_t total_ns;                 /* of all devices: the time that is 100 % */
    uint64_t kernels;                  /* number of kernels in total_ns */
    int calls;                         /* launches were timed, too */
    struct stint_gpu_use scopes;       /* charged to scopes; together with the next two, the total */
    struct stint_gpu_use no_scope;     /* launched outside all scopes */
    struct stint_gpu_use unattributed; /* the launch was not seen */
};

/* Returns it; nothing, if the program was linked without a part that collects it (model/gpu_sum.c). */
struct stint_gpu_sum stint_gpu_sum_of(const struct stint_snapshot *snapshot);
struct stint_gpu_sum stint_gpu_summarize(const struct stint_snapshot *snapshot);

/* Adds what calls of CUDA cost, and what CUPTI takes. */
void stint_gpu_add_costs(struct stint_summary *summary, const struct stint_snapshot *snapshot);

/* The time that the column GPU shows. */
static inline uint64_t stint_gpu_shown_ns(const struct stint_gpu_sum *sum, const struct stint_gpu_use *use)
{
    return sum->spans ? use->span_ns : stint_gpu_use_ns(use);
}

/* Whether GPUs did anything at all for a scope. */
static inline int stint_gpu_is_used(const struct stint_gpu_use *use)
{
    return use->kernels || use->copies || use->sets || use->spans;
}

/* A limit or problem that kept something out of the numbers. */
struct stint_loss {
    uint64_t count;
    const char *key;    /* as in JSON, "nodes" */
    const char *noun;   /* of one lost item: "scope" */
    const char *plural; /* "s", which follows it, or "" for one */
    const char *rest;   /* " beyond the calling-context limit" */
    const char *remedy; /* "raise STINT_MAX_NODES" */
};

enum { STINT_LOSSES = offsetof(struct stint_dropped, spare) / sizeof(uint64_t) };

/* Returns the kind of loss number `index`, 0 to STINT_LOSSES - 1, and its count. Each member of struct stint_dropped
 * but the spare ones is one kind. */
struct stint_loss stint_loss_at(const struct stint_dropped *dropped, size_t index);

/* ---------------------------------------------------------------------------------------------------------- frame.c */

/* The text around the rows of the formats for people: a title above; notes and losses below. */

/* Writes "stint: PROGRAM (pid N, rank R), 12 scopes, 2 threads, 1.234 s", or one line that says that there are no
 * scopes. */
void stint_frame_title(struct stint_text *text, const struct stint_snapshot *snapshot,
                       const struct stint_summary *summary, const struct stint_layout *layout);

/* For other titles: writes "stint: PROGRAM" and the description; adds " (pid N, rank R)"; adds ", 2 threads". */
void stint_frame_program(struct stint_text *text, const struct stint_snapshot *snapshot,
                         const struct stint_line *description, const struct stint_layout *layout);
void stint_frame_process(struct stint_line *line, const struct stint_process *process);
void stint_frame_threads(struct stint_line *line, const struct stint_summary *summary);

/* Returns the command line without the program's folder. */
const char *stint_frame_command(const char *command);

/* Writes the notes that apply to the snapshot, one per line, folded to the screen's width. */
void stint_frame_footer(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_summary *summary, const struct stint_layout *layout);

/* The same without the clock, which is for those who doubt a number. */
void stint_frame_short_footer(struct stint_text *text, const struct stint_snapshot *snapshot,
                              const struct stint_summary *summary, const struct stint_layout *layout);

/* Where among the others the notes are on what parts collected. */
enum stint_note_place {
    STINT_NOTE_FIRST,
    STINT_NOTE_OPEN, /* after what is still running */
    STINT_NOTE_LAST,
    STINT_NOTE_LOSSES /* before what was dropped */
};

/* Writes them (model/footnotes.c, which a program may be linked without). `line` is empty. */
void stint_frame_notes_of_parts(struct stint_text *text, struct stint_line *line, const struct stint_snapshot *snapshot,
                                const struct stint_layout *layout, enum stint_note_place place);

/* Writes the last of these notes: why GPU activity was not recorded, and what was dropped. */
void stint_frame_losses(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_layout *layout);

#endif
