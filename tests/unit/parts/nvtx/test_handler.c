#include "nvtx/handler.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nvtx/client.h"
#include "nvtx/domain.h"
#include "record/fixture.h"
#include "record/part.h"
#include "stint_test.h"

/* -------------------------------------------------------------------------------------------------------- attaching */

TEST_ONCE(client_start, NULL)
TEST_EACH(client_reset, NULL)

TEST(every_function_of_the_core_and_cudas_names_are_taken)
{
    static const struct {
        int module;
        unsigned callbacks;
    } modules[] = {{STINT_NVTX_CORE, 15}, {STINT_NVTX_CORE2, 15}, {STINT_NVTX_CUDA, 8}, {STINT_NVTX_CUDART, 6}};

    for (size_t i = 0; i < TEST_COUNT(modules); ++i)
        for (unsigned callback = 1; callback <= modules[i].callbacks; ++callback)
            assert_non_null(client_slot(modules[i].module, callback));
    assert_null(client_slot(3, 1)); /* OpenCL */
    assert_null(client_slot(6, 1)); /* synchronisation objects */
    assert_int_equal(client_version, 3);
}

TEST(a_program_of_an_older_nvtx_keeps_what_it_has)
{
    client_clear();
    client_limit(STINT_NVTX_RANGE_PUSH_A);
    assert_int_equal(stint_nvtx_attach(client_table), 1);
    assert_non_null(client_slot(STINT_NVTX_CORE, STINT_NVTX_RANGE_PUSH_A - 1));
    assert_null(client_slot(STINT_NVTX_CORE, STINT_NVTX_RANGE_PUSH_A));
}

static const void *no_table(uint32_t table)
{
    return NULL;
}

static const void *only_callbacks(uint32_t table)
{
    return table == STINT_NVTX_TABLE_CALLBACKS ? client_table(table) : NULL;
}

static const void *short_callbacks(uint32_t table)
{
    static const size_t size = sizeof size;
    return table == STINT_NVTX_TABLE_CALLBACKS ? &size : NULL;
}

TEST(what_is_no_nvtx_is_refused)
{
    assert_int_equal(stint_nvtx_attach(NULL), 0);
    assert_int_equal(stint_nvtx_attach(no_table), 0);
    assert_int_equal(stint_nvtx_attach(short_callbacks), 0);
    assert_int_equal(stint_nvtx_attach(only_callbacks), 1);
}

TEST(images_are_counted_and_share_all)
{
    const nvtx_handle domain = create("shared by images");
    assert_int_equal(stint_nvtx_info().images, 1);
    client_clear();
    assert_int_equal(stint_nvtx_attach(client_table), 1);
    assert_int_equal(stint_nvtx_info().images, 2);
    assert_ptr_equal(create("shared by images"), domain);
}

static int has_no_module(int module, stint_nvtx_any_fn ***(*table), unsigned *count)
{
    return 0;
}

static const void *no_modules(uint32_t table)
{
    static const struct stint_nvtx_callbacks callbacks = {sizeof callbacks, has_no_module};
    return table == STINT_NVTX_TABLE_CALLBACKS ? &callbacks : NULL;
}

static void *attach_once(void *unused)
{
    return stint_nvtx_attach(no_modules) ? unused : NULL;
}

TEST(images_may_attach_at_once)
{
    pthread_t threads[8];
    void *result;
    for (size_t i = 0; i < TEST_COUNT(threads); ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, attach_once, threads), 0);
    for (size_t i = 0; i < TEST_COUNT(threads); ++i) {
        pthread_join(threads[i], &result);
        assert_ptr_equal(result, threads);
    }
    assert_int_equal(stint_nvtx_info().images, 9);
}

TEST(both_extensions_are_taken)
{
    static const unsigned payload[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17};
    for (size_t i = 0; i < TEST_COUNT(payload); ++i)
        assert_true(client_extension_slot(STINT_NVTX_PAYLOAD_MODULE, payload[i]) != 0);
    assert_int_equal(client_extension_slot(STINT_NVTX_PAYLOAD_MODULE, 10), 0); /* timers of other clocks */
    for (unsigned i = 0; i <= STINT_NVTX_COUNTER_BATCH_SUBMIT; ++i)
        assert_true(client_extension_slot(STINT_NVTX_COUNTER_MODULE, i) != 0);
}

TEST(other_extensions_and_versions_are_left_alone)
{
    client_clear();
    assert_int_equal(stint_nvtx_attach_extension(client_module(1, 0x0102)), 1);
    assert_int_equal(stint_nvtx_info().refused, 1);
    assert_int_equal(client_extension_slot(1, 0), 0);
    assert_int_equal(stint_nvtx_attach_extension(client_module(STINT_NVTX_COUNTER_MODULE, 0x0101)), 1);
    assert_int_equal(client_extension_slot(STINT_NVTX_COUNTER_MODULE, 0), 0);
    assert_int_equal(stint_nvtx_info().refused, 2);
    struct stint_nvtx_module *module = client_module(STINT_NVTX_COUNTER_MODULE, STINT_NVTX_COUNTER_COMPATIBILITY);
    module->size = 8;
    assert_int_equal(stint_nvtx_attach_extension(module), 0);
    assert_int_equal(stint_nvtx_attach_extension(NULL), 0);
    module = client_module(STINT_NVTX_COUNTER_MODULE, STINT_NVTX_COUNTER_COMPATIBILITY);
    module->segments->slot_count = 1;
    assert_int_equal(stint_nvtx_attach_extension(module), 1);
    assert_true(client_extension_slot(STINT_NVTX_COUNTER_MODULE, 0) != 0);
    assert_int_equal(client_extension_slot(STINT_NVTX_COUNTER_MODULE, 1), 0);
    module->segment_count = 0;
    assert_int_equal(stint_nvtx_attach_extension(module), 1);
}

TEST(what_only_deferred_events_need_has_ids)
{
    struct stint_nvtx_scope_attributes scope = {sizeof scope, "path", 0, 0};
    struct stint_nvtx_time_domain_attributes time = {0};
    assert_true(call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_SCOPE_REGISTER, uint64_t,
                               (nvtx_handle, const struct stint_nvtx_scope_attributes *),
                               (NULL, &scope)) >= STINT_NVTX_FIRST_DYNAMIC_ID);
    assert_true(call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_TIME_DOMAIN_REGISTER, uint64_t,
                               (nvtx_handle, const struct stint_nvtx_time_domain_attributes *),
                               (NULL, &time)) >= STINT_NVTX_FIRST_DYNAMIC_ID);
    scope.id = time.id = STINT_NVTX_FIRST_STATIC_ID;
    assert_int_equal(call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_SCOPE_REGISTER, uint64_t,
                                    (nvtx_handle, const struct stint_nvtx_scope_attributes *), (NULL, &scope)),
                     scope.id);
    assert_int_equal(call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_TIME_DOMAIN_REGISTER, uint64_t,
                                    (nvtx_handle, const struct stint_nvtx_time_domain_attributes *), (NULL, &time)),
                     time.id);
    assert_int_equal(call_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_TIMESTAMP_GET, int64_t, (void), ()),
                     clock_now());
    call(STINT_NVTX_CORE2, STINT_NVTX_INITIALIZE, void, (const void *), (NULL));
}

TEST(a_forked_child_counts_its_own)
{
    int status = 1;
    start("inherited");
    stint_nvtx_count(&stint_nvtx_counts.rest, 3);
    pid_t child = fork();
    if (child == 0) {
        stint_parts_at(STINT_IN_CHILD);
        const struct stint_nvtx_info info = stint_nvtx_info();

        _exit(!(info.images == 1 && info.rest == 0 && info.open == 1));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(stint_nvtx_info().rest, 3);
}

/* ------------------------------------------------------------------------------------------------------- collecting */

/* Returns a snapshot that the handler had its say in. */
static struct stint_snapshot *take_with_handler(void)
{
    return take();
}

/* Returns the thread's name then. */
static const char *name_now(char *out, size_t size, int64_t tid)
{
    struct stint_snapshot *snapshot = take_with_handler();
    *out = '\0';
    for (size_t i = 0; i < snapshot->thread_count; ++i)
        if (snapshot->threads[i].tid == tid)
            strncat(out, snapshot->threads[i].name, size - 1);
    stint_snapshot_free(snapshot);
    return out;
}

TEST(threads_are_called_what_the_program_called_them)
{
    const uint32_t tid = (uint32_t)syscall(SYS_gettid);
    char before[64], name[64];
    range("work", 1);
    name_now(before, sizeof before, tid);
    call(STINT_NVTX_CORE, STINT_NVTX_NAME_OS_THREAD_A, void, (uint32_t, const char *), (tid + 1, "another"));
    assert_string_equal(name_now(name, sizeof name, tid), before);
    call(STINT_NVTX_CORE, STINT_NVTX_NAME_OS_THREAD_A, void, (uint32_t, const char *), (tid, "data loader"));
    assert_string_equal(name_now(name, sizeof name, tid), "data loader");
    call(STINT_NVTX_CORE, STINT_NVTX_NAME_OS_THREAD_A, void, (uint32_t, const char *), (tid, "fourteen bytes\xC3\xA4"));
    assert_string_equal(name_now(name, sizeof name, tid), "fourteen bytes");
    call(STINT_NVTX_CORE, STINT_NVTX_NAME_OS_THREAD_A, void, (uint32_t, const char *), (tid, ""));
    assert_string_equal(name_now(name, sizeof name, tid), before);
}

TEST(a_snapshot_has_values_names_and_losses)
{
    struct stint_nvtx_attributes attributes = text("carrier");
    attributes.payload_type = STINT_NVTX_PAYLOAD_F64;
    attributes.payload.f64 = 2.5;
    push_attributes(NULL, &attributes);
    pop();
    attributes.payload_type = 77;
    push_attributes(NULL, &attributes);
    pop();
    call(STINT_NVTX_CORE, STINT_NVTX_NAME_CATEGORY_A, void, (uint32_t, const char *), (5, "disk"));
    push("outer");
    push_in(create("domain"), "never ends");
    clock_advance(1);
    pop();
    assert_int_equal(stint_nvtx_attach_extension(client_module(1, 0x0102)), 1);
    struct stint_snapshot *snapshot = take_with_handler();
    assert_int_equal(snapshot->nvtx.outlived, 1);
    assert_string_equal(snapshot->nvtx.outlived_set, "NVTX:domain");
    assert_string_equal(snapshot->nvtx.outlived_name, "never ends");
    assert_int_equal(snapshot->nvtx.refused, 1);
    assert_int_equal(snapshot->nvtx_value_count, 1);
    assert_string_equal(snapshot->nvtx_values[0].set, "NVTX");
    assert_string_equal(snapshot->nvtx_values[0].name, "carrier");
    assert_int_equal(snapshot->nvtx_values[0].count, 1);
    assert_true(snapshot->nvtx_values[0].sum == 2.5);
    assert_int_equal(snapshot->dropped.nvtx_unknown, 1);
    assert_int_equal(snapshot->nvtx.images, stint_nvtx_info().images);
    assert_string_equal(snapshot->nvtx_names[0].name, "disk");
    assert_int_equal(snapshot->nvtx_names[0].what, STINT_NVTX_CATEGORY);
    assert_int_equal(snapshot->nvtx_names[0].handle, 5);
    assert_int_equal(snapshot->nvtx_names[0].pid, getpid());
    stint_snapshot_free(snapshot);
}

int test_main(int argc, char **argv)
{
    /* Before the recorder starts. */
    if (stint_nvtx_attach(client_table))
        return 1;
    return test_run(NULL, NULL);
}
