#include "nvtx/client.h"

#include <string.h>

#include "nvtx/domain.h"
#include "nvtx/handler.h"
#include "nvtx/payload.h"
#include "record/fixture.h"
#include "record/thread.h"
#include "stint_test.h"

enum { MODULES = 7, CALLBACKS = 16, EXTENSIONS = 8, SLOTS = 63 };

static stint_nvtx_any_fn *s_slots[MODULES][CALLBACKS];
static stint_nvtx_any_fn **s_tables[MODULES][CALLBACKS];
static unsigned s_limit = CALLBACKS;
uint32_t client_version;

/* ------------------------------------------------------------------------------------------------------------ table */

static int get_module(int module, stint_nvtx_any_fn ***(*table), unsigned *count)
{
    if (module <= 0 || module >= MODULES)
        return 0;
    for (int i = 1; i < CALLBACKS; ++i)
        s_tables[module][i] = &s_slots[module][i];
    *table = s_tables[module];
    *count = s_limit;
    return 1;
}

static void set_version(uint32_t version)
{
    client_version = version;
}

const void *client_table(uint32_t table)
{
    static const struct stint_nvtx_callbacks callbacks = {sizeof callbacks, get_module};
    static const struct stint_nvtx_version_info info = {sizeof info, 3, 0, set_version};
    if (table == STINT_NVTX_TABLE_CALLBACKS)
        return &callbacks;
    return table == STINT_NVTX_TABLE_VERSION ? &info : NULL;
}

void client_limit(unsigned callbacks)
{
    s_limit = callbacks;
}

stint_nvtx_any_fn *client_slot(int module, unsigned callback)
{
    return s_slots[module][callback];
}

static intptr_t s_extensions[EXTENSIONS][SLOTS];

struct stint_nvtx_module *client_module(uint16_t id, uint16_t compatibility)
{
    static struct stint_nvtx_segment segment;
    static struct stint_nvtx_module module;
    segment = (struct stint_nvtx_segment){0, SLOTS, s_extensions[id]};
    module = (struct stint_nvtx_module){3, sizeof module, id, compatibility, 1, &segment, NULL, NULL};
    return &module;
}

intptr_t client_extension_slot(uint16_t id, unsigned callback)
{
    return s_extensions[id][callback];
}

void client_clear(void)
{
    memset(s_slots, 0, sizeof s_slots);
    memset(s_extensions, 0, sizeof s_extensions);
}

/* ------------------------------------------------------------------------------------------------------------ setup */

static int attach(void)
{
    struct stint_nvtx_module *payload, *counters;
    client_clear();
    s_limit = CALLBACKS;
    if (!stint_nvtx_attach(client_table))
        return -1;
    payload = client_module(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_PAYLOAD_COMPATIBILITY);
    if (!stint_nvtx_attach_extension(payload))
        return -1;
    counters = client_module(STINT_NVTX_COUNTER_MODULE, STINT_NVTX_COUNTER_COMPATIBILITY);
    return stint_nvtx_attach_extension(counters) ? 0 : -1;
}

int client_start(void **state)
{
    return fixture_start(state) || attach() ? -1 : 0;
}

void client_forget(void)
{
    if (stint_thread_self())
        stint_thread_self()->extension = NULL;
}

int client_reset(void **state)
{
    const int failed = fixture_reset(state);
    client_forget();
    stint_nvtx_counts = (struct stint_nvtx_info){0};
    return failed || attach();
}

/* ------------------------------------------------------------------------------------------------------------ calls */

struct stint_nvtx_attributes text(const char *text)
{
    return (struct stint_nvtx_attributes){3, sizeof(struct stint_nvtx_attributes), .text_type = STINT_NVTX_TEXT_ASCII,
                                          .text.ascii = text};
}

struct stint_nvtx_attributes wide(const wchar_t *text)
{
    return (struct stint_nvtx_attributes){3, sizeof(struct stint_nvtx_attributes), .text_type = STINT_NVTX_TEXT_WIDE,
                                          .text.wide = text};
}

struct stint_nvtx_attributes registered(nvtx_handle string)
{
    return (struct stint_nvtx_attributes){3, sizeof(struct stint_nvtx_attributes),
                                          .text_type = STINT_NVTX_TEXT_REGISTERED, .text.registered = string};
}

nvtx_handle create(const char *name)
{
    return call(STINT_NVTX_CORE2, STINT_NVTX_DOMAIN_CREATE_A, nvtx_handle, (const char *), (name));
}

nvtx_handle register_text(nvtx_handle domain, const char *text)
{
    return call(STINT_NVTX_CORE2, STINT_NVTX_DOMAIN_REGISTER_STRING_A, nvtx_handle, (nvtx_handle, const char *),
                (domain, text));
}

int push_attributes(nvtx_handle domain, const struct stint_nvtx_attributes *attributes)
{
    return call(STINT_NVTX_CORE2, STINT_NVTX_DOMAIN_RANGE_PUSH_EX, int,
                (nvtx_handle, const struct stint_nvtx_attributes *), (domain, attributes));
}

int push_in(nvtx_handle domain, const char *name)
{
    const struct stint_nvtx_attributes attributes = text(name);
    return push_attributes(domain, &attributes);
}

int push(const char *name)
{
    return call(STINT_NVTX_CORE, STINT_NVTX_RANGE_PUSH_A, int, (const char *), (name));
}

int push_registered(nvtx_handle domain, nvtx_handle string)
{
    const struct stint_nvtx_attributes attributes = registered(string);
    return push_attributes(domain, &attributes);
}

int pop_in(nvtx_handle domain)
{
    return call(STINT_NVTX_CORE2, STINT_NVTX_DOMAIN_RANGE_POP, int, (nvtx_handle), (domain));
}

int pop(void)
{
    return call(STINT_NVTX_CORE, STINT_NVTX_RANGE_POP, int, (void), ());
}

uint64_t start(const char *name)
{
    return call(STINT_NVTX_CORE, STINT_NVTX_RANGE_START_A, uint64_t, (const char *), (name));
}

uint64_t start_in(nvtx_handle domain, const char *name)
{
    const struct stint_nvtx_attributes attributes = text(name);
    return call(STINT_NVTX_CORE2, STINT_NVTX_DOMAIN_RANGE_START_EX, uint64_t,
                (nvtx_handle, const struct stint_nvtx_attributes *), (domain, &attributes));
}

void end(uint64_t id)
{
    call(STINT_NVTX_CORE, STINT_NVTX_RANGE_END, void, (uint64_t), (id));
}

void mark(const char *name)
{
    call(STINT_NVTX_CORE, STINT_NVTX_MARK_A, void, (const char *), (name));
}

void mark_in(nvtx_handle domain, const char *name)
{
    const struct stint_nvtx_attributes attributes = text(name);
    call(STINT_NVTX_CORE2, STINT_NVTX_DOMAIN_MARK_EX, void, (nvtx_handle, const struct stint_nvtx_attributes *),
         (domain, &attributes));
}

void range(const char *name, uint64_t ns)
{
    push(name);
    clock_advance(ns);
    pop();
}

/* ---------------------------------------------------------------------------------------------------------- results */

struct stint_numbers of(const char *set, const char *name)
{
    struct stint_snapshot *snapshot = take();
    const struct stint_stat *stat = stint_snapshot_find(snapshot, set, name);
    struct stint_numbers numbers = {0};
    if (stat) {
        numbers = stat->numbers;
        numbers.bins = NULL;
        numbers.bin_count = 0;
    }
    stint_snapshot_free(snapshot);
    return numbers;
}

void check_range(const char *set, const char *name, uint64_t count, uint64_t total)
{
    const struct stint_numbers numbers = of(set, name);
    assert_int_equal(numbers.count, count);
    assert_int_equal(numbers.recursive, 0);
    assert_int_equal(numbers.total_ns, total);
}

void check_self_times(uint64_t began)
{
    struct stint_snapshot *snapshot = take();
    uint64_t self = 0, context_self = 0;
    for (size_t i = 0; i < snapshot->stat_count; ++i)
        self += snapshot->stats[i].numbers.self_ns;
    for (size_t i = 0; i < snapshot->context_count; ++i)
        context_self += snapshot->contexts[i].numbers.self_ns;
    stint_snapshot_free(snapshot);
    assert_int_equal(self, clock_now() - began);
    assert_int_equal(context_self, clock_now() - began);
}

struct stint_nvtx_value value_of(const char *set, const char *name, const char *field)
{
    struct stint_nvtx_value row;
    int found;
    for (size_t i = 0; (found = stint_nvtx_value_at(i, &row)) >= 0; ++i)
        if (found && !strcmp(row.set, set) && !strcmp(row.name, name) && !strcmp(row.field, field))
            return row;
    return (struct stint_nvtx_value){0};
}
