/* Maps of just-in-time compilers, as perf reads them. */
#include "symbols/symbols.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stint_test.h"

static char s_path[64];

static void write_map(const char *text)
{
    FILE *file = fopen(s_path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static struct stint_perf_map read_map(struct stint_arena *arena)
{
    struct stint_perf_map map;
    stint_perf_map_read(&map, getpid(), arena);
    return map;
}

TEST(address_has_the_name_of_the_function_around_it)
{
    struct stint_arena arena = {0};
    write_map("7f0000002000 80 py::step:/a/train.py\n7f0000001000 100 py::main:/a b/train.py\n");
    struct stint_perf_map map = read_map(&arena);
    assert_string_equal(stint_perf_map_find(&map, 0x7f0000001000), "py::main:/a b/train.py");
    assert_string_equal(stint_perf_map_find(&map, 0x7f00000010ff), "py::main:/a b/train.py");
    assert_null(stint_perf_map_find(&map, 0x7f0000001100));
    assert_null(stint_perf_map_find(&map, 0x7f0000000fff));
    assert_string_equal(stint_perf_map_find(&map, 0x7f0000002001), "py::step:/a/train.py");
    assert_null(stint_perf_map_find(&map, UINT64_MAX));
    stint_arena_free(&arena);
}

TEST(lines_that_are_none_are_passed_over)
{
    struct stint_arena arena = {0};
    write_map("\nname\n1000\n1000 \n1000 0 empty\n1000 10\nffffffffffffffff 10 beyond\n2000 10 good");
    struct stint_perf_map map = read_map(&arena);
    assert_int_equal(map.rows.count, 1);
    assert_string_equal(stint_perf_map_find(&map, 0x2000), "good");
    stint_arena_free(&arena);
}

TEST(function_of_python_has_its_file_and_line)
{
    static const struct stint_sample_module function = {.path = "/a b/train.py:12 Model.step",
                                                        .build_id = STINT_SAMPLE_PYTHON},
                                            more = {.path = "(more functions)", .build_id = STINT_SAMPLE_PYTHON};
    struct stint_symbols *symbols = stint_symbols_begin(STINT_SYMBOLS_LINES);
    struct stint_symbol found[2];
    assert_int_equal(stint_symbols_find(symbols, &function, 0, found, 2), 1);
    assert_string_equal(found[0].function, "train.py:12 Model.step");
    assert_string_equal(found[0].module, "Python");
    assert_string_equal(found[0].file, "/a b/train.py");
    assert_int_equal(found[0].line, 12);
    assert_int_equal(stint_symbols_find(symbols, &more, 0, found, 2), 1);
    assert_string_equal(found[0].function, "(more functions)");
    assert_string_equal(found[0].file, "");
    assert_int_equal(found[0].line, 0);
    stint_symbols_end(symbols);
}

TEST(what_stint_does_in_a_program_is_one_function)
{
    static const struct stint_sample_module stint = {.path = "/usr/lib/libstint.so.1", .build_id = ""},
                                            other = {.path = "/usr/lib/libstinted.a", .build_id = ""};
    struct stint_symbols *symbols = stint_symbols_begin(STINT_SYMBOLS_LINES);
    struct stint_symbol found[2];
    assert_int_equal(stint_symbols_find(symbols, &stint, 0x1000, found, 2), 1);
    assert_string_equal(found[0].function, "(stint itself)");
    assert_string_equal(found[0].module, "libstint.so.1");
    assert_int_equal(stint_symbols_find(symbols, &other, 0x1000, found, 2), 1);
    assert_string_equal(found[0].function, "0x1000");
    stint_symbols_end(symbols);
}

TEST(without_a_file_there_are_no_names)
{
    struct stint_arena arena = {0};
    (void)unlink(s_path);
    struct stint_perf_map map = read_map(&arena);
    assert_null(stint_perf_map_find(&map, 0x1000));
    stint_arena_free(&arena);
}

/* Anybody may make them, and a reader would wait, or never end. */
TEST(what_is_not_a_plain_file_is_not_read)
{
    enum stint_code_state found;
    struct stint_arena arena = {0};
    (void)alarm(20);
    (void)unlink(s_path);
    assert_int_equal(mkfifo(s_path, 0600), 0);
    struct stint_perf_map map = read_map(&arena);
    assert_int_equal(map.rows.count, 0);
    assert_null(stint_code_file_open(s_path, "", STINT_SYMBOLS_LINES, &found));
    assert_int_equal(found, STINT_CODE_MISSING);
    assert_int_equal(stint_open_named(s_path, 0), -1);
    (void)unlink(s_path);
    assert_int_equal(symlink("/dev/zero", s_path), 0);
    map = read_map(&arena);
    assert_int_equal(map.rows.count, 0);
    assert_null(stint_code_file_open(s_path, "", STINT_SYMBOLS_LINES, &found));
    assert_int_equal(stint_open_named(s_path, 0), -1);
    (void)unlink(s_path);
    (void)alarm(0);
    stint_arena_free(&arena);
}

TEST(links_are_followed_only_where_others_may_not_make_them)
{
    char other[sizeof s_path + 8];
    (void)snprintf(other, sizeof other, "%s.link", s_path);
    write_map("1000 10 name\n");
    assert_int_equal(symlink(s_path, other), 0);
    assert_int_equal(stint_open_named(other, 1), -1);
    int file = stint_open_named(other, 0);
    assert_true(file >= 0);
    (void)close(file);
    (void)unlink(other);
    (void)unlink(s_path);
}

int test_main(int argc, char **argv)
{
    (void)snprintf(s_path, sizeof s_path, "/tmp/perf-%ld.map", (long)getpid());
    int failed = test_run(NULL, NULL);
    (void)unlink(s_path);
    return failed;
}
