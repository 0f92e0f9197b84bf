/* Barrier rows of snapshots: built, put in order, merged. */
#include <string.h>

#include "stat/builder.h"
#include "stint_test.h"

static const struct stint_barrier_part s_parts[] = {{5, 2, 70, 30, 40, 60, 10, 20}, {1, 1, 9, 9, 9, 8, 7, 6}};

static struct stint_barrier_stat row(const char *set, const char *name)
{
    return (struct stint_barrier_stat){
        .set = set,
        .name = name,
        .kind = STINT_BARRIER_END,
        .participants = 8,
        .pending = 3,
        .rounds = 4,
        .total = {0, 3, 79, 9, 40, 68, 17, 26},
        .slowest = s_parts,
        .slowest_count = 2,
    };
}

/* Takes copies: `rows` may be gone afterwards. */
static struct stint_snapshot *build(const struct stint_barrier_stat *rows, size_t count)
{
    const struct stint_process process = {.command = "", .host = "", .clock = ""};
    const struct stint_dropped dropped = {.barriers = count};
    struct stint_builder builder;
    stint_builder_begin(&builder);
    for (size_t i = 0; i < count; ++i)
        stint_builder_add(&builder, STINT_ROWS_BARRIERS, &rows[i]);
    struct stint_snapshot *snapshot = stint_builder_end(&builder, &process, &dropped);
    assert_non_null(snapshot);
    return snapshot;
}

static struct stint_snapshot *merge(const struct stint_snapshot *a, const struct stint_snapshot *b)
{
    struct stint_snapshot *merged = NULL;
    assert_int_equal(stint_snapshot_merge(a, b, &merged), STINT_OK);
    return merged;
}

static void check_part(const struct stint_barrier_part *a, const struct stint_barrier_part *b)
{
    assert_int_equal(a->participant, b->participant);
    assert_int_equal(a->rounds, b->rounds);
    assert_int_equal(a->gap_ns, b->gap_ns);
    assert_int_equal(a->min_gap_ns, b->min_gap_ns);
    assert_int_equal(a->max_gap_ns, b->max_gap_ns);
    assert_int_equal(a->second_gap_ns, b->second_gap_ns);
    assert_int_equal(a->last_two_gap_ns, b->last_two_gap_ns);
    assert_int_equal(a->middle_gap_ns, b->middle_gap_ns);
}

static void check_same(const struct stint_snapshot *a, const struct stint_snapshot *b)
{
    assert_int_equal(a->barrier_count, b->barrier_count);
    for (size_t i = 0; i < a->barrier_count; ++i) {
        const struct stint_barrier_stat *x = &a->barriers[i], *y = &b->barriers[i];
        assert_string_equal(x->set, y->set);
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->participants, y->participants);
        assert_int_equal(x->pending, y->pending);
        assert_int_equal(x->rounds, y->rounds);
        check_part(&x->total, &y->total);
        assert_int_equal(x->slowest_count, y->slowest_count);
        for (size_t part = 0; part < x->slowest_count; ++part)
            check_part(&x->slowest[part], &y->slowest[part]);
    }
    assert_int_equal(a->dropped.barriers, b->dropped.barriers);
}

TEST(rows_stand_by_set_the_global_first_then_name_kind_and_participants)
{
    struct stint_barrier_stat rows[] = {row("Net", "a"),
                                        row("GlobalStatInfo", "b"),
                                        row("A", "z"),
                                        row("GlobalStatInfo", "a"),
                                        row("GlobalStatInfo", "a"),
                                        row("GlobalStatInfo", "a")};
    rows[3].kind = STINT_BARRIER_DELTA;
    rows[4].participants = 9;
    struct stint_snapshot *snapshot = build(rows, TEST_COUNT(rows));
    assert_int_equal(snapshot->barrier_count, 6);
    assert_int_equal(snapshot->barriers[0].participants, 8);
    assert_int_equal(snapshot->barriers[1].participants, 9);
    assert_int_equal(snapshot->barriers[2].kind, STINT_BARRIER_DELTA);
    assert_string_equal(snapshot->barriers[3].name, "b");
    assert_string_equal(snapshot->barriers[4].set, "A");
    assert_string_equal(snapshot->barriers[5].set, "Net");
    assert_int_equal(snapshot->set_count, 3);
    stint_snapshot_free(snapshot);
}

TEST(the_slowest_stand_by_falling_rounds_then_participant)
{
    const struct stint_barrier_part parts[] = {
        {7, 2, 1, 1, 1, 1, 1, 1}, {3, 0, 1, 1, 1, 1, 1, 1}, {2, 2, 1, 1, 1, 1, 1, 1}, {5, 6, 1, 1, 1, 1, 1, 1}};
    const uint32_t order[] = {5, 2, 7};
    struct stint_barrier_stat one = row("GlobalStatInfo", "a");
    one.slowest = parts;
    one.slowest_count = TEST_COUNT(parts);
    struct stint_snapshot *snapshot = build(&one, 1);
    assert_int_equal(snapshot->barriers[0].slowest_count, TEST_COUNT(order));
    for (size_t i = 0; i < TEST_COUNT(order); ++i)
        assert_int_equal(snapshot->barriers[0].slowest[i].participant, order[i]);
    stint_snapshot_free(snapshot);
}

TEST(rows_of_one_barrier_add_up)
{
    const struct stint_barrier_stat rows[] = {row("Net", "a"), row("Net", "a")};
    const struct stint_barrier_part total = {0, 6, 158, 9, 40, 136, 34, 52};
    const struct stint_barrier_part five = {5, 4, 140, 30, 40, 120, 20, 40};
    struct stint_snapshot *snapshot = build(rows, 2);
    assert_int_equal(snapshot->barrier_count, 1);
    assert_int_equal(snapshot->barriers[0].rounds, 8);
    assert_int_equal(snapshot->barriers[0].pending, 6);
    check_part(&snapshot->barriers[0].total, &total);
    assert_int_equal(snapshot->barriers[0].slowest_count, 2);
    check_part(&snapshot->barriers[0].slowest[0], &five);
    stint_snapshot_free(snapshot);
}

TEST(a_snapshot_shares_nothing_with_what_it_was_built_from)
{
    char set[] = "Net", name[] = "a";
    struct stint_barrier_part parts[2];
    struct stint_barrier_stat one = row(set, name);
    memcpy(parts, s_parts, sizeof parts);
    one.slowest = parts;
    struct stint_snapshot *snapshot = build(&one, 1);
    memset(set, 'x', sizeof set - 1);
    memset(name, 'x', sizeof name - 1);
    memset(parts, 0, sizeof parts);
    assert_string_equal(snapshot->barriers[0].set, "Net");
    assert_string_equal(snapshot->barriers[0].name, "a");
    assert_int_equal(snapshot->barriers[0].slowest[0].participant, 5);
    stint_snapshot_free(snapshot);
}

TEST(merge_with_an_empty_snapshot_changes_nothing)
{
    const struct stint_barrier_stat rows[] = {row("Net", "a"), row("GlobalStatInfo", "b")};
    struct stint_snapshot *some = build(rows, 2), *none = build(NULL, 0);
    struct stint_snapshot *left = merge(none, some), *right = merge(some, none);
    check_same(left, some);
    check_same(right, some);
    stint_snapshot_free(left);
    stint_snapshot_free(right);
    stint_snapshot_free(some);
    stint_snapshot_free(none);
}

TEST(merge_is_commutative_and_associative)
{
    const struct stint_barrier_part other[] = {{6, 5, 50, 5, 20, 3, 2, 1}, {5, 1, 100, 100, 100, 4, 3, 2}};
    struct stint_barrier_stat rows[] = {row("Net", "a"), row("Net", "a"), row("Net", "a")};
    struct stint_snapshot *a, *b, *c, *ab, *ba, *bc, *ab_c, *a_bc;
    rows[1].slowest = other;
    rows[1].total = (struct stint_barrier_part){0, 6, 150, 5, 100, 7, 5, 3};
    rows[2].participants = 7;
    a = build(&rows[0], 1);
    b = build(&rows[1], 1);
    c = build(&rows[1], 2);
    ab = merge(a, b);
    ba = merge(b, a);
    bc = merge(b, c);
    ab_c = merge(ab, c);
    a_bc = merge(a, bc);
    check_same(ab, ba);
    check_same(ab_c, a_bc);
    assert_int_equal(ab_c->barrier_count, 2);
    assert_int_equal(ab->barriers[0].slowest[0].participant, 6);
    assert_int_equal(ab->barriers[0].slowest[1].rounds, 3);
    assert_int_equal(ab->barriers[0].slowest[1].max_gap_ns, 100);
    stint_snapshot_free(a);
    stint_snapshot_free(b);
    stint_snapshot_free(c);
    stint_snapshot_free(ab);
    stint_snapshot_free(ba);
    stint_snapshot_free(bc);
    stint_snapshot_free(ab_c);
    stint_snapshot_free(a_bc);
}
