/* The registry: sets and statistics by name, the switch and the generation that the fast path compares, and the counts
 * of what was dropped. Everything here lives until the process ends. */
#ifndef STINT_RECORD_REGISTRY_H
#define STINT_RECORD_REGISTRY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "stat/numbers.h"
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
    uint64_t head[2]; /* as in struct stint_name */
    const char *file;
    const char *function;
    uint32_t line;
    enum stint_cost_kind way;
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
int stint_registry_lock_for(int emergency); /* 1: locked; see base/process.h */
void stint_registry_reset_lock(void);       /* in a forked child, where its holder may be gone */

/* ------------------------------------------------------------------------------------------------------------- sets */

struct stint_statset *stint_registry_known_set(const char *name); /* NULL if missing; needs no lock */
struct stint_statset *stint_registry_set(const char *name);   /* added if missing; the global set beyond the limit */
struct stint_statset *stint_registry_set_at(size_t position); /* 0: the global set; NULL after the last */

/* The set of an API's calls, NULL until there is one. They are timed like scopes, but listeners are not told of them,
 * and paths skip them. */
extern const struct stint_statset *stint_call_set;

/* ------------------------------------------------------------------------------------------------------- statistics */

/* A name as it is looked up: cut to STINT_MAX_NAME, never empty. */
struct stint_name {
    const struct stint_statset *set;
    const char *text;
    size_t length;
    uint64_t head[2]; /* the first bytes, eight in each, as numbers; 0: the name is shorter */
    uint64_t hash;    /* of set and text */
};

enum { STINT_NAME_HEAD = 16 };

/* The set of scopes that name none. */
extern struct stint_statset stint_global_set;

/* Whether a text has to be mended before it is a name. */
static inline int stint_registry_is_odd(size_t length)
{
    return length - 1 >= STINT_MAX_NAME;
}

/* Takes bytes of a text into a word, up to eight of them, and returns how many. */
STINT_I_INLINE size_t stint_registry_take(const char *text, size_t most, uint64_t *word)
{
    size_t at = 0;
    for (; at < sizeof *word && at < most && text[at]; at++)
        *word = *word << 8 | (unsigned char)text[at];
    return at;
}

/* Returns the name that a text of at most `most` bytes is, which may be odd. Inline, like everything that a dynamic
 * timer does at every execution. It is hashed by the first 16 bytes, read
 * one by one, and by the rest: a program has often just written the text, in pieces, and then a load that spans several
 * of them would wait until they have all reached the cache. */
STINT_I_INLINE struct stint_name stint_registry_read_name(const struct stint_statset *set, const char *text,
                                                          size_t most)
{
    struct stint_name name = {.set = set, .text = text};
    uint64_t seed = (uintptr_t)set;
    name.length = stint_registry_take(text, most, &name.head[0]);
    if (name.length == STINT_NAME_HEAD / 2)
        name.length += stint_registry_take(text + name.length, most - name.length, &name.head[1]);
    if (name.length == STINT_NAME_HEAD && most > STINT_NAME_HEAD && text[STINT_NAME_HEAD]) {
        size_t rest = strnlen(text + STINT_NAME_HEAD, most - STINT_NAME_HEAD);
        seed = stint_hash(text + STINT_NAME_HEAD, rest, seed);
        name.length += rest;
    }
    name.hash = stint_hash_mix(name.head[0], name.head[1] ^ seed ^ name.length << 56);
    return name;
}

/* Returns the name that a text is once it is mended. NULL is "". */
struct stint_name stint_registry_name(const struct stint_statset *set, const char *text);

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
    return entry->set == name->set && entry->length == name->length && entry->head[0] == name->head[0] &&
           entry->head[1] == name->head[1] &&
           (STINT_I_LIKELY(name->length <= STINT_NAME_HEAD) ||
            memcmp(entry->name + STINT_NAME_HEAD, name->text + STINT_NAME_HEAD, name->length - STINT_NAME_HEAD) == 0);
}

/* Returns whether a statistic is that of a call. */
static inline int stint_call_is(uint32_t id)
{
    const struct stint_statset *set = __atomic_load_n(&stint_call_set, __ATOMIC_ACQUIRE);
    return set && stint_registry_entry(id)->set == set;
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
