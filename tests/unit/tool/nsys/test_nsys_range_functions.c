#include <sqlite3.h>

#include "nsys/nsys_fixture.h"
#include "stint_test.h"

/* A [0, 100) has B [10, 50), which has C [20, 30); D [40, 60) ends after B and is in A; E [70, 80) does not open. */
#define ROWS                                                                                                           \
    "(SELECT 1 AS id, 0 AS a, 100 AS b, 1 AS opens UNION ALL SELECT 2, 10, 50, 1 UNION ALL SELECT 3, 20, 30, 1 "       \
    "UNION ALL SELECT 4, 40, 60, 1 UNION ALL SELECT 5, 70, 80, 0 UNION ALL SELECT 6, 75, 76, 1)"
#define OF(function) "SELECT " function "(id, a, b, opens) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) FROM " ROWS

TEST_ONCE(nsys_open_memory, nsys_close_memory)

TEST(ranges_nest_in_the_shortest_one_around_them)
{
    nsys_expect_rows(OF("range_parent"), "NULL 1 2 1 1 1");
    nsys_expect_rows(OF("range_level"), "0 1 2 1 1 1");
    nsys_expect_rows(OF("range_stack"), ":1 :1:2 :1:2:3 :1:4 :1:5 :1:6");
    nsys_expect_rows(
        "SELECT coalesce(range_list(id, a, b, opens) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING), '-') FROM " ROWS,
        "- - - - [1] -");
}
