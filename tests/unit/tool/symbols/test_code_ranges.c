#include "stint_test.h"
#include "symbols/symbols.h"

TEST(the_range_of_an_address_is_found)
{
    struct stint_range rows[] = {{30, 40, "c"}, {10, 20, "a"}, {20, 25, "b"}};
    struct stint_array ranges = {.items = rows, .count = TEST_COUNT(rows)};
    stint_range_list_sort(&ranges);
    assert_null(stint_range_list_find(&ranges, 9));
    assert_string_equal(stint_range_list_find(&ranges, 10)->item, "a");
    assert_string_equal(stint_range_list_find(&ranges, 19)->item, "a");
    assert_string_equal(stint_range_list_find(&ranges, 20)->item, "b");
    assert_null(stint_range_list_find(&ranges, 25));
    assert_string_equal(stint_range_list_find(&ranges, 39)->item, "c");
    assert_null(stint_range_list_find(&ranges, UINT64_MAX));
}

TEST(no_ranges_have_no_address)
{
    struct stint_array ranges = {.items = NULL};
    stint_range_list_sort(&ranges);
    assert_null(stint_range_list_find(&ranges, 0));
}
