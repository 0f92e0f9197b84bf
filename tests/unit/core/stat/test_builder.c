#include "built.h"

#include "stint_test.h"

/* ------------------------------------------------------------------------------------------------------------- rows */

TEST(nothing_gives_the_global_set_alone)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->size, sizeof *snapshot);
    assert_int_equal(snapshot->set_count, 1);
    assert_string_equal(snapshot->sets[0], "GlobalStatInfo");
    assert_int_equal(snapshot->stat_count + snapshot->context_count, 0);
    assert_int_equal(snapshot->thread_count + snapshot->thread_stat_count, 0);
    assert_string_equal(snapshot->process.clock, "monotonic");
    assert_int_equal(snapshot->dropped.nodes, 1);
    assert_int_equal(snapshot->dropped.negative, 11);
    stint_snapshot_free(snapshot);
}

TEST(rows_are_found_again)
{
    struct stint_builder builder;
    size_t stats[500], contexts[500];
    stint_builder_begin(&builder);
    for (int round = 0; round < 2; ++round)
        for (size_t i = 0; i < TEST_COUNT(stats); ++i) {
            const size_t parent = i ? contexts[(i - 1) / 3] : STINT_NO_PARENT;
            char text[16];
            (void)snprintf(text, sizeof text, "name %zu", i % 100);
            if (!round) {
                stats[i] = name(&builder, i < 300 ? "A" : "B", text);
                contexts[i] = stint_builder_context(&builder, parent, stats[i]);
            }
            assert_int_equal(name(&builder, i < 300 ? "A" : "B", text), stats[i]);
            assert_int_equal(stint_builder_context(&builder, parent, stats[i]), contexts[i]);
        }
    assert_int_equal(builder.rows[STINT_ROWS_STATS].count, 200);
    assert_int_equal(builder.sets.count, 2);
    assert_int_equal(stint_builder_set(&builder, "B"), 1);
    stint_snapshot_free(end(&builder));
}

TEST(rows_that_were_added_blank_and_filled_are_found)
{
    struct stint_builder builder;
    size_t parent = STINT_NO_PARENT;
    stint_builder_begin(&builder);
    const size_t stat = name(&builder, "A", "x");
    for (size_t i = 0; i < 100; ++i) {
        struct stint_context *row = stint_builder_blank(&builder, STINT_ROWS_CONTEXTS);
        row->parent = parent;
        row->stat = stat;
        if (i % 30 == 0)
            assert_int_equal(stint_builder_context(&builder, parent, stat), i);
        parent = i;
    }
    for (size_t i = 0; i < 100; ++i)
        assert_int_equal(stint_builder_context(&builder, i ? i - 1 : STINT_NO_PARENT, stat), i);
    assert_int_equal(builder.rows[STINT_ROWS_CONTEXTS].count, 100);
    stint_snapshot_free(end(&builder));
}

TEST(equal_names_in_two_sets_are_two_statistics)
{
    struct stint_builder builder;
    stint_builder_begin(&builder);
    assert_int_not_equal(name(&builder, "A", "x"), name(&builder, "B", "x"));
    assert_int_not_equal(name(&builder, "AB", "C"), name(&builder, "A", "BC"));
    stint_snapshot_free(end(&builder));
}

TEST(texts_are_copied)
{
    char set[] = "set", text[] = "name", file[] = "file.c", function[] = "main";
    const struct stint_stat like = {.set = set, .name = text, .file = file, .function = function, .line = 7};
    const struct stint_numbers numbers = ran(1);
    struct stint_builder builder;
    stint_builder_begin(&builder);
    stint_builder_add_stat(&builder, stint_builder_stat(&builder, &like), &numbers);
    set[0] = text[0] = file[0] = function[0] = '?';
    struct stint_snapshot *snapshot = end(&builder);
    assert_string_equal(snapshot->sets[1], "set");
    assert_string_equal(snapshot->stats[0].set, "set");
    assert_string_equal(snapshot->stats[0].name, "name");
    assert_string_equal(snapshot->stats[0].file, "file.c");
    assert_string_equal(snapshot->stats[0].function, "main");
    assert_int_equal(snapshot->stats[0].line, 7);
    stint_snapshot_free(snapshot);
}

TEST(numbers_of_one_row_add_up)
{
    const struct stint_bin bin = {10, 1};
    struct stint_numbers numbers = ran(10);
    struct stint_builder builder;
    numbers.bins = &bin;
    numbers.bin_count = 1;
    stint_builder_begin(&builder);
    for (int i = 0; i < 3; ++i) {
        const size_t stat = name(&builder, "A", "x");
        stint_builder_add_stat(&builder, stat, &numbers);
        stint_builder_add_context(&builder, stint_builder_context(&builder, STINT_NO_PARENT, stat), &numbers);
    }
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->stats[0].numbers.count, 3);
    assert_int_equal(snapshot->stats[0].numbers.total_ns, 30);
    assert_int_equal(snapshot->stats[0].numbers.bins[0].count, 3);
    assert_int_equal(snapshot->contexts[0].numbers.count, 3);
    assert_int_equal(snapshot->contexts[0].numbers.bins[0].count, 3);
    stint_snapshot_free(snapshot);
}

static uint64_t saturated_of(int additions, uint64_t total_ns)
{
    struct stint_builder builder, beside;
    stint_builder_begin(&builder);
    stint_builder_begin(&beside);
    for (int i = 0; i < additions; ++i) {
        stat_of(&builder, "A", "x", total_ns);
        stat_of(&beside, "A", "y", UINT64_MAX);
    }
    stint_snapshot_free(end(&beside));
    struct stint_snapshot *snapshot = end(&builder);
    const uint64_t saturated = snapshot->dropped.saturated;
    stint_snapshot_free(snapshot);
    return saturated;
}

TEST(sums_beyond_64_bits_are_counted_each_once_and_those_of_this_builder_alone)
{
    assert_int_equal(saturated_of(1, UINT64_MAX - 1), 0);
    assert_int_equal(saturated_of(2, UINT64_MAX - 1), 1);
    assert_int_equal(saturated_of(9, UINT64_MAX - 1), 1);
}

/* ------------------------------------------------------------------------------------------ of two sites, which one */

struct site {
    const char *file;
    const char *function;
    uint32_t line;
};

/* Fails unless `first` is shown, in whatever order the two come. */
static void check_site(struct site first, struct site second)
{
    const struct site *const orders[2][2] = {{&first, &second}, {&second, &first}};
    for (int order = 0; order < 2; ++order) {
        struct stint_builder builder;
        stint_builder_begin(&builder);
        for (int i = 0; i < 2; ++i) {
            const struct site *site = orders[order][i];
            const struct stint_stat like = {
                .set = "A", .name = "x", .file = site->file, .function = site->function, .line = site->line};
            const struct stint_numbers numbers = ran(1);
            stint_builder_add_stat(&builder, stint_builder_stat(&builder, &like), &numbers);
        }
        struct stint_snapshot *snapshot = end(&builder);
        assert_string_equal(snapshot->stats[0].file, first.file);
        assert_string_equal(snapshot->stats[0].function, first.function);
        assert_int_equal(snapshot->stats[0].line, first.line);
        stint_snapshot_free(snapshot);
    }
}

TEST(of_two_sites_the_first_by_file_and_line_is_shown)
{
    check_site((struct site){"a.c", "z", 9}, (struct site){"b.c", "f", 1});
    check_site((struct site){"a.c", "z", 8}, (struct site){"a.c", "f", 9});
}

TEST(of_two_sites_that_differ_in_function_the_same_is_shown_in_either_order)
{
    check_site((struct site){"main.c", "first", 8}, (struct site){"main.c", "second", 8});
}

TEST(a_site_is_preferred_to_none)
{
    check_site((struct site){"a.c", "f", 9}, (struct site){"", "", 0});
    check_site((struct site){"\xC3\xA4.c", "f", 9}, (struct site){"", "", 0});
}

TEST(a_statistic_is_by_thread_if_any_part_is)
{
    struct stint_stat like = {.set = "A", .name = "x", .file = "", .function = ""};
    struct stint_builder builder;
    stint_builder_begin(&builder);
    for (int i = 0; i < 3; ++i) {
        const struct stint_numbers numbers = ran(1);
        like.by_thread = i == 1;
        stint_builder_add_stat(&builder, stint_builder_stat(&builder, &like), &numbers);
    }
    struct stint_snapshot *snapshot = end(&builder);
    assert_int_equal(snapshot->stats[0].by_thread, 1);
    stint_snapshot_free(snapshot);
}

/* ------------------------------------------------------------------------------------------------------------ order */

TEST(thread_rows_have_no_bins)
{
    const struct stint_bin bin = {10, 1};
    struct stint_numbers numbers = ran(10);
    const struct stint_thread thread = {.pid = 1, .tid = 2};
    struct stint_builder builder;
    numbers.bins = &bin;
    numbers.bin_count = 1;
    stint_builder_begin(&builder);
    size_t stat = stat_of(&builder, "A", "x", 10);
    stint_builder_thread_stat(&builder, stint_builder_add(&builder, STINT_ROWS_THREADS, &thread), stat, &numbers);
    struct stint_snapshot *snapshot = end(&builder);
    assert_null(snapshot->thread_stats[0].numbers.bins);
    assert_int_equal(snapshot->thread_stats[0].numbers.bin_count, 0);
    stint_snapshot_free(snapshot);
}

/* ---------------------------------------------------------------------------------------------------------- pruning */

/* ----------------------------------------------------------------------------------------------------------- memory */

static struct stint_snapshot *build_a_lot(void)
{
    const struct stint_bin bins[] = {{10, 1}, {20, 2}};
    const struct stint_thread thread = {.pid = 1, .tid = 2};
    struct stint_numbers numbers = ran(10);
    struct stint_builder builder;
    size_t parent = STINT_NO_PARENT, row;
    numbers.bins = bins;
    numbers.bin_count = 2;
    stint_builder_begin(&builder);
    row = stint_builder_add(&builder, STINT_ROWS_THREADS, &thread);
    for (int i = 0; i < 400; ++i) {
        char text[32];
        (void)snprintf(text, sizeof text, "statistic number %d", i);
        size_t stat = name(&builder, text + 10, text);
        parent = stint_builder_context(&builder, i % 7 ? parent : STINT_NO_PARENT, stat);
        stint_builder_add_stat(&builder, stat, &numbers);
        stint_builder_add_context(&builder, parent, &numbers);
        stint_builder_thread_stat(&builder, row, stat, &numbers);
    }
    return end(&builder);
}

/* Builds with the first mmap failing, then the second, and so on until it needs no more. Returns how many it took. */
static long build_without(void (*starve)(long calls))
{
    const size_t before = memory_mapped();
    for (long calls = 0;; ++calls) {

        starve(calls);
        struct stint_snapshot *snapshot = build_a_lot();
        if (!memory_recover()) {
            assert_non_null(snapshot);
            stint_snapshot_free(snapshot);
            return calls;
        }
        assert_null(snapshot);
        assert_int_equal(memory_mapped(), before);
    }
}

TEST(without_memory_there_is_no_snapshot_and_no_leak)
{
    assert_true(build_without(memory_fail_after) > 5);
}

TEST(one_failure_is_not_forgotten)
{
    assert_true(build_without(memory_fail_once_after) > 5);
}

TEST(after_a_failure_there_is_no_arena)
{
    struct stint_builder builder;
    memory_fail_after(0);
    stint_builder_begin(&builder);
    memory_recover();
    assert_null(stint_builder_arena(&builder));
    assert_null(end(&builder));
}

TEST(freeing_gives_all_memory_back)
{
    const size_t before = memory_mapped();
    struct stint_snapshot *snapshot = build_a_lot();
    assert_true(memory_mapped() > before);
    stint_snapshot_free(snapshot);
    assert_int_equal(memory_mapped(), before);
    stint_snapshot_free(NULL);
}
