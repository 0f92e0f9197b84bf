#include "stint/status.h"

#include <limits.h>
#include <string.h>

#include "stint_test.h"

#define NAMED(status)                                                                                                  \
    {                                                                                                                  \
        status, #status                                                                                                \
    }

static const struct {
    enum stint_status status;
    const char *name;
} s_all[] = {
    NAMED(STINT_OK),
    NAMED(STINT_ERROR_INVALID_ARGUMENT),
    NAMED(STINT_ERROR_NOT_FOUND),
    NAMED(STINT_ERROR_NOT_STARTED),
    NAMED(STINT_ERROR_NO_MEMORY),
    NAMED(STINT_ERROR_LIMIT),
    NAMED(STINT_ERROR_IO),
    NAMED(STINT_ERROR_BUSY),
    NAMED(STINT_ERROR_INCOMPLETE),
    NAMED(STINT_ERROR_UNAVAILABLE),
    NAMED(STINT_ERROR_CUDA),
    NAMED(STINT_ERROR_TAKEN),
    NAMED(STINT_ERROR_PERMISSION),
};

static void a_status_is_named_as_in_the_header(void **state)
{
    for (size_t i = 0; i < TEST_COUNT(s_all); ++i)
        assert_string_equal(stint_status_name(s_all[i].status), s_all[i].name);
}

static void every_status_has_a_sentence_of_its_own(void **state)
{
    for (size_t i = 0; i < TEST_COUNT(s_all); ++i) {
        const char *sentence = stint_status_string(s_all[i].status);

        assert_true(strlen(sentence) > 5);
        assert_int_not_equal(sentence[strlen(sentence) - 1], '.');
        for (size_t j = 0; j < i; ++j)
            assert_string_not_equal(sentence, stint_status_string(s_all[j].status));
    }
    assert_string_equal(stint_status_string(STINT_ERROR_NOT_FOUND), "no set or statistic has that name");
}

static void any_other_value_is_unknown(void **state)
{
    const int others[] = {-1, (int)TEST_COUNT(s_all), 100, INT_MAX, INT_MIN};

    for (size_t i = 0; i < TEST_COUNT(others); ++i) {
        assert_string_equal(stint_status_name((enum stint_status)others[i]), "STINT_ERROR_UNKNOWN");
        assert_true(strlen(stint_status_string((enum stint_status)others[i])) > 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_status_is_named_as_in_the_header),
        cmocka_unit_test(every_status_has_a_sentence_of_its_own),
        cmocka_unit_test(any_other_value_is_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
