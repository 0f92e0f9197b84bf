/* Takes bytes as what a program tells NVTX's extensions: schemas, counters, and events with payloads. Schemas may be
 * wrong in every way, and payloads may be shorter than their schemas say. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "nvtx/client.h"
#include "nvtx/domain.h"
#include "nvtx/handler.h"
#include "nvtx/payload.h"
#include "nvtx/string.h"
#include "record/fixture.h"

enum { MOST_ENTRIES = 8, MOST_PAYLOADS = 3, MOST_OWN = 1 << 16, WIDE = 0xE0, UNKNOWN_SIZE = 0xFF };

/* What is left of the input. */
static const uint8_t *s_at, *s_end;

static uint8_t next_byte(void)
{
    return s_at < s_end ? *s_at++ : 0;
}

/* Small numbers are one byte; a byte from WIDE on says that eight bytes follow. */
static uint64_t next_number(void)
{
    uint64_t number = next_byte();
    if (number >= WIDE)
        for (int i = 0; i < 8; i++)
            number = number << 8 | next_byte();
    return number;
}

/* A predefined type, or one of few schemas. */
static uint64_t next_type(void)
{
    uint64_t type = next_number();
    return type >= 0x80 && type < WIDE ? STINT_NVTX_FIRST_STATIC_ID + type % 16 : type;
}

static const char *next_name(void)
{
    static const char *const names[] = {NULL, "", "one", "two", "a name of a field that is rather long", "\xff\x01"};
    return names[next_byte() % (sizeof names / sizeof names[0])];
}

/* --------------------------------------------------------------------------------------------------------- payloads */

/* Puts a valid pointer where the schema has the event's text, because nobody could check one. */
static void set_message(const struct stint_nvtx_data *data, void *bytes, size_t size)
{
    const struct stint_nvtx_schema *schema = NULL;
    if (data->schema >= STINT_NVTX_FIRST_STATIC_ID)
        schema = stint_nvtx_schema_of(&stint_nvtx_domains[0], data->schema);
    if (!schema || !schema->message_type || schema->message_length || size < sizeof(void *) ||
        schema->message_offset > size - sizeof(void *))
        return;
    const void *text = schema->message_type == STINT_NVTX_TYPE_REGISTERED ? register_text(NULL, "text") : "text";
    memcpy((char *)bytes + schema->message_offset, &text, sizeof text);
}

/* A payload whose size the program does not state is as large as its schema says. */
static struct stint_nvtx_data next_data(void)
{
    struct stint_nvtx_data data = {.schema = next_type()};
    uint8_t size = next_byte();
    size_t room = size == UNKNOWN_SIZE ? stint_nvtx_payload_size(&stint_nvtx_domains[0], data.schema) : size;
    if (room > MOST_OWN)
        return data;
    char *bytes = calloc(room ? room : 1, 1);
    require(bytes != NULL, "no memory");
    for (size_t i = 0; i < room && s_at < s_end; i++)
        bytes[i] = (char)next_byte();
    data.size = size == UNKNOWN_SIZE ? SIZE_MAX : room;
    set_message(&data, bytes, room);
    data.bytes = bytes;
    return data;
}

struct payloads {
    struct stint_nvtx_data data[MOST_PAYLOADS];
    size_t count;
};

static struct payloads next_payloads(void)
{
    struct payloads payloads = {.count = next_byte() % (MOST_PAYLOADS + 1)};
    for (size_t i = 0; i < payloads.count; i++)
        payloads.data[i] = next_data();
    return payloads;
}

static void free_payloads(struct payloads *payloads)
{
    for (size_t i = 0; i < payloads->count; i++)
        free((void *)(uintptr_t)payloads->data[i].bytes);
}

/* ------------------------------------------------------------------------------------------------------ definitions */

static void register_schema(void)
{
    struct stint_nvtx_entry entries[MOST_ENTRIES] = {0};
    struct stint_nvtx_schema_attributes attributes = {.fields = next_number() | STINT_NVTX_SCHEMA_HAS_ID,
                                                      .name = next_name(),
                                                      .type = next_byte(),
                                                      .entries = entries,
                                                      .entry_count = next_byte() % (MOST_ENTRIES + 1),
                                                      .size = next_number(),
                                                      .alignment = next_number(),
                                                      .id = STINT_NVTX_FIRST_STATIC_ID + next_byte() % 16};
    for (size_t i = 0; i < attributes.entry_count; i++) {
        entries[i].flags = next_number() | (next_byte() % 4 == 3 ? STINT_NVTX_ENTRY_MESSAGE : 0);
        entries[i].type = next_type();
        entries[i].name = next_name();
        entries[i].detail = next_number();
        entries[i].offset = next_number();
    }
    (void)stint_nvtx_call_register_schema(NULL, &attributes);
}

static void register_enum(void)
{
    const struct stint_nvtx_enum_attributes attributes = {.fields = next_number() | STINT_NVTX_ENUM_HAS_ID,
                                                          .size = next_number(),
                                                          .id = STINT_NVTX_FIRST_STATIC_ID + next_byte() % 16};
    (void)stint_nvtx_call_register_enum(NULL, &attributes);
}

static void register_counter(void)
{
    const struct stint_nvtx_counter_attributes attributes = {
        .size = sizeof attributes, .schema = next_type(), .name = next_name(), .id = 1 + next_byte() % 4};
    (void)stint_nvtx_call_register_counter(NULL, &attributes);
}

/* ----------------------------------------------------------------------------------------------------------- events */

static void sample(void)
{
    uint64_t counter = 1 + next_byte() % 4;
    struct stint_nvtx_data data = next_data();
    stint_nvtx_call_sample_int64(NULL, counter, (int64_t)next_number());
    if (data.size != SIZE_MAX && data.bytes) {
        const struct stint_nvtx_counter_batch batch = {.counter = counter, .samples = data.bytes, .size = data.size};
        stint_nvtx_call_sample(NULL, counter, data.bytes, data.size);
        stint_nvtx_call_sample_batch(NULL, &batch);
    }
    free((void *)(uintptr_t)data.bytes);
}

static void submit(void)
{
    const struct stint_nvtx_event_batch batch = {.schema = next_type(), .size = next_number()};
    stint_nvtx_call_submit_batch(NULL, &batch);
}

static void mark_attributes(const struct payloads *payloads)
{
    struct stint_nvtx_attributes attributes = text("mark");
    attributes.payload_type = next_byte() % 16;
    if (attributes.payload_type == STINT_NVTX_PAYLOAD_EXTENDED) {
        attributes.payload_count = (int)payloads->count;
        attributes.payload.u64 = (uintptr_t)payloads->data;
    } else {
        attributes.payload.u64 = next_number();
    }
    call(STINT_NVTX_CORE, STINT_NVTX_MARK_EX, void, (const struct stint_nvtx_attributes *), (&attributes));
}

static void tell_event(unsigned what)
{
    static uint64_t s_open;
    struct payloads payloads = next_payloads();
    if (what == 0)
        stint_nvtx_call_mark_payload(NULL, payloads.data, payloads.count);
    else if (what == 1)
        (void)stint_nvtx_call_push_payload(NULL, payloads.data, payloads.count);
    else if (what == 2)
        (void)stint_nvtx_call_pop_payload(NULL, payloads.data, payloads.count);
    else if (what == 3)
        s_open = stint_nvtx_call_start_payload(NULL, payloads.data, payloads.count);
    else if (what == 4)
        stint_nvtx_call_end_payload(NULL, s_open, payloads.data, payloads.count);
    else
        mark_attributes(&payloads);
    free_payloads(&payloads);
}

static void tell(void)
{
    static void (*const others[])(void) = {register_schema, register_enum, register_counter, sample, submit};
    unsigned what = next_byte() % 11;
    if (what < 6)
        tell_event(what);
    else
        others[what - 6]();
}

/* ------------------------------------------------------------------------------------------------------------ start */

static struct stint_nvtx_map *s_maps[2]; /* of schemas and of counters */

int __real_stint_nvtx_map_begin(struct stint_nvtx_map *map, struct stint_arena *arena, size_t size, uint32_t limit);
int __wrap_stint_nvtx_map_begin(struct stint_nvtx_map *map, struct stint_arena *arena, size_t size, uint32_t limit)
{
    if (limit == STINT_NVTX_MAX_SCHEMAS)
        s_maps[s_maps[0] != NULL] = map;
    return __real_stint_nvtx_map_begin(map, arena, size, limit);
}

/* What a program registered before is forgotten, so that an input means the same each time. The memory for it is not
 * freed: stint keeps it as long as the program runs. */
static void begin(void)
{
    if (!s_maps[0])
        require(client_start(NULL) == 0 && s_maps[1], "stint cannot start");
    for (size_t i = 0; i < sizeof s_maps / sizeof s_maps[0]; i++) {
        memset(s_maps[i]->items, 0, (s_maps[i]->mask + 1) * s_maps[i]->item_size);
        s_maps[i]->used = 0;
    }
    require(client_reset(NULL) == 0, "stint cannot begin anew");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    begin();
    s_at = data;
    s_end = data + size;
    while (s_at < s_end)
        tell();
    stint_snapshot_free(take());
    return 0;
}
