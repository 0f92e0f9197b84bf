#include "export/spool.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>

#include "stint_test.h"

static int s_fails; /* what reading or writing fails with; 0: it does not */

ssize_t __real_pread(int file, void *bytes, size_t length, off_t at);
ssize_t __real_pwrite(int file, const void *bytes, size_t length, off_t at);
ssize_t __wrap_pread(int file, void *bytes, size_t length, off_t at);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t length, off_t at);

/* Never all at once. */
static size_t part(size_t length)
{
    return length > 1000 ? 1000 : length;
}

ssize_t __wrap_pread(int file, void *bytes, size_t length, off_t at)
{
    errno = s_fails;
    return s_fails ? -1 : __real_pread(file, bytes, part(length), at);
}

ssize_t __wrap_pwrite(int file, const void *bytes, size_t length, off_t at)
{
    errno = s_fails;
    return s_fails ? -1 : __real_pwrite(file, bytes, part(length), at);
}

struct got {
    uint8_t bytes[1 << 17];
    size_t length;
};

static void take(void *context, const uint8_t *bytes, size_t length)
{
    struct got *const got = context;
    assert_true(got->length + length <= sizeof got->bytes);
    memcpy(got->bytes + got->length, bytes, length);
    got->length += length;
}

static void lists_filled_in_turns_are_read_whole(void **state)
{
    enum { LISTS = 3, RECORDS = 3000, SIZE = 7 };
    static struct got got;
    struct stint_arena arena = {0};
    struct stint_spool spool;
    struct stint_spool_list *lists[LISTS];
    assert_int_equal(stint_spool_open(&spool), 0);
    for (int i = 0; i < LISTS; i++)
        assert_non_null(lists[i] = stint_spool_add(&spool, &arena));
    for (int record = 0; record < RECORDS; record++)
        for (int i = 0; i < LISTS; i++) {
            char bytes[SIZE] = {(char)i, (char)record, (char)(record >> 8)};
            assert_int_equal(stint_spool_put(&spool, lists[i], bytes, (size_t)(i + 5)), 0);
        }
    for (int i = 0; i < LISTS; i++) {
        got.length = 0;
        assert_int_equal(stint_spool_read(&spool, lists[i], take, &got), 0);
        assert_int_equal(got.length, RECORDS * (i + 5));
        for (int record = 0; record < RECORDS; record++) {
            const uint8_t *bytes = got.bytes + record * (i + 5);
            assert_int_equal(bytes[0], i);
            assert_int_equal(bytes[1] | bytes[2] << 8, record);
        }
    }
    stint_spool_close(&spool);
    stint_arena_free(&arena);
}

static void empty_list_is_empty(void **state)
{
    static struct got got;
    struct stint_arena arena = {0};
    struct stint_spool spool;
    assert_int_equal(stint_spool_open(&spool), 0);
    assert_int_equal(stint_spool_read(&spool, stint_spool_add(&spool, &arena), take, &got), 0);
    assert_int_equal(got.length, 0);
    stint_spool_close(&spool);
    stint_arena_free(&arena);
}

static void full_disk_is_told(void **state)
{
    struct stint_arena arena = {0};
    struct stint_spool spool;
    char bytes[64] = "";
    int failed = 0, records = 0;
    assert_int_equal(stint_spool_open(&spool), 0);
    struct stint_spool_list *list = stint_spool_add(&spool, &arena);
    s_fails = ENOSPC;
    for (; !failed && records < 1000; records++)
        failed = stint_spool_put(&spool, list, bytes, sizeof bytes);
    assert_int_equal(failed, -1);
    assert_int_equal(errno, ENOSPC);
    assert_true(records > 60); /* a piece waits in memory */
    s_fails = 0;
    stint_spool_close(&spool);
    stint_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_filled_in_turns_are_read_whole),
        cmocka_unit_test(empty_list_is_empty),
        cmocka_unit_test(full_disk_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
