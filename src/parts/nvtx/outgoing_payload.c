/* Tells a tool the operation of a scope in fields instead of a text, by a schema that is registered once. Tools without
 * the payload extension get the text. */
#include "nvtx/outgoing_payload.h"

#include <dlfcn.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------- extension */

/* The extension has fewer functions; the tool stores the addresses of those it has. */
enum { SLOTS = 32 };
static intptr_t s_slots[SLOTS];

typedef uint64_t register_schema_fn(const void *domain, const struct stint_nvtx_schema_attributes *schema);

void stint_nvtx_payload_attach(void *tool)
{
    static struct stint_nvtx_segment s_segment = {.slot_count = SLOTS, .slots = s_slots};
    static struct stint_nvtx_module s_module = {.nvtx_version = STINT_NVTX_VERSION,
                                                .size = sizeof s_module,
                                                .id = STINT_NVTX_PAYLOAD_MODULE,
                                                .compatibility = STINT_NVTX_PAYLOAD_COMPATIBILITY,
                                                .segment_count = 1,
                                                .segments = &s_segment};
    void *address = dlsym(tool, "InitializeInjectionNvtxExtension");
    int (*initialize)(struct stint_nvtx_module *);
    memcpy(&initialize, &address, sizeof initialize);
    if (initialize && !initialize(&s_module))
        memset(s_slots, 0, sizeof s_slots);
}

/* ---------------------------------------------------------------------------------------------------------- schema */

#define FIELD(text, kind, member)                                                                                      \
    {                                                                                                                  \
        .name = (text), .type = (kind), .offset = offsetof(struct stint_nvtx_operation_payload, member)                \
    }

static uint64_t register_schema(const void *domain)
{
    static const struct stint_nvtx_entry entries[] = {
        FIELD("sequence", STINT_NVTX_TYPE_U64, sequence),
        FIELD("pass", STINT_NVTX_TYPE_CSTRING, pass),
        FIELD("layer", STINT_NVTX_TYPE_CSTRING, layer),
        FIELD("operands", STINT_NVTX_TYPE_CSTRING, operands),
    };
    struct stint_nvtx_schema_attributes schema = {
        .fields = STINT_NVTX_SCHEMA_HAS_NAME | STINT_NVTX_SCHEMA_HAS_TYPE | STINT_NVTX_SCHEMA_HAS_FLAGS |
                  STINT_NVTX_SCHEMA_HAS_ENTRIES | STINT_NVTX_SCHEMA_HAS_COUNT | STINT_NVTX_SCHEMA_HAS_SIZE,
        .name = "stint::op",
        .type = STINT_NVTX_SCHEMA_STATIC,
        .flags = STINT_NVTX_SCHEMA_DEEP_COPY,
        .entries = entries,
        .entry_count = sizeof entries / sizeof entries[0],
        .size = offsetof(struct stint_nvtx_operation_payload, text),
    };
    register_schema_fn *function;
    memcpy(&function, &s_slots[STINT_NVTX_SCHEMA_REGISTER], sizeof function);
    return function ? function(domain, &schema) : 0;
}

/* Two threads may both register it: either schema can be used. */
static uint64_t schema_of(const void *domain)
{
    static uint64_t s_schema;
    uint64_t schema = __atomic_load_n(&s_schema, __ATOMIC_RELAXED);
    if (!schema && s_slots[STINT_NVTX_SCHEMA_REGISTER]) {
        schema = register_schema(domain);
        __atomic_store_n(&s_schema, schema, __ATOMIC_RELAXED);
    }
    return schema;
}

/* --------------------------------------------------------------------------------------------------------- payload */

/* Ends the part of the text that a word is behind. Returns what follows the word; "" if it is not there. */
static const char *split(char *text, const char *word)
{
    char *at = strstr(text, word);
    if (!at)
        return "";
    *at = '\0';
    return at + strlen(word);
}

static const char *unquoted(const char *text)
{
    char *end = strchr(text, '"');
    if (end)
        *end = '\0';
    return text;
}

int stint_nvtx_payload_of(const void *domain, const struct stint_i_op *operation,
                          struct stint_nvtx_operation_payload *payload, struct stint_nvtx_data *data)
{
    uint64_t schema = schema_of(domain);
    if (!schema)
        return 0;
    (void)stint_operation_text(payload->text, sizeof payload->text, "", operation->bytes);
    memcpy(&payload->sequence, operation->bytes, sizeof payload->sequence);
    payload->layer = unquoted(split(payload->text, ", layer = \""));
    payload->pass = unquoted(split(payload->text, ", direction = \""));
    const char *operands = strstr(payload->text, ", sizes = [");
    payload->operands = operands ? operands + 2 : "";
    *data = (struct stint_nvtx_data){schema, offsetof(struct stint_nvtx_operation_payload, text), payload};
    return 1;
}

#undef FIELD
