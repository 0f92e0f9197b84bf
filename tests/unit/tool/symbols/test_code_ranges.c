#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stint_test.h"
#include "symbols/symbols.h"

static unsigned char *s_image;
static struct stint_elf s_elf; /* this program */

static void read_self(void)
{
    struct stat status;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    assert_int_equal(fstat(file, &status), 0);
    s_image = malloc((size_t)status.st_size);
    assert_int_equal(read(file, s_image, (size_t)status.st_size), status.st_size);
    (void)close(file);
    assert_int_equal(stint_elf_open(&s_elf, s_image, (size_t)status.st_size), 0);
}

static int add_base(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(uint64_t *)base = info->dlpi_addr;
    return 1; /* the program is the first */
}

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

TEST(functions_of_a_program_begin_and_end_as_their_frames_say)
{
    struct stint_arena arena = {0};
    struct stint_array ranges = {.items = NULL};
    uint64_t base = 0, here = (uintptr_t)(void (*)(void))read_self;
    read_self();
    dl_iterate_phdr(add_base, &base);
    stint_code_ranges_read(&ranges, &arena, &s_elf);
    assert_true(ranges.count > 10);
    const struct stint_range *range = stint_range_list_find(&ranges, here - base + 1);
    assert_non_null(range);
    assert_int_equal(range->begin, here - base);
    stint_arena_free(&arena);
    free(s_image);
}

/* Reading beyond the image is what a sanitizer notices. */
TEST(frames_that_lie_are_left_out)
{
    static const char *const names[] = {".eh_frame_hdr", ".eh_frame"};
    struct stint_elf_section section;
    uint64_t random = 7;
    read_self();
    for (int i = 0; i < 200; i++) {
        struct stint_arena arena = {0};
        struct stint_array ranges = {.items = NULL};
        assert_int_equal(stint_elf_find_section(&s_elf, names[i % 2], &section), 0);
        for (int change = 0; change < 50; change++)
            s_image[(size_t)(section.bytes - s_image) + test_random(&random) % (i % 3 ? section.size : 64)] =
                (unsigned char)test_random(&random);
        stint_code_ranges_read(&ranges, &arena, &s_elf);
        const struct stint_range *all = ranges.items;
        for (size_t at = 0; at < ranges.count; at++)
            assert_true(all[at].begin < all[at].end);
        stint_arena_free(&arena);
    }
    free(s_image);
}
