/* stint as a program that calls NVTX: loads the tool as NVTX's header would do, without needing that header, and turns
 * scopes into its ranges. Names are registered with the tool once, and then pushed by handle. A tool is told the
 * operation of a scope in fields instead of a text, by a schema that is registered once; one without the payload
 * extension gets the text. */
#include "nvtx/handler.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/process.h"
#include "notes/note.h"
#include "nvtx/abi.h"
#include "record/registry.h"
#include "record/scope.h"
#include "runtime/runtime.h"
#include "support/annotation.h"

/* "SET/NAME", with both names at their longest and a NUL. */
enum { TEXT_SIZE = 2 * STINT_MAX_NAME + 2 };

/* by statistic: the registered text; NULL: none yet, or the tool does not register texts */
static const void **s_strings;
static const void *s_domain;

STINT_I_THREAD_LOCAL const struct stint_i_op *stint_nvtx_operation;

/* ------------------------------------------------------------------------------------------------------- extension */

/* The extension has fewer functions; the tool stores the addresses of those it has. */
enum { SLOTS = 32 };
static intptr_t s_slots[SLOTS];

typedef uint64_t register_schema_fn(const void *domain, const struct stint_nvtx_schema_attributes *schema);

/* Asks the tool for the extension; `tool` is the handle of its library. */
static void attach_payloads(void *tool)
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

/* The fields of the schema "stint::op". */
struct operation_payload {
    uint64_t sequence;
    const char *pass; /* "fprop", "bprop", "optim" */
    const char *layer;
    const char *operands; /* sizes, types and inputs, as in the text of the operation */
    char text[STINT_OPERATION_TEXT];
};

#define FIELD(text, kind, member)                                                                                      \
    {                                                                                                                  \
        .name = (text), .type = (kind), .offset = offsetof(struct operation_payload, member)                           \
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
        .size = offsetof(struct operation_payload, text),
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

/* Fills in the operation's payload, and `data`, which names it. Returns 0 if the tool does not know payloads. */
static int fill_payload(const void *domain, const struct stint_i_op *operation, struct operation_payload *payload,
                        struct stint_nvtx_data *data)
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
    *data = (struct stint_nvtx_data){schema, offsetof(struct operation_payload, text), payload};
    return 1;
}

/* ------------------------------------------------------------------------------------------------------------- tool */

/* Does what NVTX's header would do in this library. stint calls six of the functions: the tool stores their addresses
 * in the places that a table points to. All other functions share one place that is never read. */
enum { CREATE_DOMAIN, REGISTER_STRING, PUSH_IN, POP_IN, PUSH, POP, UNREAD, FUNCTIONS };
static stint_nvtx_any_fn *s_functions[FUNCTIONS];

typedef const void *create_domain_fn(const char *name);
typedef const void *register_string_fn(const void *domain, const char *text);
typedef int push_in_fn(const void *domain, const struct stint_nvtx_attributes *attributes);
typedef int pop_in_fn(const void *domain);
typedef int push_fn(const struct stint_nvtx_attributes *attributes);
typedef int pop_fn(void);

/* The modules of NVTX 3, by number, and how many callbacks each has; number 0 is unused, both of modules and of
 * callbacks. */
enum { MODULES = 7, MOST_CALLBACKS = 16 };

static int find_table(int module, stint_nvtx_any_fn ***(*table), unsigned *count)
{
    static const unsigned char counts[MODULES] = {0, MOST_CALLBACKS, 9, 15, 7, MOST_CALLBACKS, 7};
    static stint_nvtx_any_fn **s_tables[MODULES][MOST_CALLBACKS + 1];
    if (module <= 0 || module >= MODULES)
        return 0;
    stint_nvtx_any_fn ***places = s_tables[module];
    for (unsigned i = 1; i < counts[module]; i++)
        places[i] = &s_functions[UNREAD];
    if (module == STINT_NVTX_CORE) {
        places[STINT_NVTX_RANGE_PUSH_EX] = &s_functions[PUSH];
        places[STINT_NVTX_RANGE_POP] = &s_functions[POP];
    } else if (module == STINT_NVTX_CORE2) {
        places[STINT_NVTX_DOMAIN_CREATE_A] = &s_functions[CREATE_DOMAIN];
        places[STINT_NVTX_DOMAIN_REGISTER_STRING_A] = &s_functions[REGISTER_STRING];
        places[STINT_NVTX_DOMAIN_RANGE_PUSH_EX] = &s_functions[PUSH_IN];
        places[STINT_NVTX_DOMAIN_RANGE_POP] = &s_functions[POP_IN];
    }
    if (table)
        *table = places;
    if (count)
        *count = counts[module];
    return 1;
}

static void set_version(uint32_t version)
{
    (void)version;
}

static const void *get_table(uint32_t table)
{
    static const struct stint_nvtx_callbacks callbacks = {sizeof callbacks, find_table};
    static const struct stint_nvtx_version_info version = {sizeof version, STINT_NVTX_VERSION, 0, set_version};
    if (table == STINT_NVTX_TABLE_CALLBACKS)
        return &callbacks;
    return table == STINT_NVTX_TABLE_VERSION ? &version : NULL;
}

/* The path of the tool; NULL: none. With raised privileges the variable is ignored. */
static const char *tool_path(void)
{
    return stint_env_text("NVTX_INJECTION64_PATH");
}

static void attach(void)
{
    const char *path = tool_path();
    void *tool = path ? dlopen(path, RTLD_LAZY) : NULL;
    void *address = tool ? dlsym(tool, "InitializeInjectionNvtx2") : NULL;
    int (*initialize)(stint_nvtx_get_table_fn * get_table);
    memcpy(&initialize, &address, sizeof initialize);
    if (initialize && initialize(get_table)) {
        attach_payloads(tool);
        return;
    }
    memset(s_functions, 0, sizeof s_functions);
    if (tool)
        (void)dlclose(tool);
}

static void attach_once(void)
{
    static pthread_once_t s_once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&s_once, attach);
}

enum stint_nvtx stint_nvtx_start(int insist)
{
    static struct stint_arena s_arena; /* never freed; pages that no statistic needs are never touched */
    if (tool_path())
        attach_once();
    if (s_functions[CREATE_DOMAIN])
        s_domain = ((create_domain_fn *)s_functions[CREATE_DOMAIN])("stint");
    if (!s_domain && !insist)
        return STINT_NVTX_NO_TOOL;
    s_strings = stint_arena_alloc(&s_arena, ((size_t)stint_limits.names + 1) * sizeof(void *));
    if (!s_strings)
        return STINT_NVTX_NO_MEMORY;
    return s_domain ? STINT_NVTX_ATTACHED : STINT_NVTX_NO_TOOL;
}

/* ----------------------------------------------------------------------------------------------------------- ranges */

static void push(struct stint_nvtx_attributes *attributes)
{
    attributes->version = STINT_NVTX_VERSION;
    attributes->size = sizeof *attributes;
    if (!s_domain)
        attach_once(); /* the variable may have been set since the library's start */
    if (s_domain && s_functions[PUSH_IN])
        ((push_in_fn *)s_functions[PUSH_IN])(s_domain, attributes);
    else if (!s_domain && s_functions[PUSH])
        ((push_fn *)s_functions[PUSH])(attributes);
}

/* If two threads register the same new text, either handle can be used. */
static void push_text(uint32_t id, const char *text)
{
    struct stint_nvtx_attributes attributes = {.text_type = STINT_NVTX_TEXT_ASCII, .text.ascii = text};
    const void *string = NULL;
    if (!s_domain)
        attach_once();
    if (s_functions[REGISTER_STRING])
        string = ((register_string_fn *)s_functions[REGISTER_STRING])(s_domain, text);
    if (string) {
        __atomic_store_n(&s_strings[id], string, __ATOMIC_RELEASE);
        attributes.text_type = STINT_NVTX_TEXT_REGISTERED;
        attributes.text.registered = string;
    }
    push(&attributes);
}

/* Named as in reports. A separate function, since a signal handler's stack may be too small for the name, which is
 * rarely needed. */
__attribute__((noinline)) static void push_in_set(uint32_t id, const struct stint_entry *entry)
{
    char text[TEXT_SIZE];
    snprintf(text, sizeof text, "%s/%s", entry->set->name, entry->name);
    push_text(id, text);
}

static void push_new(uint32_t id)
{
    const struct stint_entry *entry = stint_registry_entry(id);
    if (entry->set == stint_registry_set_at(0))
        push_text(id, entry->name);
    else
        push_in_set(id, entry);
}

/* A tool that does not know payloads gets the text. */
__attribute__((noinline)) static void push_operation_text(uint32_t id)
{
    char text[STINT_MAX_NAME + STINT_OPERATION_TEXT];
    (void)stint_operation_text(text, sizeof text, stint_registry_entry(id)->name, stint_nvtx_operation->bytes);
    push(&(struct stint_nvtx_attributes){.text_type = STINT_NVTX_TEXT_ASCII, .text.ascii = text});
}

__attribute__((noinline)) static void push_operation(uint32_t id)
{
    struct operation_payload payload;
    struct stint_nvtx_data data;
    if (!fill_payload(s_domain, stint_nvtx_operation, &payload, &data)) {
        push_operation_text(id);
        return;
    }
    push(&(struct stint_nvtx_attributes){.text_type = STINT_NVTX_TEXT_ASCII,
                                         .text.ascii = stint_registry_entry(id)->name,
                                         .payload_type = STINT_NVTX_PAYLOAD_EXTENDED,
                                         .payload_count = 1,
                                         .payload.pointer = &data});
}

void stint_nvtx_push(uint32_t id)
{
    if (stint_nvtx_operation) {
        push_operation(id);
        return;
    }
    struct stint_nvtx_attributes attributes = {.text_type = STINT_NVTX_TEXT_REGISTERED};
    attributes.text.registered = __atomic_load_n(&s_strings[id], __ATOMIC_ACQUIRE);
    if (attributes.text.registered)
        push(&attributes);
    else
        push_new(id);
}

void stint_nvtx_pop(uint32_t id)
{
    (void)id;
    if (s_domain && s_functions[POP_IN])
        ((pop_in_fn *)s_functions[POP_IN])(s_domain);
    else if (!s_domain && s_functions[POP])
        ((pop_fn *)s_functions[POP])();
}

/* The functions behind the macros of op.h: a scope that has something to say at its end. */

/* Until the library has started, somebody may want to know. */
uint32_t stint_i_op_wanted = 1;

void stint_nvtx_op_start(void)
{
    STINT_I_STORE(&stint_i_op_wanted, (uint32_t)(stint_notes_are_on || stint_scope_has_listener()));
}

struct stint_i_node *stint_i_op_begin(struct stint_i_op *op, struct stint_i_site *site, const char *kind, int pass,
                                      const char *layer, uint64_t sequence, const struct stint_i_operand *operands,
                                      size_t count)
{
    struct stint_operation_note note = {sequence, pass, layer, operands, count};
    int is_cut;
    op->length = 0;
    if (stint_runtime_start() || !stint_registry_enabled())
        return NULL;
    if (!STINT_I_LOAD(&stint_i_op_wanted))
        return stint_i_enter(site, kind, NULL);
    op->length = stint_operation_write(op->bytes, &note, &is_cut);
    if (is_cut)
        stint_count_dropped(&stint_dropped.truncated);
    stint_nvtx_operation = op;
    struct stint_i_node *node = stint_i_enter(site, kind, NULL);
    stint_nvtx_operation = NULL;
    return node;
}

void stint_i_op_end(struct stint_i_op *op)
{
    uint64_t now = stint_i_end_ticks(stint_i_self);
    struct stint_note_more more = {.length = op->length, .text = (const char *)op->bytes};
    if (op->node)
        stint_note_leave(op->node, now, STINT_NOTE_SCOPE | STINT_NOTE_OPERATION, &more);
}
