#include "gpu/activity_table.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "record/registry.h"
#include "stint_test.h"

enum { SMALL_STACK = 1 << 16 };

static int forget(void **state)
{
    stint_names_forget();
    stint_dropped = (struct stint_dropped){0};
    return 0;
}

static uint32_t id_of(const char *name)
{
    return stint_names_id(STINT_GPU_KERNEL, name, 1);
}

/* A name of `length` bytes, to be freed. */
static char *long_name(size_t length)
{
    char *name = malloc(length + 1);
    assert_non_null(name);
    memset(name, 'k', length);
    name[length] = '\0';
    return name;
}

TEST_EACH(forget, NULL)

/* Must run first: a demangler that was found stays. */
TEST(without_a_demangler_names_stay_mangled)
{
    assert_string_equal(stint_names_text(id_of("_Z4workPfi")), "_Z4workPfi");
    assert_string_equal(stint_names_mangled(id_of("_Z4workPfi")), "_Z4workPfi");
}

TEST(kernels_are_demangled_by_the_runtime_that_the_program_loaded)
{
    if (!dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL))
        skip();
    stint_names_start();
    assert_string_equal(stint_names_text(id_of("_Z4workPfi")), "work(float*, int)");
    assert_string_equal(stint_names_mangled(id_of("_Z4workPfi")), "_Z4workPfi");
    assert_string_equal(stint_names_text(id_of("_Z3addI6doubleEvT_")), "void add<double>(double)");
    assert_string_equal(stint_names_text(id_of("__nv_static_4__1_f__Z4workPfi")), "work(float*, int)");
    assert_string_equal(stint_names_mangled(id_of("__nv_static_4__1_f__Z4workPfi")), "__nv_static_4__1_f__Z4workPfi");
    assert_string_equal(stint_names_text(id_of("_Z4workB2v1B5cw51cPf")), "work(float*)");
}

TEST(what_is_not_mangled_well_stays)
{
    static const char *const names[] = {"kernel", "_Z",           "_Zx", "_Z999999999999f",
                                        "_ZN",    "_Z1fIIIIIIII", "_",   "\xff\xfe"};
    stint_names_start();
    for (size_t i = 0; i < TEST_COUNT(names); ++i)
        assert_string_equal(stint_names_text(id_of(names[i])), names[i]);
}

/* "_Z1fPPP...i": a pointer to a pointer to ... */
static char *nested_name(size_t length)
{
    char *name = long_name(length);
    memset(name, 'P', length);
    memcpy(name, "_Z1f", 4);
    name[length - 1] = 'i';
    return name;
}

static void *name_them(void *argument)
{
    static const size_t lengths[] = {100, 1000, 2000, STINT_MAX_NAME};
    for (size_t i = 0; i < TEST_COUNT(lengths); ++i) {
        char *name = nested_name(lengths[i]);
        const uint32_t id = id_of(name);
        *(int *)argument += id != STINT_NAME_NONE && !strcmp(stint_names_mangled(id), name);
        free(name);
    }
    return NULL;
}

TEST(a_deeply_nested_name_needs_little_of_the_threads_stack)
{
    pthread_attr_t small;
    pthread_t thread;
    int named = 0;
    stint_names_start();
    assert_int_equal(pthread_attr_init(&small), 0);
    assert_int_equal(pthread_attr_setstacksize(&small, SMALL_STACK), 0);
    assert_int_equal(pthread_create(&thread, &small, name_them, &named), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&small);
    assert_int_equal(named, 4);
}

TEST(a_name_is_known_wherever_it_is_stored)
{
    char here[] = "kernel", there[] = "kernel";
    assert_int_equal(id_of(here), id_of(there));
    assert_int_not_equal(id_of(here), id_of("kernel2"));
    assert_int_not_equal(id_of(here), id_of("kerne"));
}

TEST(another_name_at_the_same_address_is_another)
{
    char name[] = "first kernel";
    const uint32_t first = id_of(name);
    assert_int_equal(id_of(name), first);
    memcpy(name, "other", 5);
    uint32_t second = id_of(name);
    assert_int_not_equal(second, first);
    name[5] = '\0';
    assert_int_not_equal(id_of(name), second);
    assert_string_equal(stint_names_text(first), "first kernel");
    assert_string_equal(stint_names_text(second), "other kernel");
    assert_string_equal(stint_names_text(id_of(name)), "other");
}

TEST(a_span_named_as_a_kernel_is_none)
{
    static const char name[] = "_Z4workPfi";
    const uint32_t kernel = stint_names_id(STINT_GPU_KERNEL, name, 1), span = stint_names_id(STINT_GPU_SPAN, name, 1);
    assert_int_not_equal(kernel, span);
    assert_int_equal(stint_names_id(STINT_GPU_KERNEL, name, 1), kernel);
    assert_string_equal(stint_names_text(span), name);
    assert_string_equal(stint_names_mangled(span), "");
}

TEST(a_name_that_may_not_be_added_is_none_unless_known)
{
    assert_int_equal(stint_names_id(STINT_GPU_KERNEL, "unseen", 0), STINT_NAME_NONE);
    uint32_t id = stint_names_id(STINT_GPU_KERNEL, "unseen", 1);
    assert_int_not_equal(id, STINT_NAME_NONE);
    assert_int_equal(stint_names_id(STINT_GPU_KERNEL, "unseen", 0), id);
}

TEST(a_name_too_long_is_cut_and_counted_once)
{
    char *name = long_name(STINT_MAX_NAME + 10), *exact = long_name(STINT_MAX_NAME);
    const uint32_t id = id_of(exact);
    assert_int_equal(stint_dropped.truncated, 0);
    stint_names_forget();
    assert_int_equal(id_of(name), id);
    assert_int_equal(strlen(stint_names_text(id_of(name))), STINT_MAX_NAME);
    assert_int_equal(id_of(name), id_of(exact)); /* they differ beyond what is kept */
    assert_int_equal(stint_dropped.truncated, 1);
    free(name);
    free(exact);
}

TEST(another_long_name_at_the_same_address_is_another)
{
    char *name = long_name(STINT_MAX_NAME + 10);
    const uint32_t id = id_of(name);
    name[STINT_MAX_NAME] = 'x';
    assert_int_equal(id_of(name), id);
    name[STINT_MAX_NAME - 1] = 'x';
    assert_int_not_equal(id_of(name), id);
    name[STINT_MAX_NAME - 2] = '\0';
    assert_int_not_equal(id_of(name), id);
    free(name);
}

TEST(a_name_without_text_has_one)
{
    assert_string_equal(stint_names_text(id_of("")), "(unnamed)");
    assert_int_equal(stint_dropped.unnamed, 1);
}

TEST(more_names_than_the_cache_holds_are_told_apart)
{
    enum { NAMES = 5000 };
    static char names[NAMES][32];
    uint32_t ids[NAMES];

    for (int i = 0; i < NAMES; ++i) {
        snprintf(names[i], sizeof names[i], "kernel%d", i);
        ids[i] = id_of(names[i]);
    }
    for (int i = 0; i < NAMES; ++i) {
        assert_int_equal(id_of(names[i]), ids[i]);
        assert_string_equal(stint_names_text(ids[i]), names[i]);
    }
}

TEST(without_memory_a_name_is_none_and_may_come_again)
{
    char *name = long_name(4000);
    uint32_t id = 0;
    memory_fail_after(0);
    for (int i = 0; i < 10000 && id != STINT_NAME_NONE; ++i) {
        name[i % 4000] = 'x'; /* until the arena is full */
        id = id_of(name);
    }
    assert_int_equal(id, STINT_NAME_NONE);
    assert_true(memory_recover() > 0);
    assert_int_not_equal(id_of(name), STINT_NAME_NONE);
    assert_string_equal(stint_names_text(id_of(name)), name);
    free(name);
}

TEST(names_forgotten_take_no_more_memory)
{
    char name[64];
    size_t mapped = 0;
    for (int round = 0; round < 20; ++round) {
        stint_names_forget();
        for (int i = 0; i < 1000; ++i) {
            snprintf(name, sizeof name, "round%d kernel%d", round, i);
            assert_string_equal(stint_names_text(id_of(name)), name);
        }
        if (round == 1)
            mapped = memory_mapped();
    }
    assert_int_equal(memory_mapped(), mapped);
}

TEST(what_brings_no_name_has_nvprofs)
{
    assert_string_equal(stint_name_of_kind(STINT_GPU_COPY, STINT_GPU_HTOD), "[CUDA memcpy HtoD]");
    assert_string_equal(stint_name_of_kind(STINT_GPU_COPY, STINT_GPU_DTOH), "[CUDA memcpy DtoH]");
    assert_string_equal(stint_name_of_kind(STINT_GPU_COPY, STINT_GPU_DTOD), "[CUDA memcpy DtoD]");
    assert_string_equal(stint_name_of_kind(STINT_GPU_COPY, STINT_GPU_HTOA), "[CUDA memcpy HtoA]");
    assert_string_equal(stint_name_of_kind(STINT_GPU_COPY, STINT_GPU_ATOH), "[CUDA memcpy AtoH]");
    assert_string_equal(stint_name_of_kind(STINT_GPU_COPY, STINT_GPU_ATOA), "[CUDA memcpy AtoA]");
    assert_string_equal(stint_name_of_kind(STINT_GPU_COPY, STINT_GPU_ATOD), "[CUDA memcpy AtoD]");
    assert_string_equal(stint_name_of_kind(STINT_GPU_COPY, STINT_GPU_DTOA), "[CUDA memcpy DtoA]");
    assert_string_equal(stint_name_of_kind(STINT_GPU_COPY, STINT_GPU_PTOP), "[CUDA memcpy PtoP]");
    assert_string_equal(stint_name_of_kind(STINT_GPU_SET, 0), "[CUDA memset]");
    assert_string_equal(stint_name_of_kind(STINT_GPU_UNIFIED, STINT_GPU_HTOD), "[CUDA Unified Memory memcpy HtoD]");
    assert_string_equal(stint_name_of_kind(STINT_GPU_UNIFIED, STINT_GPU_DTOH), "[CUDA Unified Memory memcpy DtoH]");
    assert_string_equal(stint_name_of_kind(STINT_GPU_FAULT, 0), "[CUDA Unified Memory CPU page faults]");
    assert_string_equal(stint_name_of_kind(STINT_GPU_SYNC, STINT_GPU_WAIT_STREAM), "[CUDA stream synchronize]");
    assert_string_equal(stint_name_of_kind(STINT_GPU_SYNC, STINT_GPU_WAIT_EVENT), "[CUDA event synchronize]");
    assert_string_equal(stint_name_of_kind(STINT_GPU_OVERHEAD, STINT_OVERHEAD_BUFFER_FLUSH), "[CUPTI buffer flush]");
}

TEST(what_is_not_known_has_a_name_too)
{
    for (uint32_t kind = 0; kind <= STINT_GPU_KINDS; ++kind)
        for (uint32_t what = 0; what < 100; ++what)
            assert_true(strlen(stint_name_of_kind((enum stint_gpu_kind)kind, what)) > 5);
    assert_string_equal(stint_name_of_kind(STINT_GPU_COPY, 11), "[CUDA memcpy]");
    assert_string_equal(stint_name_of_kind(STINT_GPU_UNIFIED, STINT_GPU_HTOA), "[CUDA Unified Memory memcpy]");
    assert_string_equal(stint_name_of_kind(STINT_GPU_OVERHEAD, 99), "[CUPTI overhead]");
}
