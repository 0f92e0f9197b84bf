#include "nvtx/string.h"

#include <string.h>

#include "nvtx/client.h"
#include "nvtx/domain.h"
#include "stint_test.h"

static const char *name(enum stint_nvtx_named what, uint64_t object)
{
    return stint_nvtx_name_of(what, &stint_nvtx_domains[0], object);
}

#define NAME(module, callback, type, object, text)                                                                     \
    call((module), (callback), void, (type, const char *), ((object), (text)))
#define NAME_WIDE(module, callback, type, object, text)                                                                \
    call((module), (callback) + 1, void, (type, const wchar_t *), ((object), (text)))

TEST_ONCE(client_start, NULL)
TEST_EACH(client_reset, NULL)

TEST(what_is_named_is_found_by_what_it_is_and_its_handle)
{
    void *const object = (void *)0x7fff12345678;
    NAME(STINT_NVTX_CORE, STINT_NVTX_NAME_OS_THREAD_A, uint32_t, 1001, "loader");
    NAME(STINT_NVTX_CUDA, STINT_NVTX_NAME_CU_DEVICE_A, int, 1, "device");
    NAME(STINT_NVTX_CUDA, STINT_NVTX_NAME_CU_CONTEXT_A, void *, object, "context");
    NAME(STINT_NVTX_CUDA, STINT_NVTX_NAME_CU_STREAM_A, void *, object, "stream");
    NAME(STINT_NVTX_CUDA, STINT_NVTX_NAME_CU_EVENT_A, void *, object, "event");
    assert_string_equal(name(STINT_NVTX_THREAD, 1001), "loader");
    assert_string_equal(name(STINT_NVTX_CUDA_DEVICE, 1), "device");
    assert_string_equal(name(STINT_NVTX_CUDA_CONTEXT, (uintptr_t)object), "context");
    assert_string_equal(name(STINT_NVTX_CUDA_STREAM, (uintptr_t)object), "stream");
    assert_string_equal(name(STINT_NVTX_CUDA_EVENT, (uintptr_t)object), "event");
    assert_null(name(STINT_NVTX_THREAD, 1002));
    assert_null(name(STINT_NVTX_CUDA_DEVICE, 1001));
}

TEST(the_runtimes_names_are_the_drivers)
{
    void *const object = (void *)0x2000;
    NAME(STINT_NVTX_CUDART, STINT_NVTX_NAME_CUDA_DEVICE_A, int, 2, "device");
    NAME(STINT_NVTX_CUDART, STINT_NVTX_NAME_CUDA_STREAM_A, void *, object, "stream");
    NAME(STINT_NVTX_CUDART, STINT_NVTX_NAME_CUDA_EVENT_A, void *, object, "event");
    assert_string_equal(name(STINT_NVTX_CUDA_DEVICE, 2), "device");
    assert_string_equal(name(STINT_NVTX_CUDA_STREAM, 0x2000), "stream");
    assert_string_equal(name(STINT_NVTX_CUDA_EVENT, 0x2000), "event");
}

TEST(wide_names_are_as_good)
{
    void *const object = (void *)0x3000;
    NAME_WIDE(STINT_NVTX_CORE, STINT_NVTX_NAME_OS_THREAD_A, uint32_t, 3001, L"Fäden");
    NAME_WIDE(STINT_NVTX_CUDA, STINT_NVTX_NAME_CU_DEVICE_A, int, 3, L"a");
    NAME_WIDE(STINT_NVTX_CUDA, STINT_NVTX_NAME_CU_CONTEXT_A, void *, object, L"b");
    NAME_WIDE(STINT_NVTX_CUDA, STINT_NVTX_NAME_CU_STREAM_A, void *, object, L"c");
    NAME_WIDE(STINT_NVTX_CUDA, STINT_NVTX_NAME_CU_EVENT_A, void *, object, L"d");
    assert_string_equal(name(STINT_NVTX_THREAD, 3001), "Fäden");
    assert_string_equal(name(STINT_NVTX_CUDA_DEVICE, 3), "a");
    assert_string_equal(name(STINT_NVTX_CUDA_CONTEXT, 0x3000), "b");
    assert_string_equal(name(STINT_NVTX_CUDA_STREAM, 0x3000), "c");
    assert_string_equal(name(STINT_NVTX_CUDA_EVENT, 0x3000), "d");
    NAME_WIDE(STINT_NVTX_CUDART, STINT_NVTX_NAME_CUDA_DEVICE_A, int, 3, L"e");
    NAME_WIDE(STINT_NVTX_CUDART, STINT_NVTX_NAME_CUDA_STREAM_A, void *, object, L"f");
    NAME_WIDE(STINT_NVTX_CUDART, STINT_NVTX_NAME_CUDA_EVENT_A, void *, object, L"g");
    assert_string_equal(name(STINT_NVTX_CUDA_DEVICE, 3), "e");
    assert_string_equal(name(STINT_NVTX_CUDA_STREAM, 0x3000), "f");
    assert_string_equal(name(STINT_NVTX_CUDA_EVENT, 0x3000), "g");
}

TEST(the_last_name_counts_and_is_a_copy)
{
    char text[] = "second";
    NAME(STINT_NVTX_CORE, STINT_NVTX_NAME_OS_THREAD_A, uint32_t, 4001, "first");
    NAME(STINT_NVTX_CORE, STINT_NVTX_NAME_OS_THREAD_A, uint32_t, 4001, text);
    memset(text, 'x', sizeof text - 1);
    assert_string_equal(name(STINT_NVTX_THREAD, 4001), "second");
    NAME(STINT_NVTX_CORE, STINT_NVTX_NAME_OS_THREAD_A, uint32_t, 4001, NULL);
    assert_string_equal(name(STINT_NVTX_THREAD, 4001), "");
}

TEST(categories_are_of_a_domain)
{
    const nvtx_handle domain = create("categories");
    NAME(STINT_NVTX_CORE, STINT_NVTX_NAME_CATEGORY_A, uint32_t, 5, "default's");
    call(STINT_NVTX_CORE2, STINT_NVTX_DOMAIN_NAME_CATEGORY_A, void, (nvtx_handle, uint32_t, const char *),
         (domain, 5, "domain's"));
    call(STINT_NVTX_CORE2, STINT_NVTX_DOMAIN_NAME_CATEGORY_W, void, (nvtx_handle, uint32_t, const wchar_t *),
         (domain, 6, L"wide"));
    call(STINT_NVTX_CORE, STINT_NVTX_NAME_CATEGORY_W, void, (uint32_t, const wchar_t *), (6, L"wide, too"));
    assert_string_equal(name(STINT_NVTX_CATEGORY, 5), "default's");
    assert_string_equal(name(STINT_NVTX_CATEGORY, 6), "wide, too");
    assert_string_equal(stint_nvtx_name_of(STINT_NVTX_CATEGORY, stint_nvtx_domain_of(domain), 5), "domain's");
    assert_string_equal(stint_nvtx_name_of(STINT_NVTX_CATEGORY, stint_nvtx_domain_of(domain), 6), "wide");
}

static nvtx_handle create_resource(nvtx_handle domain, const struct stint_nvtx_resource_attributes *attributes)
{
    return call(STINT_NVTX_CORE2, STINT_NVTX_DOMAIN_RESOURCE_CREATE, nvtx_handle,
                (nvtx_handle, const struct stint_nvtx_resource_attributes *), (domain, attributes));
}

static struct stint_nvtx_resource_attributes resource(int32_t type, uint64_t identifier, const char *text)
{
    return (struct stint_nvtx_resource_attributes){.version = 3,
                                                   .size = sizeof(struct stint_nvtx_resource_attributes),
                                                   .type = type,
                                                   .identifier.handle = identifier,
                                                   .text_type = STINT_NVTX_TEXT_ASCII,
                                                   .text.ascii = text};
}

TEST(resources_have_names_and_handles)
{
    struct stint_nvtx_resource_attributes attributes = resource(0x10001, 0x6000, "lock");
    const nvtx_handle made = create_resource(NULL, &attributes);
    assert_non_null(made);
    assert_string_equal(name(STINT_NVTX_RESOURCE, 0x6000), "lock");
    attributes = resource(0x10001, 0x6001, NULL);
    attributes.text_type = STINT_NVTX_TEXT_WIDE;
    attributes.text.wide = L"wide";
    assert_ptr_not_equal(create_resource(NULL, &attributes), made);
    attributes.text_type = STINT_NVTX_TEXT_REGISTERED;
    attributes.identifier.handle = 0x6002;
    attributes.text.registered = register_text(NULL, "registered");
    create_resource(NULL, &attributes);
    assert_string_equal(name(STINT_NVTX_RESOURCE, 0x6001), "wide");
    assert_string_equal(name(STINT_NVTX_RESOURCE, 0x6002), "registered");
    call(STINT_NVTX_CORE2, STINT_NVTX_DOMAIN_RESOURCE_DESTROY, void, (nvtx_handle), (made));
    assert_string_equal(name(STINT_NVTX_RESOURCE, 0x6000), "lock");
}

TEST(resources_that_are_known_by_another_function_are_what_they_are)
{
    static const struct {
        int32_t type;
        enum stint_nvtx_named what;
    } types[] = {
        {STINT_NVTX_IS_THREAD, STINT_NVTX_THREAD},           {STINT_NVTX_IS_CU_DEVICE, STINT_NVTX_CUDA_DEVICE},
        {STINT_NVTX_IS_CU_CONTEXT, STINT_NVTX_CUDA_CONTEXT}, {STINT_NVTX_IS_CU_STREAM, STINT_NVTX_CUDA_STREAM},
        {STINT_NVTX_IS_CU_EVENT, STINT_NVTX_CUDA_EVENT},     {STINT_NVTX_IS_CUDA_DEVICE, STINT_NVTX_CUDA_DEVICE},
        {STINT_NVTX_IS_CUDA_STREAM, STINT_NVTX_CUDA_STREAM}, {STINT_NVTX_IS_CUDA_EVENT, STINT_NVTX_CUDA_EVENT},
    };
    const nvtx_handle domain = create("resources");
    struct stint_nvtx_name row;
    int found;

    for (size_t i = 0; i < TEST_COUNT(types); ++i) {
        const struct stint_nvtx_resource_attributes attributes = resource(types[i].type, 0x7000 + i, "as a resource");
        create_resource(domain, &attributes);
        assert_string_equal(name(types[i].what, 0x7000 + i), "as a resource");
    }
    for (size_t i = 0; (found = stint_nvtx_name_at(i, &row)) >= 0; ++i)
        if (found && row.what != STINT_NVTX_RESOURCE && row.what != STINT_NVTX_CATEGORY)
            assert_string_equal(row.domain, "");
}

TEST(a_shorter_callers_fields_are_not_read)
{
    struct stint_nvtx_resource_attributes attributes = resource(0x10001, 0x8000, "unread");
    attributes.size = offsetof(struct stint_nvtx_resource_attributes, text_type);
    create_resource(NULL, &attributes);
    assert_string_equal(name(STINT_NVTX_RESOURCE, 0x8000), "");
    assert_null(create_resource(NULL, NULL));
}

TEST(every_name_has_a_position)
{
    struct stint_nvtx_name row;
    int found, seen = 0;
    call(STINT_NVTX_CORE2, STINT_NVTX_DOMAIN_NAME_CATEGORY_A, void, (nvtx_handle, uint32_t, const char *),
         (create("rows"), 77, "row"));
    for (size_t i = 0; (found = stint_nvtx_name_at(i, &row)) >= 0; ++i)
        if (found && row.what == STINT_NVTX_CATEGORY && row.handle == 77) {
            assert_string_equal(row.domain, "rows");
            assert_string_equal(row.name, "row");
            ++seen;
        }
    assert_int_equal(seen, 1);
}

/* Last: it fills the table. */
TEST(too_many_names_are_counted)
{
    for (uint32_t i = 0; i <= STINT_NVTX_MAX_NAMES; ++i)
        NAME(STINT_NVTX_CORE, STINT_NVTX_NAME_CATEGORY_A, uint32_t, 100000 + i, "many");
    assert_true(stint_dropped.nvtx_names > 0);
    NAME(STINT_NVTX_CORE, STINT_NVTX_NAME_CATEGORY_A, uint32_t, 5, "anew");
    assert_string_equal(name(STINT_NVTX_CATEGORY, 5), "anew");
}
