/* Keeps the names of what GPUs did, readable ones beside CUPTI's, each once, and has those of activities without a name
 * of their own. */
#include "gpu/activity_table.h"

#include <stdlib.h>
#include <string.h>

#include "cxxabi/cxxabi.h"
#include "model/model.h"
#include "record/registry.h"
#include "support/keyed_table.h"

enum { RECENT = 1024 };

struct name {
    struct stint_piece key; /* the name as CUPTI gave it, cut to STINT_MAX_NAME: if it is that long, it may have been */
    const char *text;
    const char *mangled;
    int is_kernel;
};

static struct {
    struct stint_arena arena;
    struct stint_table names;
    stint_cxxabi_fn *demangle;
    struct {
        const char *address;
        uint32_t id;
    } recent[RECENT]; /* by address */
} s_names;

void stint_names_start(void)
{
    if (!s_names.demangle)
        s_names.demangle = stint_cxxabi_loaded();
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
    s_names.names = (struct stint_table){0};
    memset(s_names.recent, 0, sizeof s_names.recent);
}

/* ------------------------------------------------------------------------------------------------------------- find */

static const struct stint_table_key s_key = STINT_TABLE_KEY_COPYING(struct name, key, is_kernel);

/* Whether a name equals `text`, which may have any length. */
static int reads(const struct name *name, const char *text)
{
    if (name->key.length == STINT_MAX_NAME)
        return strncmp(name->key.text, text, STINT_MAX_NAME) == 0;
    return strcmp(name->key.text, text) == 0;
}

/* -------------------------------------------------------------------------------------------------------------- add */

/* Cuts a text that is too long, and counts it. */
static const char *keep(const char *text)
{
    struct stint_name name = stint_registry_name(NULL, text);
    return stint_arena_copy(&s_names.arena, name.text, name.length);
}

static const char *readable(const struct name *name)
{
    const char *text = name->is_kernel ? stint_static_kernel(name->key.text) : name->key.text;
    char *demangled = name->is_kernel ? stint_cxxabi_kernel(s_names.demangle, text) : NULL;
    const char *kept = keep(demangled ? demangled : text);
    free(demangled);
    return kept;
}

/* Returns the id of a name, which is added if it may be; else, and without memory, STINT_NAME_NONE. */
static uint32_t look_up(struct name *like, int may_add)
{
    struct name *name = stint_table_find(&s_names.names, &s_key, like);
    if (!name && may_add) {
        like->text = readable(like);
        name = like->text ? stint_table_take(&s_names.names, &s_key, &s_names.arena, like) : NULL;
        if (name)
            name->mangled = name->is_kernel ? name->key.text : "";
    }
    return name ? (uint32_t)stint_table_position(&s_names.names, &s_key, name) : STINT_NAME_NONE;
}

uint32_t stint_names_id(enum stint_gpu_kind kind, const char *name, int may_add)
{
    int is_kernel = kind == STINT_GPU_KERNEL || (kind == STINT_GPU_UNMEASURED && name[0] != '[');
    size_t at = stint_hash_mix((uintptr_t)name, 0) % RECENT;
    uint32_t id = s_names.recent[at].id;
    if (s_names.recent[at].address == name && name_at(id)->is_kernel == is_kernel && reads(name_at(id), name))
        return id;
    id = look_up(&(struct name){.key = {name, strnlen(name, STINT_MAX_NAME)}, .is_kernel = is_kernel}, may_add);
    if (id != STINT_NAME_NONE) {
        s_names.recent[at].address = name;
        s_names.recent[at].id = id;
    }
    return id;
}

static const char s_overheads[][32] = {
    [STINT_OVERHEAD_UNKNOWN] = "[CUPTI overhead]",
    [STINT_OVERHEAD_COMPILER] = "[CUDA driver compiler]",
    [STINT_OVERHEAD_BUFFER_FLUSH] = "[CUPTI buffer flush]",
    [STINT_OVERHEAD_INSTRUMENTATION] = "[CUPTI instrumentation]",
    [STINT_OVERHEAD_RESOURCE] = "[CUPTI resource]",
    [STINT_OVERHEAD_RUNTIME_LOADING] = "[CUDA module loading]",
    [STINT_OVERHEAD_LAZY_LOADING] = "[CUDA lazy function loading]",
    [STINT_OVERHEAD_BUFFER_REQUEST] = "[CUPTI buffer request]",
    [STINT_OVERHEAD_INITIALIZATION] = "[CUPTI initialization]",
    [STINT_OVERHEAD_COMMAND_BUFFER_FULL] = "[CUDA command buffer full]",
};

const char *stint_name_of_kind(enum stint_gpu_kind kind, uint32_t what)
{
    const char *name = stint_gpu_name(kind, stint_activity_direction(kind, what), stint_activity_wait(kind, what));
    if (name)
        return name;
    if (kind == STINT_GPU_FAULT)
        return stint_gpu_fault_names[what < STINT_GPU_FAULTS ? what : STINT_GPU_FAULT_HOST];
    if (kind == STINT_GPU_UNMEASURED)
        return "[launch without a record]";
    if (kind != STINT_GPU_OVERHEAD)
        return "(unnamed)";
    return s_overheads[what < sizeof s_overheads / sizeof s_overheads[0] ? what : STINT_OVERHEAD_UNKNOWN];
}
