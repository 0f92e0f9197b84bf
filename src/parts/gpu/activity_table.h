/* The tables of what GPUs did, under the ledger's lock: activities, and the part of each that is charged to each path;
 * their names; memory. */
#ifndef STINT_GPU_ACTIVITY_TABLE_H
#define STINT_GPU_ACTIVITY_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/process.h"
#include "gpu/activity.h"
#include "stat/builder.h"
#include "stat/numbers.h"
#include "stint/gpu_stats.h"

/* Memory straight from the system, for tables that are reserved at their full size but mostly stay empty. */

/* Returns `size` zeroed bytes that stay until the process ends, or NULL if the system has no memory. */
void *stint_pages_map(size_t size);

/* Zeroes the table, and returns its memory to the system. NULL is ignored. */
void stint_pages_zero(void *pages, size_t size);

/* How many activities, and how many charges, the ledger has room for. */
enum { STINT_GPU_ROWS = 1 << 14, STINT_GPU_MOST_ROWS = 1 << 24 };

static inline size_t stint_gpu_row_limit(void)
{
    return (size_t)stint_env_number("STINT_MAX_GPU", STINT_GPU_ROWS, 1, STINT_GPU_MOST_ROWS);
}

/* ------------------------------------------------------------------------------------------------- activity_table.c */

struct stint_activity_sum {
    uint64_t count;
    uint64_t total_ns;
    uint64_t min_ns; /* 0 while count is 0; so are the members below */
    uint64_t max_ns;
    uint64_t bytes;
};

struct stint_activity_key {
    enum stint_gpu_kind kind;
    uint32_t name; /* stint_names_id */
    uint32_t device;
    uint32_t context;
    uint32_t stream;
};

struct stint_activity_entry {
    struct stint_activity_key key;
    const char *name; /* set by the ledger, like the next two; NULL: not set yet */
    const char *mangled;
    uint32_t what;        /* as in struct stint_activity */
    uint32_t last_path;   /* charged last, so probably charged next; STINT_PATH_NONE: none yet */
    uint32_t last_charge; /* its charge */
    struct stint_activity_sum sum;
    struct stint_activity_sum no_scope;     /* charged to no scope; there is always room for this charge */
    struct stint_activity_sum unattributed; /* includes charges that found no room */
    double square_ns2;
    uint64_t min_bytes;
    uint64_t max_bytes;
    double square_bytes2;
    struct stint_histogram *histogram; /* of ns */
};

struct stint_activity_charge {
    uint32_t activity; /* position */
    uint32_t path;     /* a scope's */
    struct stint_activity_sum sum;
};

/* Makes room for `limit` activities (at most STINT_ACTIVITIES_LARGEST) and as many charges to scopes; memory is used
 * only where it is written. Returns 0, or -1 without memory. Only the first call has an effect. */
int stint_activities_start(size_t limit);

enum { STINT_ACTIVITIES_LARGEST = 1 << 24 };

/* Whether there is no room for another activity. */
int stint_activities_are_full(void);

/* Returns the activity, which is added if it is missing; NULL: there is no room. */
struct stint_activity_entry *stint_activities_find(const struct stint_activity_key *key);

/* Adds one event to the activity and to its charge. If there is no room for the charge, that is counted, and the event
 * is unattributed. */
void stint_activities_add(struct stint_activity_entry *activity, uint32_t path, uint64_t ns, uint64_t bytes);

size_t stint_activities_activity_count(void);
size_t stint_activities_charge_count(void);
const struct stint_activity_entry *stint_activities_activity(size_t position);
const struct stint_activity_charge *stint_activities_charge(size_t position);

/* Writes the histogram, at most STINT_I_BUCKETS bins. Returns the number of bins. */
size_t stint_activities_bins(const struct stint_activity_entry *activity, struct stint_bin *bins);

/* Empties both tables. */
void stint_activities_forget(void);

/* ------------------------------------------------------------------------------------------------- activity_names.c */

/* Names of activities; each is kept once and identified by a number. All functions need the ledger's lock. */

/* Asks the dynamic linker for a demangler, so the caller must not hold the lock. */
void stint_names_start(void);

/* The name of an activity that has none of its own: the name that nvprof uses, if there is one. A static text. */
const char *stint_name_of_kind(enum stint_gpu_kind kind, uint32_t what);

#define STINT_NAME_NONE UINT32_MAX

/* Returns the number of a name. If the name is new and `may_add` is set, it is copied, and a kernel's name is
 * demangled. Returns STINT_NAME_NONE if the name is new and may not be added, or memory is short. The look-up is fast
 * if the name was at this address before; the text is then compared, because a module may have been unloaded. */
uint32_t stint_names_id(enum stint_gpu_kind kind, const char *name, int may_add);

const char *stint_names_text(uint32_t id);
const char *stint_names_mangled(uint32_t id); /* "" if the name is not a kernel's */

/* Starts numbering again. Texts handed out earlier stay readable, but may change. */
void stint_names_forget(void);

/* --------------------------------------------------------------------------------------------------------- memory.c */

/* Which memory is allocated, and statistics by device and kind. Under the ledger's lock. */

/* Makes room for `limit` allocations at the same time. Returns 0, or -1 without memory. */
int stint_memory_start(size_t limit);

/* Notes an allocation or its end. An allocation beyond the limit is counted as dropped; neither it nor its end is in
 * any number. An allocation at an address that is already allocated ends the earlier one, whose end was missed. An end
 * with a size ends all adjacent allocations within that size. */
void stint_memory_note(const struct stint_allocation *allocation);

/* Returns the numbers of the next device and kind; NULL after the last. */
const struct stint_gpu_memory *stint_memory_at(size_t position);

/* Zeroes the numbers. Current allocations stay, and their size is the new peak. */
void stint_memory_reset(void);

/* Empties everything. */
void stint_memory_forget(void);

/* --------------------------------------------------------------------------------------------------------- ledger.c */

/* The ledger: activities and charges to scopes, added up as they arrive; memory; devices; the trace. One lock guards
 * it. Records arrive on CUPTI's thread or during a flush, never on a launching thread. */

/* Makes the tables for `limit` activities and as many charges (STINT_MAX_GPU), and a trace of `events` events (0:
 * none). Returns 0, or -1 without memory. The tables are made once; later calls can only add a trace. */
__attribute__((cold)) int stint_ledger_start(size_t limit, size_t events);

/* A thread that has the lock is also inside the guard (record/thread.h). */
void stint_ledger_lock(void);
void stint_ledger_unlock(void);
int stint_ledger_try_lock(void); /* 1: locked */

/* The functions from here to stint_ledger_reset need the lock. */

/* Adds one activity: finds its scope by the correlation, unless `path` is given; checks its times; and adds it to its
 * activity, its charge and the trace. */
void stint_ledger_add(const struct stint_activity *activity);

/* Adds the launches of which no record has come: when CUPTI has handed over all that it has. */
void stint_ledger_add_missing(void);

/* Notes an allocation or its end; the end of an unknown allocation is ignored. */
void stint_ledger_allocate(const struct stint_allocation *allocation);

/* Notes a device; members that are 0 or "" leave what is already known. */
void stint_ledger_device(const struct stint_gpu_device *device);

/* Counts `count` records that CUPTI says it dropped, or one that was not understood. */
void stint_ledger_count_dropped(uint64_t count);
void stint_ledger_count_unknown(void);

/* Adds to the CPU time in which records were read; returns all of it since the last reset. */
uint64_t stint_ledger_reading(uint64_t ns);

/* Tells how CUPTI's clock relates to stint's ticks (gpu/timeline.h keeps the pairs): for the trace. */
void stint_ledger_align(uint64_t ticks_before, uint64_t cupti_ns, uint64_t ticks_after);

/* Zeroes everything but the current allocations and the devices: stint_reset. */
void stint_ledger_reset(void);

/* In a forked child: drops the parent's numbers, and renews the lock, which may be held by a thread that is gone. */
__attribute__((cold)) void stint_ledger_after_fork(void);

/* Adds an API call to the trace, with ticks of stint's clock. Called on the thread that made the call, without the
 * lock: takes a slot of the trace, or counts the call as dropped. `name` must live until the process ends. */
void stint_ledger_trace_call(const char *name, uint64_t start, uint64_t end, uint32_t correlation, uint32_t path,
                             int64_t tid);

/* Adds everything to a snapshot that is being built. Takes the lock; with `emergency`, waits for it only a moment. */
void stint_ledger_collect(struct stint_builder *builder, int emergency);

/* What collecting calls: converts the ledger's tables to rows, and adds all. Under the lock, except in an emergency. */
void stint_ledger_add_rows(struct stint_builder *builder);

#endif
