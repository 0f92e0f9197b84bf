/* An NVTX tool that writes down the calls it gets: one line per call, in the file that NVTX_TOOL_LOG names. NVTX loads
 * it if NVTX_INJECTION64_PATH names it. It only uses NVTX's documented interface for tools.
 *
 *     t1 RangePushEx domain="" color=FF00FF00 category=3 payload=i32:42 text=registered:"step"
 *
 * Threads are numbered in the order of their first calls; domains and registered strings are shown as the texts that
 * they were made from. NVTX_TOOL_WITHOUT is a list of names of functions that the tool does not provide; "all" makes it
 * refuse to start, and "payloads" makes it refuse the extension for payloads. Calls that a program must not make are
 * marked WRONG. */
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_THREADS = 64, MAX_STACKS = 16 };

/* The types that handles point to. */
struct nvtxDomainRegistration_st {
    char *name;
};

struct nvtxStringRegistration_st {
    nvtxDomainHandle_t domain;
    char *text;
};

static pthread_mutex_t s_lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *s_log;
static long s_threads[MAX_THREADS];
static nvtxRangeId_t s_last_range;

/* ---------------------------------------------------------------------------------------------------------- writing */

static unsigned number_of_thread(void)
{
    const long tid = syscall(SYS_gettid);
    unsigned i = 0;
    while (i < MAX_THREADS - 1 && s_threads[i] && s_threads[i] != tid)
        ++i;
    s_threads[i] = tid;
    return i + 1;
}

/* Begin and end a line; other threads wait in between. */
static void begin(const char *function)
{
    pthread_mutex_lock(&s_lock);
    fprintf(s_log, "t%u %s", number_of_thread(), function);
}

static void end(void)
{
    fputc('\n', s_log);
    fflush(s_log);
    pthread_mutex_unlock(&s_lock);
}

static void put_domain(nvtxDomainHandle_t domain)
{
    fprintf(s_log, " domain=\"%s\"", domain ? domain->name : "");
}

/* The schema that was registered: numbers and texts are all it has. */
static nvtxPayloadSchemaAttr_t s_schema;
enum { SCHEMA_ID = 77 };

static void put_entry(const nvtxPayloadSchemaEntry_t *entry, const char *at)
{
    const char *text;
    uint64_t number;
    memcpy(&text, at, sizeof text);
    memcpy(&number, at, sizeof number);
    if (entry->type == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING)
        fprintf(s_log, " %s=\"%s\"", entry->name, text);
    else if (entry->type == NVTX_PAYLOAD_ENTRY_TYPE_UINT64)
        fprintf(s_log, " %s=%llu", entry->name, (unsigned long long)number);
    else
        fprintf(s_log, " WRONG type of %s", entry->name);
}

static void put_extended(const nvtxEventAttributes_t *event)
{
    const nvtxPayloadData_t *data = (const void *)(uintptr_t)event->payload.ullValue;
    fprintf(s_log, " payload=%s", s_schema.name);
    if (event->reserved0 != 1 || data->schemaId != SCHEMA_ID || data->size != s_schema.payloadStaticSize)
        fprintf(s_log, " WRONG payload of schema %llu", (unsigned long long)data->schemaId);
    for (size_t i = 0; i < s_schema.numEntries; i++)
        put_entry(&s_schema.entries[i], (const char *)data->payload + s_schema.entries[i].offset);
}

static void put_payload(const nvtxEventAttributes_t *event)
{
    switch (event->payloadType) {
    case NVTX_PAYLOAD_TYPE_EXT:
        put_extended(event);
        break;
    case NVTX_PAYLOAD_UNKNOWN:
        break;
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT64:
        fprintf(s_log, " payload=u64:%llu", (unsigned long long)event->payload.ullValue);
        break;
    case NVTX_PAYLOAD_TYPE_INT64:
        fprintf(s_log, " payload=i64:%lld", (long long)event->payload.llValue);
        break;
    case NVTX_PAYLOAD_TYPE_DOUBLE:
        fprintf(s_log, " payload=f64:%.17g", event->payload.dValue);
        break;
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT32:
        fprintf(s_log, " payload=u32:%u", event->payload.uiValue);
        break;
    case NVTX_PAYLOAD_TYPE_INT32:
        fprintf(s_log, " payload=i32:%d", event->payload.iValue);
        break;
    case NVTX_PAYLOAD_TYPE_FLOAT:
        fprintf(s_log, " payload=f32:%.9g", (double)event->payload.fValue);
        break;
    default:
        fprintf(s_log, " WRONG payload type %d", event->payloadType);
    }
}

static void put_message(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
    const struct nvtxStringRegistration_st *string = event->message.registered;
    switch (event->messageType) {
    case NVTX_MESSAGE_TYPE_ASCII:
        fprintf(s_log, " text=ascii:\"%s\"", event->message.ascii);
        break;
    case NVTX_MESSAGE_TYPE_REGISTERED:
        fprintf(s_log, " text=registered:\"%s\"", string->text);
        if (string->domain != domain)
            fprintf(s_log, " WRONG domain of the registered string");
        break;
    default:
        fprintf(s_log, " WRONG message type %d", event->messageType);
    }
}

static void put_event(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
    put_domain(domain);
    if (event->version != NVTX_VERSION || event->size != sizeof *event ||
        (event->reserved0 && event->payloadType != NVTX_PAYLOAD_TYPE_EXT))
        fprintf(s_log, " WRONG version %u, size %u or reserved %d", event->version, event->size, event->reserved0);
    if (event->colorType == NVTX_COLOR_ARGB)
        fprintf(s_log, " color=%08X", event->color);
    else if (event->colorType != NVTX_COLOR_UNKNOWN)
        fprintf(s_log, " WRONG color type %d", event->colorType);
    if (event->category)
        fprintf(s_log, " category=%u", event->category);
    put_payload(event);
    put_message(domain, event);
}

/* ----------------------------------------------------------------------------------------------------- push and pop */

/* The depth of a thread's stack in a domain. */
struct stack {
    nvtxDomainHandle_t domain;
    int depth;
};

static _Thread_local struct stack tl_stacks[MAX_STACKS];

static int *depth_in(nvtxDomainHandle_t domain)
{
    unsigned i = 0;
    while (i < MAX_STACKS - 1 && tl_stacks[i].depth && tl_stacks[i].domain != domain)
        ++i;
    tl_stacks[i].domain = domain;
    return &tl_stacks[i].depth;
}

static int push(const char *function, nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
    begin(function);
    put_event(domain, event);
    end();
    return (*depth_in(domain))++;
}

static int pop(const char *function, nvtxDomainHandle_t domain)
{
    int *depth = depth_in(domain);
    begin(function);
    put_domain(domain);
    if (!*depth)
        fprintf(s_log, " WRONG: nothing to pop");
    end();
    return *depth ? --*depth : -1;
}

/* -------------------------------------------------------------------------------------------------------- functions */

static void mark_ex(const nvtxEventAttributes_t *event)
{
    begin("MarkEx");
    put_event(NULL, event);
    end();
}

static void domain_mark_ex(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
    begin("DomainMarkEx");
    put_event(domain, event);
    end();
}

static nvtxRangeId_t start(const char *function, nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
    begin(function);
    put_event(domain, event);
    nvtxRangeId_t id = ++s_last_range;
    fprintf(s_log, " -> %llu", (unsigned long long)id);
    end();
    return id;
}

static nvtxRangeId_t range_start_ex(const nvtxEventAttributes_t *event)
{
    return start("RangeStartEx", NULL, event);
}

static nvtxRangeId_t domain_range_start_ex(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
    return start("DomainRangeStartEx", domain, event);
}

static void range_end(nvtxRangeId_t id)
{
    begin("RangeEnd");
    fprintf(s_log, " %llu", (unsigned long long)id);
    end();
}

static void domain_range_end(nvtxDomainHandle_t domain, nvtxRangeId_t id)
{
    begin("DomainRangeEnd");
    put_domain(domain);
    fprintf(s_log, " %llu", (unsigned long long)id);
    end();
}

static int range_push_ex(const nvtxEventAttributes_t *event)
{
    return push("RangePushEx", NULL, event);
}

static int domain_range_push_ex(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
    return push("DomainRangePushEx", domain, event);
}

static int range_pop(void)
{
    return pop("RangePop", NULL);
}

static int domain_range_pop(nvtxDomainHandle_t domain)
{
    return pop("DomainRangePop", domain);
}

static void name_category(uint32_t category, const char *name)
{
    begin("NameCategoryA");
    fprintf(s_log, " %u \"%s\"", category, name);
    end();
}

static void domain_name_category(nvtxDomainHandle_t domain, uint32_t category, const char *name)
{
    begin("DomainNameCategoryA");
    put_domain(domain);
    fprintf(s_log, " %u \"%s\"", category, name);
    end();
}

static void name_thread(uint32_t tid, const char *name)
{
    begin("NameOsThreadA");
    fprintf(s_log, " %s \"%s\"", tid == (uint32_t)syscall(SYS_gettid) ? "self" : "WRONG thread", name);
    end();
}

static nvtxDomainHandle_t domain_create(const char *name)
{
    nvtxDomainHandle_t domain = malloc(sizeof *domain);
    begin("DomainCreateA");
    fprintf(s_log, " \"%s\"", name);
    end();
    domain->name = strdup(name);
    return domain;
}

static nvtxStringHandle_t register_string(nvtxDomainHandle_t domain, const char *text)
{
    nvtxStringHandle_t string = malloc(sizeof *string);
    begin("DomainRegisterStringA");
    put_domain(domain);
    fprintf(s_log, " \"%s\"", text);
    end();
    string->domain = domain;
    string->text = strdup(text);
    return string;
}

/* CUDA's types need not be known: devices are numbers; streams and events are pointers. */
static void name_device(int device, const char *name)
{
    begin("NameCudaDeviceA");
    fprintf(s_log, " %d \"%s\"", device, name);
    end();
}

static void name_stream(void *stream, const char *name)
{
    begin("NameCudaStreamA");
    fprintf(s_log, " %p \"%s\"", stream, name);
    end();
}

static void name_event(void *event, const char *name)
{
    begin("NameCudaEventA");
    fprintf(s_log, " %p \"%s\"", event, name);
    end();
}

/* -------------------------------------------------------------------------------------------------------- attaching */

struct taken {
    NvtxCallbackModule module;
    unsigned slot;
    const char *name;
    NvtxFunctionPointer function;
};

#define CORE(name, function)                                                                                           \
    {                                                                                                                  \
        NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_##name, #name, (NvtxFunctionPointer)(function)                             \
    }
#define CORE2(name, function)                                                                                          \
    {                                                                                                                  \
        NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_##name, #name, (NvtxFunctionPointer)(function)                           \
    }
#define CUDART(name, function)                                                                                         \
    {                                                                                                                  \
        NVTX_CB_MODULE_CUDART, NVTX_CBID_CUDART_##name, #name, (NvtxFunctionPointer)(function)                         \
    }

static const struct taken s_taken[] = {
    CORE(MarkEx, mark_ex),
    CORE(RangeStartEx, range_start_ex),
    CORE(RangeEnd, range_end),
    CORE(RangePushEx, range_push_ex),
    CORE(RangePop, range_pop),
    CORE(NameCategoryA, name_category),
    CORE(NameOsThreadA, name_thread),
    CORE2(DomainMarkEx, domain_mark_ex),
    CORE2(DomainRangeStartEx, domain_range_start_ex),
    CORE2(DomainRangeEnd, domain_range_end),
    CORE2(DomainRangePushEx, domain_range_push_ex),
    CORE2(DomainRangePop, domain_range_pop),
    CORE2(DomainNameCategoryA, domain_name_category),
    CORE2(DomainRegisterStringA, register_string),
    CORE2(DomainCreateA, domain_create),
    CUDART(NameCudaDeviceA, name_device),
    CUDART(NameCudaStreamA, name_stream),
    CUDART(NameCudaEventA, name_event),
};

static int is_unwanted(const char *name)
{
    const char *at = getenv("NVTX_TOOL_WITHOUT");
    const size_t length = strlen(name);
    for (; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (!strncmp(at, name, length) && (at[length] == ',' || !at[length]))
            return 1;
    return 0;
}

static int take(const NvtxExportTableCallbacks *callbacks, const struct taken *taken)
{
    NvtxFunctionTable table = NULL;
    unsigned size = 0;
    if (!callbacks->GetModuleFunctionTable(taken->module, &table, &size) || taken->slot >= size)
        return 0;
    if (!is_unwanted(taken->name))
        *table[taken->slot] = taken->function;
    return 1;
}

/* Called once for each program or library that has NVTX compiled in. */
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table)
{
    const NvtxExportTableCallbacks *callbacks = get_table(NVTX_ETID_CALLBACKS);
    const char *path = getenv("NVTX_TOOL_LOG");
    if (!s_log)
        s_log = fopen(path ? path : "/dev/null", "a");
    if (!s_log || !callbacks || callbacks->struct_size < sizeof *callbacks)
        return 0;
    begin("attach");
    end();
    if (is_unwanted("all"))
        return 0;
    for (size_t i = 0; i < sizeof s_taken / sizeof s_taken[0]; ++i)
        if (!take(callbacks, &s_taken[i]))
            return 0;
    return 1;
}

static uint64_t register_schema(nvtxDomainHandle_t domain, const nvtxPayloadSchemaAttr_t *schema)
{
    begin("PayloadSchemaRegister");
    put_domain(domain);
    fprintf(s_log, " \"%s\"", schema->name);
    end();
    s_schema = *schema;
    return SCHEMA_ID;
}

/* Called once for each program or library that uses the extension; other extensions are refused. */
__attribute__((visibility("default"))) int InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t *module)
{
    enum { REGISTER_SCHEMA = 0 };

    if (module->moduleId != NVTX_EXT_PAYLOAD_MODULEID || is_unwanted("payloads"))
        return 0;
    module->segments[0].functionSlots[REGISTER_SCHEMA] = (intptr_t)register_schema;
    return 1;
}
