#include "store/page_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stint_test.h"
#include "store/scratch.h"

/* Databases here are a head and nothing behind it, which takes no space, so that they may be large. */

static void make_database(uint32_t pages)
{
    unsigned char head[100] = {[16] = STINT_BTREE_PAGE >> 8, [27] = 7, [95] = 7};
    int file = open(scratch_path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    assert_int_equal(pwrite(file, head, sizeof head, 0), sizeof head);
    assert_int_equal(ftruncate(file, (off_t)pages * STINT_BTREE_PAGE), 0);
    assert_int_equal(close(file), 0);
}

static void read_at(uint32_t page, unsigned char *bytes, size_t size)
{
    int file = open(scratch_path, O_RDONLY);
    assert_int_equal(pread(file, bytes, size, (off_t)(page - 1) * STINT_BTREE_PAGE), size);
    assert_int_equal(close(file), 0);
}

/* A leaf with one cell, which is the number. */
static struct stint_btree_page leaf_of(unsigned char number)
{
    struct stint_btree_page page;
    stint_btree_begin(&page, STINT_BTREE_TABLE_LEAF);
    stint_btree_add(&page, &number, 1);
    return page;
}

static uint32_t number_at(const unsigned char *head)
{
    return (uint32_t)head[0] << 24 | (uint32_t)head[1] << 16 | (uint32_t)head[2] << 8 | head[3];
}

/* Appends so many pages to a database of `base`, and checks that they are where they are said to be, behind each other
 * but for the page `gap`, and that the head counts all. */
static void check_appended(uint32_t base, uint32_t count, uint32_t gap)
{
    struct stint_sql sql = {.failed = 0};
    struct stint_pages pages;
    make_database(base);
    stint_pages_begin(&pages, &sql, scratch_path);
    for (uint32_t i = 0; i < count; i++) {
        struct stint_btree_page page = leaf_of((unsigned char)i);
        assert_int_equal(stint_pages_add(&pages, &page, 0), i);
    }
    int database = stint_pages_open_database(&pages, scratch_path);
    assert_true(database >= 0);
    stint_pages_append(&pages, database);
    stint_pages_close_database(&pages, database);
    assert_string_equal(sql.reason, "");
    uint32_t place = base;
    unsigned char bytes[STINT_BTREE_PAGE];
    for (uint32_t i = 0; i < count; i++) {
        place += place + 1 == gap ? 2 : 1;
        assert_int_equal(stint_pages_place(&pages, i), place);
        read_at(place, bytes, sizeof bytes);
        assert_int_equal(bytes[0], STINT_BTREE_TABLE_LEAF);
        assert_int_equal(bytes[STINT_BTREE_PAGE - 1], (unsigned char)i);
    }
    read_at(1, bytes, 100);
    assert_int_equal(number_at(bytes + 28), place);
    assert_int_equal(number_at(bytes + 24), number_at(bytes + 92));
    stint_pages_end(&pages);
}

static void pages_follow_what_is_there(void **state)
{
    (void)state;
    check_appended(3, 1, 0);
    check_appended(30, 3 * STINT_PAGES_BUFFERED + 5, 0);
}

/* SQLite's locks are at 1 GiB, and the page there is not used. */
static void page_of_locks_is_left_out(void **state)
{
    enum { LOCKS = (1 << 30) / STINT_BTREE_PAGE + 1 };
    (void)state;
    for (uint32_t before = 0; before < 4; before++)
        check_appended(LOCKS - 1 - before, 6, LOCKS);
    check_appended(LOCKS, 6, 0);
    check_appended(LOCKS - 2 * STINT_PAGES_BUFFERED - 3, 4 * STINT_PAGES_BUFFERED, LOCKS);
}

static void databases_may_be_larger_than_4_gib(void **state)
{
    (void)state;
    check_appended((1 << 20) - 2, 5, 0);
    check_appended(3U << 20, 5, 0);
}

static void pages_of_another_size_are_refused(void **state)
{
    struct stint_sql sql = {.failed = 0};
    struct stint_pages pages;
    (void)state;
    make_database(3);
    int file = open(scratch_path, O_WRONLY);
    assert_int_equal(pwrite(file, "\x20", 1, 16), 1);
    assert_int_equal(close(file), 0);
    stint_pages_begin(&pages, &sql, scratch_path);
    assert_int_equal(stint_pages_open_database(&pages, scratch_path), -1);
    assert_string_equal(sql.reason, "this SQLite makes pages of another size");
    stint_pages_end(&pages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_follow_what_is_there),
        cmocka_unit_test(page_of_locks_is_left_out),
        cmocka_unit_test(databases_may_be_larger_than_4_gib),
        cmocka_unit_test(pages_of_another_size_are_refused),
    };

    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
