/* Calls that allocate, free and wait, as CUPTI tells of them, to what the ledger is told. */
#include "gpu/callback.h"

#include <string.h>

#include "gpu/activity_table.h"
#include "stint_test.h"

static struct {
    int count;
    int locked;
    struct stint_allocation last;
    struct stint_activity last_wait;
} s_ledger;

void __wrap_stint_ledger_lock(void)
{
    s_ledger.locked++;
}

void __wrap_stint_ledger_unlock(void);
void __wrap_stint_ledger_unlock(void)
{
    s_ledger.locked--;
}

void __wrap_stint_ledger_allocate(const struct stint_allocation *allocation);
void __wrap_stint_ledger_allocate(const struct stint_allocation *allocation)
{
    assert_int_equal(s_ledger.locked, 1);
    s_ledger.count++;
    s_ledger.last = *allocation;
}

void __wrap_stint_ledger_add(const struct stint_activity *activity);
void __wrap_stint_ledger_add(const struct stint_activity *activity)
{
    assert_int_equal(s_ledger.locked, 1);
    s_ledger.count++;
    s_ledger.last_wait = *activity;
}

static int third_device(int *device)
{
    assert_true(stint_driver_own); /* else the collector would count the call as the program's */
    *device = 3;
    return 0;
}

static struct stint_driver s_driver;

const struct stint_driver *__wrap_stint_driver_find(void);
const struct stint_driver *__wrap_stint_driver_find(void)
{
    return s_driver.device ? &s_driver : NULL;
}

static uint64_t s_now;

static int timestamp(uint64_t *ns)
{
    *ns = s_now;
    return 0;
}

/* The handle's number; 7 for the default stream, 2 for the thread's own. */
static int stream_id(void *context, void *stream, uint8_t per_thread, uint32_t *id)
{
    assert_null(context);
    *id = stream ? (uint32_t)(uintptr_t)stream : per_thread ? 2 : 7;
    return 0;
}

static struct stint_cupti s_cupti;

/* Each call has a correlation id of its own, but for those that one makes within another. */
static uint32_t s_correlation;

static int set_up(void **state)
{
    memset(&s_ledger, 0, sizeof s_ledger);
    s_driver = (struct stint_driver){.device = third_device};
    s_cupti = (struct stint_cupti){.get_timestamp = timestamp, .get_stream_id = stream_id};
    s_correlation++;
    return 0;
}

static void tell(const char *name, uint32_t site, const void *parameters, int result)
{
    struct stint_cupti_call call = {
        .site = site, .function = name, .parameters = parameters, .result = &result, .correlation = s_correlation};
    unsigned number = stint_allocation_call(name);
    assert_int_not_equal(number, 0);
    stint_allocation_note(number, &call);
}

static void *const s_address = (void *)0x302000000;

static void allocates(const char *name, int memory, int pool)
{
    void *address = NULL;
    const struct {
        void **address;
        size_t bytes;
    } parameters = {&address, 4096};

    set_up(NULL);
    tell(name, STINT_CUPTI_ENTER, &parameters, 0);
    assert_int_equal(s_ledger.count, 0);
    address = s_address;
    tell(name, STINT_CUPTI_EXIT, &parameters, 0);
    assert_int_equal(s_ledger.count, 1);
    assert_int_equal(s_ledger.last.freed, 0);
    assert_int_equal(s_ledger.last.address, 0x302000000);
    assert_int_equal(s_ledger.last.bytes, 4096);
    assert_int_equal(s_ledger.last.device, 3);
    assert_int_equal(s_ledger.last.kind, memory);
    assert_int_equal(s_ledger.last.pool, pool);
}

TEST_EACH(set_up, NULL)

TEST(allocation_is_told_when_its_call_ends)
{
    allocates("cuMemAlloc_v2", STINT_GPU_MEMORY_DEVICE, 0);
    allocates("cuMemAllocManaged", STINT_GPU_MEMORY_MANAGED, 0);
    allocates("cuMemAllocHost_v2", STINT_GPU_MEMORY_PINNED, 0);
    allocates("cuMemHostAlloc", STINT_GPU_MEMORY_PINNED, 0);
    allocates("cuMemHostAlloc_v2", STINT_GPU_MEMORY_PINNED, 0);
    allocates("cuMemAllocAsync", STINT_GPU_MEMORY_DEVICE, 1);
    allocates("cuMemAllocAsync_ptsz", STINT_GPU_MEMORY_DEVICE, 1);
    allocates("cuMemAllocFromPoolAsync", STINT_GPU_MEMORY_DEVICE, 1);
    allocates("cudaMalloc_v3020", STINT_GPU_MEMORY_DEVICE, 0);
    allocates("cudaHostAlloc_v3020", STINT_GPU_MEMORY_PINNED, 0);
    allocates("cudaMallocAsync_ptsz_v11020", STINT_GPU_MEMORY_DEVICE, 1);
}

TEST(rows_are_as_long_as_their_pitch)
{
    void *address = s_address;
    size_t pitch = 512;
    const struct {
        void **address;
        size_t *pitch;
        size_t width, height;
        unsigned element;
    } parameters = {&address, &pitch, 500, 3, 4};

    tell("cuMemAllocPitch_v2", STINT_CUPTI_EXIT, &parameters, 0);
    assert_int_equal(s_ledger.last.bytes, 3 * 512);
}

TEST(mapping_is_told_at_its_address)
{
    const struct {
        void *address;
        size_t bytes, offset;
    } parameters = {s_address, 2097152, 0};

    tell("cuMemMap", STINT_CUPTI_EXIT, &parameters, 0);
    assert_int_equal(s_ledger.last.address, 0x302000000);
    assert_int_equal(s_ledger.last.bytes, 2097152);
    set_up(NULL);
    tell("cuMemUnmap", STINT_CUPTI_ENTER, &parameters, 0);
    assert_int_equal(s_ledger.last.freed, 1);
    assert_int_equal(s_ledger.last.bytes, 2097152);
}

TEST(failed_allocation_is_not_told)
{
    void *address = s_address;
    const struct {
        void **address;
        size_t bytes;
    } parameters = {&address, 4096};

    tell("cuMemAlloc_v2", STINT_CUPTI_EXIT, &parameters, 2);
    assert_int_equal(s_ledger.count, 0);
}

TEST(free_is_told_when_its_call_begins)
{
    static const char *const names[] = {"cuMemFree_v2",        "cuMemFreeHost",  "cuMemFreeAsync",
                                        "cuMemFreeAsync_ptsz", "cudaFree_v3020", "cudaFreeHost_v3020"};
    for (size_t i = 0; i < TEST_COUNT(names); i++) {
        set_up(NULL);
        tell(names[i], STINT_CUPTI_ENTER, &s_address, 0);
        assert_int_equal(s_ledger.count, 1);
        assert_int_equal(s_ledger.last.freed, 1);
        assert_int_equal(s_ledger.last.address, 0x302000000);
        assert_int_equal(s_ledger.last.bytes, 0);
        tell(names[i], STINT_CUPTI_EXIT, &s_address, 0);
        assert_int_equal(s_ledger.count, 1);
    }
}

TEST(freeing_nothing_is_not_told)
{
    void *nothing = NULL;
    tell("cuMemFree_v2", STINT_CUPTI_ENTER, &nothing, 0);
    assert_int_equal(s_ledger.count, 0);
}

/* Until CUPTI 13.0 both are told, with one correlation id. */
TEST(call_of_the_driver_within_one_of_the_runtime_is_told_once)
{
    void *address = s_address;
    const struct {
        void **address;
        size_t bytes;
    } parameters = {&address, 4096};

    tell("cudaMalloc_v3020", STINT_CUPTI_ENTER, &parameters, 0);
    tell("cuMemAlloc_v2", STINT_CUPTI_ENTER, &parameters, 0);
    tell("cuMemAlloc_v2", STINT_CUPTI_EXIT, &parameters, 0);
    tell("cudaMalloc_v3020", STINT_CUPTI_EXIT, &parameters, 0);
    assert_int_equal(s_ledger.count, 1);
}

TEST(other_calls_are_none)
{
    static const char *const names[] = {"cuMemAlloc",
                                        "cuMemFree",
                                        "cuLaunchKernel",
                                        "cudaMallocArray_v3020",
                                        "cuMemcpy",
                                        "cuMemPoolImportPointer",
                                        "cudaFreeArray_v3020",
                                        "cuMemAllocHost",
                                        ""};
    for (size_t i = 0; i < TEST_COUNT(names); i++)
        assert_int_equal(stint_allocation_call(names[i]), 0);
}

static void *const s_stream = (void *)0x13;

static void tell_wait(const char *name, uint32_t site, uint64_t at, uint64_t *shared)
{
    void *const parameters[] = {s_stream};
    struct stint_cupti_call call = {.site = site,
                                    .function = name,
                                    .parameters = parameters,
                                    .context_id = 9,
                                    .shared = shared,
                                    .correlation = s_correlation};
    s_now = at;
    stint_wait_note(&s_cupti, &call);
}

static void waits(const char *name, int wait, uint32_t stream)
{
    uint64_t shared = 0;
    set_up(NULL);
    assert_true(stint_wait_call(name));
    tell_wait(name, STINT_CUPTI_ENTER, 1000, &shared);
    assert_int_equal(s_ledger.count, 0);
    tell_wait(name, STINT_CUPTI_EXIT, 1700, &shared);
    assert_int_equal(s_ledger.count, 1);
    assert_int_equal(s_ledger.locked, 0);
    assert_int_equal(s_ledger.last_wait.kind, STINT_GPU_SYNC);
    assert_null(s_ledger.last_wait.name);
    assert_int_equal(s_ledger.last_wait.what, wait);
    assert_int_equal(s_ledger.last_wait.start, 1000);
    assert_int_equal(s_ledger.last_wait.end, 1700);
    assert_int_equal(s_ledger.last_wait.correlation, s_correlation);
    assert_int_equal(s_ledger.last_wait.device, 3);
    assert_int_equal(s_ledger.last_wait.context, 9);
    assert_int_equal(s_ledger.last_wait.stream, stream);
}

TEST(wait_is_told_when_its_call_ends)
{
    waits("cuStreamSynchronize", STINT_GPU_WAIT_STREAM, 0x13);
    waits("cuStreamSynchronize_ptsz", STINT_GPU_WAIT_STREAM, 0x13);
    waits("cuStreamWaitEvent", STINT_GPU_WAIT_STREAM_EVENT, 0x13);
    waits("cuEventSynchronize", STINT_GPU_WAIT_EVENT, 0);
    waits("cuCtxSynchronize", STINT_GPU_WAIT_CONTEXT, 0);
    waits("cuCtxSynchronize_v2", STINT_GPU_WAIT_CONTEXT, 0);
    waits("cudaStreamSynchronize_v3020", STINT_GPU_WAIT_STREAM, 0x13);
    waits("cudaStreamWaitEvent_ptsz", STINT_GPU_WAIT_STREAM_EVENT, 0x13);
    waits("cudaEventSynchronize_v3020", STINT_GPU_WAIT_EVENT, 0);
    waits("cudaDeviceSynchronize_v3020", STINT_GPU_WAIT_CONTEXT, 0);
    waits("cudaThreadSynchronize_v3020", STINT_GPU_WAIT_CONTEXT, 0);
}

TEST(call_that_asks_does_not_wait)
{
    assert_false(stint_wait_call("cuStreamQuery"));
    assert_false(stint_wait_call("cudaEventQuery_v3020"));
    assert_false(stint_wait_call("cuStreamSynchronizeLater"));
    assert_false(stint_wait_call("cuMemcpyHtoDAsync_v2"));
}

TEST(call_within_another_is_told_once)
{
    uint64_t outer = 0, inner = 0;
    tell_wait("cudaStreamSynchronize", STINT_CUPTI_ENTER, 1000, &outer);
    tell_wait("cuStreamSynchronize", STINT_CUPTI_ENTER, 1010, &inner);
    tell_wait("cuStreamSynchronize", STINT_CUPTI_EXIT, 1690, &inner);
    tell_wait("cudaStreamSynchronize", STINT_CUPTI_EXIT, 1700, &outer);
    assert_int_equal(s_ledger.count, 1);
    assert_int_equal(s_ledger.last_wait.start, 1010);
    assert_int_equal(s_ledger.last_wait.end, 1690);
    s_correlation++;
    tell_wait("cuStreamSynchronize", STINT_CUPTI_ENTER, 2000, &inner);
    tell_wait("cuStreamSynchronize", STINT_CUPTI_EXIT, 2001, &inner);
    assert_int_equal(s_ledger.count, 2);
}

TEST(threads_own_stream_is_not_the_default_one)
{
    void *const none[] = {NULL};
    uint64_t shared = 0;
    struct stint_cupti_call call = {.function = "cuStreamSynchronize_ptsz", .parameters = none, .shared = &shared};
    call.correlation = s_correlation;
    call.site = STINT_CUPTI_ENTER;
    stint_wait_note(&s_cupti, &call);
    call.site = STINT_CUPTI_EXIT;
    stint_wait_note(&s_cupti, &call);
    assert_int_equal(s_ledger.last_wait.stream, 2);
}

TEST(wait_whose_beginning_was_not_told_is_not_counted)
{
    uint64_t shared = 0;
    tell_wait("cuCtxSynchronize", STINT_CUPTI_EXIT, 1700, &shared);
    assert_int_equal(s_ledger.count, 0);
}

TEST(without_a_cupti_that_tells_there_is_no_stream)
{
    uint64_t shared = 0;
    s_cupti.get_stream_id = NULL;
    s_driver.device = NULL;
    tell_wait("cuStreamSynchronize", STINT_CUPTI_ENTER, 1000, &shared);
    tell_wait("cuStreamSynchronize", STINT_CUPTI_EXIT, 1700, &shared);
    assert_int_equal(s_ledger.count, 1);
    assert_int_equal(s_ledger.last_wait.device, 0);
    assert_int_equal(s_ledger.last_wait.stream, 0);
}
