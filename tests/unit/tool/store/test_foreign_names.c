#include <stdio.h>
#include <string.h>

#include "foreign_fixture.h"
#include "stint_test.h"

TEST_EACH(NULL, foreign_close)

TEST(strings_without_a_key_are_refused)
{
    foreign_assert_refused(foreign_fixture(NULL, "CREATE TABLE StringIds (id INTEGER, value TEXT)"), "StringIds");
}

TEST(names_that_are_too_long_are_cut_and_counted)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "UPDATE StringIds SET value = printf('%.*c', 100000, 'x') WHERE id = 4");
    assert_int_equal(snapshot->dropped.truncated, 1);
    assert_int_equal(strlen(snapshot->gpu_activities[0].name), 4095);
}

TEST(rows_without_a_name_are_shown_and_counted)
{
    const struct stint_snapshot *snapshot = foreign_open(
        "nsys.sql", "DELETE FROM StringIds WHERE id = 4; UPDATE NVTX_EVENTS SET text = '' WHERE text = 'forward'");
    assert_int_equal(snapshot->dropped.unnamed, 3);
    assert_int_equal(foreign_charge(snapshot, "(unnamed)", "train/step/(unnamed)")->count, 1);
}

/* As texts of their own, and as strings of the file. */
TEST(texts_that_carry_data_are_counted_by_their_name)
{
    const struct stint_snapshot *snapshot = foreign_open(
        "nsys.sql", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
                    "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) "
                    "SELECT 100, 100, 59, 'aten::mm, op_id = ' || i, 7, 0 FROM n; "
                    "INSERT INTO StringIds VALUES (900, 'XlaModule:#hlo_module=jit_f,program_id=1#'), "
                    "(901, 'XlaModule:#hlo_module=jit_f,program_id=2#'); "
                    "INSERT INTO NVTX_EVENTS (start, end, eventType, textId, globalTid, domainId) "
                    "VALUES (200, 210, 59, 900, 7, 0), (300, 330, 59, 901, 7, 0), (400, 400, 59, 901, 7, 0)");
    struct stint_event_source *source = stint_foreign_events(foreign_opened);
    struct stint_event event;
    assert_int_equal(foreign_stat(snapshot, "NVTX", "aten::mm")->numbers.count, 5000);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "XlaModule jit_f")->numbers.count, 3);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "XlaModule jit_f")->numbers.total_ns, 40);
    assert_int_equal(snapshot->dropped.names, 0);
    assert_int_equal(source->begin(source), 0);
    while (source->next(source, &event) == 1 && strcmp(event.name, "XlaModule jit_f") != 0)
        assert_true(strcmp(event.name, "aten::mm") != 0 || strncmp(event.text, "aten::mm, op_id = ", 18) == 0);
    assert_string_equal(event.text, "XlaModule:#hlo_module=jit_f,program_id=1#");
}
