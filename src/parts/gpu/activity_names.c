#include "gpu/activity_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/demangle.h"
#include "base/index.h"
#include "record/registry.h"

enum { RECENT = 1024 };

struct name {
    const char *key; /* the name as CUPTI gave it, cut to STINT_MAX_NAME */
    size_t length;   /* of the key; STINT_MAX_NAME: it may have been cut */
    const char *text;
    const char *mangled;
    int is_kernel;
};

static struct {
    struct stint_arena arena;
    struct stint_array names;
    struct stint_index index;
    stint_demangle_fn *demangle;
    struct {
        const char *address;
        uint32_t id;
    } recent[RECENT]; /* by address */
} s_names;

void stint_names_start(void)
{
    if (!s_names.demangle)
        s_names.demangle = stint_demangler_loaded();
}

static const struct name *name_at(size_t id)
{
    return (const struct name *)s_names.names.items + id;
}

const char *stint_names_text(uint32_t id)
{
    return name_at(id)->text;
}

const char *stint_names_mangled(uint32_t id)
{
    return name_at(id)->mangled;
}

void stint_names_forget(void)
{
    stint_arena_reuse(&s_names.arena);
    s_names.names = (struct stint_array){0};
    s_names.index = (struct stint_index){0};
    memset(s_names.recent, 0, sizeof s_names.recent);
}

/* ------------------------------------------------------------------------------------------------------------- find */

struct key {
    const char *text;
    size_t length; /* at most STINT_MAX_NAME */
    int is_kernel;
};

static int is_same(const void *array, size_t position, const void *wanted)
{
    const struct name *name = (const struct name *)array + position;
    const struct key *key = wanted;

    return name->length == key->length && name->is_kernel == key->is_kernel &&
           memcmp(name->key, key->text, key->length) == 0;
}

/* Whether a name equals `text`, which may have any length. */
static int reads(const struct name *name, const char *text)
{
    if (name->length == STINT_MAX_NAME)
        return strncmp(name->key, text, STINT_MAX_NAME) == 0;
    return strcmp(name->key, text) == 0;
}

/* -------------------------------------------------------------------------------------------------------------- add */

/* Cuts a text that is too long, and counts it. */
static const char *keep(const char *text)
{
    struct stint_name name = stint_registry_name(NULL, text);

    return stint_arena_copy(&s_names.arena, name.text, name.length);
}

static const char *readable(const struct key *key)
{
    const char *text = key->is_kernel ? stint_static_kernel(key->text) : key->text;
    char *demangled = NULL;

    if (key->is_kernel && s_names.demangle && stint_is_mangled(text))
        demangled = stint_demangle(s_names.demangle, text);
    if (demangled)
        stint_drop_numba_tags(demangled);
    const char *kept = keep(demangled ? demangled : text);
    free(demangled);
    return kept;
}

static uint32_t add(const struct key *key, uint64_t hash)
{
    struct name name = {.key = stint_arena_copy(&s_names.arena, key->text, key->length),
                        .length = key->length,
                        .text = readable(key),
                        .is_kernel = key->is_kernel};
    struct name *row;

    name.mangled = key->is_kernel ? name.key : "";
    row = name.key && name.text ? stint_array_add(&s_names.names, &s_names.arena, sizeof *row) : NULL;
    if (!row)
        return STINT_NAME_NONE;
    *row = name;
    if (stint_index_add(&s_names.index, &s_names.arena, hash, s_names.names.count - 1))
        return STINT_NAME_NONE;
    return (uint32_t)(s_names.names.count - 1);
}

static uint32_t look_up(const struct key *key, int may_add)
{
    uint64_t hash = stint_hash(key->text, key->length, (uint64_t)key->is_kernel);
    size_t at = stint_index_find(&s_names.index, hash, is_same, s_names.names.items, key);

    if (at != STINT_INDEX_NONE)
        return (uint32_t)at;
    return may_add ? add(key, hash) : STINT_NAME_NONE;
}

uint32_t stint_names_id(enum stint_gpu_kind kind, const char *name, int may_add)
{
    int is_kernel = kind == STINT_GPU_KERNEL || (kind == STINT_GPU_UNMEASURED && name[0] != '[');
    size_t at = stint_hash_mix((uintptr_t)name, 0) % RECENT;
    uint32_t id = s_names.recent[at].id;

    if (s_names.recent[at].address == name && name_at(id)->is_kernel == is_kernel && reads(name_at(id), name))
        return id;
    id = look_up(&(struct key){name, strnlen(name, STINT_MAX_NAME), is_kernel}, may_add);
    if (id != STINT_NAME_NONE) {
        s_names.recent[at].address = name;
        s_names.recent[at].id = id;
    }
    return id;
}
