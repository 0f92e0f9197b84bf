/* The rules of docs/counters.md: for each, counters that meet it and counters that just miss it. */
#include <math.h>
#include <stdlib.h>

#include "stint_test.h"
#include "verdict/verdict.h"

/* A kernel of which everything is counted, that keeps nothing busy, and that waits for memory. */
static struct stint_kernel_figures idle(void)
{
    return (struct stint_kernel_figures){.kernel = "work(float*)",
                                         .launches = 1,
                                         .counted = 1,
                                         .time_ns = 50000,
                                         .most_occupancy = 100,
                                         .occupancy = 90,
                                         .waves = 4,
                                         .limit_registers = 8,
                                         .limit_shared = 8,
                                         .limit_warps = 8,
                                         .limit_blocks = 32,
                                         .load_bytes = 32,
                                         .store_bytes = 32,
                                         .stall_long_scoreboard = 10};
}

static enum stint_bound bound_of(const struct stint_kernel_figures *figures)
{
    return stint_verdict(figures).bound;
}

/* ------------------------------------------------------------------------------------------------------------ units */

TEST(what_is_used_most_bounds_a_kernel_from_60_percent_on)
{
    static const struct {
        size_t field;
        enum stint_bound bound;
    } units[] = {
        {offsetof(struct stint_kernel_figures, dram), STINT_BOUND_DRAM},
        {offsetof(struct stint_kernel_figures, l2), STINT_BOUND_L2},
        {offsetof(struct stint_kernel_figures, l1), STINT_BOUND_L1},
        {offsetof(struct stint_kernel_figures, lsu), STINT_BOUND_L1},
        {offsetof(struct stint_kernel_figures, fp64), STINT_BOUND_FP64},
        {offsetof(struct stint_kernel_figures, fma), STINT_BOUND_FMA},
        {offsetof(struct stint_kernel_figures, alu), STINT_BOUND_ALU},
        {offsetof(struct stint_kernel_figures, xu), STINT_BOUND_XU},
        {offsetof(struct stint_kernel_figures, tensor), STINT_BOUND_TENSOR},
    };

    for (size_t i = 0; i < sizeof units / sizeof *units; ++i) {
        struct stint_kernel_figures figures = idle();
        double *share = (double *)(void *)((char *)&figures + units[i].field);
        *share = 60;
        assert_int_equal(bound_of(&figures), units[i].bound);
        assert_int_equal(stint_verdict(&figures).certainty, STINT_LIKELY);
        assert_true(stint_verdict(&figures).share == 60);
        *share = 59.9;
        assert_int_equal(bound_of(&figures), STINT_BOUND_LATENCY);
        *share = 80;
        assert_int_equal(stint_verdict(&figures).certainty, STINT_SURE);
        *share = 79.9;
        assert_int_equal(stint_verdict(&figures).certainty, STINT_LIKELY);
    }
}

TEST(shared_memory_is_named_if_it_has_most_of_l1s_work)
{
    struct stint_kernel_figures figures = idle();
    figures.l1 = 70;
    figures.l1_bytes = 1280;
    figures.shared_wavefronts = 11;
    assert_int_equal(bound_of(&figures), STINT_BOUND_SHARED);
    figures.shared_wavefronts = 10;
    assert_int_equal(bound_of(&figures), STINT_BOUND_L1);
}

TEST(issue_is_named_only_if_no_unit_is_busy)
{
    struct stint_kernel_figures figures = idle();
    figures.issued = 0.9;
    figures.sm = 90;
    figures.alu = 59.9;
    assert_int_equal(bound_of(&figures), STINT_BOUND_ISSUE);
    figures.alu = 60;
    assert_int_equal(bound_of(&figures), STINT_BOUND_ALU);
}

/* 49 blocks on 132 multiprocessors: those that have one are busy. */
TEST(issue_on_a_few_multiprocessors_is_not_named)
{
    struct stint_kernel_figures figures = idle();
    figures.issued = 0.77;
    figures.waves = 0.37;
    figures.sm = 59.9;
    assert_int_equal(bound_of(&figures), STINT_BOUND_GRID);
    figures.sm = 60;
    assert_int_equal(bound_of(&figures), STINT_BOUND_ISSUE);
    assert_true(stint_verdict(&figures).share == 60);
    figures.sm = (double)NAN;
    assert_true(stint_verdict(&figures).share == 77);
}

TEST(one_that_is_close_makes_it_less_sure)
{
    struct stint_kernel_figures figures = idle();
    figures.dram = 85;
    figures.l2 = 75.1;
    struct stint_verdict verdict = stint_verdict(&figures);
    assert_int_equal(verdict.bound, STINT_BOUND_DRAM);
    assert_int_equal(verdict.certainty, STINT_LIKELY);
    assert_int_equal(verdict.next, STINT_BOUND_L2);
    assert_true(verdict.next_share == 75.1);
    figures.l2 = 75;
    verdict = stint_verdict(&figures);
    assert_int_equal(verdict.certainty, STINT_SURE);
    assert_int_equal(verdict.next, STINT_BOUND_UNKNOWN);
}

/* -------------------------------------------------------------------------------------------------- nothing is busy */

TEST(short_kernels_are_bound_by_their_launch)
{
    struct stint_kernel_figures figures = idle();
    figures.time_ns = 4999;
    assert_int_equal(bound_of(&figures), STINT_BOUND_LAUNCH);
    assert_int_equal(stint_verdict(&figures).certainty, STINT_LIKELY);
    figures.time_ns = 2499;
    assert_int_equal(stint_verdict(&figures).certainty, STINT_SURE);
    figures.time_ns = 5000;
    assert_int_equal(bound_of(&figures), STINT_BOUND_LATENCY);
}

TEST(a_grid_that_does_not_fill_the_device_is_small)
{
    struct stint_kernel_figures figures = idle();
    figures.waves = 0.99;
    assert_int_equal(bound_of(&figures), STINT_BOUND_GRID);
    assert_int_equal(stint_verdict(&figures).certainty, STINT_LIKELY);
    figures.waves = 0.49;
    assert_int_equal(stint_verdict(&figures).certainty, STINT_SURE);
    figures.waves = 1;
    assert_int_equal(bound_of(&figures), STINT_BOUND_LATENCY);
}

TEST(what_limits_a_low_occupancy_is_named)
{
    struct stint_kernel_figures figures = idle();
    figures.most_occupancy = 49.9;
    figures.limit_registers = 3;
    assert_int_equal(bound_of(&figures), STINT_BOUND_REGISTERS);
    assert_int_equal(stint_verdict(&figures).certainty, STINT_LIKELY);
    figures.limit_shared = 2;
    assert_int_equal(bound_of(&figures), STINT_BOUND_SHARED_SIZE);
    figures.limit_warps = 1;
    assert_int_equal(bound_of(&figures), STINT_BOUND_BLOCK_SIZE);
    figures.most_occupancy = 24.9;
    assert_int_equal(stint_verdict(&figures).certainty, STINT_SURE);
    figures.most_occupancy = 50;
    assert_int_equal(bound_of(&figures), STINT_BOUND_LATENCY);
}

TEST(many_small_blocks_are_a_block_size)
{
    struct stint_kernel_figures figures = idle();
    figures.most_occupancy = 40;
    figures.limit_registers = figures.limit_shared = figures.limit_warps = 64;
    figures.limit_blocks = 32;
    assert_int_equal(bound_of(&figures), STINT_BOUND_BLOCK_SIZE);
}

TEST(latency_names_what_warps_wait_for)
{
    struct stint_kernel_figures figures = idle();
    struct stint_verdict verdict = stint_verdict(&figures);
    assert_string_equal(verdict.stall, "memory (long scoreboard)");
    assert_true(verdict.stall_share == 100);
    assert_int_equal(verdict.certainty, STINT_SURE);
    figures.stall_barrier = 10.1; /* a little less than half is for memory */
    verdict = stint_verdict(&figures);
    assert_string_equal(verdict.stall, "other warps at a barrier");
    assert_int_equal(verdict.certainty, STINT_SURE);
    figures.stall_wait = 1;
    assert_int_equal(stint_verdict(&figures).certainty, STINT_LIKELY);
    figures.stall_wait = figures.stall_drain = 9;
    assert_int_equal(stint_verdict(&figures).certainty, STINT_UNSURE);
}

TEST(without_its_counters_there_is_no_verdict)
{
    struct stint_kernel_figures figures = idle();
    figures.time_ns = (double)NAN;
    assert_int_equal(bound_of(&figures), STINT_BOUND_UNKNOWN);
    figures = idle();
    figures.dram = (double)NAN;
    assert_int_equal(bound_of(&figures), STINT_BOUND_UNKNOWN);
    figures = idle();
    figures.waves = figures.most_occupancy = figures.fp64 = (double)NAN; /* what is left is enough */
    assert_int_equal(bound_of(&figures), STINT_BOUND_LATENCY);
}

/* ----------------------------------------------------------------------------------------------------------- advice */

TEST(every_verdict_has_words_and_advice)
{
    const struct stint_kernel_figures figures = idle();
    for (int bound = 0; bound < STINT_BOUNDS; ++bound) {
        const struct stint_verdict verdict = {.bound = (enum stint_bound)bound};
        assert_non_null(stint_bound_name((enum stint_bound)bound));
        assert_non_null(stint_verdict_advice(&verdict, &figures));
    }
}

TEST(advice_on_l1_depends_on_what_is_wasted)
{
    const struct stint_verdict l1 = {.bound = STINT_BOUND_L1}, shared = {.bound = STINT_BOUND_SHARED};
    struct stint_kernel_figures figures = idle();
    const char *const read_less = stint_verdict_advice(&l1, &figures);
    const char *const compute_more = stint_verdict_advice(&shared, &figures);
    figures.load_bytes = 16;
    figures.shared_wavefronts = 100;
    figures.bank_conflicts = 10;
    assert_string_equal(stint_verdict_advice(&l1, &figures), read_less);
    assert_string_equal(stint_verdict_advice(&shared, &figures), compute_more);
    figures.load_bytes = 15.9;
    figures.bank_conflicts = 11;
    assert_string_not_equal(stint_verdict_advice(&l1, &figures), read_less);
    assert_string_not_equal(stint_verdict_advice(&shared, &figures), compute_more);
}

/* -------------------------------------------------------------------------------------------------------- precision */

static enum stint_precision precision_of(const char *kernel, double instructions)
{
    struct stint_kernel_figures figures = idle();
    figures.kernel = kernel;
    figures.dfma = instructions;
    return stint_precision(&figures);
}

TEST(fp64_instructions_are_told_and_louder_without_doubles)
{
    assert_int_equal(precision_of("f(float*, float const*)", 0), STINT_PRECISION_FINE);
    assert_int_equal(precision_of("f(float*, float const*)", 1), STINT_PRECISION_SUSPECT);
    assert_int_equal(precision_of("f(float*, double const*)", 1), STINT_PRECISION_FP64);
    assert_int_equal(precision_of("f(float*, double)", 1), STINT_PRECISION_FP64);
    assert_int_equal(precision_of("void f<double>(int)", 1), STINT_PRECISION_FP64);
    assert_int_equal(precision_of("void f<__half>(__half*)", 1), STINT_PRECISION_SUSPECT);
    assert_int_equal(precision_of("convolve_double(float*)", 1), STINT_PRECISION_SUSPECT);
    assert_int_equal(precision_of("f", 1), STINT_PRECISION_FP64);
    assert_int_equal(precision_of("f(float*)", (double)NAN), STINT_PRECISION_FINE);
}
