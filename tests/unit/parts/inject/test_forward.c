#include "inject/inject.h"

#include <string.h>

#include "nvtx/handler.h"
#include "stint_test.h"

/* What was called, in order: "ours" and "theirs", and with what. */
static char s_called[256];
static uint64_t s_number; /* that the program had chosen when ours was called */
static const void *s_domain;

static const char s_our_domain[] = "ours", s_their_domain[] = "theirs";

static int clear(void **state)
{
    memset(stint_forward_links, 0, sizeof stint_forward_links);
    s_called[0] = '\0';
    s_number = 0;
    s_domain = NULL;
    return 0;
}

static int start(void **state)
{
    return stint_handle_start();
}

static void note(const char *who)
{
    strcat(s_called, s_called[0] ? " " : "");
    strcat(s_called, who);
}

#define FUNCTION(function) ((stint_nvtx_any_fn *)(function))

/* ----------------------------------------------------------------------------------------------------- completeness */

static void nothing_of_ours(void)
{
    note("ours");
}

static void nothing_of_theirs(void)
{
    note("theirs");
}

static size_t s_checked;

static void check_core(int module, stint_nvtx_calls_fn *calls)
{
    for (unsigned i = 0; i < STINT_NVTX_CALLBACKS; ++i) {
        if (!calls(i))
            continue;
        stint_nvtx_any_fn *const both = stint_forward_core(module, i, nothing_of_ours, nothing_of_theirs);

        ++s_checked;
        assert_ptr_not_equal(both, nothing_of_ours);
        assert_ptr_not_equal(both, nothing_of_theirs);
    }
}

static void check_extension(unsigned module, stint_nvtx_calls_fn *calls)
{
    for (unsigned i = 0; i < STINT_NVTX_CALLBACKS; ++i) {
        if (!calls(i))
            continue;
        stint_nvtx_any_fn *const both = stint_forward_extension(module, i, nothing_of_ours, nothing_of_theirs);

        ++s_checked;
        assert_ptr_not_equal(both, nothing_of_ours);
        assert_ptr_not_equal(both, nothing_of_theirs);
    }
}

#define ONE(...) +1

TEST_ONCE(start, NULL)

TEST_SETUP(test_whatever_stint_takes_is_forwarded, clear)
{
    enum { ENTRIES = 0 STINT_NVTX_ENTRIES(ONE) };

    check_core(STINT_NVTX_CORE, stint_nvtx_core_calls);
    check_core(STINT_NVTX_CORE2, stint_nvtx_core2_calls);
    check_core(STINT_NVTX_CUDA, stint_nvtx_cuda_calls);
    check_core(STINT_NVTX_CUDART, stint_nvtx_cudart_calls);
    check_extension(STINT_NVTX_PAYLOAD_MODULE, stint_nvtx_payload_calls);
    check_extension(STINT_NVTX_COUNTER_MODULE, stint_nvtx_counter_calls);
    assert_int_equal(s_checked, ENTRIES);
}

TEST_SETUP(test_of_what_is_unknown_ours_stays, clear)
{
    enum { UNKNOWN = 31 };

    assert_ptr_equal(stint_forward_core(STINT_NVTX_CORE, UNKNOWN, nothing_of_ours, nothing_of_theirs), nothing_of_ours);
    assert_ptr_equal(stint_forward_core(3, 1, nothing_of_ours, nothing_of_theirs), nothing_of_ours);
    assert_ptr_equal(stint_forward_extension(1, 1, nothing_of_ours, nothing_of_theirs), nothing_of_ours);
}

static int our_pop(void)
{
    note("ours");
    return 1;
}

static int their_pop(void)
{
    note("theirs");
    return 2;
}

static int another_pop(void)
{
    note("another");
    return 3;
}

TEST_SETUP(test_what_the_first_image_got_is_called_for_all, clear)
{
    int (*first)(void) = (int (*)(void))stint_forward_core(STINT_NVTX_CORE, STINT_NVTX_RANGE_POP, FUNCTION(our_pop),
                                                           FUNCTION(their_pop));
    int (*second)(void) = (int (*)(void))stint_forward_core(STINT_NVTX_CORE, STINT_NVTX_RANGE_POP, FUNCTION(our_pop),
                                                            FUNCTION(another_pop));
    assert_int_equal(first(), 2);
    assert_int_equal(second(), 2);
    assert_string_equal(s_called, "ours theirs ours theirs");
}

/* ------------------------------------------------------------------------------------------------------------ order */

static int our_push(const char *text)
{
    note(text);
    note("ours");
    return 1;
}

static int their_push(const char *text)
{
    note(text);
    note("theirs");
    return 2;
}

TEST_SETUP(test_ranges_of_ours_do_not_contain_the_others_work, clear)
{
    int (*push)(const char *) = (int (*)(const char *))stint_forward_core(STINT_NVTX_CORE, STINT_NVTX_RANGE_PUSH_A,
                                                                          FUNCTION(our_push), FUNCTION(their_push));
    int (*pop)(void) = (int (*)(void))stint_forward_core(STINT_NVTX_CORE, STINT_NVTX_RANGE_POP, FUNCTION(our_pop),
                                                         FUNCTION(their_pop));
    assert_int_equal(push("a"), 2);
    assert_int_equal(pop(), 2);
    assert_string_equal(s_called, "a theirs a ours ours theirs");
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

enum { THEIR_NUMBER = 77 };

static uint64_t s_their_number = THEIR_NUMBER;

static uint64_t our_schema(const void *domain, const struct stint_nvtx_schema_attributes *attributes)
{
    s_domain = domain;
    s_number = attributes->fields & STINT_NVTX_SCHEMA_HAS_ID ? attributes->id : 0;
    if (s_number)
        assert_null(attributes->extension); /* an older program's attributes end before it */
    return s_number ? s_number : 5;
}

static uint64_t their_schema(const void *domain, const struct stint_nvtx_schema_attributes *attributes)
{
    assert_ptr_equal(domain, s_their_domain);
    assert_int_equal(attributes->fields, STINT_NVTX_SCHEMA_HAS_NAME);
    return s_their_number;
}

static uint64_t register_schema(void)
{
    const struct stint_nvtx_schema_attributes attributes = {
        .fields = STINT_NVTX_SCHEMA_HAS_NAME, .name = "schema", .extension = s_called};
    const void *domain = stint_handle_join(s_our_domain, s_their_domain);
    uint64_t (*both)(const void *, const struct stint_nvtx_schema_attributes *) =
        (uint64_t(*)(const void *, const struct stint_nvtx_schema_attributes *))stint_forward_extension(
            STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_SCHEMA_REGISTER, FUNCTION(our_schema), FUNCTION(their_schema));
    return both(domain, &attributes);
}

TEST_SETUP(test_schemas_have_their_number_in_ours, clear)
{
    assert_int_equal(register_schema(), THEIR_NUMBER);
    assert_int_equal(s_number, THEIR_NUMBER);
    assert_ptr_equal(s_domain, s_our_domain);
}

TEST_SETUP(test_schemas_that_they_refuse_have_our_number, clear)
{
    s_their_number = 0;
    assert_int_equal(register_schema(), 5);
    assert_int_equal(s_number, 0);
    s_their_number = THEIR_NUMBER;
}

static uint64_t our_enum(const void *domain, const struct stint_nvtx_enum_attributes *attributes)
{
    s_number = attributes->fields & STINT_NVTX_ENUM_HAS_ID ? attributes->id : 0;
    return s_number;
}

static uint64_t their_enum(const void *domain, const struct stint_nvtx_enum_attributes *attributes)
{
    return THEIR_NUMBER;
}

TEST_SETUP(test_enumerations_have_their_number_in_ours, clear)
{
    const struct stint_nvtx_enum_attributes attributes = {.name = "enum"};
    uint64_t (*both)(const void *, const struct stint_nvtx_enum_attributes *) =
        (uint64_t(*)(const void *, const struct stint_nvtx_enum_attributes *))stint_forward_extension(
            STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_ENUM_REGISTER, FUNCTION(our_enum), FUNCTION(their_enum));
    assert_int_equal(both(NULL, &attributes), THEIR_NUMBER);
    assert_int_equal(s_number, THEIR_NUMBER);
}

static uint64_t our_counter(const void *domain, const struct stint_nvtx_counter_attributes *attributes)
{
    note(attributes->name);
    assert_int_equal(attributes->size, sizeof *attributes);
    assert_null(attributes->semantics);
    s_number = attributes->id;
    return s_number;
}

static uint64_t their_counter(const void *domain, const struct stint_nvtx_counter_attributes *attributes)
{
    return THEIR_NUMBER;
}

/* What is behind the end of an older program's attributes must not be read. */
TEST_SETUP(test_counters_have_their_number_in_ours, clear)
{
    const struct stint_nvtx_counter_attributes attributes = {
        .size = offsetof(struct stint_nvtx_counter_attributes, semantics),
        .name = "counter",
        .semantics = "not there",
        .id = 9,
    };
    uint64_t (*both)(const void *, const struct stint_nvtx_counter_attributes *) =
        (uint64_t(*)(const void *, const struct stint_nvtx_counter_attributes *))stint_forward_extension(
            STINT_NVTX_COUNTER_MODULE, STINT_NVTX_COUNTER_REGISTER, FUNCTION(our_counter), FUNCTION(their_counter));
    assert_int_equal(both(NULL, &attributes), THEIR_NUMBER);
    assert_int_equal(s_number, THEIR_NUMBER);
    assert_string_equal(s_called, "counter");
}

static uint8_t yes(const void *domain)
{
    return 1;
}

static uint8_t no(const void *domain)
{
    return 0;
}

static int is_enabled(uint8_t (*ours)(const void *), uint8_t (*theirs)(const void *))
{
    uint8_t (*both)(const void *);
    clear(NULL);
    both = (uint8_t(*)(const void *))stint_forward_extension(STINT_NVTX_PAYLOAD_MODULE, STINT_NVTX_DOMAIN_IS_ENABLED,
                                                             FUNCTION(ours), FUNCTION(theirs));
    return both(NULL);
}

TEST_SETUP(test_a_domain_is_enabled_if_it_is_for_either, clear)
{
    assert_true(is_enabled(yes, no));
    assert_true(is_enabled(no, yes));
    assert_false(is_enabled(no, no));
}

/* ----------------------------------------------------------------------------------------------------------- ranges */

TEST(test_a_range_has_two_numbers)
{
    const uint64_t range = stint_handle_join_range(UINT64_C(3) << 16 | 4, 99);
    const struct stint_handle_range split = stint_handle_split_range(range);
    assert_int_equal(range, UINT64_C(3) << 16 | 4);
    assert_int_equal(split.ours, range);
    assert_int_equal(split.theirs, 99);
}

TEST(test_a_range_that_only_they_have_is_none_of_ours)
{
    const struct stint_handle_range split = stint_handle_split_range(stint_handle_join_range(0, 99));
    assert_int_equal(split.ours, 0);
    assert_int_equal(split.theirs, 99);
}

TEST(test_a_range_that_nobody_joined_is_ours_alone)
{
    const uint64_t range = UINT64_C(8) << 16 | 4; /* of the same place as the one above */
    const struct stint_handle_range split = stint_handle_split_range(range);
    assert_int_equal(split.ours, range);
    assert_int_equal(split.theirs, 0);
    assert_int_equal(stint_handle_split_range(0).theirs, 0);
}

/* ---------------------------------------------------------------------------------------------------------- handles */

TEST(test_programs_get_their_handles)
{
    const struct stint_handle both = stint_handle_split(stint_handle_join(s_our_domain, s_their_domain));
    const struct stint_handle ours = stint_handle_split(stint_handle_join(s_our_domain, NULL));
    assert_ptr_equal(stint_handle_join(s_our_domain, s_their_domain), s_their_domain);
    assert_ptr_equal(both.ours, s_our_domain);
    assert_ptr_equal(both.theirs, s_their_domain);
    assert_ptr_equal(ours.ours, s_our_domain);
    assert_null(ours.theirs);
    assert_null(stint_handle_join(NULL, NULL));
}
