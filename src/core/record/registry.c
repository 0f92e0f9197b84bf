/* Names and ids of sets and statistics, and the one word, stint_i_state, that the fast path compares: it changes when
 * recording is switched, or numbers are reset, and sends each thread through the slow path once. */
#include "record/registry.h"

#include <pthread.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/process.h"
#include "base/text.h"

enum { STEP = 2 }; /* the generation counts in steps of 2; bit 0 is STINT_I_SLOW */

uint32_t stint_i_state = STINT_I_SLOW;
struct stint_limits stint_limits;
struct stint_dropped stint_dropped;

static STINT_I_THREAD_LOCAL const uint64_t *tl_last_dropped __attribute__((tls_model("initial-exec")));

uint64_t stint_count_dropped(uint64_t *counter)
{
    tl_last_dropped = counter;
    return __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
}

enum stint_status stint_last_dropped(void)
{
    return tl_last_dropped == &stint_dropped.memory ? STINT_ERROR_NO_MEMORY : STINT_ERROR_LIMIT;
}

static struct {
    pthread_mutex_t lock;
    struct stint_arena arena;
    struct stint_index index;
    uint32_t last_id;
    uint32_t generation;
    uint32_t slow;
    int enabled;
    size_t set_count;
} s_registry = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .generation = STEP,
    .slow = STINT_I_SLOW,
    .enabled = 1,
    .set_count = 1,
};

const struct stint_statset *stint_call_set;
struct stint_statset stint_global_set = {.name = "GlobalStatInfo"};
static struct stint_statset s_sets[STINT_MAX_SETS]; /* all others, from 1 on */
struct stint_entry **stint_entries;

static struct stint_entry s_root = {.set = &stint_global_set, .name = "", .file = "", .function = ""};

void stint_registry_lock(void)
{
    pthread_mutex_lock(&s_registry.lock);
}

void stint_registry_unlock(void)
{
    pthread_mutex_unlock(&s_registry.lock);
}

int stint_registry_lock_for(int emergency)
{
    return stint_lock_for(&s_registry.lock, emergency);
}

void stint_registry_reset_lock(void)
{
    pthread_mutex_init(&s_registry.lock, NULL);
}

int stint_registry_start(const struct stint_limits *limits)
{
    stint_limits = *limits;
    stint_entries = stint_arena_alloc(&s_registry.arena, ((size_t)limits->names + 1) * sizeof(void *));
    if (!stint_entries)
        return -1;
    stint_entries[0] = &s_root;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- sets */

struct stint_statset *stint_registry_set_at(size_t position)
{
    if (position >= __atomic_load_n(&s_registry.set_count, __ATOMIC_ACQUIRE))
        return NULL;
    return position ? &s_sets[position] : &stint_global_set;
}

static struct stint_statset *find_set(const char *name, size_t length)
{
    struct stint_statset *set;
    for (size_t i = 0; (set = stint_registry_set_at(i)); i++)
        if (strlen(set->name) == length && memcmp(set->name, name, length) == 0)
            break;
    return set;
}

static struct stint_statset *add_set(const char *name, size_t length)
{
    const char *copy = NULL;
    if (s_registry.set_count < STINT_MAX_SETS)
        copy = stint_arena_copy(&s_registry.arena, name, length);
    if (!copy)
        return NULL;
    struct stint_statset *set = &s_sets[s_registry.set_count];
    set->name = copy;
    __atomic_store_n(&s_registry.set_count, s_registry.set_count + 1, __ATOMIC_RELEASE);
    return set;
}

struct stint_statset *stint_registry_set(const char *name)
{
    size_t length = stint_utf8_cut(name, STINT_MAX_NAME);
    stint_registry_lock();
    struct stint_statset *set = find_set(name, length);
    if (!set)
        set = add_set(name, length);
    stint_registry_unlock();
    if (!set)
        stint_count_dropped(&stint_dropped.sets);
    return set ? set : &stint_global_set;
}

struct stint_statset *stint_registry_known_set(const char *name)
{
    return find_set(name, strlen(name));
}

/* ------------------------------------------------------------------------------------------------------- statistics */

static const char s_unnamed[STINT_NAME_HEAD + 1] = "(unnamed)";

struct stint_name stint_registry_name(const struct stint_statset *set, const char *text)
{
    size_t most = SIZE_MAX;
    const char *read = text ? text : "";
    for (;;) {
        struct stint_name name = stint_registry_read_name(set ? set : &stint_global_set, read, most);
        if (STINT_I_LIKELY(!stint_registry_is_odd(name.length)))
            return name;
        stint_count_dropped(name.length ? &stint_dropped.truncated : &stint_dropped.unnamed);
        if (name.length)
            most = stint_utf8_cut(read, STINT_MAX_NAME);
        else
            read = s_unnamed;
    }
}

static int same_entry(const void *array, size_t position, const void *key)
{
    (void)array;
    return stint_registry_is((uint32_t)position, key);
}

uint32_t stint_registry_last_id(void)
{
    return __atomic_load_n(&s_registry.last_id, __ATOMIC_ACQUIRE);
}

static size_t find_position(const struct stint_name *name)
{
    return stint_index_find(&s_registry.index, name->hash, same_entry, stint_entries, name);
}

static const char *copy_text(const char *text)
{
    return stint_arena_copy(&s_registry.arena, text, strlen(text));
}

static struct stint_entry *new_entry(const struct stint_name *name, const struct stint_i_site *site)
{
    struct stint_entry *entry = stint_arena_alloc(&s_registry.arena, sizeof *entry);
    if (!entry)
        return NULL;
    entry->set = name->set;
    entry->name = stint_arena_copy(&s_registry.arena, name->text, name->length);
    entry->length = name->length;
    entry->head[0] = name->head[0];
    entry->head[1] = name->head[1];
    entry->file = copy_text(site ? site->file : "");
    entry->function = copy_text(site ? site->function : "");
    entry->line = site ? site->line : 0;
    entry->way = stint_cost_kind_of(entry->set->name, entry->function, entry->line);
    entry->by_thread = name->set->by_thread;
    return entry->name && entry->file && entry->function ? entry : NULL;
}

static uint32_t add_entry(const struct stint_name *name, const struct stint_i_site *site)
{
    uint32_t id = s_registry.last_id + 1;
    if (id > stint_limits.names) {
        stint_count_dropped(&stint_dropped.names);
        return 0;
    }
    struct stint_entry *entry = new_entry(name, site);
    if (!entry || stint_index_add(&s_registry.index, &s_registry.arena, name->hash, id)) {
        stint_count_dropped(&stint_dropped.memory);
        return 0;
    }
    __atomic_store_n(&stint_entries[id], entry, __ATOMIC_RELEASE);
    __atomic_store_n(&s_registry.last_id, id, __ATOMIC_RELEASE);
    return id;
}

uint32_t stint_registry_id(const struct stint_name *name, const struct stint_i_site *site)
{
    stint_registry_lock();
    size_t position = find_position(name);
    uint32_t id = position == STINT_INDEX_NONE ? add_entry(name, site) : (uint32_t)position;
    stint_registry_unlock();
    return id;
}

uint32_t stint_registry_find(const struct stint_name *name)
{
    size_t position = find_position(name);
    return position == STINT_INDEX_NONE ? 0 : (uint32_t)position;
}

/* -------------------------------------------------------------------------------------------- switch and generation */

static uint32_t wanted_state(void)
{
    if (!__atomic_load_n(&s_registry.enabled, __ATOMIC_SEQ_CST))
        return 0;
    return __atomic_load_n(&s_registry.generation, __ATOMIC_SEQ_CST) |
           __atomic_load_n(&s_registry.slow, __ATOMIC_SEQ_CST);
}

/* Takes no lock, so that a signal handler can switch recording whatever it interrupted. A thread that changed a part
 * checks all parts again after storing, so that the last store has the latest state. A thread that sees a generation
 * also sees the epochs that it announces. */
static void publish_state(void)
{
    uint32_t state;
    do {
        state = wanted_state();
        __atomic_store_n(&stint_i_state, state, __ATOMIC_SEQ_CST);
    } while (state != wanted_state());
}

void stint_registry_set_inline(int inline_clock)
{
    __atomic_store_n(&s_registry.slow, inline_clock ? 0u : STINT_I_SLOW, __ATOMIC_SEQ_CST);
    publish_state();
}

void stint_registry_set_enabled(int enabled)
{
    __atomic_store_n(&s_registry.enabled, !!enabled, __ATOMIC_SEQ_CST);
    publish_state();
}

uint32_t stint_registry_generation(void)
{
    return __atomic_load_n(&s_registry.generation, __ATOMIC_ACQUIRE);
}

/* Skips 0, which means off, and the dummy tree's state. */
static void next_generation(void)
{
    uint32_t next = s_registry.generation + STEP;
    if (next == 0 || next >= UINT32_MAX - STEP)
        next = STEP;
    __atomic_store_n(&s_registry.generation, next, __ATOMIC_SEQ_CST);
    publish_state();
}

static void next_epoch(struct stint_entry *entry, enum stint_reset how, uint64_t now)
{
    __atomic_store_n(&entry->epoch, entry->epoch + 1, __ATOMIC_RELEASE);
    if (how == STINT_RESET_ALL)
        STINT_I_STORE(&entry->reset_ticks, now);
}

void stint_registry_reset_id(uint32_t id)
{
    next_epoch(stint_registry_entry(id), STINT_RESET_ALL, stint_clock_ticks());
    next_generation();
}

void stint_registry_reset(const struct stint_statset *set, enum stint_reset how)
{
    uint64_t now = stint_clock_ticks();
    for (uint32_t id = 1; id <= s_registry.last_id; id++)
        if (!set || stint_entries[id]->set == set)
            next_epoch(stint_entries[id], how, now);
    next_generation();
}
