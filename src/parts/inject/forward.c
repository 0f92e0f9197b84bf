/* A function for each callback of NVTX that calls two tools, generated from the list of callbacks; which one comes
 * first and whose result counts depends on what the callback does. */
#include <string.h>

#include "inject/inject.h"
#include "nvtx/domain.h"
#include "nvtx/string.h"
#include "stint/detail/api.h"

enum module { MODULE_core, MODULE_core2, MODULE_cuda, MODULE_cudart, MODULE_payload, MODULE_counter, NO_MODULE };

struct stint_forward stint_forward_links[STINT_FORWARD_MODULES][STINT_FORWARD_CALLBACKS];

/* -------------------------------------------------------------------------------------------------------- arguments */

/* The arguments of a call whose values differ between the two tools. They are converted for the tool that is called
 * first, and then for the other. */
struct split {
    enum { OURS_FIRST, OURS_SECOND, THEIRS_FIRST, THEIRS_SECOND } turn;
    struct stint_handle handle;
    struct stint_handle_range range;
    struct stint_handle_attributes event;
    uint64_t number; /* the number that the other tool returned */
    union {
        struct stint_nvtx_schema_attributes schema;
        struct stint_nvtx_enum_attributes values;
        struct stint_nvtx_counter_attributes counter;
    } copy;
};

static inline int is_first(const struct split *split)
{
    return split->turn == OURS_FIRST || split->turn == THEIRS_FIRST;
}

static inline int is_ours(const struct split *split)
{
    return split->turn == OURS_FIRST || split->turn == OURS_SECOND;
}

static inline const void *handle_of(struct split *split, const void *handle)
{
    if (is_first(split))
        split->handle = stint_handle_split(handle);
    return is_ours(split) ? split->handle.ours : split->handle.theirs;
}

static inline uint64_t range_of(struct split *split, uint64_t range)
{
    if (is_first(split))
        split->range = stint_handle_split_range(range);
    return is_ours(split) ? split->range.ours : split->range.theirs;
}

static inline const struct stint_nvtx_attributes *event_of(struct split *split,
                                                           const struct stint_nvtx_attributes *attributes)
{
    if (is_first(split))
        stint_handle_split_attributes(&split->event, attributes);
    return is_ours(split) ? split->event.ours : split->event.theirs;
}

/* Both tools know a schema or a counter by the number that the other tool gave it; for stint, it is a number that the
 * program has chosen. Attributes of older programs end before `extension`, which stint does not use. */
static const struct stint_nvtx_schema_attributes *schema_of(struct split *split,
                                                            const struct stint_nvtx_schema_attributes *attributes)
{
    if (!is_ours(split) || !attributes || !split->number)
        return attributes;
    memcpy(&split->copy.schema, attributes, offsetof(struct stint_nvtx_schema_attributes, extension));
    split->copy.schema.extension = NULL;
    split->copy.schema.fields |= STINT_NVTX_SCHEMA_HAS_ID;
    split->copy.schema.id = split->number;
    return &split->copy.schema;
}

static const struct stint_nvtx_enum_attributes *enum_of(struct split *split,
                                                        const struct stint_nvtx_enum_attributes *attributes)
{
    if (!is_ours(split) || !attributes || !split->number)
        return attributes;
    memcpy(&split->copy.values, attributes, offsetof(struct stint_nvtx_enum_attributes, extension));
    split->copy.values.extension = NULL;
    split->copy.values.fields |= STINT_NVTX_ENUM_HAS_ID;
    split->copy.values.id = split->number;
    return &split->copy.values;
}

/* The attributes of an older program may end before the number. */
static const struct stint_nvtx_counter_attributes *counter_of(struct split *split,
                                                              const struct stint_nvtx_counter_attributes *attributes)
{
    struct stint_nvtx_counter_attributes *copy = &split->copy.counter;
    if (!is_ours(split) || !attributes || !split->number)
        return attributes;
    memset(copy, 0, sizeof *copy);
    memcpy(copy, attributes, attributes->size < sizeof *copy ? attributes->size : sizeof *copy);
    copy->size = sizeof *copy;
    copy->id = split->number;
    return copy;
}

#define HANDLE(handle) handle_of(&split, (handle))
#define RANGE(range) range_of(&split, (range))
#define EVENT(attributes) event_of(&split, (attributes))
#define SCHEMA(attributes) schema_of(&split, (attributes))
#define ENUM(attributes) enum_of(&split, (attributes))
#define COUNTER(attributes) counter_of(&split, (attributes))

/* -------------------------------------------------------------------------------------------------------- functions */

/* NOLINTBEGIN(bugprone-macro-parentheses): `result` is a type; parameters and arguments have their parentheses. */
#define LINK(module, callback) stint_forward_links[MODULE_##module][STINT_NVTX_##callback]

#define OURS(order, module, callback, result, parameters, arguments)                                                   \
    (split.turn = OURS_##order, ((result(*) parameters)LINK(module, callback).ours)arguments)
#define THEIRS(order, module, callback, result, parameters, arguments)                                                 \
    (split.turn = THEIRS_##order, ((result(*) parameters)LINK(module, callback).theirs)arguments)

#define TELL(...)                                                                                                      \
    THEIRS(FIRST, __VA_ARGS__);                                                                                        \
    OURS(SECOND, __VA_ARGS__);

#define END(...)                                                                                                       \
    OURS(FIRST, __VA_ARGS__);                                                                                          \
    THEIRS(SECOND, __VA_ARGS__);

#define PUSH(...)                                                                                                      \
    int level = THEIRS(FIRST, __VA_ARGS__);                                                                            \
    (void)OURS(SECOND, __VA_ARGS__);                                                                                   \
    return level;

#define POP(...)                                                                                                       \
    (void)OURS(FIRST, __VA_ARGS__);                                                                                    \
    return THEIRS(SECOND, __VA_ARGS__);

#define START(...)                                                                                                     \
    uint64_t theirs = THEIRS(FIRST, __VA_ARGS__);                                                                      \
    return stint_handle_join_range(OURS(SECOND, __VA_ARGS__), theirs);

/* If a resource's name is a registered string of the other tool, stint does not know it, and makes the resource without
 * a name. */
#define MAKE(...)                                                                                                      \
    const void *theirs = THEIRS(FIRST, __VA_ARGS__);                                                                   \
    return stint_handle_join(OURS(SECOND, __VA_ARGS__), theirs);

/* The other tool's result if it is not 0: a number, or that it listens (the program asks whether to make calls at
 * all). */
#define CHOOSE(module, callback, result, parameters, arguments)                                                        \
    result theirs = THEIRS(FIRST, module, callback, result, parameters, arguments);                                    \
    split.number = theirs;                                                                                             \
    result ours = OURS(SECOND, module, callback, result, parameters, arguments);                                       \
    return theirs ? theirs : ours;

/* The other tool's clock. The times are used by deferred events, which stint only counts. */
#define CLOCK(...) return THEIRS(FIRST, __VA_ARGS__);

#define FUNCTION(module, callback, number, name, function, kind, result, parameters, arguments)                        \
    static result module##_##function parameters                                                                       \
    {                                                                                                                  \
        struct split split;                                                                                            \
        (void)&split; /* some functions do not use it */                                                               \
        kind(module, callback, result, parameters, arguments)                                                          \
    }
STINT_NVTX_ENTRIES(FUNCTION)
/* NOLINTEND(bugprone-macro-parentheses) */

/* ----------------------------------------------------------------------------------------- which for which callback */

#define ENTRY(module, callback, number, name, function, ...)                                                           \
    [MODULE_##module][STINT_NVTX_##callback] = (stint_nvtx_any_fn *)module##_##function,

static stint_nvtx_any_fn *const s_functions[STINT_FORWARD_MODULES][STINT_FORWARD_CALLBACKS] = {
    STINT_NVTX_ENTRIES(ENTRY)};

/* Called for every image, and always stores the same; but the first may be attached on two threads at the same time. */
static stint_nvtx_any_fn *forward(enum module module, unsigned callback, stint_nvtx_any_fn *ours,
                                  stint_nvtx_any_fn *theirs)
{
    if (module == NO_MODULE || callback >= STINT_FORWARD_CALLBACKS || !s_functions[module][callback])
        return ours;

    struct stint_forward *link = &stint_forward_links[module][callback];

    if (!STINT_I_LOAD(&link->ours)) {
        STINT_I_STORE(&link->theirs, theirs);
        STINT_I_STORE(&link->ours, ours);
    }
    return s_functions[module][callback];
}

stint_nvtx_any_fn *stint_forward_core(int module, unsigned callback, stint_nvtx_any_fn *ours, stint_nvtx_any_fn *theirs)
{
    enum module which = module == STINT_NVTX_CORE     ? MODULE_core
                        : module == STINT_NVTX_CORE2  ? MODULE_core2
                        : module == STINT_NVTX_CUDA   ? MODULE_cuda
                        : module == STINT_NVTX_CUDART ? MODULE_cudart
                                                      : NO_MODULE;
    return forward(which, callback, ours, theirs);
}

stint_nvtx_any_fn *stint_forward_extension(unsigned module, unsigned callback, stint_nvtx_any_fn *ours,
                                           stint_nvtx_any_fn *theirs)
{
    enum module which = module == STINT_NVTX_PAYLOAD_MODULE   ? MODULE_payload
                        : module == STINT_NVTX_COUNTER_MODULE ? MODULE_counter
                                                              : NO_MODULE;
    return forward(which, callback, ours, theirs);
}

/* Translates between the handles of two tools, by hash tables from the handle that the program has to what each tool
 * gave. */

/* Strings, domains, and resources, which have names. */
enum { MOST_HANDLES = STINT_NVTX_MAX_STRINGS + STINT_NVTX_MAX_DOMAINS + STINT_NVTX_MAX_NAMES };

struct item {
    uint64_t key; /* the program's handle */
    struct stint_handle handle;
};

static struct stint_nvtx_map s_items;

/* By the lower bits of stint's number, which are those of the range's place (nvtx/sample.c). */
static struct stint_handle_range *s_ranges;

int stint_handle_start(void)
{
    static struct stint_arena arena;
    s_ranges = stint_arena_alloc(&arena, STINT_NVTX_MAX_OPEN * sizeof *s_ranges);
    return !s_ranges || stint_nvtx_map_begin(&s_items, &arena, sizeof(struct item), MOST_HANDLES) ? -1 : 0;
}

/* ---------------------------------------------------------------------------------------------------------- handles */

const void *stint_handle_join(const void *ours, const void *theirs)
{
    const void *handle = theirs ? theirs : ours;
    struct item *item = handle ? stint_nvtx_map_add(&s_items, (uintptr_t)handle) : NULL;
    if (item) {
        STINT_I_STORE(&item->handle.ours, ours);
        STINT_I_STORE(&item->handle.theirs, theirs);
    }
    return handle;
}

struct stint_handle stint_handle_split(const void *handle)
{
    const struct item *item = handle ? stint_nvtx_map_find(&s_items, (uintptr_t)handle) : NULL;
    if (!item)
        return (struct stint_handle){handle, handle};
    return (struct stint_handle){STINT_I_LOAD(&item->handle.ours), STINT_I_LOAD(&item->handle.theirs)};
}

static const struct stint_nvtx_attributes *with_text(struct stint_nvtx_attributes *copy,
                                                     const struct stint_nvtx_attributes *attributes, const void *text)
{
    memcpy(copy, attributes, sizeof *copy);
    copy->size = sizeof *copy;
    copy->text.registered = text;
    return copy;
}

void stint_handle_split_attributes(struct stint_handle_attributes *split,
                                   const struct stint_nvtx_attributes *attributes)
{
    split->ours = split->theirs = attributes;
    if (!attributes || attributes->size < sizeof *attributes || attributes->text_type != STINT_NVTX_TEXT_REGISTERED)
        return;
    struct stint_handle text = stint_handle_split(attributes->text.registered);
    if (text.ours != attributes->text.registered)
        split->ours = with_text(&split->copies[0], attributes, text.ours);
    if (text.theirs != attributes->text.registered)
        split->theirs = with_text(&split->copies[1], attributes, text.theirs);
}

/* ----------------------------------------------------------------------------------------------------------- ranges */

/* Marks a number that only the other tool gave: stint's numbers are never that large. */
#define THEIRS_ALONE (UINT64_C(1) << 63)

static struct stint_handle_range *place_of(uint64_t ours)
{
    return &s_ranges[ours % STINT_NVTX_MAX_OPEN];
}

uint64_t stint_handle_join_range(uint64_t ours, uint64_t theirs)
{
    if (!ours)
        return theirs ? theirs | THEIRS_ALONE : 0;
    STINT_I_STORE(&place_of(ours)->theirs, theirs);
    STINT_I_STORE(&place_of(ours)->ours, ours);
    return ours;
}

struct stint_handle_range stint_handle_split_range(uint64_t range)
{
    if (range & THEIRS_ALONE)
        return (struct stint_handle_range){0, range & ~THEIRS_ALONE};
    return (struct stint_handle_range){
        range, range && STINT_I_LOAD(&place_of(range)->ours) == range ? STINT_I_LOAD(&place_of(range)->theirs) : 0};
}
