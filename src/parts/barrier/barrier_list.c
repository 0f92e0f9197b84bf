/* Keeps the barrier statistics of a process in one table, by set and name, and puts them into snapshots. */
#include "barrier/barrier.h"

#include <pthread.h>
#include <string.h>

#include "base/arena.h"
#include "base/process.h"
#include "record/part.h"

struct entry {
    struct stint_barrier barrier; /* first: users of the table hold its address */
    const void *set;
    size_t length;
};

static struct {
    pthread_mutex_t lock;
    struct stint_arena arena;
    struct stint_index index;
    struct entry *entries[STINT_MAX_BARRIERS];
    size_t count;
} s_list = {.lock = PTHREAD_MUTEX_INITIALIZER};

void stint_barriers_lock(void)
{
    pthread_mutex_lock(&s_list.lock);
}

void stint_barriers_unlock(void)
{
    pthread_mutex_unlock(&s_list.lock);
}

void stint_barriers_reset_lock(void)
{
    pthread_mutex_init(&s_list.lock, NULL);
}

static int same_barrier(const void *array, size_t position, const void *key)
{
    const struct entry *entry = ((struct entry *const *)array)[position];
    const struct stint_barrier_key *wanted = key;
    return entry->set == wanted->set && entry->length == wanted->length &&
           memcmp(entry->barrier.stat.name, wanted->name, wanted->length) == 0;
}

struct stint_barrier *stint_barriers_find(const struct stint_barrier_key *key)
{
    size_t at = stint_index_find(&s_list.index, key->hash, same_barrier, s_list.entries, key);
    return at == STINT_INDEX_NONE ? NULL : &s_list.entries[at]->barrier;
}

static struct entry *new_barrier(const struct stint_barrier_key *key, enum stint_barrier_kind kind,
                                 uint32_t participants)
{
    struct entry *entry = stint_arena_alloc(&s_list.arena, sizeof *entry);
    const char *name = stint_arena_copy(&s_list.arena, key->name, key->length);
    struct stint_barrier_part *parts = stint_arena_alloc(&s_list.arena, participants * sizeof *parts);
    if (!entry || !name || !parts)
        return NULL;
    stint_barrier_begin(&entry->barrier, kind, participants, parts);
    entry->barrier.stat.set = key->set_name;
    entry->barrier.stat.name = name;
    entry->set = key->set;
    entry->length = key->length;
    return entry;
}

enum stint_status stint_barriers_add(const struct stint_barrier_key *key, enum stint_barrier_kind kind,
                                     int64_t participants, struct stint_barrier **barrier)
{
    if (s_list.count == STINT_MAX_BARRIERS || participants < 3 || participants > STINT_MAX_PARTICIPANTS)
        return STINT_ERROR_LIMIT;
    struct entry *entry = new_barrier(key, kind, (uint32_t)participants);
    if (!entry || stint_index_add(&s_list.index, &s_list.arena, key->hash, s_list.count))
        return STINT_ERROR_NO_MEMORY;
    s_list.entries[s_list.count++] = entry;
    STINT_I_STORE(&stint_parts_have_rows, 1);
    *barrier = &entry->barrier;
    return STINT_OK;
}

void stint_barriers_zero(const void *set, enum stint_reset how)
{
    for (size_t i = 0; i < s_list.count; i++)
        if (!set || s_list.entries[i]->set == set)
            stint_barrier_zero(&s_list.entries[i]->barrier, how);
}

void stint_barriers_drop_rounds(void)
{
    for (size_t i = 0; i < s_list.count; i++)
        s_list.entries[i]->barrier.stat.pending = 0;
}

void stint_barriers_collect(struct stint_builder *builder, int emergency)
{
    int locked = stint_lock_for(&s_list.lock, emergency);
    for (size_t i = 0; i < s_list.count; i++)
        stint_builder_add(builder, STINT_ROWS_BARRIERS, &s_list.entries[i]->barrier.stat);
    if (locked)
        stint_barriers_unlock();
}
