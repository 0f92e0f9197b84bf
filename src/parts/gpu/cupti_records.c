/* Switches kinds of CUPTI's records on and off, lends CUPTI buffers, and reads the records in those that come back. Of
 * the kinds, kernels are a must; any other may be missing on a system or a device. A launching thread may be the one
 * that asks for a buffer, so free buffers are in a list without a lock, and nothing here ever waits for the program. */
#include "gpu/collector.h"

#include <errno.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/log.h"
#include "gpu/activity_table.h"
#include "stint/gpu.h"

/* Before 12.9, CUPTI crashes if it is given no buffer (see its release notes). For these versions there are more
 * buffers than can be in use at one time. */
enum { FIRST_TO_TAKE_NONE = 27 };

/* How many records are read before the lock is released for other threads that want the ledger. */
enum { AT_A_TIME = 128 };

#define NONE UINT32_MAX

/* The free buffers, the last returned first: a lock-free list, because launching threads use it. The lower half of its
 * head is the number of a buffer; the upper half counts changes, so that a thread that was delayed between reading and
 * changing the head notices whether others took and returned buffers in between. */
static struct {
    const struct stint_cupti *cupti;
    uint8_t *memory; /* NULL: not started, or a forked child's */
    uint32_t count;
    uint32_t next[STINT_BUFFER_COUNT_BEFORE_12_9]; /* by number; NONE: the last */
} s_pool;

static uint64_t s_head = NONE; /* not in s_pool: beside a value other than 0 its zeros would fill the library's file */

static uint64_t head_of(uint64_t before, uint32_t number)
{
    return ((before >> 32) + 1) << 32 | number;
}

static uint32_t take(void)
{
    uint64_t head = __atomic_load_n(&s_head, __ATOMIC_ACQUIRE);
    uint32_t number;
    do {
        number = (uint32_t)head;
        if (number == NONE)
            return NONE;
    } while (!__atomic_compare_exchange_n(&s_head, &head,
                                          head_of(head, __atomic_load_n(&s_pool.next[number], __ATOMIC_RELAXED)), 1,
                                          __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE));
    return number;
}

static void give(uint32_t number)
{
    uint64_t head = __atomic_load_n(&s_head, __ATOMIC_RELAXED);
    do
        __atomic_store_n(&s_pool.next[number], (uint32_t)head, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&s_head, &head, head_of(head, number), 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

int stint_buffer_start(const struct stint_cupti *cupti)
{
    uint32_t count = cupti->version < FIRST_TO_TAKE_NONE ? STINT_BUFFER_COUNT_BEFORE_12_9 : STINT_BUFFER_COUNT;
    __atomic_store_n(&s_pool.cupti, cupti, __ATOMIC_RELEASE);
    if (s_pool.memory)
        return 0;
    void *memory = mmap(NULL, (size_t)count * STINT_BUFFER_SIZE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return -1;
    s_pool.count = count;
    __atomic_store_n(&s_pool.memory, memory, __ATOMIC_RELEASE);
    for (uint32_t number = count; number--;)
        give(number);
    return 0;
}

void stint_buffer_request(uint8_t **buffer, size_t *size, size_t *records)
{
    uint8_t *memory = __atomic_load_n(&s_pool.memory, __ATOMIC_ACQUIRE);
    uint32_t number = memory ? take() : NONE;
    *buffer = number == NONE ? NULL : memory + (size_t)number * STINT_BUFFER_SIZE;
    *size = number == NONE ? 0 : STINT_BUFFER_SIZE;
    *records = 0; /* as many as fit */
}

/* -------------------------------------------------------------------------------------------------------- completed */

struct reader {
    const struct stint_cupti *cupti;
    uint8_t *buffer;
    size_t used;
    struct stint_cupti_record *record; /* the last one read */
    uint32_t strange_kind;             /* the kind of a record that was not understood; 0: all were */
};

/* Reads some records. Returns 0 at the end. */
static int read_some(struct reader *reader)
{
    for (int i = 0; i < AT_A_TIME; i++) {
        int result = reader->cupti->activity_get_next_record(reader->buffer, reader->used, &reader->record);
        if (result == STINT_CUPTI_MAX_LIMIT_REACHED)
            return 0;
        if (result !=
            STINT_CUPTI_SUCCESS) { /* the record is incomplete or damaged, so the start of the next one is unknown */
            stint_ledger_count_unknown();
            return 0;
        }
        if (stint_decode(reader->record))
            reader->strange_kind = reader->record->kind;
    }
    return 1;
}

static void warn_once(uint32_t kind, uint32_t version)
{
    static int s_warned;
    if (!__atomic_exchange_n(&s_warned, 1, __ATOMIC_RELAXED))
        STINT_LOG(STINT_LOG_WARNING,
                  "CUPTI %u writes records of kind %u, which this stint cannot read: they are only counted",
                  (unsigned)version, (unsigned)kind);
}

static void read_records(const struct stint_cupti *cupti, uint8_t *buffer, size_t used)
{
    struct reader reader = {.cupti = cupti, .buffer = buffer, .used = used};
    uint64_t before = stint_clock_cpu_ns(); /* for the report's footer: once per buffer, of thousands of records */
    int more;
    do {
        stint_ledger_lock();
        more = read_some(&reader);
        if (!more)
            (void)stint_ledger_reading(stint_clock_cpu_ns() - before);
        stint_ledger_unlock();
    } while (more);
    if (reader.strange_kind)
        warn_once(reader.strange_kind, cupti->version);
}

static void count_dropped(const struct stint_cupti *cupti, void *context, uint32_t stream)
{
    size_t dropped = 0;
    if (cupti->activity_get_num_dropped_records(context, stream, &dropped) || !dropped)
        return;
    stint_ledger_lock();
    stint_ledger_count_dropped(dropped);
    stint_ledger_unlock();
}

void stint_buffer_completed(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t used)
{
    uint8_t *memory = __atomic_load_n(&s_pool.memory, __ATOMIC_ACQUIRE);
    const struct stint_cupti *cupti = __atomic_load_n(&s_pool.cupti, __ATOMIC_ACQUIRE);
    size_t at = (size_t)((uintptr_t)buffer - (uintptr_t)memory);
    int errno_before = errno;
    (void)size;
    if (!memory || at >= (size_t)s_pool.count * STINT_BUFFER_SIZE)
        return; /* lent before the fork, or not one of these buffers */
    if (used)
        read_records(cupti, buffer, used);
    count_dropped(cupti, context, stream);
    give((uint32_t)(at / STINT_BUFFER_SIZE));
    errno = errno_before;
}

void stint_buffer_after_fork(void)
{
    __atomic_store_n(&s_pool.memory, NULL, __ATOMIC_RELEASE);
}

/* Kernels are enabled first, because CUPTI prepares for them only the modules that are loaded from then on. Five kinds
 * are not enabled. KERNEL serializes kernels, unlike CONCURRENT_KERNEL. GRAPH_TRACE records whole graphs instead of the
 * work in them. PCIE makes launches from eight threads five times slower, and gpu/callback.h finds out about the
 * link. Programs that share memory pools crash with MEMORY2: gpu/callback.h. SYNCHRONIZATION makes launches
 * slower: gpu/callback.h. */
static const struct {
    uint32_t kind;
    unsigned what;
} s_kinds[] = {
    {STINT_CUPTI_KIND_CONCURRENT_KERNEL, STINT_GPU_ACTIVITIES},
    {STINT_CUPTI_KIND_MEMCPY, STINT_GPU_ACTIVITIES},
    {STINT_CUPTI_KIND_MEMCPY2, STINT_GPU_ACTIVITIES},
    {STINT_CUPTI_KIND_MEMSET, STINT_GPU_ACTIVITIES},
    {STINT_CUPTI_KIND_DEVICE, STINT_GPU_ACTIVITIES},
    {STINT_CUPTI_KIND_UNIFIED_MEMORY_COUNTER, STINT_GPU_UNIFIED_MEMORY},
    {STINT_CUPTI_KIND_OVERHEAD, STINT_GPU_OVERHEADS},
};

enum { KINDS = sizeof s_kinds / sizeof s_kinds[0] };

static uint8_t s_enabled[KINDS];

static int configure_counters(const struct stint_cupti *cupti, uint32_t scope)
{
    static const uint32_t counters[] = {STINT_CUPTI_UM_HTOD,           STINT_CUPTI_UM_DTOH,
                                        STINT_CUPTI_UM_DTOD,           STINT_CUPTI_UM_CPU_PAGE_FAULT,
                                        STINT_CUPTI_UM_GPU_PAGE_FAULT, STINT_CUPTI_UM_THRASHING};
    enum { COUNTERS = sizeof counters / sizeof counters[0] };
    struct stint_cupti_unified_memory_config configs[COUNTERS];

    for (uint32_t i = 0; i < COUNTERS; i++)
        configs[i] = (struct stint_cupti_unified_memory_config){scope, counters[i], 0, 1};
    return cupti->activity_configure_unified_memory_counter(configs, COUNTERS);
}

/* Not every system or device supports all counters. */
static int configure_unified_memory(const struct stint_cupti *cupti)
{
    return configure_counters(cupti, STINT_CUPTI_UM_ALL_DEVICES) ? configure_counters(cupti, STINT_CUPTI_UM_ONE_DEVICE)
                                                                 : 0;
}

static int enable_kind(const struct stint_cupti *cupti, uint32_t kind)
{
    if (kind == STINT_CUPTI_KIND_UNIFIED_MEMORY_COUNTER && configure_unified_memory(cupti))
        return -1;
    return cupti->activity_enable(kind);
}

int stint_enable_kinds(const struct stint_cupti *cupti, unsigned wanted, unsigned *enabled)
{
    unsigned what = wanted;
    for (int i = 0; i < KINDS; i++) {
        int is_wanted = (s_kinds[i].what & wanted) != 0;
        int result = is_wanted ? enable_kind(cupti, s_kinds[i].kind) : 0;
        if (is_wanted && !result)
            s_enabled[i] = 1;
        if (result && s_kinds[i].kind == STINT_CUPTI_KIND_CONCURRENT_KERNEL)
            return result;
        if (result && s_kinds[i].what != STINT_GPU_ACTIVITIES)
            what &= ~s_kinds[i].what;
    }
    __atomic_store_n(enabled, what, __ATOMIC_RELAXED);
    return 0;
}

void stint_disable_kinds(const struct stint_cupti *cupti, unsigned which)
{
    for (int i = 0; i < KINDS; i++)
        if (s_kinds[i].what & which && s_enabled[i]) {
            s_enabled[i] = 0;
            (void)cupti->activity_disable(s_kinds[i].kind);
        }
}
