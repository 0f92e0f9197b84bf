/* The registry: sets and statistics by name, the switch and the generation that the fast path compares, and the counts
 * of what was dropped. Everything here lives until the process ends. */
#ifndef STINT_RECORD_REGISTRY_H
#define STINT_RECORD_REGISTRY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/index.h"
#include "stint/detail/record.h"
#include "stint/statset.h"

struct stint_statset {
    const char *name;
    int by_thread; /* for statistics added later */
};

/* One statistic (set, name). Fields after `line` change under the lock and are read with relaxed loads. */
struct stint_entry {
    const struct stint_statset *set;
    const char *name;
    size_t length;
    uint64_t hash; /* stint_registry_hash of set and name */
    const char *file;
    const char *function;
    uint32_t line;
    uint32_t epoch;       /* nodes of another epoch hold numbers from before the last reset */
    uint64_t reset_ticks; /* a running activation counts from here on, if it began earlier */
    int by_thread;
    int deleted; /* unknown until it has samples again */
    int warned;  /* a change of its name at a static site was logged */
};

enum { STINT_MAX_SETS = 256, STINT_MAX_NAME = 4095 };

struct stint_limits {
    uint64_t nodes;   /* calling contexts, over all threads */
    uint64_t names;   /* statistics */
    uint64_t threads; /* at one time */
};

extern struct stint_limits stint_limits;

/* Counted with stint_count_dropped, read with relaxed loads. */
extern struct stint_dropped stint_dropped;

/* Counts something that was dropped. Returns the new count. */
uint64_t stint_count_dropped(uint64_t *counter);

/* Returns the status for what this thread last counted: STINT_ERROR_NO_MEMORY or STINT_ERROR_LIMIT. */
enum stint_status stint_last_dropped(void);

/* Allocates the tables. Returns 0, or -1 if there is no memory: every look-up then fails, and recording stays off. */
int stint_registry_start(const struct stint_limits *limits);

/* One lock guards names, the list of threads and the exited threads' numbers. It is never taken on the fast path, and
 * never outside of the guard (record/thread.h), because a signal handler might then wait for the thread that it
 * interrupted. */
void stint_registry_lock(void);
void stint_registry_unlock(void);
int stint_registry_lock_for(int emergency); /* 1: locked; see base/threads.h */
void stint_registry_reset_lock(void);       /* in a forked child, where its holder may be gone */

/* ------------------------------------------------------------------------------------------------------------- sets */

struct stint_statset *stint_registry_known_set(const char *name); /* NULL if missing; needs no lock */
struct stint_statset *stint_registry_set(const char *name);   /* added if missing; the global set beyond the limit */
struct stint_statset *stint_registry_set_at(size_t position); /* 0: the global set; NULL after the last */

/* ------------------------------------------------------------------------------------------------------- statistics */

/* A name as it is looked up: cut to STINT_MAX_NAME, never empty. */
struct stint_name {
    const struct stint_statset *set;
    const char *text;
    size_t length;
    uint64_t hash;
};

/* The set of scopes that name none. */
extern struct stint_statset stint_global_set;

/* Does the rest of stint_registry_name for a text that is empty or too long, and counts it. */
const char *stint_registry_mend_name(const char *text, size_t *length);

/* Whether a text has to be mended before it is a name. */
static inline int stint_registry_is_odd(size_t length)
{
    return length - 1 >= STINT_MAX_NAME;
}

/* Returns the name of a text that is not odd. */
static inline struct stint_name stint_registry_name_of(const struct stint_statset *set, const char *text, size_t length)
{
    return (struct stint_name){set, text, length, stint_hash(text, length, (uintptr_t)set)};
}

/* Inline, like everything that a dynamic timer does at every execution. `text` NULL is "". */
static inline struct stint_name stint_registry_name(const struct stint_statset *set, const char *text)
{
    size_t length = text ? strlen(text) : 0;

    if (!set)
        set = &stint_global_set;
    if (STINT_I_UNLIKELY(stint_registry_is_odd(length)))
        text = stint_registry_mend_name(text, &length);
    return stint_registry_name_of(set, text, length);
}

/* Returns the statistic's id, added if missing; 0 if there is no room, which is counted. `site` may be NULL. */
uint32_t stint_registry_id(const struct stint_name *name, const struct stint_i_site *site);

/* Returns the id, or 0 if the statistic is unknown. The lock must be held. */
uint32_t stint_registry_find(const struct stint_name *name);

/* The statistics by id, of which 0 stands for a tree's root. The table never moves: it is read without the lock. */
extern struct stint_entry **stint_entries;

/* Returns the entry of an id that was handed out, or of 0. Needs no lock. */
static inline struct stint_entry *stint_registry_entry(uint32_t id)
{
    return __atomic_load_n(&stint_entries[id], __ATOMIC_ACQUIRE);
}

/* Returns whether `id` has that name. Needs no lock. */
static inline int stint_registry_is(uint32_t id, const struct stint_name *name)
{
    const struct stint_entry *entry = stint_registry_entry(id);

    return entry->hash == name->hash && entry->set == name->set && entry->length == name->length &&
           memcmp(entry->name, name->text, name->length) == 0;
}

/* Ids run from 1 to this, inclusive. */
uint32_t stint_registry_last_id(void);

/* -------------------------------------------------------------------------------------------- switch and generation */

/* Lets threads run the fast path, or not, from their next scope on. Before the first call, stint_i_state keeps all on
 * the slow path. */
void stint_registry_set_inline(int inline_clock);

/* May be called at any time, also in a signal handler. */
void stint_registry_set_enabled(int enabled);

static inline int stint_registry_enabled(void)
{
    return STINT_I_LOAD(&stint_i_state) != 0;
}

/* Returns the current generation: a thread that saw an earlier one must refresh its tree. Never 0. */
uint32_t stint_registry_generation(void);

/* Zeroes the numbers of one statistic, of a set (NULL: of all): starts a new epoch for them, and a new generation so
 * that all threads notice. The lock must be held. */
void stint_registry_reset_id(uint32_t id);
void stint_registry_reset(const struct stint_statset *set, enum stint_reset how);

#endif
