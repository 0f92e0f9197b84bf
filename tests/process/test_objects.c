/* Several shared objects at once, some of which are unloaded before the report; and an instrumented malloc. Compiled
 * with the objects' paths: PLUGIN_A, PLUGIN_B, PLUGIN_STATIC, HOST, MALLOC. */
#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process/harness.h"
#include "stint/stint.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

typedef void run_fn(unsigned count);

static void *open_plugin(const char *path, run_fn **function)
{
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!plugin) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    *(void **)function = dlsym(plugin, "plugin_run");
    return plugin;
}

static run_fn *s_run_a;

static void *run_a_there(void *argument)
{
    s_run_a(10);
    return argument;
}

/* The program and two objects use the same name, on two threads. */
MODE(shares_names)
{
    run_fn *run_b;
    scopes("shared", 1);
    open_plugin(PLUGIN_A, &s_run_a);
    open_plugin(PLUGIN_B, &run_b);
    s_run_a(2);
    run_b(3);
    on_thread(run_a_there, NULL);
    scopes("shared", 1);
    return 0;
}

/* In a namespace of its own, an object has a C library of its own, whose threads the program's does not know. */
static void *run_in_namespace(unsigned times)
{
    void *plugin = dlmopen(LM_ID_NEWLM, PLUGIN_A, RTLD_NOW | RTLD_LOCAL);
    void *found = plugin ? dlsym(plugin, "plugin_run") : NULL;
    run_fn *function;
    if (!found) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    memcpy(&function, &found, sizeof function);
    function(times);
    return plugin;
}

MODE(has_namespaces)
{
    (void)run_in_namespace(4);
    (void)run_in_namespace(5);
    scopes("here", 1);
    return 0;
}

MODE(has_namespace)
{
    struct dirent **tasks;
    void *plugin = run_in_namespace(4);
    int threads = scandir("/proc/self/task", &tasks, NULL, NULL) - 2; /* "." and ".." */
    return dlclose(plugin) || threads != 1;
}

/* The object and all its memory are unloaded; it is loaded again, perhaps elsewhere, and what was recorded is kept. */
MODE(unloads)
{
    for (unsigned i = 0; i < 3; ++i) {
        run_fn *function;
        void *plugin = open_plugin(PLUGIN_A, &function);
        function(4);
        if (dlclose(plugin) || dlopen(PLUGIN_A, RTLD_NOW | RTLD_NOLOAD))
            return 1; /* still loaded: nothing is tested */
    }
    return 0;
}

enum { ALLOCATIONS = 2000, ALLOCATORS = 3 };

static void *allocate(void *argument)
{
    for (int i = 0; i < ALLOCATIONS; ++i) {
        STINT_SCOPE("round");
        void *volatile memory = malloc(100);

        memory = realloc(memory, 1000);
        free(memory);
        memory = calloc(2, 50);
        free(memory);
    }
    return argument;
}

MODE(allocates)
{
    struct stint_snapshot *snapshot;
    pthread_t threads[ALLOCATORS];
    for (int i = 0; i < ALLOCATORS; ++i)
        pthread_create(&threads[i], NULL, allocate, NULL);
    for (int i = 0; i < 20; ++i)
        if (!stint_snapshot_take(&snapshot))
            stint_snapshot_free(snapshot);
    for (int i = 0; i < ALLOCATORS; ++i)
        pthread_join(threads[i], NULL);
    return 14;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

TEST(a_namespace_has_no_thread)
{
    char control[PATH_MAX];
    if (WITH_SANITIZER)
        skip(); /* which has no namespaces */
    (void)snprintf(control, sizeof control, "STINT_CONTROL=%s", scratch(""));
    const struct result result = run("has_namespace", control, NULL);
    assert_exit(&result, 0);
    assert_non_null(strstr(result.err, "cannot create a thread"));
}

static unsigned s_found;

static void find_plugins_scopes(const char *path)
{
    const char *report = read_file(path);
    s_found += has_stat(report, "only in a") ? (unsigned)stat_number(report, "only in a", "count") : 0;
}

TEST(each_namespace_has_files_of_its_own)
{
    if (WITH_SANITIZER)
        skip();
    const struct result result = run("has_namespaces", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "here", "count"), 1);
    assert_int_equal(for_each_scratch("report.copy1-", find_plugins_scopes), 2);
    assert_int_equal(s_found, 4 + 5);
}

TEST(test_shared_names)
{
    const struct result result = run("shares_names", "STINT_OUTPUT=", NULL);
    assert_exit(&result, 0);
    assert_int_equal(occurrences(result.err, "stint-report"), 1);
    assert_int_equal(stat_number(result.err, "shared", "count"), 1 + 2 + 3 + 10 + 1);
    assert_int_equal(stat_number(result.err, "only in a", "count"), 12);
    assert_int_equal(stat_number(result.err, "only in b", "count"), 3);
}

TEST(test_unloaded_names)
{
    const struct result result = run("unloads", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "only in a", "count"), 12);
    assert_int_equal(stat_number(result.report, "shared", "count"), 12);
    assert_non_null(strstr(result.report, "plugin.c"));
    assert_non_null(strstr(result.report, "\"function\":\"plugin_run\""));
}

/* The program is not linked with stint: its threads are older than stint, which was loaded with an object that has been
 * unloaded. */
TEST(test_uninstrumented_host)
{
    replace_next(HOST);
    struct result result = run(PLUGIN_A, NULL);
    assert_exit(&result, 13);
    assert_string_equal(result.err, "");
    assert_int_equal(stat_number(result.report, "shared", "count"), 12);
}

/* The object that is unloaded contains stint itself, whose handlers run when the host forks and ends. */
TEST(test_object_with_a_stint_of_its_own)
{
    for (int traced = 0; traced < 2; traced++) {
        char trace[4096];
        snprintf(trace, sizeof trace, "STINT_TRACE%s%s", traced ? "=" : "", traced ? scratch("trace.stint") : "");
        replace_next(HOST);
        const struct result result = run(PLUGIN_STATIC, trace, NULL);
        assert_exit(&result, 13);
        assert_int_equal(stat_number(result.report, "shared", "count"), 12);
    }
}

TEST(test_instrumented_malloc)
{
    if (WITH_SANITIZER)
        skip();
    struct result result = run("allocates", "LD_PRELOAD=" MALLOC, NULL);
    assert_exit(&result, 14);
    assert_string_equal(result.err, "");
    assert_int_equal(stat_number(result.report, "round", "count"), ALLOCATORS * ALLOCATIONS);
    assert_int_equal(stat_number(result.report, "realloc", "count"), ALLOCATORS * ALLOCATIONS);
    assert_true(stat_number(result.report, "malloc", "count") >= ALLOCATORS * ALLOCATIONS);
    assert_true(stat_number(result.report, "calloc", "count") >= ALLOCATORS * ALLOCATIONS);
    assert_true(stat_number(result.report, "free", "count") >= 2 * ALLOCATORS * ALLOCATIONS);
    assert_int_equal(dropped(result.report, "mismatched"), 0);
}

/* Even the host is not instrumented: allocations of the C library, before main and at exit. */
TEST(test_instrumented_malloc_in_shell)
{
    if (WITH_SANITIZER)
        skip();
    replace_next("/bin/sh");
    struct result result = run("--version", "LD_PRELOAD=" MALLOC, NULL);
    (void)result; /* dash does not have this option, bash does: neither may hang or be killed by a signal */
    assert_true((result.status & 0x7f) == 0);
}
