/* Sums by rank of random jobs, against sums that this file makes by itself; and their packed form. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "ranks/ranks.h"
#include "stint_test.h"

enum { RANKS = 37, NAMES = 12 };

/* What the ranks' random snapshots were made of. */
struct known {
    uint64_t total_ns[RANKS][NAMES]; /* of scopes; 0: the rank lacks the scope */
    uint64_t gpu_ns[RANKS];
};

static void add_scope(struct stint_builder *builder, const char *name, uint64_t total_ns, uint64_t *seed)
{
    const struct stint_bin bin = {1000 + test_random(seed) % 7 * 100, 3};
    const struct stint_numbers numbers = {.count = 3,
                                          .total_ns = total_ns,
                                          .self_ns = total_ns / 2,
                                          .min_ns = 900,
                                          .max_ns = 2000,
                                          .bins = &bin,
                                          .bin_count = 1};
    const struct stint_stat like = {.set = "GlobalStatInfo", .name = name, .file = "", .function = ""};
    size_t stat = stint_builder_stat(builder, &like);
    size_t context = stint_builder_context(builder, STINT_NO_PARENT, stat);
    stint_builder_add_stat(builder, stat, &numbers);
    stint_builder_add_context(builder, context, &numbers);
}

/* Kernels of one name on two streams, which have other numbers on each rank. */
static void add_kernels(struct stint_builder *builder, uint32_t rank, uint64_t each_ns)
{
    for (uint32_t i = 0; i < 2; i++) {
        struct stint_gpu_activity like = {
            .kind = STINT_GPU_KERNEL, .name = "saxpy", .mangled = "", .device = rank, .stream = rank + i};
        like.numbers = (struct stint_numbers){.count = 1, .total_ns = each_ns, .min_ns = each_ns, .max_ns = each_ns};
        size_t activity = stint_builder_gpu_activity(builder, &like);
        stint_builder_add_gpu_activity(builder, activity, &like);
        stint_builder_add(builder, STINT_ROWS_GPU_CHARGES,
                          &(struct stint_gpu_charge){activity, 0, 1, each_ns, each_ns, each_ns, 0});
    }
}

static struct stint_snapshot *make_process(uint32_t rank, const char *name, uint64_t total_ns, uint64_t *seed)
{
    struct stint_process process = {.pid = 7, .command = "./job", .host = "node", .clock = "tsc", .wall_ns = 5};
    const struct stint_dropped dropped = {.nodes = 1};
    struct stint_builder builder;
    process.start_unix_ns = UINT64_C(1800000000000000000) + rank;
    (void)snprintf(process.rank, sizeof process.rank, "%u", rank);
    stint_builder_begin(&builder);
    add_scope(&builder, name, total_ns, seed);
    add_kernels(&builder, rank, 10 + rank);
    return stint_builder_end(&builder, &process, &dropped);
}

/* A rank has some of the scopes, each in a process of its own. */
static struct stint_snapshot *make_rank(uint32_t rank, struct known *known, uint64_t *seed)
{
    static const struct stint_history *const none = NULL;
    struct stint_snapshot *processes[NAMES];
    struct stint_reduction own;
    stint_reduction_begin(&own, NULL);
    for (size_t i = 0; i < NAMES; i++) {
        char name[16];
        uint64_t total_ns = i && test_random(seed) % 4 == 0 ? 0 : 1 + test_random(seed) % UINT64_C(90000000000);
        known->total_ns[rank][i] = total_ns;
        (void)snprintf(name, sizeof name, "scope %zu", i);
        processes[i] = total_ns ? make_process(rank, name, total_ns, seed) : NULL;
        if (total_ns)
            known->gpu_ns[rank] += 2 * (10 + rank);
        if (processes[i])
            stint_reduction_add_process(&own, processes[i]);
    }
    stint_reduction_close_rank(&own, rank, none);
    struct stint_snapshot *snapshot = stint_reduction_end(&own);
    for (size_t i = 0; i < NAMES; i++)
        stint_snapshot_free(processes[i]);
    return snapshot;
}

static void make_job(struct stint_snapshot **ranks, struct known *known)
{
    uint64_t seed = 4711;
    *known = (struct known){.gpu_ns = {0}};
    for (uint32_t i = 0; i < RANKS; i++) {
        ranks[i] = make_rank(i, known, &seed);
        assert_non_null(ranks[i]);
    }
}

static void free_job(struct stint_snapshot **ranks)
{
    for (size_t i = 0; i < RANKS; i++)
        stint_snapshot_free(ranks[i]);
}

/* Packs a snapshot and reads it back. */
static void add_packed(struct stint_reduction *sum, const struct stint_snapshot *snapshot)
{
    struct stint_packed packed = {.size = 0};
    struct stint_unpacked unpacked = {.arena = {0}};
    assert_int_equal(stint_pack(&packed, snapshot), 0);
    assert_int_equal(stint_unpack(&unpacked, packed.bytes, packed.size), 0);
    stint_reduction_add_ranks(sum, &unpacked.snapshot);
    stint_unpacked_free(&unpacked);
    stint_packed_free(&packed);
}

/* As ranks do: in groups of two, of four, and so on, from messages. */
static struct stint_snapshot *add_by_tree(struct stint_snapshot *const *ranks, size_t first, size_t count)
{
    struct stint_reduction sum;
    stint_reduction_begin(&sum, NULL);
    if (count == 1) {
        add_packed(&sum, ranks[first]);
        return stint_reduction_end(&sum);
    }
    struct stint_snapshot *left = add_by_tree(ranks, first, count / 2);
    struct stint_snapshot *right = add_by_tree(ranks, first + count / 2, count - count / 2);
    add_packed(&sum, right);
    add_packed(&sum, left);
    stint_snapshot_free(left);
    stint_snapshot_free(right);
    return stint_reduction_end(&sum);
}

static struct stint_snapshot *add_in_turn(struct stint_snapshot *const *ranks)
{
    struct stint_reduction sum;
    stint_reduction_begin(&sum, NULL);
    for (size_t i = 0; i < 3; i++) /* more often than the builder is kept */
        for (size_t j = i; j < RANKS; j += 3)
            stint_reduction_add_ranks(&sum, ranks[j]);
    return stint_reduction_end(&sum);
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void check_row(const struct stint_numbers *numbers, const struct known *known, size_t name)
{
    double sum = 0, square = 0;
    uint64_t least = UINT64_MAX, most = 0;
    uint32_t ranks = 0, min_rank = 0, max_rank = 0;
    for (uint32_t i = 0; i < RANKS; i++) {
        uint64_t ns = known->total_ns[i][name];
        if (!ns)
            continue;
        ranks++;
        sum += (double)ns;
        min_rank = ns < least ? i : min_rank;
        max_rank = ns > most ? i : max_rank;
        least = ns < least ? ns : least;
        most = ns > most ? ns : most;
    }
    for (uint32_t i = 0; i < RANKS; i++)
        if (known->total_ns[i][name])
            square += pow((double)known->total_ns[i][name] - sum / ranks, 2);
    assert_non_null(numbers->spread);
    assert_int_equal(numbers->spread->ranks, ranks);
    assert_int_equal(numbers->spread->min_ns, least);
    assert_int_equal(numbers->spread->max_ns, most);
    assert_int_equal(numbers->spread->min_rank, min_rank);
    assert_int_equal(numbers->spread->max_rank, max_rank);
    assert_int_equal(numbers->spread->busy_rank, max_rank);
    assert_int_equal(numbers->count, 3 * ranks);
    assert_true(fabs(stint_spread_mean_ns(numbers) - sum / ranks) < 1);
    assert_true(fabs(stint_spread_stddev_ns(numbers) - sqrt(square / ranks)) < 1);
}

/* Of the kernels that add_kernels makes. */
static void check_gpu_time(const struct stint_stat *stat, const struct known *known, size_t name)
{
    const struct stint_spread *spread = stat->gpu_spread;
    uint32_t ranks = 0, first = RANKS, last = 0;
    for (uint32_t i = 0; i < RANKS; i++) {
        if (!known->total_ns[i][name])
            continue;
        ranks++;
        first = i < first ? i : first;
        last = i;
    }
    assert_non_null(spread);
    assert_int_equal(spread->ranks, ranks);
    assert_int_equal(spread->min_rank, first);
    assert_int_equal(spread->max_rank, last);
    assert_int_equal(spread->min_ns, 2 * (10 + first));
    assert_int_equal(spread->max_ns, 2 * (10 + last));
    assert_int_equal(stat->gpu.kernels, 2 * ranks);
}

static void check_kernels(const struct stint_snapshot *sum, const struct known *known)
{
    uint64_t total = 0, most = 0;
    for (size_t i = 0; i < RANKS; i++) {
        total += known->gpu_ns[i];
        most = known->gpu_ns[i] > most ? known->gpu_ns[i] : most;
    }
    assert_int_equal(sum->gpu_activity_count, 1);
    assert_int_equal(sum->gpu_activities[0].numbers.total_ns, total);
    assert_int_equal(sum->gpu_activities[0].numbers.spread->ranks, RANKS);
    assert_int_equal(sum->gpu_activities[0].numbers.spread->max_ns, most);
}

TEST(sums_are_those_of_all_ranks)
{
    struct stint_snapshot *ranks[RANKS];
    struct known known;
    make_job(ranks, &known);
    struct stint_snapshot *sum = add_by_tree(ranks, 0, RANKS);
    assert_non_null(sum);
    assert_int_equal(sum->process.ranks, RANKS);
    assert_string_equal(sum->process.rank, "0");
    assert_int_equal(sum->stat_count, NAMES);
    for (size_t i = 0; i < NAMES; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "scope %zu", i);
        check_row(&stint_snapshot_find(sum, NULL, name)->numbers, &known, i);
        check_gpu_time(stint_snapshot_find(sum, NULL, name), &known, i);
    }
    for (size_t i = 0; i < sum->context_count; i++) {
        size_t name = (size_t)strtoul(sum->stats[sum->contexts[i].stat].name + strlen("scope "), NULL, 10);
        check_row(&sum->contexts[i].numbers, &known, name);
    }
    check_kernels(sum, &known);
    stint_snapshot_free(sum);
    free_job(ranks);
}

static void assert_same_packed(const struct stint_snapshot *a, const struct stint_snapshot *b)
{
    struct stint_packed left = {.size = 0}, right = {.size = 0};
    assert_int_equal(stint_pack(&left, a), 0);
    assert_int_equal(stint_pack(&right, b), 0);
    assert_int_equal(left.size, right.size);
    assert_memory_equal(left.bytes, right.bytes, left.size);
    stint_packed_free(&left);
    stint_packed_free(&right);
}

/* Histograms and percentiles, too. */
TEST(the_order_makes_no_difference)
{
    struct stint_snapshot *ranks[RANKS];
    struct known known;
    make_job(ranks, &known);
    struct stint_snapshot *by_tree = add_by_tree(ranks, 0, RANKS), *in_turn = add_in_turn(ranks);
    assert_same_packed(by_tree, in_turn);
    stint_snapshot_free(by_tree);
    stint_snapshot_free(in_turn);
    free_job(ranks);
}

static struct stint_snapshot *add_thousands(struct stint_snapshot *const *ranks, struct stint_spare_memory *spare)
{
    struct stint_reduction sum;
    stint_reduction_begin(&sum, spare);
    for (size_t i = 0; i < 100 * RANKS; i++) {
        stint_reduction_add_ranks(&sum, ranks[i % RANKS]);
        assert_true(stint_builder_arena(&sum.builder)->mapped < 4000000);
    }
    struct stint_snapshot *snapshot = stint_reduction_end(&sum);
    assert_int_equal(snapshot->process.ranks, 100 * RANKS);
    assert_true(snapshot->dropped.nodes > 100 * RANKS);
    return snapshot;
}

/* Nor does it in the memory of other sums, which makes no difference to what is added up. */
TEST(a_job_of_thousands_takes_no_more_memory)
{
    struct stint_snapshot *ranks[RANKS];
    struct known known;
    struct stint_spare_memory spare = {.count = 0};
    make_job(ranks, &known);
    struct stint_snapshot *sum = add_thousands(ranks, NULL);
    for (int i = 0; i < 3; i++) {
        struct stint_snapshot *again = add_thousands(ranks, &spare);
        assert_same_packed(sum, again);
        assert_true(spare.count <= 2);
        stint_snapshot_recycle(again, &spare);
    }
    stint_spare_memory_free(&spare);
    stint_snapshot_free(sum);
    free_job(ranks);
}

TEST(broken_messages_are_refused)
{
    struct stint_snapshot *ranks[RANKS];
    struct known known;
    struct stint_packed packed = {.size = 0};
    struct stint_unpacked unpacked = {.arena = {0}};
    uint64_t seed = 1;
    make_job(ranks, &known);
    assert_int_equal(stint_pack(&packed, ranks[0]), 0);
    for (size_t size = 0; size < packed.size; size++) {
        assert_int_equal(stint_unpack(&unpacked, packed.bytes, size), -1);
    }
    for (size_t i = 0; i < 20000; i++) { /* what is read is wrong, but safe to add up */
        struct stint_reduction sum;
        unsigned char *byte = &packed.bytes[test_random(&seed) % packed.size];
        unsigned char before = *byte;
        *byte = (unsigned char)test_random(&seed);
        stint_reduction_begin(&sum, NULL);
        if (stint_unpack(&unpacked, packed.bytes, packed.size) == 0)
            stint_reduction_add_ranks(&sum, &unpacked.snapshot);
        stint_snapshot_free(stint_reduction_end(&sum));
        *byte = before;
    }
    stint_unpacked_free(&unpacked);
    stint_packed_free(&packed);
    free_job(ranks);
}

TEST(ranks_are_numbers)
{
    static const struct {
        const char *text;
        int64_t rank;
    } cases[] = {{"0", 0}, {"65535", 65535}, {"", -1}, {"x", -1}, {"3x", -1}, {"4294967295", -1}, {"99999999999", -1}};
    for (size_t i = 0; i < TEST_COUNT(cases); i++) {
        struct stint_process process = {.pid = 1};
        (void)snprintf(process.rank, sizeof process.rank, "%s", cases[i].text);
        assert_int_equal(stint_rank_number(&process), cases[i].rank);
    }
}
