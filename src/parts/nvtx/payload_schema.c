/* Works out where the fields of a program's structures are, as a C compiler would place them. Nested schemas are
 * flattened at registration, so that reading an event is a walk over a list of offsets. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "nvtx/payload.h"
#include "nvtx/string.h"

static struct stint_nvtx_map s_schemas;
static uint64_t s_last_id = STINT_NVTX_FIRST_DYNAMIC_ID - 1;

int stint_nvtx_schemas_start(void)
{
    return stint_nvtx_map_begin(&s_schemas, &stint_nvtx_arena, sizeof(struct stint_nvtx_schema),
                                STINT_NVTX_MAX_SCHEMAS);
}

/* -------------------------------------------------------------------------------------------------------------- ids */

uint64_t stint_nvtx_new_id(void)
{
    return __atomic_add_fetch(&s_last_id, 1, __ATOMIC_RELAXED);
}

/* Ids chosen by programs are only unique within a domain. */
uint64_t stint_nvtx_id_key(const struct stint_nvtx_domain *domain, uint64_t id)
{
    return id < STINT_NVTX_FIRST_DYNAMIC_ID ? UINT64_C(1) << 63 | (uint64_t)domain->index << 32 | id : id;
}

const struct stint_nvtx_schema *stint_nvtx_schema_of(const struct stint_nvtx_domain *domain, uint64_t id)
{
    const struct stint_nvtx_schema *schema = stint_nvtx_map_find(&s_schemas, stint_nvtx_id_key(domain, id));
    return schema && __atomic_load_n(&schema->fields, __ATOMIC_ACQUIRE) ? schema : NULL;
}

/* ----------------------------------------------------------------------------------------------------------- layout */

struct layout {
    const struct stint_nvtx_domain *domain;
    size_t packed; /* greatest alignment allowed; 0: natural */
    size_t at;     /* the end of the last entry */
    int lost;      /* an entry of unknown size came before, so only entries that state their offset can be found */
    struct stint_nvtx_schema schema;
    struct stint_nvtx_field fields[STINT_NVTX_MAX_FIELDS];
};

/* The size and type of one entry. */
struct shape {
    struct stint_nvtx_type type; /* of one element; of size 0 if unknown */
    const struct stint_nvtx_schema *nested;
    size_t size; /* of all elements; 0: unknown */
};

static int is_text(uint64_t type)
{
    return type >= STINT_NVTX_TYPE_CSTRING && type <= STINT_NVTX_TYPE_CSTRING_UTF32;
}

static size_t character_size(uint64_t type)
{
    return type == STINT_NVTX_TYPE_CSTRING_UTF32 ? 4 : type == STINT_NVTX_TYPE_CSTRING_UTF16 ? 2 : 1;
}

/* An array or a text within the payload. */
static void shape_array(struct shape *shape, const struct stint_nvtx_entry *entry)
{
    int is_fixed = (entry->flags & STINT_NVTX_ENTRY_ARRAY) == STINT_NVTX_ENTRY_ARRAY_FIXED;
    if (is_text(entry->type))
        shape->type.size = shape->type.align = (uint32_t)character_size(entry->type);
    shape->type.kind = STINT_NVTX_NO_NUMBER;
    shape->nested = NULL;
    shape->size = 0;
    if ((is_fixed || !(entry->flags & STINT_NVTX_ENTRY_ARRAY)) && entry->detail < UINT32_MAX)
        shape->size = (size_t)entry->detail * shape->type.size;
}

static struct shape shape_of(const struct layout *layout, const struct stint_nvtx_entry *entry)
{
    struct shape shape = {.type = stint_nvtx_type_of(entry->type)};
    if (entry->flags & STINT_NVTX_ENTRY_ELSEWHERE) {
        uint32_t size = entry->flags & STINT_NVTX_ENTRY_POINTER ? sizeof(void *) : 0; /* an offset's size is unknown */
        shape.type = (struct stint_nvtx_type){size, size, STINT_NVTX_NO_NUMBER};
    } else if (entry->type >= STINT_NVTX_FIRST_STATIC_ID) {
        shape.nested = stint_nvtx_schema_of(layout->domain, entry->type);
        if (shape.nested)
            shape.type = (struct stint_nvtx_type){(uint32_t)shape.nested->size, (uint32_t)shape.nested->align, 0};
    }
    shape.size = shape.type.size;
    if (!(entry->flags & STINT_NVTX_ENTRY_ELSEWHERE) &&
        ((entry->flags & STINT_NVTX_ENTRY_ARRAY) || (is_text(entry->type) && entry->detail)))
        shape_array(&shape, entry);
    return shape;
}

static size_t align_of(const struct layout *layout, const struct shape *shape)
{
    size_t align = shape->type.align ? shape->type.align : 1;
    return layout->packed && layout->packed < align ? layout->packed : align;
}

static size_t round_up(size_t size, size_t align)
{
    return (size + align - 1) / align * align;
}

/* Returns the number of the entry's name; the third entry without a name is "[2]". If schemas nest, the outer name
 * comes first. */
static uint32_t field_name(const char *outer, const char *name, size_t position)
{
    char text[STINT_MAX_NAME + 1];
    int length = 0;
    if (outer)
        length = snprintf(text, sizeof text, "%s.", outer);
    if (length < 0 || (size_t)length >= sizeof text)
        length = 0;
    if (name && *name)
        snprintf(text + length, sizeof text - (size_t)length, "%s", name);
    else
        snprintf(text + length, sizeof text - (size_t)length, "[%zu]", position);
    return stint_nvtx_keep_number(text);
}

static void add_field(struct layout *layout, uint32_t name, const struct stint_nvtx_type *type, size_t offset)
{
    if (!name || layout->schema.field_count == STINT_NVTX_MAX_FIELDS)
        layout->schema.rest++;
    else
        layout->fields[layout->schema.field_count++] = (struct stint_nvtx_field){name, *type, offset};
}

static void add_nested(struct layout *layout, const struct stint_nvtx_schema *nested, const char *name, size_t offset)
{
    for (uint32_t i = 0; i < nested->field_count; i++) {
        const struct stint_nvtx_field *field = &nested->fields[i];
        add_field(layout, field_name(name ? name : "", stint_nvtx_kept(field->name), i), &field->type,
                  offset + field->offset);
    }
    layout->schema.rest += nested->rest;
}

static void set_message(struct layout *layout, const struct stint_nvtx_entry *entry, size_t offset)
{
    int is_inside =
        !(entry->flags & STINT_NVTX_ENTRY_ELSEWHERE) && (entry->detail || (entry->flags & STINT_NVTX_ENTRY_ARRAY));
    layout->schema.message_type = (uint32_t)entry->type;
    layout->schema.message_offset = offset;
    layout->schema.message_length = !is_inside ? 0 : entry->detail ? (size_t)entry->detail : SIZE_MAX;
}

/* Whether an entry is a text that stint can use as it is. */
static int is_message(const struct stint_nvtx_entry *entry)
{
    return (entry->flags & STINT_NVTX_ENTRY_MESSAGE) &&
           (entry->type == STINT_NVTX_TYPE_CSTRING || entry->type == STINT_NVTX_TYPE_CSTRING_UTF8 ||
            entry->type == STINT_NVTX_TYPE_REGISTERED);
}

static void add_entry(struct layout *layout, const struct stint_nvtx_entry *entry, size_t position)
{
    struct shape shape = shape_of(layout, entry);
    size_t align = align_of(layout, &shape);
    size_t offset = entry->offset ? (size_t)entry->offset : round_up(layout->at, align);
    if (layout->lost && !entry->offset) {
        layout->schema.rest++;
        return;
    }
    if (is_message(entry))
        set_message(layout, entry, offset);
    else if (shape.nested)
        add_nested(layout, shape.nested, entry->name, offset);
    else if (shape.type.kind != STINT_NVTX_NO_NUMBER && !(entry->flags & STINT_NVTX_ENTRY_TIMESTAMP))
        add_field(layout, field_name(NULL, entry->name, position), &shape.type, offset);
    else
        layout->schema.rest++;
    layout->lost = !shape.size;
    layout->at = offset + shape.size;
    if (align > layout->schema.align)
        layout->schema.align = align;
}

/* ------------------------------------------------------------------------------------------------------ registering */

/* The place for that id; NULL if there is none. */
static struct stint_nvtx_schema *place_for(const struct stint_nvtx_domain *domain, uint64_t id)
{
    struct stint_nvtx_schema *schema = stint_nvtx_map_add(&s_schemas, stint_nvtx_id_key(domain, id));
    if (!schema)
        stint_nvtx_count(&stint_dropped.nvtx_schemas, 1);
    return schema;
}

/* Under the lock. A schema that another image has registered already is left as it is. */
static int publish(struct stint_nvtx_schema *schema, const struct layout *layout)
{
    size_t size = (layout->schema.field_count + 1) * sizeof layout->fields[0]; /* at least one */
    if (schema->fields)
        return 1;
    struct stint_nvtx_field *fields = stint_arena_alloc(&stint_nvtx_arena, size);
    if (!fields)
        return 0;
    memcpy(fields, layout->fields, layout->schema.field_count * sizeof *fields);
    schema->name = layout->schema.name;
    schema->size = layout->schema.size;
    schema->align = layout->schema.align;
    schema->field_count = layout->schema.field_count;
    schema->rest = layout->schema.rest;
    schema->message_type = layout->schema.message_type;
    schema->message_offset = layout->schema.message_offset;
    schema->message_length = layout->schema.message_length;
    __atomic_store_n(&schema->fields, fields, __ATOMIC_RELEASE);
    return 1;
}

static uint64_t add_schema(const struct layout *layout, uint64_t id)
{
    struct stint_nvtx_schema *schema = place_for(layout->domain, id);
    int published = 0, error;
    if (schema && stint_nvtx_begin(&error)) {
        stint_registry_lock();
        published = publish(schema, layout);
        stint_registry_unlock();
        stint_nvtx_end(error);
    }
    return published ? id : 0;
}

static int is_understood(const struct stint_nvtx_schema_attributes *attributes)
{
    uint64_t needed = STINT_NVTX_SCHEMA_HAS_TYPE | STINT_NVTX_SCHEMA_HAS_ENTRIES | STINT_NVTX_SCHEMA_HAS_COUNT;
    return (attributes->fields & needed) == needed && attributes->entries &&
           (attributes->type == STINT_NVTX_SCHEMA_STATIC || attributes->type == STINT_NVTX_SCHEMA_DYNAMIC);
}

static void lay_out(struct layout *layout, const struct stint_nvtx_schema_attributes *attributes)
{
    if (attributes->fields & STINT_NVTX_SCHEMA_HAS_ALIGNMENT)
        layout->packed = attributes->alignment;
    if (is_understood(attributes)) {
        for (size_t i = 0; i < attributes->entry_count; i++)
            add_entry(layout, &attributes->entries[i], i);
    } else { /* a union, for example */
        layout->lost = 1;
        layout->schema.rest = 1;
    }
    if (!layout->lost)
        layout->schema.size = round_up(layout->at, layout->schema.align);
    if ((attributes->fields & STINT_NVTX_SCHEMA_HAS_SIZE) && attributes->size)
        layout->schema.size = attributes->size;
}

uint64_t stint_nvtx_schema_register(const struct stint_nvtx_domain *domain,
                                    const struct stint_nvtx_schema_attributes *attributes)
{
    struct layout layout = {.domain = domain, .schema = {.align = 1}};
    uint64_t id = 0;
    if (attributes->fields & STINT_NVTX_SCHEMA_HAS_ID)
        id = attributes->id;
    if (attributes->fields & STINT_NVTX_SCHEMA_HAS_NAME)
        layout.schema.name = stint_nvtx_keep(attributes->name);
    lay_out(&layout, attributes);
    return add_schema(&layout, id ? id : stint_nvtx_new_id());
}

/* The value of an enumeration is a code, not a number to add up; but its size is needed to find the entries after
 * it. */
uint64_t stint_nvtx_enum_register(const struct stint_nvtx_domain *domain,
                                  const struct stint_nvtx_enum_attributes *attributes)
{
    struct layout layout = {.domain = domain, .schema = {.align = 1, .size = sizeof(int), .rest = 1}};
    uint64_t id = 0;
    if (attributes->fields & STINT_NVTX_ENUM_HAS_ID)
        id = attributes->id;
    if ((attributes->fields & STINT_NVTX_ENUM_HAS_SIZE) && attributes->size)
        layout.schema.size = attributes->size;
    if (layout.schema.size <= sizeof(uint64_t))
        layout.schema.align = layout.schema.size;
    return add_schema(&layout, id ? id : stint_nvtx_new_id());
}

/* Predefined types of payloads. */

#define TYPE(type, kind) ((struct stint_nvtx_type){sizeof(type), _Alignof(type), (kind)})
#define CHAR_KIND (CHAR_MIN < 0 ? STINT_NVTX_SIGNED : STINT_NVTX_UNSIGNED)

static struct stint_nvtx_type integer(uint64_t type)
{
    const struct stint_nvtx_type types[] = {
        {0},
        TYPE(char, CHAR_KIND),
        TYPE(unsigned char, STINT_NVTX_UNSIGNED),
        TYPE(short, STINT_NVTX_SIGNED),
        TYPE(unsigned short, STINT_NVTX_UNSIGNED),
        TYPE(int, STINT_NVTX_SIGNED),
        TYPE(unsigned, STINT_NVTX_UNSIGNED),
        TYPE(long, STINT_NVTX_SIGNED),
        TYPE(unsigned long, STINT_NVTX_UNSIGNED),
        TYPE(long long, STINT_NVTX_SIGNED),
        TYPE(unsigned long long, STINT_NVTX_UNSIGNED),
        TYPE(int8_t, STINT_NVTX_SIGNED),
        TYPE(uint8_t, STINT_NVTX_UNSIGNED),
        TYPE(int16_t, STINT_NVTX_SIGNED),
        TYPE(uint16_t, STINT_NVTX_UNSIGNED),
        TYPE(int32_t, STINT_NVTX_SIGNED),
        TYPE(uint32_t, STINT_NVTX_UNSIGNED),
        TYPE(int64_t, STINT_NVTX_SIGNED),
        TYPE(uint64_t, STINT_NVTX_UNSIGNED),
    };
    return types[type];
}

/* A type that has a size, but is not a number to add up. */
static struct stint_nvtx_type other(uint64_t type)
{
    switch (type) {
    case STINT_NVTX_TYPE_BYTE:
    case STINT_NVTX_TYPE_CHAR8:
        return TYPE(uint8_t, STINT_NVTX_NO_NUMBER);
    case STINT_NVTX_TYPE_CHAR16:
    case STINT_NVTX_TYPE_FLOAT16:
    case STINT_NVTX_TYPE_BF16:
        return TYPE(uint16_t, STINT_NVTX_NO_NUMBER);
    case STINT_NVTX_TYPE_CHAR32:
    case STINT_NVTX_TYPE_TF32:
    case STINT_NVTX_TYPE_CATEGORY:
    case STINT_NVTX_TYPE_COLOR:
    case STINT_NVTX_TYPE_PID32:
    case STINT_NVTX_TYPE_TID32:
        return TYPE(uint32_t, STINT_NVTX_NO_NUMBER);
    case STINT_NVTX_TYPE_SCOPE_ID:
    case STINT_NVTX_TYPE_PID64:
    case STINT_NVTX_TYPE_TID64:
        return TYPE(uint64_t, STINT_NVTX_NO_NUMBER);
    case STINT_NVTX_TYPE_INT128:
    case STINT_NVTX_TYPE_UINT128:
    case STINT_NVTX_TYPE_FLOAT128:
        return (struct stint_nvtx_type){16, 16, STINT_NVTX_NO_NUMBER};
    case STINT_NVTX_TYPE_WCHAR:
        return TYPE(wchar_t, STINT_NVTX_NO_NUMBER);
    case STINT_NVTX_TYPE_ADDRESS:
    case STINT_NVTX_TYPE_CSTRING:
    case STINT_NVTX_TYPE_CSTRING_UTF8:
    case STINT_NVTX_TYPE_CSTRING_UTF16:
    case STINT_NVTX_TYPE_CSTRING_UTF32:
    case STINT_NVTX_TYPE_REGISTERED:
        return TYPE(void *, STINT_NVTX_NO_NUMBER);
    default:
        return (struct stint_nvtx_type){0};
    }
}

struct stint_nvtx_type stint_nvtx_type_of(uint64_t type)
{
    if (type <= STINT_NVTX_TYPE_U64)
        return integer(type);
    switch (type) {
    case STINT_NVTX_TYPE_FLOAT:
    case STINT_NVTX_TYPE_FLOAT32:
        return TYPE(float, STINT_NVTX_FLOATING);
    case STINT_NVTX_TYPE_DOUBLE:
    case STINT_NVTX_TYPE_FLOAT64:
        return TYPE(double, STINT_NVTX_FLOATING);
    case STINT_NVTX_TYPE_LONG_DOUBLE:
        return TYPE(long double, STINT_NVTX_FLOATING);
    case STINT_NVTX_TYPE_SIZE:
        return TYPE(size_t, STINT_NVTX_UNSIGNED);
    default:
        return other(type);
    }
}

static double floating_at(uint32_t size, const void *bytes)
{
    long double longest;
    double number;
    float shorter;
    if (size == sizeof shorter) {
        memcpy(&shorter, bytes, sizeof shorter);
        return (double)shorter;
    }
    if (size == sizeof number) {
        memcpy(&number, bytes, sizeof number);
        return number;
    }
    memcpy(&longest, bytes, sizeof longest);
    return (double)longest;
}

/* The least significant bytes of a word, which are the first in memory. */
static uint64_t word_at(uint32_t size, const void *bytes)
{
    uint64_t word = 0;
    memcpy(&word, bytes, size);
    return word;
}

double stint_nvtx_number_at(const struct stint_nvtx_type *type, const void *bytes)
{
    unsigned unused = 64 - 8 * type->size;
    switch (type->kind) {
    case STINT_NVTX_SIGNED:
        return (double)((int64_t)(word_at(type->size, bytes) << unused) >> unused);
    case STINT_NVTX_UNSIGNED:
        return (double)word_at(type->size, bytes);
    default:
        return floating_at(type->size, bytes);
    }
}
