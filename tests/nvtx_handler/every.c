/* Calls every function of NVTX once, except OpenCL's, through NVTX's own headers. */
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtSync.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cuda_names.h"

static int s_wrong;

#define EXPECT(condition) (s_wrong |= !(condition))

static nvtxEventAttributes_t attributes(const char *text)
{
    nvtxEventAttributes_t event;
    memset(&event, 0, sizeof event);
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = text;
    return event;
}

static void default_domain(void)
{
    nvtxEventAttributes_t event = attributes("Ex");
    event.payloadType = NVTX_PAYLOAD_TYPE_INT32;
    event.payload.iValue = -4;
    nvtxInitialize(NULL);
    nvtxMarkEx(&event);
    nvtxMarkA("A");
    nvtxMarkW(L"W ä");
    EXPECT(nvtxRangePushEx(&event) == 0);
    EXPECT(nvtxRangePushA("A") == 1);
    EXPECT(nvtxRangePushW(L"W ä") == 2);
    EXPECT(nvtxRangePop() == 2);
    EXPECT(nvtxRangePop() == 1);
    EXPECT(nvtxRangePop() == 0);
    nvtxRangeEnd(nvtxRangeStartEx(&event));
    nvtxRangeEnd(nvtxRangeStartA("A"));
    nvtxRangeEnd(nvtxRangeStartW(L"W ä"));
    nvtxNameCategoryA(1, "category");
    nvtxNameCategoryW(2, L"category ä");
    nvtxNameOsThreadW((uint32_t)syscall(SYS_gettid), L"thread ä");
    nvtxNameOsThreadA((uint32_t)syscall(SYS_gettid), "main thread");
}

static void other_domain(void)
{
    nvtxDomainHandle_t domain = nvtxDomainCreateA("domain"), wide = nvtxDomainCreateW(L"domain ä");
    nvtxEventAttributes_t event = attributes("text");
    nvtxResourceAttributes_t resource;
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = nvtxDomainRegisterStringA(domain, "registered");
    nvtxDomainMarkEx(domain, &event);
    EXPECT(nvtxDomainRangePushEx(domain, &event) == 0);
    EXPECT(nvtxDomainRangePop(domain) == 0);
    nvtxDomainRangeEnd(domain, nvtxDomainRangeStartEx(domain, &event));
    event.message.registered = nvtxDomainRegisterStringW(wide, L"registered ä");
    nvtxDomainMarkEx(wide, &event);
    nvtxDomainNameCategoryA(domain, 1, "domain's category");
    nvtxDomainNameCategoryW(domain, 2, L"domain's category ä");
    memset(&resource, 0, sizeof resource);
    resource.version = NVTX_VERSION;
    resource.size = NVTX_RESOURCE_ATTRIB_STRUCT_SIZE;
    resource.identifierType = NVTX_RESOURCE_TYPE_GENERIC_HANDLE;
    resource.identifier.ullValue = 99;
    resource.messageType = NVTX_MESSAGE_TYPE_ASCII;
    resource.message.ascii = "resource";
    nvtxResourceHandle_t handle = nvtxDomainResourceCreate(domain, &resource);
    EXPECT(handle != NULL);
    nvtxDomainResourceDestroy(handle);
    nvtxDomainDestroy(domain);
}

/* stint does not handle these; NVTX skips them. */
static void synchronisation(void)
{
    nvtxSyncUserAttributes_t lock;
    memset(&lock, 0, sizeof lock);
    nvtxSyncUser_t handle = nvtxDomainSyncUserCreate(NULL, &lock);
    nvtxDomainSyncUserAcquireStart(handle);
    nvtxDomainSyncUserAcquireFailed(handle);
    nvtxDomainSyncUserAcquireSuccess(handle);
    nvtxDomainSyncUserReleasing(handle);
    nvtxDomainSyncUserDestroy(handle);
}

/* ------------------------------------------------------------------------------------------------------- extensions */

struct request {
    const char *name;
    uint32_t bytes;
    double ratio;
};

static uint64_t request_schema(void)
{
    static const nvtxPayloadSchemaEntry_t entries[] = {
        {NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, "name", NULL, 0, 0, NULL, NULL},
        {0, NVTX_PAYLOAD_ENTRY_TYPE_UINT32, "bytes", NULL, 0, offsetof(struct request, bytes), NULL, NULL},
        {0, NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, "ratio", NULL, 0, offsetof(struct request, ratio), NULL, NULL},
    };
    nvtxPayloadSchemaAttr_t schema;
    memset(&schema, 0, sizeof schema);
    schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
    schema.name = "request";
    schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    schema.entries = entries;
    schema.numEntries = sizeof entries / sizeof entries[0];
    schema.payloadStaticSize = sizeof(struct request);
    return nvtxPayloadSchemaRegister(NULL, &schema);
}

static void payloads(void)
{
    const struct request request = {"request", 512, 0.5};
    const nvtxPayloadData_t data = {request_schema(), sizeof request, &request};
    const nvtxPayloadEnum_t values[] = {{"red", 1, 0}};
    nvtxPayloadEnumAttr_t colours;
    nvtxEventAttributes_t event = attributes("with payload");
    nvtxEventBatch_t batch;
    nvtxScopeAttr_t scope;
    nvtxTimeDomainAttr_t time;
    const nvtxSyncPoint_t point = {0, 0};
    EXPECT(data.schemaId >= NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START);
    event.payloadType = NVTX_PAYLOAD_TYPE_EXT;
    event.reserved0 = 1;
    event.payload.ullValue = (uintptr_t)&data;
    EXPECT(nvtxRangePushEx(&event) == 0);
    EXPECT(nvtxRangePop() == 0);
    nvtxMarkPayload(NULL, &data, 1);
    EXPECT(nvtxRangePushPayload(NULL, &data, 1) == 0);
    EXPECT(nvtxRangePopPayload(NULL, &data, 1) == 0);
    nvtxRangeEndPayload(NULL, nvtxRangeStartPayload(NULL, &data, 1), &data, 1);
    memset(&colours, 0, sizeof colours);
    colours.fieldMask = NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES | NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES |
                        NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE;
    colours.entries = values;
    colours.numEntries = 1;
    colours.sizeOfEnum = sizeof(int);
    EXPECT(nvtxPayloadEnumRegister(NULL, &colours) != 0);
    EXPECT(nvtxDomainIsEnabled(NULL));
    memset(&scope, 0, sizeof scope);
    scope.structSize = sizeof scope;
    EXPECT(nvtxScopeRegister(NULL, &scope) != 0);
    memset(&time, 0, sizeof time);
    EXPECT(nvtxTimeDomainRegister(NULL, &time) != 0);
    EXPECT(nvtxTimestampGet() != 0);
    nvtxTimerSource(NULL, 0, 0, NULL);
    nvtxTimerSourceWithData(NULL, 0, 0, NULL, NULL);
    nvtxTimeSyncPoint(NULL, 0, 0, 0, 0);
    nvtxTimeSyncPointTable(NULL, 0, 0, &point, 1);
    nvtxTimestampConversionFactor(NULL, 0, 0, 1, 0, 0);
    nvtxEventSubmit(NULL, &data, 1);
    memset(&batch, 0, sizeof batch);
    batch.eventSchemaId = data.schemaId;
    batch.events = &request;
    batch.size = sizeof request;
    nvtxEventBatchSubmit(NULL, &batch);
}

static void counters(void)
{
    nvtxCounterAttr_t queue;
    nvtxCounterBatch_t batch;
    const int64_t samples[] = {1, 2, 3};
    memset(&queue, 0, sizeof queue);
    queue.structSize = sizeof queue;
    queue.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
    queue.name = "queue";
    uint64_t id = nvtxCounterRegister(NULL, &queue);
    EXPECT(id >= NVTX_COUNTER_ID_DYNAMIC_START);
    nvtxCounterSampleInt64(NULL, id, 10);
    nvtxCounterSampleFloat64(NULL, id, 0.5);
    nvtxCounterSample(NULL, id, &samples[0], sizeof samples[0]);
    nvtxCounterSampleNoValue(NULL, id, NVTX_COUNTER_SAMPLE_UNAVAILABLE);
    memset(&batch, 0, sizeof batch);
    batch.counterId = id;
    batch.counters = samples;
    batch.countersSize = sizeof samples;
    nvtxCounterBatchSubmit(NULL, &batch);
}

int main(void)
{
    default_domain();
    other_domain();
    synchronisation();
    name_cuda();
    payloads();
    counters();
    return s_wrong;
}
