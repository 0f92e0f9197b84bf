#include "diff/verdict_notes.h"

#include <string.h>

#include "diff/fixture.h"
#include "stint_test.h"

#define DRAM "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"
#define FMA "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_elapsed"
#define TIME "gpu__time_duration.sum"

/* A kernel that uses so much of DRAM and of the fp32 pipe. */
static struct fixture kernel(const char *name, double dram, double fma)
{
    return (struct fixture){.counters = {{"another", DRAM, 1, 90, 90, 90},
                                         {"another", TIME, 1, 1e6, 1e6, 1e6},
                                         {name, DRAM, 1, dram, dram, dram},
                                         {name, TIME, 1, 1e6, 1e6, 1e6},
                                         {name, FMA, 1, fma, fma, fma}}};
}

/* Returns the only note, "" if there is none. */
static const char *note_of(const struct fixture *a, const struct fixture *b)
{
    static char text[400];
    struct stint_arena arena = {0};
    struct stint_array notes = {0};
    struct stint_snapshot *before = fixture_take(a), *after = fixture_take(b);
    assert_int_equal(stint_diff_note_verdicts(before, after, &notes, &arena), 0);
    assert_true(notes.count < 2);
    strcpy(text, notes.count ? *(const char *const *)notes.items : "");
    stint_arena_free(&arena);
    stint_snapshot_free(before);
    stint_snapshot_free(after);
    return text;
}

static void another_verdict_is_noted(void **state)
{
    (void)state;
    struct fixture a = kernel("gemm", 91, 20), b = kernel("gemm", 30, 85);
    assert_string_equal(note_of(&a, &b), "gemm was bound by DRAM in A, and is bound by the fp32 pipe (FMA) in B");
    assert_string_equal(note_of(&a, &a), "");
}

/* Two units less than 10 points apart, both below 80 %: perhaps. */
static void what_is_perhaps_true_is_not(void **state)
{
    (void)state;
    struct fixture a = kernel("gemm", 91, 20), b = kernel("gemm", 68, 70);
    assert_string_equal(note_of(&a, &b), "");
}

static void kernels_are_found_by_name(void **state)
{
    (void)state;
    struct fixture a = kernel("gemm", 91, 20), b = kernel("zgemm", 30, 85);
    assert_string_equal(note_of(&a, &b), "");
    b = kernel("gemm", 30, 85);
    a.counters[0].kernel = a.counters[1].kernel = "a kernel in front";
    assert_string_equal(note_of(&a, &b), "gemm was bound by DRAM in A, and is bound by the fp32 pipe (FMA) in B");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_verdict_is_noted),
        cmocka_unit_test(what_is_perhaps_true_is_not),
        cmocka_unit_test(kernels_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
