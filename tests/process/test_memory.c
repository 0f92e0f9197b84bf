/* Memory: none comes from malloc; having none at all is survived; and after a while no more is allocated. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "process/harness.h"
#include "stint/stint.h"

/* Functions that the shared library has to find in the program. */
#define EXPORT __attribute__((visibility("default")))

/* -------------------------------------------------------------------------------------------------- an mmap that fails
 *
 * The library's calls arrive here; the C library's own do not, so that what fails is stint's alone. */

static long s_calls, s_first_failure = -1, s_last_failure = -1;

#if !WITH_SANITIZER
EXPORT void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
    const long call = __atomic_add_fetch(&s_calls, 1, __ATOMIC_RELAXED);
    if (s_first_failure >= 0 && call >= s_first_failure && call <= s_last_failure) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset); // NOLINT
}

static int s_ends;

EXPORT int munmap(void *address, size_t length)
{
    if (s_ends)
        (void)!write(STDERR_FILENO, "unmapped\n", strlen("unmapped\n"));
    return (int)syscall(SYS_munmap, address, length);
}
#endif

/* ------------------------------------------------------------------------------------------------------------ modes */

static void *work_there(void *argument)
{
    scopes("there", 5);
    return argument;
}

static long sum(const struct stint_snapshot *snapshot)
{
    long count = 0;
    for (size_t i = 0; i < snapshot->stat_count; ++i)
        count += (long)snapshot->stats[i].numbers.count;
    return count;
}

enum { NAMES = 40, SAMPLES = 2 * NAMES + 1 + 10, LAST = 3 };

/* A status other than 0 tells the program that something failed. */
static void tell(enum stint_status status)
{
    if (status)
        printf("status: %s\n", stint_status_name(status));
}

/* A small program that uses everything, and has a result of its own. */
MODE(uses_everything)
{
    STINT_SCOPE("running");
    struct stint_timer timer = STINT_TIMER_INIT;
    struct stint_snapshot *snapshot = NULL;
    char name[32];
    int result = 0;

    for (int i = 0; i < NAMES; ++i) {
        snprintf(name, sizeof name, "name %d", i);
        STINT_SCOPE("outer");
        STINT_SCOPE_DYNAMIC(name, UINT64_MAX, stint_statset_get(name));
        result += i;
    }
    tell(stint_timer_start(&timer, "timer", NULL));
    tell(stint_timer_stop(&timer));
    on_thread(work_there, NULL);
    on_thread(work_there, NULL);
    tell(stint_snapshot_take(&snapshot));
    printf("%ld samples\n", snapshot ? sum(snapshot) : -1);
    stint_snapshot_free(snapshot);
    stint_reset(STINT_RESET_KEEP_RUNNING);
    tell(printAllStatus());
    tell(stint_statset_delete(NULL, "timer"));
    scopes("last", LAST);
    return result == NAMES * (NAMES - 1) / 2 ? 42 : 1;
}

/* Allocations fail from one call on up to another; prints how many calls there were. */
MODE(runs_out)
{
    s_first_failure = atol(getenv("TEST_FIRST"));
    s_last_failure = atol(getenv("TEST_LAST"));
    int result = uses_everything();
    printf("calls: %ld\n", s_calls);
    fflush(stdout);
    return result;
}

/* There is no memory for the report only. */
MODE(runs_out_at_exit)
{
    scopes("work", 3);
    s_first_failure = 1;
    s_last_failure = 1000000;
    return 42;
}

/* There is none while a dump of the recording is asked for. */
MODE(runs_out_at_a_dump)
{
    static const struct timespec moment = {0, 200000000};
    scopes("work", 3);
    nanosleep(&moment, NULL);
    s_last_failure = 1000000;
    s_first_failure = 1;
    raise(SIGUSR1);
    nanosleep(&moment, NULL);
    s_first_failure = -1;
    return 42;
}

/* ----------------------------------------------------------------------------------------- a malloc that is counted */

static long s_mallocs;

#if !WITH_SANITIZER && defined(__GLIBC__)
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

EXPORT void *malloc(size_t size)
{
    __atomic_add_fetch(&s_mallocs, 1, __ATOMIC_RELAXED);
    return __libc_malloc(size);
}

EXPORT void *calloc(size_t count, size_t size)
{
    __atomic_add_fetch(&s_mallocs, 1, __ATOMIC_RELAXED);
    return __libc_calloc(count, size);
}

EXPORT void *realloc(void *old, size_t size)
{
    __atomic_add_fetch(&s_mallocs, 1, __ATOMIC_RELAXED);
    return __libc_realloc(old, size);
}

MODE(counts_mallocs)
{
    char *volatile copy = strdup("counted");
    char out[64];
    free(copy);
    if (!s_mallocs)
        return 1; /* nothing is counted */
    tzset();      /* the C library allocates memory for the zone's name */
    long before = s_mallocs;
    scopes("work", 3);
    for (int i = 0; i < 100; ++i) {
        snprintf(out, sizeof out, "name %d", i);
        scopes(out, 2);
    }
    (void)stint_report_print(STINT_FORMAT_TABLE);
    (void)stint_report_save(STINT_FORMAT_JSON, "/dev/null");
    (void)stint_report_save(STINT_FORMAT_PADDLE, "/dev/null");
    (void)printAllStatus();
    snprintf(out, sizeof out, "%ld mallocs\n", s_mallocs - before);
    return write(STDOUT_FILENO, out, strlen(out)) < 0;
}
#else
MODE(counts_mallocs)
{
    return s_mallocs != 0;
}
#endif

/* ------------------------------------------------------------------------------------------------------- a long run */

enum { THOUSAND = 1000, KINDS = 50 };

static void one_round(void)
{
    static char names[KINDS][24];
    static unsigned next;
    char *name = names[next++ % KINDS];
    if (!*name)
        snprintf(name, sizeof names[0], "name %u", next);
    STINT_SCOPE_DYNAMIC(name);
    for (int i = 0; i < THOUSAND; ++i) {
        STINT_SCOPE("inner");
    }
}

MODE(runs_long)
{
    const long rounds = atol(getenv("TEST_ROUNDS"));
    for (int i = 0; i < 2 * KINDS; ++i)
        one_round();
    long warm = resident_pages();
    for (long i = 0; i < rounds; ++i)
        one_round();
    printf("%ld pages more\n", resident_pages() - warm);
    return 0;
}

/* ------------------------------------------------------------------------------------------------ a large snapshot */

static long page_faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

/* Returns how many page faults it takes to touch 4 MB for which large pages are asked for. */
static long faults_of_4_mb(void)
{
    const size_t size = (size_t)4 << 20;
    long before = page_faults();
    char *memory = (char *)syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, size, MADV_HUGEPAGE);
    for (size_t at = 0; at < size; at += 4096)
        ((volatile char *)memory)[at] = 1;
    munmap(memory, size);
    return page_faults() - before;
}

/* Prints how many page faults a snapshot of a thousand contexts takes. */
MODE(takes_a_large_snapshot)
{
    struct stint_snapshot *snapshot = NULL;
    char name[32];
    if (getenv("TEST_SMALL_PAGES"))
        prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    for (int i = 0; i < 3 * THOUSAND; ++i) {
        snprintf(name, sizeof name, "name %d", i % THOUSAND);
        scopes(name, 1);
    }
    long other = faults_of_4_mb(), before = page_faults();
    tell(stint_snapshot_take(&snapshot));
    printf("%ld for a snapshot, %ld for 4 MB\n", page_faults() - before, other);
    stint_snapshot_free(snapshot);
    return 0;
}

/* --------------------------------------------------------------------------------------------------------- the end */

#if !WITH_SANITIZER
MODE(ends)
{
    scopes("last", LAST);
    s_ends = 1;
    return 0;
}
#endif

/* ------------------------------------------------------------------------------------------------------------ tests */

static const char *number_setting(const char *name, long number)
{
    static char texts[2][64];
    static int next;
    char *text = texts[next++ % 2];
    snprintf(text, sizeof texts[0], "%s=%ld", name, number);
    return text;
}

static long calls_of(const struct result *result)
{
    const char *line = strstr(result->out, "\ncalls: ");
    if (!line)
        fail_msg("no count of calls: %s; stderr: %.1000s", result->out, result->err);
    return strtol(line + strlen("\ncalls: "), NULL, 10);
}

static struct result run_out(long first, long last)
{
    return run("runs_out", number_setting("TEST_FIRST", first), number_setting("TEST_LAST", last), NULL);
}

/* Returns whether nothing is missing: what failed was tried again, or did not matter. */
static int is_complete(const struct result *result)
{
    char samples[32];
    snprintf(samples, sizeof samples, "%d samples\n", SAMPLES);
    return strstr(result->out, samples) && result->report && has_stat(result->report, "last") &&
           stat_number(result->report, "last", "count") == LAST;
}

/* The program's own result is unchanged, and there is a sign that something is missing: the report's count, the log,
 * or, if there is a report, what a function returned. */
static void assert_survived(const struct result *result, long first)
{
    const int told = occurrences(result->out, "status: ") > 0;
    if (!WIFEXITED(result->status) || WEXITSTATUS(result->status) != 42)
        fail_msg("failing at call %ld: wait status %#x; stderr: %.2000s", first, (unsigned)result->status, result->err);
    if (result->report && !is_json(result->report))
        fail_msg("failing at call %ld: broken report", first);
    if (is_complete(result) || (result->report && (told || dropped(result->report, "memory"))))
        return;
    if (!occurrences(result->err, "memory"))
        fail_msg("failing at call %ld: no loss is reported; stderr: %.1000s", first, result->err);
}

TEST(test_out_of_memory_once)
{
    if (WITH_SANITIZER)
        skip();
    struct result result = run_out(-1, -1);
    long calls = calls_of(&result);
    assert_exit(&result, 42);
    assert_true(is_complete(&result));
    assert_int_equal(dropped(result.report, "memory"), 0);
    assert_true(calls > 5);
    for (long call = 1; call <= calls; ++call) {
        result = run_out(call, call);
        assert_survived(&result, call);
        remove(scratch("report"));
    }
}

TEST(test_out_of_memory_for_good)
{
    if (WITH_SANITIZER)
        skip();
    struct result result = run_out(-1, -1);
    long calls = calls_of(&result);
    remove(scratch("report"));
    for (long call = 1; call <= calls; ++call) {
        result = run_out(call, 1000000);
        assert_survived(&result, call);
        remove(scratch("report"));
    }
}

TEST(test_out_of_memory_at_exit)
{
    if (WITH_SANITIZER)
        skip();
    struct result result = run("runs_out_at_exit", NULL);
    assert_exit(&result, 42);
    if (!result.report)
        assert_true(occurrences(result.err, "memory") > 0);
    else
        assert_int_equal(stat_number(result.report, "work", "count"), 3);
}

TEST(test_out_of_memory_at_a_dump)
{
    char trace[400];
    if (WITH_SANITIZER)
        skip();
    snprintf(trace, sizeof trace, "STINT_TRACE=%s", scratch("trace.stint"));
    const struct result result =
        run("runs_out_at_a_dump", trace, "STINT_DUMP_SIGNAL=USR1", "STINT_MODULE=" FAKE_STORE, NULL);
    assert_exit(&result, 42);
    assert_int_equal(occurrences(result.err, "not enough memory for the report in "), 1);
    assert_int_equal(stat_number(result.report, "work", "count"), 3);
}

TEST(test_no_malloc)
{
    if (WITH_SANITIZER)
        skip();
    struct result result = run("counts_mallocs", NULL);
    assert_exit(&result, 0);
    assert_string_equal(result.out, "0 mallocs\n");
}

/* 2e7 scopes, where a byte for each is 5000 pages; set STINT_TEST_SCOPES=1000000000 to test the full promise. */
TEST(test_long_run)
{
    const char *wanted = getenv("STINT_TEST_SCOPES");
    const long count = wanted ? atol(wanted) : WITH_SANITIZER ? 1000000 : 20000000;
    const struct result result = run("runs_long", number_setting("TEST_ROUNDS", count / THOUSAND), NULL);
    long pages;
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "inner", "count"), (count / THOUSAND + 2 * KINDS) * THOUSAND);
    assert_int_equal(sscanf(result.out, "%ld pages more", &pages), 1);
    if (!WITH_SANITIZER)
        assert_in_range(pages, 0, 15 + KINDS); /* a page for two contexts, when counters of 16 bits are full */
}

/* Where every page of 4 KB is a fault, faults are the memory that is touched. */
TEST(test_a_snapshot_takes_seven_tenths_of_a_page_for_a_context)
{
    long faults, other;
    if (WITH_SANITIZER)
        skip();
    const struct result result = run("takes_a_large_snapshot", "TEST_SMALL_PAGES=1", NULL);
    assert_exit(&result, 0);
    assert_int_equal(sscanf(result.out, "%ld for a snapshot, %ld for 4 MB", &faults, &other), 2);
    assert_in_range(faults, 1, THOUSAND * 7 / 10);
}

TEST(test_a_large_snapshot_takes_large_pages_where_there_are_any)
{
    long faults, other;
    if (WITH_SANITIZER)
        skip();
    const struct result result = run("takes_a_large_snapshot", NULL);
    assert_exit(&result, 0);
    assert_int_equal(sscanf(result.out, "%ld for a snapshot, %ld for 4 MB", &faults, &other), 2);
    if (other > 16) /* the kernel gives none, or not just then */
        skip();
    assert_in_range(faults, 1, 100);
}

/* Each would interrupt all processors on which threads of the process run. */
TEST(test_the_report_at_the_end_unmaps_nothing)
{
    if (WITH_SANITIZER)
        skip();
    const struct result result = run("ends", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "last", "count"), LAST);
    assert_int_equal(occurrences(result.err, "unmapped"), 0);
}
