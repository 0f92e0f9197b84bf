/* Parts: what attaches to the core. A part is a folder of src/parts. What it gives to the core is one struct, and the
 * core includes none of its headers.
 *
 * Which parts a program has is decided when it is linked: each puts the address of its struct into a section whose
 * beginning and end the linker knows. libstint.so has all of them; of libstint.a, a program takes those that it
 * refers to. The order in which they are called is not defined. */
#ifndef STINT_RECORD_PART_H
#define STINT_RECORD_PART_H

#include "stint/detail/api.h"
#include "stint/statset.h"

struct stint_builder;
struct stint_thread_record;

/* When a part is called without arguments. */
enum stint_moment {
    STINT_AT_START,    /* reads the environment. There is no other thread of the library yet */
    STINT_BEFORE_FORK, /* this and the next inside the guard (record/thread.h), without the registry's lock */
    STINT_AFTER_FORK,  /* in the parent */
    STINT_IN_CHILD,    /* the same in the child, which has one thread */
    STINT_AT_SWITCH,   /* recording was switched on or off (record/suspend.h) */
    STINT_AT_END,      /* the process ends, and its report, if any, is where it was to go. Async-signal-safe */
    STINT_BEFORE_EXEC, /* after the last report: the process executes another program */
    STINT_MOMENTS
};

/* Any member but the name may be NULL. */
struct stint_part {
    char name[16];
    void (*at[STINT_MOMENTS])(void);

    /* The library is ready: may make threads and take snapshots. In a forked child, called again when that first
     * records, or would record if it were not held back. */
    void (*run)(int in_child);

    /* A thread begins to record, or its record is about to be folded: the thread is ending, or has ended. Under the
     * registry's lock, inside the guard. */
    void (*thread_begins)(struct stint_thread_record *record);
    void (*thread_ends)(struct stint_thread_record *record);

    /* Adds to a snapshot what the part knows. Inside the guard, without the registry's lock. `emergency`: as for
     * stint_collect. */
    void (*collect)(struct stint_builder *builder, int emergency);

    /* Zeroes the numbers of a set, or all if it is NULL. Inside the guard. */
    void (*reset)(const struct stint_statset *set, enum stint_reset how);

    /* What an injected stint (src/parts/inject) has to hand over to this part. Returns whether it was accepted. */
    int (*attach)(const void *offer);

    /* The last report, of a process that ends or executes another program: brings in what is under way, before the
     * snapshot is taken; and gets it. */
    void (*finish)(int emergency);
    void (*report)(const struct stint_snapshot *snapshot, int is_news, int emergency, int is_exec);
};

#define STINT_PART_SECTION "stint_parts"

#ifdef __has_attribute
#if __has_attribute(retain)
#define STINT_PART_KEPT __attribute__((section(STINT_PART_SECTION), used, retain))
#endif
#endif
#ifndef STINT_PART_KEPT
#define STINT_PART_KEPT __attribute__((section(STINT_PART_SECTION), used))
#endif

/* Defines the struct stint_part_<name>, to be followed by its members. */
#define STINT_PART(part_name)                                                                                          \
    extern const struct stint_part stint_part_##part_name;                                                             \
    static const struct stint_part *s_part_##part_name STINT_PART_KEPT = &stint_part_##part_name;                      \
    const struct stint_part stint_part_##part_name __attribute__((aligned(8)))

/* Each calls that member of all parts that have it. */
void stint_parts_at(enum stint_moment moment);
void stint_parts_run(int in_child);
void stint_parts_thread_begins(struct stint_thread_record *record);
void stint_parts_thread_ends(struct stint_thread_record *record);
void stint_parts_collect(struct stint_builder *builder, int emergency);
void stint_parts_reset(const struct stint_statset *set, enum stint_reset how);
void stint_parts_finish(int emergency);
void stint_parts_report(const struct stint_snapshot *snapshot, int is_news, int emergency, int is_exec);

/* Logs that something was asked for, such as a variable's name says, which a part does that was not linked. Only
 * libstint.a has this function: libstint.so has all parts. */
void stint_missing_part_tell(const char *asked, const char *part) __attribute__((weak));

/* Not 0 if a part wants the last report, even if nothing is printed. */
extern int stint_parts_want_report;

/* Set by parts: from then on one of them may have rows for a snapshot, other than statistics. */
extern int stint_parts_have_rows;

/* Returns the part of that name, or NULL. */
const struct stint_part *stint_part_find(const char *name);

#endif
