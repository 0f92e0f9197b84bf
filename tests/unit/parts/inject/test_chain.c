/* Another tool beside stint: a library that the dynamic linker pretends to have, and one that is not there. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "inject/inject.h"
#include "stint_test.h"

static char s_called[128];
static int s_refuses;
static stint_nvtx_any_fn *s_slot, *s_other_slot;
static stint_nvtx_any_fn **s_table[16] = {[STINT_NVTX_MARK_A] = &s_slot, [STINT_NVTX_MARK_EX] = &s_other_slot};

static void note(const char *who)
{
    strcat(s_called, who);
}

static void their_mark(const char *text)
{
    note("their mark ");
    note(text);
    note(" ");
}

static void our_mark(const char *text)
{
    note("our mark ");
    note(text);
    note(" ");
}

static int find_module(int module, stint_nvtx_any_fn ***(*table), unsigned *count)
{
    *table = module == STINT_NVTX_CORE ? s_table : NULL;
    *count = 16;
    return module == STINT_NVTX_CORE;
}

static const void *get_table(uint32_t table)
{
    static const struct stint_nvtx_callbacks callbacks = {sizeof callbacks, find_module};
    return table == STINT_NVTX_TABLE_CALLBACKS ? &callbacks : NULL;
}

static int their_start(stint_nvtx_get_table_fn *get)
{
    note("theirs ");
    s_slot = (stint_nvtx_any_fn *)their_mark;
    return !s_refuses && get == get_table;
}

static int our_start(stint_nvtx_get_table_fn *get)
{
    note("ours ");
    s_slot = s_other_slot = (stint_nvtx_any_fn *)our_mark;
    return get == get_table;
}

static int their_cuda(void)
{
    note("their cuda ");
    return 0;
}

static int our_cuda(void)
{
    note("our cuda ");
    return 1;
}

void *__real_dlopen(const char *file, int flags);
void *__wrap_dlopen(const char *file, int flags)
{
    return file && strcmp(file, "/the/tool.so") == 0 ? (void *)s_called : __real_dlopen(file, flags);
}

void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name)
{
    stint_chain_nvtx_fn *start = their_start;
    int (*cuda)(void) = their_cuda;
    void *found = NULL;
    if (library != (void *)s_called)
        return __real_dlsym(library, name);
    if (strcmp(name, "InitializeInjectionNvtx2") == 0)
        memcpy(&found, &start, sizeof found);
    else if (strcmp(name, "InitializeInjection") == 0)
        memcpy(&found, &cuda, sizeof found);
    return found;
}

static int clear(void **state)
{
    s_called[0] = '\0';
    s_refuses = 0;
    s_slot = s_other_slot = NULL;
    return 0;
}

TEST_EACH(clear, NULL)

TEST(both_are_called_where_both_want_to_be)
{
    assert_int_equal(stint_chain_nvtx(our_start, our_start, get_table), 1);
    assert_string_equal(s_called, "theirs ours ");
    assert_ptr_equal(s_other_slot, (stint_nvtx_any_fn *)our_mark); /* the other tool left it alone */
    clear(state);
    (void)stint_chain_nvtx(our_start, our_start, get_table);
    s_called[0] = '\0';
    ((void (*)(const char *))s_slot)("here");
    assert_string_equal(s_called, "their mark here our mark here ");
}

TEST(a_tool_that_refuses_leaves_nothing)
{
    s_refuses = 1;
    assert_int_equal(stint_chain_nvtx(our_start, our_start, get_table), 1);
    assert_ptr_equal(s_slot, (stint_nvtx_any_fn *)our_mark);
}

TEST(a_library_does_not_call_itself)
{
    assert_int_equal(stint_chain_nvtx(their_start, our_start, get_table), 1);
    assert_string_equal(s_called, "ours ");
    stint_chain_cuda(their_cuda);
    assert_string_equal(s_called, "ours ");
}

TEST(cuda_calls_the_other_tool)
{
    stint_chain_cuda(our_cuda);
    assert_string_equal(s_called, "their cuda ");
}

int test_main(int argc, char **argv)
{
    (void)setenv("STINT_CHAIN_NVTX", "/the/tool.so", 1);
    (void)setenv("STINT_CHAIN_CUDA", "/the/tool.so", 1);
    return test_run(NULL, NULL);
}
