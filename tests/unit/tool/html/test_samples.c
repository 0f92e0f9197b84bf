/* Samples on the page. Functions are called by their addresses. */

#include <string.h>

#include "html/data.h"
#include "report/sample_fixture.h"
#include "stint_test.h"

enum { MANY = 9000 };

struct page {
    struct stint_arena arena;
    struct stint_html_contexts contexts;
    struct stint_html_samples samples;
};

/* One function at two addresses, in lines 7 and 8; all others have no lines. */
size_t __real_stint_symbols_find(struct stint_symbols *symbols, const struct stint_sample_module *module,
                                 uint64_t address, struct stint_symbol *found, size_t most);
size_t __wrap_stint_symbols_find(struct stint_symbols *symbols, const struct stint_sample_module *module,
                                 uint64_t address, struct stint_symbol *found, size_t most)
{
    static const struct stint_symbol known[] = {{"0xbeef", "lib", "a.c", 7, STINT_SYMBOL_NAMED},
                                                {"0xbeef", "lib", "a.c", 8, STINT_SYMBOL_NAMED},
                                                {"0x1180", "train", "", 0, STINT_SYMBOL_NAMED},
                                                {"0x1234", "train", "", 0, STINT_SYMBOL_NAMED}};
    static const uint64_t addresses[] = {0xbeef, 0xbee0, 0x1180, 0x1234};
    for (size_t i = 0; i < TEST_COUNT(addresses); i++) {
        if (address == addresses[i]) {
            found[0] = known[i];
            return 1;
        }
    }
    return __real_stint_symbols_find(symbols, module, address, found, most);
}

static void make(struct page *page, const struct stint_snapshot *snapshot)
{
    *page = (struct page){.arena = {0}};
    assert_int_equal(stint_html_contexts_choose(&page->contexts, snapshot, STINT_HTML_CONTEXTS_MOST, &page->arena), 0);
    assert_int_equal(stint_html_samples_make(&page->samples, snapshot, &page->contexts, NULL), 0);
}

static void forget(struct page *page)
{
    stint_html_samples_free(&page->samples);
    stint_arena_free(&page->arena);
}

static const struct stint_html_sample_part *part_at(const struct stint_table *parts, size_t at)
{
    assert_true(at < parts->count);
    return (const struct stint_html_sample_part *)parts->items + at;
}

static struct stint_html_sample_part sum_of(const struct stint_table *parts)
{
    struct stint_html_sample_part sum = {.row = 0};
    for (size_t i = 0; i < parts->count; i++) {
        sum.self_ns += part_at(parts, i)->self_ns;
        sum.samples += part_at(parts, i)->samples;
    }
    return sum;
}

static int64_t function_row(const struct page *page, const char *name)
{
    for (size_t i = 0; i < page->samples.profile.functions.count; i++)
        if (strcmp(stint_cpu_function_at(&page->samples.profile, i)->symbol.function, name) == 0)
            return page->samples.function_places[i];
    fail_msg("there is no %s", name);
    return -1;
}

static void check_function(const struct page *page, const char *name, int64_t context, uint64_t self_ns,
                           uint64_t total_ns)
{
    const struct stint_table *parts = &page->samples.function_parts;
    for (size_t i = 0; i < parts->count; i++) {
        const struct stint_html_sample_part *part = part_at(parts, i);
        if (part->row != function_row(page, name) || part->context != context)
            continue;
        assert_int_equal(part->self_ns, self_ns);
        assert_int_equal(part->total_ns, total_ns);
        return;
    }
    fail_msg("there is no %s in context %d", name, (int)context);
}

TEST(functions_are_told_apart_by_context)
{
    struct stint_snapshot *snapshot = fixture_samples();
    struct page page;
    make(&page, snapshot);
    check_function(&page, "0xbeef", 1, 40000000, 40000000);
    check_function(&page, "0xbeef", -2, 8000000, 8000000);
    check_function(&page, "0x1234", 1, 0, 40000000);
    check_function(&page, "0x1234", 0, 20000000, 20000000);
    check_function(&page, "0x1180", -1, 0, 12000000);
    assert_int_equal(page.samples.function_parts.count, 8);
    forget(&page);
    stint_snapshot_free(snapshot);
}

TEST(each_sample_is_in_one_frame_or_in_none)
{
    struct stint_snapshot *snapshot = fixture_samples();
    struct page page;
    uint64_t nowhere_ns = 0;
    make(&page, snapshot);
    assert_int_equal(page.samples.node_count, 5);
    assert_int_equal(sum_of(&page.samples.node_parts).self_ns, 88000000);
    assert_int_equal(sum_of(&page.samples.node_parts).samples, 22);
    for (size_t i = 0; i < page.samples.node_parts.count; i++)
        if (part_at(&page.samples.node_parts, i)->row < 0)
            nowhere_ns += part_at(&page.samples.node_parts, i)->self_ns;
    assert_int_equal(nowhere_ns, 8000000);
    forget(&page);
    stint_snapshot_free(snapshot);
}

TEST(what_took_next_to_nothing_is_its_callers)
{
    static const struct stint_sample_count counts[] = {{0, STINT_GPU_NO_SCOPE, 1, 5000, 5000000},
                                                       {0, STINT_GPU_NO_SCOPE, 2, 2, 2000}};
    struct stint_snapshot *made = fixture_samples(), snapshot = *made;
    struct page page;
    TEST_ROWS(snapshot, sample_counts, sample_count_count, counts);
    make(&page, &snapshot);
    assert_int_equal(page.samples.node_count, 2);
    assert_int_equal(page.samples.nodes_beyond, 1);
    assert_int_equal(page.samples.functions_beyond, 1);
    assert_int_equal(page.samples.node_parts.count, 1);
    assert_int_equal(part_at(&page.samples.node_parts, 0)->row, 1);
    assert_int_equal(part_at(&page.samples.node_parts, 0)->samples, 5002);
    check_function(&page, "0x1234", -1, 5000000, 5002000);
    forget(&page);
    stint_snapshot_free(made);
}

TEST(too_many_contexts_leave_every_sample_in_its_function)
{
    static struct stint_context contexts[MANY];
    static struct stint_sample_count counts[2 * MANY];
    struct stint_snapshot *made = fixture_samples(), snapshot = *made;
    struct page page;
    for (size_t i = 0; i < MANY; i++) {
        contexts[i] = (struct stint_context){.parent = STINT_NO_PARENT};
        counts[2 * i] = (struct stint_sample_count){0, i, 1, 1, 1000};
        counts[2 * i + 1] = (struct stint_sample_count){0, i, 4, 1, 1000};
    }
    TEST_ROWS(snapshot, contexts, context_count, contexts);
    TEST_ROWS(snapshot, sample_counts, sample_count_count, counts);
    make(&page, &snapshot);
    assert_in_range(page.samples.node_parts.count, 10000, 10002);
    assert_int_equal(sum_of(&page.samples.node_parts).self_ns, 2 * MANY * 1000);
    assert_int_equal(page.samples.crowded_ns, (2 * MANY - 10000) * 1000);
    assert_int_equal(sum_of(&page.samples.function_parts).samples, 2 * MANY);
    forget(&page);
    stint_snapshot_free(made);
}

TEST(a_function_has_the_line_with_most_of_its_time)
{
    static const struct stint_sample_frame frames[] = {{0, 0x1180}, {1, 0xbee0}, {1, 0xbeef}};
    static const struct stint_sample_count counts[] = {{0, STINT_GPU_NO_SCOPE, 1, 1, 1000},
                                                       {0, STINT_GPU_NO_SCOPE, 2, 2, 2000}};
    struct stint_snapshot *made = fixture_samples(), snapshot = *made;
    struct page page;
    TEST_ROWS(snapshot, sample_frames, sample_frame_count, frames);
    TEST_ROWS(snapshot, sample_counts, sample_count_count, counts);
    snapshot.sample_stack_count = 3;
    make(&page, &snapshot);
    assert_int_equal(page.samples.profile.functions.count, 2);
    assert_null(page.samples.lines[0]);
    assert_int_equal(page.samples.lines[1]->symbol.line, 7);
    forget(&page);
    stint_snapshot_free(made);
}
