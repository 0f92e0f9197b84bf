#include "trace/spill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stint_test.h"

static char s_folder[] = "/tmp/stint-spill-XXXXXX";
static char s_path[64];
static struct stint_spill s_spill;
static struct stint_chunk s_chunk;

static int make_folder(void **state)
{
    if (!mkdtemp(s_folder))
        return -1;
    (void)snprintf(s_path, sizeof s_path, "%s/trace", s_folder);
    return 0;
}

/* Fails if anything is left in it. */
static int remove_folder(void **state)
{
    return rmdir(s_folder);
}

static int begin(void **state)
{
    stint_spill_begin(&s_spill);
    return 0;
}

static int end(void **state)
{
    stint_spill_end(&s_spill);
    return 0;
}

static int put(uint32_t number)
{
    memset(&s_chunk, 0, sizeof s_chunk);
    s_chunk.count = number;
    s_chunk.rows[sizeof s_chunk.rows - 1] = (unsigned char)number;
    return stint_spill_put(&s_spill, s_path, &s_chunk);
}

/* Returns the number of the chunk that comes back; 0: none. */
static uint32_t get(void)
{
    memset(&s_chunk, 0, sizeof s_chunk);
    if (stint_spill_get(&s_spill, &s_chunk) != 1)
        return 0;
    assert_int_equal(s_chunk.rows[sizeof s_chunk.rows - 1], (unsigned char)s_chunk.count);
    return s_chunk.count;
}

static void what_is_put_first_comes_back_first(void **state)
{
    for (uint32_t i = 1; i <= 3; ++i)
        assert_int_equal(put(i), 0);
    assert_int_equal(get(), 1);
    assert_int_equal(put(4), 0);
    for (uint32_t i = 2; i <= 4; ++i)
        assert_int_equal(get(), i);
    assert_int_equal(get(), 0);
}

static void the_file_is_emptied_when_all_are_back(void **state)
{
    struct stat file;

    assert_int_equal(put(1), 0);
    assert_int_equal(get(), 1);
    assert_int_equal(fstat(s_spill.file, &file), 0);
    assert_int_equal(file.st_size, 0);
    assert_int_equal(put(2), 0);
    assert_int_equal(get(), 2);
}

static void without_a_folder_nothing_is_put(void **state)
{
    assert_int_equal(stint_spill_put(&s_spill, "/nowhere/trace", &s_chunk), -1);
    assert_int_equal(get(), 0);
}

static void a_file_that_is_cut_off_is_said_to_be(void **state)
{
    assert_int_equal(put(1), 0);
    assert_int_equal(put(2), 0);
    assert_int_equal(ftruncate(s_spill.file, sizeof s_chunk + 10), 0);
    assert_int_equal(get(), 1);
    assert_int_equal(stint_spill_get(&s_spill, &s_chunk), -1);
    assert_int_equal(stint_spill_get(&s_spill, &s_chunk), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_put_first_comes_back_first, begin, end),
        cmocka_unit_test_setup_teardown(the_file_is_emptied_when_all_are_back, begin, end),
        cmocka_unit_test_setup_teardown(without_a_folder_nothing_is_put, begin, end),
        cmocka_unit_test_setup_teardown(a_file_that_is_cut_off_is_said_to_be, begin, end),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
