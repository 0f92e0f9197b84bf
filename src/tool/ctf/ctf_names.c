#include "ctf/ctf_names.h"

static int is_name(const void *array, size_t position, const void *key)
{
    return ((const char *const *)array)[position] == key;
}

int stint_ctf_names_add(struct stint_ctf_names *names, struct stint_arena *arena, struct stint_ctf_name *name)
{
    uint64_t hash = stint_hash_mix((uint64_t)(uintptr_t)name->text, 0);
    size_t at = stint_index_find(&names->name_index, hash, is_name, names->names.items, name->text);
    name->id = (uint32_t)at;
    if (at != STINT_INDEX_NONE)
        return 0;
    name->id = (uint32_t)names->names.count;
    const char **row = stint_array_add(&names->names, arena, sizeof *row);
    if (!row || stint_index_add(&names->name_index, arena, hash, name->id))
        return -1;
    *row = name->text;
    return 1;
}

static int is_counter(const void *array, size_t position, const void *key)
{
    const struct stint_ctf_counter *counter = (const struct stint_ctf_counter *)array + position, *wanted = key;
    return counter->set == wanted->set && counter->name == wanted->name && counter->field == wanted->field;
}

int stint_ctf_names_add_counter(struct stint_ctf_names *names, struct stint_arena *arena,
                                struct stint_ctf_counter *counter)
{
    uint64_t hash = stint_hash_mix((uint64_t)(uintptr_t)counter->name, (uint64_t)(uintptr_t)counter->field);
    size_t at = stint_index_find(&names->counter_index, hash, is_counter, names->counters.items, counter);
    counter->id = (uint32_t)at;
    if (at != STINT_INDEX_NONE)
        return 0;
    counter->id = (uint32_t)names->counters.count;
    struct stint_ctf_counter *row = stint_array_add(&names->counters, arena, sizeof *row);
    if (!row || stint_index_add(&names->counter_index, arena, hash, counter->id))
        return -1;
    *row = *counter;
    return 1;
}
