/* The source of functions: src/tool/cpu/cpu_source.c. */
#include "cpu/cpu_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/sample_fixture.h"
#include "stint_test.h"

/* What the fixture's addresses are: two lines of work() take 48 and 20 ms themselves, main() calls them. */
static const struct {
    uint64_t address;
    struct stint_symbol symbol;
} s_symbols[] = {
    {0x1180, {"main", "train", "/nowhere/src/main.c", 3, STINT_SYMBOL_NAMED}},
    {0x1234, {"work", "train", "/nowhere/src/work.c", 12, STINT_SYMBOL_NAMED}},
    {0xbeef, {"work", "train", "/nowhere/src/work.c", 10, STINT_SYMBOL_NAMED}},
    {0x7fffe0001000, {"compiled", "[jit]", "", 0, STINT_SYMBOL_NAMED}},
};

size_t __wrap_stint_symbols_find(struct stint_symbols *symbols, const struct stint_sample_module *module,
                                 uint64_t address, struct stint_symbol *found, size_t most)
{
    assert_true(most > 0);
    for (size_t i = 0; i < TEST_COUNT(s_symbols); i++)
        if (s_symbols[i].address == address)
            found[0] = s_symbols[i].symbol;
    return 1;
}

static struct stint_snapshot *s_snapshot;
static struct stint_cpu_profile s_profile;
static struct stint_array s_sources;
static char s_folder[64];

static int setup(void **state)
{
    static const struct stint_cpu_options by_lines = {.by_lines = 1};
    strcpy(s_folder, "/tmp/stint_source_XXXXXX");
    s_sources = (struct stint_array){.items = NULL};
    s_snapshot = fixture_samples();
    return !s_snapshot || !mkdtemp(s_folder) || stint_cpu_profile_make(&s_profile, s_snapshot, &by_lines);
}

static int teardown(void **state)
{
    char command[128];
    (void)snprintf(command, sizeof command, "rm -r %s", s_folder);
    stint_cpu_profile_free(&s_profile);
    stint_snapshot_free(s_snapshot);
    return system(command);
}

static struct stint_cpu_source *source_at(size_t at)
{
    assert_true(at < s_sources.count);
    return (struct stint_cpu_source *)s_sources.items + at;
}

static const struct stint_cpu_source_line *line_at(const struct stint_cpu_source *source, size_t at)
{
    assert_true(at < source->lines.count);
    return (const struct stint_cpu_source_line *)source->lines.items + at;
}

static void find(const char *pattern, size_t count)
{
    assert_int_equal(stint_cpu_sources_find(&s_profile, pattern, &s_sources), 0);
    assert_int_equal(s_sources.count, count);
}

/* Writes a file of so many lines, "line 1" and so on, below the folder. */
static void write_lines(const char *name, int count, const char *end)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", s_folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 1; i <= count; i++)
        fprintf(file, "\tline %d%s", i, end);
    assert_int_equal(fclose(file), 0);
}

TEST_EACH(setup, teardown)

TEST(functions_come_by_their_own_time)
{
    find("*", 2);
    assert_string_equal(source_at(0)->function, "work");
    assert_int_equal(source_at(0)->self_ns, 68000000);
    assert_int_equal(source_at(0)->lines.count, 2);
    assert_int_equal(line_at(source_at(0), 0)->line, 10); /* in their order, not in that of samples */
    assert_int_equal(line_at(source_at(0), 1)->line, 12);
    assert_string_equal(source_at(1)->function, "main");
    assert_int_equal(source_at(1)->self_ns, 0);
    assert_int_equal(line_at(source_at(1), 0)->sampled->total_ns, 72000000);
}

TEST(a_pattern_chooses_functions)
{
    find("m?in", 1);
    assert_string_equal(source_at(0)->function, "main");
    s_sources = (struct stint_array){.items = NULL};
    find("compiled", 0); /* nobody knows its lines */
}

TEST(lines_around_are_shown)
{
    find("work", 1);
    write_lines("work.c", 40, "\n");
    struct stint_cpu_source *source = source_at(0);
    assert_int_equal(stint_cpu_source_read(&s_profile, source, s_folder), 0);
    assert_non_null(source->path);
    assert_int_equal(source->lines.count, 2 * STINT_CPU_SOURCE_AROUND + 3);
    assert_int_equal(line_at(source, 0)->line, 10 - STINT_CPU_SOURCE_AROUND);
    assert_null(line_at(source, 0)->sampled);
    assert_string_equal(line_at(source, 0)->text, "        line 6");
    assert_int_equal(line_at(source, STINT_CPU_SOURCE_AROUND)->sampled->self_ns, 48000000);
    assert_null(line_at(source, STINT_CPU_SOURCE_AROUND + 1)->sampled);
    assert_int_equal(line_at(source, STINT_CPU_SOURCE_AROUND + 2)->sampled->self_ns, 20000000);
    assert_false(source->is_cut);
}

TEST(as_much_of_the_path_counts_as_there_is)
{
    char path[128];
    find("work", 1);
    write_lines("work.c", 40, "\n");
    (void)snprintf(path, sizeof path, "%s/src", s_folder);
    assert_int_equal(mkdir(path, 0700), 0);
    write_lines("src/work.c", 11, "\r\n");
    struct stint_cpu_source *source = source_at(0);
    assert_int_equal(stint_cpu_source_read(&s_profile, source, s_folder), 0);
    assert_non_null(strstr(source->path, "/src/work.c"));
    const struct stint_cpu_source_line *last = line_at(source, source->lines.count - 1);
    assert_int_equal(last->line, 12); /* which the file does not have */
    assert_null(last->text);
    assert_non_null(last->sampled);
    assert_string_equal(line_at(source, 0)->text, "        line 6");
}

TEST(without_a_file_there_are_lines_without_text)
{
    find("work", 1);
    struct stint_cpu_source *source = source_at(0);
    assert_int_equal(stint_cpu_source_read(&s_profile, source, s_folder), 0);
    assert_null(source->path);
    assert_int_equal(source->lines.count, 2);
    assert_null(line_at(source, 0)->text);
}

TEST(a_long_line_is_one_line)
{
    static char s_long[5000];
    char path[128];
    find("main", 1);
    (void)snprintf(path, sizeof path, "%s/main.c", s_folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    memset(s_long, 'x', sizeof s_long - 1);
    fprintf(file, "%s\nsecond\nthird\nfourth\n", s_long);
    assert_int_equal(fclose(file), 0);
    struct stint_cpu_source *source = source_at(0);
    assert_int_equal(stint_cpu_source_read(&s_profile, source, s_folder), 0);
    assert_int_equal(source->lines.count, 4);
    assert_int_equal(strlen(line_at(source, 0)->text), 1023);
    assert_string_equal(line_at(source, 2)->text, "third");
    assert_non_null(line_at(source, 2)->sampled);
}
