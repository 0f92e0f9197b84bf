/* The buffers that CUPTI borrows, with a CUPTI whose records are of eight bytes: a kind, and what reading them
 * returns. */
#include "gpu/collector.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "captured_log.h"
#include "memory.h"
#include "stint/gpu.h"
#include "stint_test.h"

struct record {
    uint32_t kind;
    int result;
};

enum { STRANGE = 77 };

static struct {
    int locked;
    int decoded;
    int decoded_unlocked;
    int locks;
    int most_under_a_lock;
    int under_this_lock;
    int unknown;
    uint64_t dropped;
    uint32_t last_kind;
    uint64_t cpu_ns; /* 3 for each record */
    uint64_t reading_ns;
} s_ledger;

void __wrap_stint_ledger_lock(void)
{
    ++s_ledger.locked;
    ++s_ledger.locks;
    s_ledger.under_this_lock = 0;
}

void __wrap_stint_ledger_unlock(void);
void __wrap_stint_ledger_unlock(void)
{
    --s_ledger.locked;
    errno = EAGAIN; /* as the log, or a futex, may leave it */
}

int __wrap_stint_decode(const struct stint_cupti_record *record);
int __wrap_stint_decode(const struct stint_cupti_record *record)
{
    s_ledger.decoded_unlocked += !s_ledger.locked;
    ++s_ledger.decoded;
    s_ledger.cpu_ns += 3;
    if (++s_ledger.under_this_lock > s_ledger.most_under_a_lock)
        s_ledger.most_under_a_lock = s_ledger.under_this_lock;
    s_ledger.last_kind = record->kind;
    return record->kind == STRANGE ? -1 : 0;
}

uint64_t __wrap_stint_clock_cpu_ns(void);
uint64_t __wrap_stint_clock_cpu_ns(void)
{
    return s_ledger.cpu_ns;
}

uint64_t __wrap_stint_ledger_reading(uint64_t ns);
uint64_t __wrap_stint_ledger_reading(uint64_t ns)
{
    return s_ledger.reading_ns += s_ledger.locked ? ns : 0;
}

void __wrap_stint_ledger_count_unknown(void);
void __wrap_stint_ledger_count_unknown(void)
{
    s_ledger.unknown += s_ledger.locked;
}

void __wrap_stint_ledger_count_dropped(uint64_t count);
void __wrap_stint_ledger_count_dropped(uint64_t count)
{
    s_ledger.dropped += s_ledger.locked ? count : 0;
}

/* ------------------------------------------------------------------------------------------------------------ CUPTI */

static struct {
    size_t to_drop;
    int drop_result;
    void *asked_context;
    uint32_t asked_stream;
} s_cupti;

static int next_record(uint8_t *buffer, size_t used, struct stint_cupti_record **record)
{
    uint8_t *const next = *record ? (uint8_t *)*record + sizeof(struct record) : buffer;
    if (next + sizeof(struct record) > buffer + used)
        return STINT_CUPTI_MAX_LIMIT_REACHED;
    if (((struct record *)(void *)next)->result)
        return ((struct record *)(void *)next)->result;
    *record = (void *)next;
    return STINT_CUPTI_SUCCESS;
}

static int dropped_records(void *context, uint32_t stream, size_t *dropped)
{
    *dropped = 0;
    if (!s_cupti.to_drop) /* as in the test with several threads */
        return STINT_CUPTI_SUCCESS;
    s_cupti.asked_context = context;
    s_cupti.asked_stream = stream;
    *dropped = s_cupti.to_drop;
    s_cupti.to_drop = 0;
    return s_cupti.drop_result;
}

static const struct stint_cupti s_functions = {
    .version = 130001,
    .activity_get_next_record = next_record,
    .activity_get_num_dropped_records = dropped_records,
};

static uint8_t *request(void)
{
    uint8_t *buffer = (uint8_t *)1;
    size_t size = 1, records = 1;
    stint_buffer_request(&buffer, &size, &records);
    assert_int_equal(size, buffer ? STINT_BUFFER_SIZE : 0);
    assert_int_equal(records, 0);
    return buffer;
}

static void complete(uint8_t *buffer, int records)
{
    stint_buffer_completed(NULL, 0, buffer, STINT_BUFFER_SIZE, (size_t)records * sizeof(struct record));
}

static int begin(void **state)
{
    memset(&s_ledger, 0, sizeof s_ledger);
    memset(&s_cupti, 0, sizeof s_cupti);
    captured_log_begin();
    return stint_buffer_start(&s_functions);
}

/* Runs `test` in a process that has not started yet, or will not go on. */
static int in_child(int (*test)(void))
{
    int status = -1;
    const pid_t child = fork();
    if (!child)
        _exit(test());
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ------------------------------------------------------------------------------------------------- before the start */

TEST(nothing_is_lent_before_the_start)
{
    assert_null(request());
    complete(NULL, 0); /* and taken */
}

TEST(start_fails_without_memory)
{
    memory_fail_after(0);
    assert_int_equal(stint_buffer_start(&s_functions), -1);
    memory_recover();
    assert_null(request());
}

static int count_for_an_older_cupti(void)
{
    static struct stint_cupti older;
    int count = 0;
    older = s_functions;
    older.version = 26;
    if (stint_buffer_start(&older))
        return 1;
    while (request())
        ++count;
    return count == STINT_BUFFER_COUNT_BEFORE_12_9 ? 0 : 2;
}

TEST(cupti_that_cannot_do_without_gets_more)
{
    assert_int_equal(in_child(count_for_an_older_cupti), 0);
}

/* ---------------------------------------------------------------------------------------------------------- lending */

TEST_SETUP(buffers_are_lent_until_all_are_out, begin)
{
    static uint8_t *lent[STINT_BUFFER_COUNT];
    for (int i = 0; i < STINT_BUFFER_COUNT; ++i) {
        lent[i] = request();
        assert_non_null(lent[i]);
        assert_int_equal((uintptr_t)lent[i] % 8, 0);
        memset(lent[i], i, 16);
        memset(lent[i] + STINT_BUFFER_SIZE - 16, i, 16);
    }
    assert_null(request());
    for (int i = 0; i < STINT_BUFFER_COUNT; ++i) { /* they do not overlap */
        assert_int_equal(lent[i][0], i % 256);
        assert_int_equal(lent[i][STINT_BUFFER_SIZE - 1], i % 256);
    }
    for (int i = 0; i < STINT_BUFFER_COUNT; ++i)
        complete(lent[i], 0);
    for (int i = 0; i < STINT_BUFFER_COUNT; ++i)
        assert_non_null(lent[i] = request());
    assert_null(request());
    for (int i = 0; i < STINT_BUFFER_COUNT; ++i)
        complete(lent[i], 0);
}

TEST_SETUP(last_one_back_is_the_first_to_go, begin)
{
    uint8_t *const first = request();
    uint8_t *const second = request();
    complete(first, 0);
    complete(second, 0);
    assert_ptr_equal(request(), second);
    assert_ptr_equal(request(), first);
    complete(second, 0);
    complete(first, 0);
}

TEST_SETUP(lending_maps_nothing, begin)
{
    const long calls = memory_calls();
    for (int i = 0; i < 10000; ++i)
        complete(request(), 0);
    assert_int_equal(memory_calls(), calls);
}

TEST_SETUP(starting_again_keeps_the_buffers, begin)
{
    const size_t mapped = memory_mapped();
    assert_int_equal(stint_buffer_start(&s_functions), 0);
    assert_int_equal(memory_mapped(), mapped);
}

enum { THREADS = 6, ROUNDS = 20000 };

static void *borrow(void *context)
{
    int *const broken = context;
    for (int i = 0; i < ROUNDS; ++i) {
        uint8_t *buffer;
        size_t size, records;
        stint_buffer_request(&buffer, &size, &records);
        if (!buffer) {
            ++*broken;
            continue;
        }
        *(int **)(void *)buffer = broken;
        if (i % 64 == 0)
            sched_yield();
        if (*(int **)(void *)buffer != broken)
            ++*broken;
        complete(buffer, 0);
    }
    return NULL;
}

TEST_SETUP(buffer_is_never_lent_twice, begin)
{
    pthread_t threads[THREADS];
    int broken[THREADS] = {0};
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, borrow, &broken[i]), 0);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(broken[i], 0);
}

/* ---------------------------------------------------------------------------------------------------------- reading */

static uint8_t *filled(int records, uint32_t kind)
{
    uint8_t *const buffer = request();
    struct record *const at = (void *)buffer;
    for (int i = 0; i < records; ++i)
        at[i] = (struct record){.kind = kind};
    return buffer;
}

TEST_SETUP(records_are_decoded_under_the_lock, begin)
{
    complete(filled(3, 10), 3);
    assert_int_equal(s_ledger.decoded, 3);
    assert_int_equal(s_ledger.decoded_unlocked, 0);
    assert_int_equal(s_ledger.last_kind, 10);
    assert_int_equal(s_ledger.locked, 0);
    assert_int_equal(s_ledger.unknown, 0);
    assert_int_equal(captured_log.lines, 0);
}

TEST_SETUP(lock_is_let_go_now_and_then, begin)
{
    complete(filled(5000, 10), 5000);
    assert_int_equal(s_ledger.decoded, 5000);
    assert_in_range(s_ledger.most_under_a_lock, 2, 256);
    assert_int_equal(s_ledger.locked, 0);
}

TEST_SETUP(time_of_reading_is_added_up, begin)
{
    complete(filled(5000, 10), 5000);
    s_ledger.cpu_ns += 1000000; /* what the thread does meanwhile */
    complete(filled(10, 10), 10);
    assert_int_equal(s_ledger.reading_ns, 5010 * 3);
}

TEST_SETUP(empty_buffer_takes_no_lock, begin)
{
    complete(request(), 0);
    assert_int_equal(s_ledger.locks, 0);
}

TEST_SETUP(damaged_record_ends_the_buffer_and_is_counted, begin)
{
    uint8_t *const buffer = filled(4, 10);
    ((struct record *)(void *)buffer)[2].result = STINT_CUPTI_INVALID_KIND;
    complete(buffer, 4);
    assert_int_equal(s_ledger.decoded, 2);
    assert_int_equal(s_ledger.unknown, 1);
    assert_int_equal(s_ledger.locked, 0);
    assert_ptr_equal(request(), buffer); /* it is back */
    complete(buffer, 0);
}

TEST_SETUP(records_not_understood_are_logged_once, begin)
{
    complete(filled(4, STRANGE), 4);
    assert_int_equal(s_ledger.decoded, 4);
    assert_int_equal(captured_log.lines, 1);
    assert_int_equal(captured_log.level, STINT_LOG_WARNING);
    assert_non_null(strstr(captured_log.message, "kind 77"));
    complete(filled(4, STRANGE), 4);
    assert_int_equal(captured_log.lines, 1);
}

TEST_SETUP(dropped_records_are_counted, begin)
{
    int context;
    s_cupti.to_drop = 42;
    stint_buffer_completed(&context, 7, request(), STINT_BUFFER_SIZE, 0);
    assert_int_equal(s_ledger.dropped, 42);
    assert_int_equal(s_ledger.locked, 0);
    assert_ptr_equal(s_cupti.asked_context, &context);
    assert_int_equal(s_cupti.asked_stream, 7);
    s_cupti.to_drop = 1;
    s_cupti.drop_result = STINT_CUPTI_NOT_INITIALIZED;
    complete(request(), 0);
    assert_int_equal(s_ledger.dropped, 42);
}

TEST_SETUP(callbacks_leave_errno_alone, begin)
{
    errno = ENOTTY;
    s_cupti.to_drop = 1;
    complete(filled(2, 10), 2);
    assert_int_equal(errno, ENOTTY);
}

TEST_SETUP(strange_buffer_is_neither_read_nor_lent, begin)
{
    static uint64_t memory[STINT_BUFFER_SIZE / sizeof(uint64_t)];
    complete((uint8_t *)memory, 2);
    assert_int_equal(s_ledger.decoded, 0);
    assert_ptr_not_equal(request(), memory);
}

/* ------------------------------------------------------------------------------------------------------------- fork */

static uint8_t *s_lent;

static int after_a_fork(void)
{
    uint8_t *buffer;
    size_t size, records;
    stint_buffer_after_fork();
    stint_buffer_request(&buffer, &size, &records);
    if (buffer || size)
        return 1;
    complete(s_lent, 3);
    return s_ledger.decoded || s_ledger.locks ? 2 : 0;
}

TEST_SETUP(forked_child_lends_nothing_and_reads_nothing, begin)
{
    s_lent = filled(3, 10);
    assert_int_equal(in_child(after_a_fork), 0);
    complete(s_lent, 3); /* the parent goes on */
    assert_int_equal(s_ledger.decoded, 3);
}

/* Kinds by CUPTI's number that must stay off, and why. */
enum {
    KERNEL = 3,           /* serialises kernels */
    PCIE = 46,            /* launches of eight threads take five times as long */
    MEMORY2 = 49,         /* programs that share memory pools die of it */
    SYNCHRONIZATION = 38, /* launches of PyTorch's take 2.7 us longer */
    GRAPH_TRACE = 65,     /* a graph in place of the kernels in it */
    KINDS = 96
};

static struct {
    uint32_t first;
    unsigned count;
    int enabled[KINDS];
    unsigned disabled; /* how often one was */
    uint32_t refused;  /* the kind that cannot be enabled */
} s_enabling;

static int enable(uint32_t kind)
{
    assert_in_range(kind, 1, KINDS - 1);
    if (s_enabling.count++ == 0)
        s_enabling.first = kind;
    s_enabling.enabled[kind] = kind != s_enabling.refused;
    return kind == s_enabling.refused ? STINT_CUPTI_INVALID_KIND : 0;
}

/* As CUPTI, which takes two seconds for some kinds that are not enabled. */
static int disable(uint32_t kind)
{
    assert_true(s_enabling.enabled[kind]);
    s_enabling.enabled[kind] = 0;
    s_enabling.disabled++;
    return 0;
}

static int configure(struct stint_cupti_unified_memory_config *configs, uint32_t count)
{
    return 0;
}

static const struct stint_cupti s_enable_functions = {
    .activity_enable = enable, .activity_disable = disable, .activity_configure_unified_memory_counter = configure};

static int set_up(void **state)
{
    stint_disable_kinds(&s_enable_functions, STINT_GPU_EVERYTHING);
    memset(&s_enabling, 0, sizeof s_enabling);
    return 0;
}

TEST_SETUP(kernels_come_before_all_others, set_up)
{
    unsigned enabled = 0;
    assert_int_equal(stint_enable_kinds(&s_enable_functions, STINT_GPU_EVERYTHING, &enabled), 0);
    assert_int_equal(s_enabling.first, STINT_CUPTI_KIND_CONCURRENT_KERNEL);
    assert_int_equal(enabled, STINT_GPU_EVERYTHING);
}

TEST_SETUP(what_slows_programs_down_stays_off, set_up)
{
    unsigned enabled = 0;
    assert_int_equal(stint_enable_kinds(&s_enable_functions, STINT_GPU_EVERYTHING, &enabled), 0);
    assert_false(s_enabling.enabled[KERNEL]);
    assert_false(s_enabling.enabled[PCIE]);
    assert_false(s_enabling.enabled[MEMORY2]);
    assert_false(s_enabling.enabled[SYNCHRONIZATION]);
    assert_false(s_enabling.enabled[GRAPH_TRACE]);
}

TEST_SETUP(only_what_is_enabled_is_disabled, set_up)
{
    unsigned enabled = 0;
    s_enabling.refused = STINT_CUPTI_KIND_UNIFIED_MEMORY_COUNTER;
    assert_int_equal(stint_enable_kinds(&s_enable_functions, STINT_GPU_EVERYTHING, &enabled), 0);
    assert_int_equal(enabled, STINT_GPU_EVERYTHING & ~STINT_GPU_UNIFIED_MEMORY);
    stint_disable_kinds(&s_enable_functions, STINT_GPU_OVERHEADS);
    assert_int_equal(s_enabling.disabled, 1);
    stint_disable_kinds(&s_enable_functions, STINT_GPU_EVERYTHING);
    for (int i = 0; i < KINDS; i++)
        assert_int_equal(s_enabling.enabled[i], 0);
}
