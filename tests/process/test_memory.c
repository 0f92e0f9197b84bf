/* Memory: none comes from malloc; having none at all is survived; and after a while no more is allocated. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
