/* From CUPTI's records to activities, allocations and devices for the ledger. This is the only file that knows the
 * layouts of records, and since which version of CUPTI each of their fields exists. */
#include "gpu/collector.h"

#include "gpu/activity.h"
#include "gpu/activity_table.h"
#include "model/model.h"

/* When NVIDIA adds fields to a record, a longer structure replaces the old one ("CUpti_ActivityKernel10"), and the
 * documentation says in which release. Since 11.0 existing fields have kept their places, so it is enough to know since
 * which version a field exists. */
enum {
    SINCE_11_1 = 14,
    SINCE_11_5 = 16,
    SINCE_12_2 = 20,
    HAS_GRAPH = SINCE_11_1,   /* in 11.0 the records end before this field, or have padding there */
    HAS_VISIBLE = SINCE_11_5, /* before 11.5 the record ends there; the same applies to the next */
    HAS_OVERHEAD_CORRELATION = SINCE_12_2
};

static uint32_t s_version;

/* A later start stores the same version again, possibly while records are read. */
void stint_decode_start(uint32_t version)
{
    __atomic_store_n(&s_version, version, __ATOMIC_RELAXED);
}

static int is_since(uint32_t version)
{
    return __atomic_load_n(&s_version, __ATOMIC_RELAXED) >= version;
}

/* ------------------------------------------------------------------------------------------------------ activities */

/* Members that several records have. */
#define COMMON(raw) .start = (raw)->start, .end = (raw)->end, .correlation = (raw)->correlation, .stream = (raw)->stream
#define PLACE(raw) .device = (raw)->device, .context = (raw)->context
#define GRAPH(raw) .graph = is_since(HAS_GRAPH) ? (raw)->graph : 0, .graph_node = (raw)->graph_node
#define COPY(raw)                                                                                                      \
    .kind = STINT_GPU_COPY, .what = copy_of((raw)->copy), .bytes = (raw)->bytes, .source = memory_of((raw)->source),   \
    .destination = memory_of((raw)->destination), COMMON(raw), GRAPH(raw)

static int add_kernel(const struct stint_cupti_record *record)
{
    const struct stint_cupti_kernel *raw = (const void *)record;
    struct stint_activity activity = {
        .kind = STINT_GPU_KERNEL,
        .name = raw->name ? raw->name : "(unnamed)",
        COMMON(raw),
        PLACE(raw),
        GRAPH(raw),
        .registers = raw->registers,
        .static_shared = (uint32_t)raw->static_shared,
        .dynamic_shared = (uint32_t)raw->dynamic_shared,
    };
    for (int i = 0; i < 3; i++) {
        activity.grid[i] = (uint32_t)raw->grid[i];
        activity.block[i] = (uint32_t)raw->block[i];
    }
    stint_ledger_add(&activity);
    return 0;
}

static uint32_t copy_of(uint8_t copy)
{
    return copy <= STINT_GPU_PTOP ? copy : STINT_GPU_DIRECTION_UNKNOWN;
}

static enum stint_gpu_memory_kind memory_of(uint32_t memory)
{
    return memory <= STINT_GPU_MEMORY_MANAGED_STATIC ? (enum stint_gpu_memory_kind)memory : STINT_GPU_MEMORY_UNKNOWN;
}

static int add_copy(const struct stint_cupti_record *record)
{
    const struct stint_cupti_memcpy *raw = (const void *)record;
    stint_ledger_add(&(struct stint_activity){COPY(raw), PLACE(raw)});
    return 0;
}

static int add_peer_copy(const struct stint_cupti_record *record)
{
    const struct stint_cupti_memcpy_peer *raw = (const void *)record;
    stint_ledger_add(&(struct stint_activity){
        COPY(raw),
        .device = raw->source_device,
        .context = raw->source_context,
        .peer = 1,
        .peer_device = raw->destination_device,
        .peer_context = raw->destination_context,
    });
    return 0;
}

static int add_set(const struct stint_cupti_record *record)
{
    const struct stint_cupti_memset *raw = (const void *)record;
    stint_ledger_add(&(struct stint_activity){
        .kind = STINT_GPU_SET,
        COMMON(raw),
        PLACE(raw),
        GRAPH(raw),
        .bytes = raw->bytes,
        .destination = memory_of(raw->memory),
    });
    return 0;
}

static uint32_t overhead_of(uint32_t overhead)
{
    switch (overhead) {
    case STINT_CUPTI_OVERHEAD_COMPILER:
        return STINT_OVERHEAD_COMPILER;
    case STINT_CUPTI_OVERHEAD_BUFFER_FLUSH:
        return STINT_OVERHEAD_BUFFER_FLUSH;
    case STINT_CUPTI_OVERHEAD_INSTRUMENTATION:
        return STINT_OVERHEAD_INSTRUMENTATION;
    case STINT_CUPTI_OVERHEAD_RESOURCE:
        return STINT_OVERHEAD_RESOURCE;
    case STINT_CUPTI_OVERHEAD_RUNTIME_LOADING:
        return STINT_OVERHEAD_RUNTIME_LOADING;
    case STINT_CUPTI_OVERHEAD_LAZY_LOADING:
        return STINT_OVERHEAD_LAZY_LOADING;
    case STINT_CUPTI_OVERHEAD_COMMAND_BUFFER_FULL:
        return STINT_OVERHEAD_COMMAND_BUFFER_FULL;
    case STINT_CUPTI_OVERHEAD_BUFFER_REQUEST:
        return STINT_OVERHEAD_BUFFER_REQUEST;
    case STINT_CUPTI_OVERHEAD_INITIALIZATION:
        return STINT_OVERHEAD_INITIALIZATION;
    default:
        return STINT_OVERHEAD_UNKNOWN;
    }
}

static int add_overhead(const struct stint_cupti_record *record)
{
    const struct stint_cupti_overhead *raw = (const void *)record;
    uint32_t object[3] = {0};
    for (uint32_t i = 0; i < 3; i++) /* a device; a device and a context; or a device, a context and a stream */
        if (raw->object_kind >= STINT_CUPTI_OBJECT_DEVICE + i && raw->object_kind <= STINT_CUPTI_OBJECT_STREAM)
            object[i] = raw->object[i];
    stint_ledger_add(&(struct stint_activity){
        .kind = STINT_GPU_OVERHEAD,
        .what = overhead_of(raw->overhead),
        .start = raw->start,
        .end = raw->end,
        .correlation = is_since(HAS_OVERHEAD_CORRELATION) ? raw->correlation : 0,
        .device = object[0],
        .context = object[1],
        .stream = object[2],
    });
    return 0;
}

/* --------------------------------------------------------------------------------------------------- unified memory */

static int s_moves_count, s_has_moves;

void stint_decode_count_moves(int counted)
{
    __atomic_store_n(&s_moves_count, counted, __ATOMIC_RELAXED);
}

int stint_decode_has_moves(void)
{
    return __atomic_load_n(&s_has_moves, __ATOMIC_RELAXED);
}

/* The record's stream field is not a stream, and the record does not tell which launch caused the move. */
static void add_move(const struct stint_cupti_unified_memory_counter *raw, enum stint_gpu_direction copy,
                     uint32_t device)
{
    int peer = copy == STINT_GPU_DTOD;
    stint_ledger_add(&(struct stint_activity){
        .kind = STINT_GPU_UNIFIED,
        .what = copy,
        .start = raw->start,
        .end = raw->end,
        .device = device,
        .bytes = raw->value,
        .address = raw->address,
        .peer = peer,
        .peer_device = peer ? raw->destination : 0,
    });
}

/* Of the host's faults there is a record each, without an end, and whose ids mean nothing. */
static void add_fault(const struct stint_cupti_unified_memory_counter *raw, enum stint_gpu_fault which, uint64_t faults)
{
    stint_ledger_add(&(struct stint_activity){
        .kind = STINT_GPU_FAULT,
        .what = which,
        .start = raw->start,
        .end = which && raw->end > raw->start ? raw->end : raw->start,
        .device = which && raw->source != STINT_CUPTI_CPU ? raw->source : 0,
        .bytes = faults,
        .address = raw->address,
    });
}

static int add_unified_memory(const struct stint_cupti_record *record)
{
    const struct stint_cupti_unified_memory_counter *raw = (const void *)record;
    __atomic_store_n(&s_has_moves, 1, __ATOMIC_RELAXED);
    if (!__atomic_load_n(&s_moves_count, __ATOMIC_RELAXED))
        return 0;
    switch (raw->counter) {
    case STINT_CUPTI_UM_HTOD:
        add_move(raw, STINT_GPU_HTOD, raw->destination);
        break;
    case STINT_CUPTI_UM_DTOH:
        add_move(raw, STINT_GPU_DTOH, raw->source);
        break;
    case STINT_CUPTI_UM_DTOD:
        add_move(raw, STINT_GPU_DTOD, raw->source);
        break;
    case STINT_CUPTI_UM_CPU_PAGE_FAULT:
        add_fault(raw, STINT_GPU_FAULT_HOST, 1);
        break;
    case STINT_CUPTI_UM_GPU_PAGE_FAULT:
        add_fault(raw, STINT_GPU_FAULT_DEVICE, raw->value);
        break;
    case STINT_CUPTI_UM_THRASHING:
        add_fault(raw, STINT_GPU_FAULT_THRASHING, 1);
        break;
    default: /* what the driver does about thrashing is not asked for */
        break;
    }
    return 0;
}

/* ---------------------------------------------------------------------------------------------- memory and devices */

static int add_device(const struct stint_cupti_record *record)
{
    const struct stint_cupti_device *raw = (const void *)record;
    if (is_since(HAS_VISIBLE) && !raw->visible)
        return 0;
    stint_ledger_device(&(struct stint_gpu_device){
        .id = raw->id,
        .name = raw->name ? raw->name : "",
        .compute_major = raw->compute_major,
        .compute_minor = raw->compute_minor,
        .multiprocessors = raw->multiprocessors,
        .core_clock_khz = raw->core_khz,
        .memory_bytes = raw->memory_bytes,
        .memory_bytes_per_s = raw->memory_kb_per_s * 1000,
    });
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- all */

static int add(const struct stint_cupti_record *record)
{
    switch (record->kind) {
    case STINT_CUPTI_KIND_MEMCPY:
        return add_copy(record);
    case STINT_CUPTI_KIND_MEMSET:
        return add_set(record);
    case STINT_CUPTI_KIND_KERNEL:
    case STINT_CUPTI_KIND_CONCURRENT_KERNEL:
        return add_kernel(record);
    case STINT_CUPTI_KIND_DEVICE:
        return add_device(record);
    case STINT_CUPTI_KIND_OVERHEAD:
        return add_overhead(record);
    case STINT_CUPTI_KIND_MEMCPY2:
        return add_peer_copy(record);
    case STINT_CUPTI_KIND_UNIFIED_MEMORY_COUNTER:
        return add_unified_memory(record);
    case STINT_CUPTI_KIND_DRIVER: /* says nothing that is needed, as those below */
    case STINT_CUPTI_KIND_RUNTIME:
    case STINT_CUPTI_KIND_CONTEXT:
    case STINT_CUPTI_KIND_STREAM:
    case STINT_CUPTI_KIND_SYNCHRONIZATION:
    case STINT_CUPTI_KIND_INTERNAL_LAUNCH_API:
        return 0;
    default:
        return -1;
    }
}

int stint_decode(const struct stint_cupti_record *record)
{
    if (is_since(STINT_CUPTI_OLDEST_VERSION) && !add(record))
        return 0;
    stint_ledger_count_unknown();
    return -1;
}
