/* A tool that is attached as NVTX's header would do it, and notes what stint passes on. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvtx/handler.h"
#include "record/fixture.h"
#include "stint_test.h"

static int s_domain, s_strings[8], s_string_count;
static char s_said[512];

static void note(const char *what, const char *text)
{
    size_t length = strlen(s_said);
    (void)snprintf(s_said + length, sizeof s_said - length, "%s(%s) ", what, text);
}

static const void *create_domain(const char *name)
{
    note("domain", name);
    return &s_domain;
}

static const void *register_string(const void *domain, const char *text)
{
    assert_ptr_equal(domain, &s_domain);
    note("string", text);
    return &s_strings[s_string_count++];
}

static int push(const void *domain, const struct stint_nvtx_attributes *attributes)
{
    char number[24];
    assert_ptr_equal(domain, &s_domain);
    assert_int_equal(attributes->text_type, STINT_NVTX_TEXT_REGISTERED);
    (void)snprintf(number, sizeof number, "%td", (const int *)attributes->text.registered - s_strings);
    note("push", number);
    return 0;
}

static int pop(const void *domain)
{
    assert_ptr_equal(domain, &s_domain);
    note("pop", "");
    return 0;
}

static int initialize(stint_nvtx_get_table_fn *get_table)
{
    const struct stint_nvtx_callbacks *callbacks = get_table(STINT_NVTX_TABLE_CALLBACKS);
    stint_nvtx_any_fn ***table;
    unsigned count;
    assert_true(callbacks->module(STINT_NVTX_CORE2, &table, &count));
    assert_true(count > STINT_NVTX_DOMAIN_RANGE_POP);
    assert_false(callbacks->module(99, &table, &count));
    assert_true(callbacks->module(STINT_NVTX_CORE2, &table, &count));
    *table[STINT_NVTX_DOMAIN_CREATE_A] = (stint_nvtx_any_fn *)create_domain;
    *table[STINT_NVTX_DOMAIN_REGISTER_STRING_A] = (stint_nvtx_any_fn *)register_string;
    *table[STINT_NVTX_DOMAIN_RANGE_PUSH_EX] = (stint_nvtx_any_fn *)push;
    *table[STINT_NVTX_DOMAIN_RANGE_POP] = (stint_nvtx_any_fn *)pop;
    return 1;
}

void *__real_dlopen(const char *file, int flags);
void *__wrap_dlopen(const char *file, int flags)
{
    return file && strcmp(file, "/the/tool.so") == 0 ? (void *)s_said : __real_dlopen(file, flags);
}

void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name)
{
    int (*function)(stint_nvtx_get_table_fn *) = initialize;
    void *found = NULL;
    if (library != (void *)s_said)
        return __real_dlsym(library, name);
    if (strcmp(name, "InitializeInjectionNvtx2") == 0)
        memcpy(&found, &function, sizeof found);
    return found;
}

TEST_ONCE(fixture_start, NULL)
TEST_EACH(fixture_reset, NULL)

/* Must run first: a tool stays attached. */
TEST(without_a_tool_nothing_is_passed_on)
{
    (void)unsetenv("NVTX_INJECTION64_PATH");
    assert_int_equal(stint_nvtx_start(0), STINT_NVTX_NO_TOOL);
}

TEST(a_tool_gets_ranges_in_stints_domain)
{
    uint32_t step, inner;
    struct stint_i_node *node = enter("step");
    step = node->id;
    (void)stint_i_leave(node);
    node = enter("inner");
    inner = node->id;
    (void)stint_i_leave(node);
    (void)setenv("NVTX_INJECTION64_PATH", "/the/tool.so", 1);
    assert_int_equal(stint_nvtx_start(0), STINT_NVTX_ATTACHED);
    stint_nvtx_push(step);
    stint_nvtx_push(inner);
    stint_nvtx_pop(inner);
    stint_nvtx_pop(step);
    stint_nvtx_push(step); /* its name is known */
    stint_nvtx_pop(step);
    assert_string_equal(s_said, "domain(stint) string(step) push(0) string(inner) push(1) pop() pop() push(0) pop() ");
}
