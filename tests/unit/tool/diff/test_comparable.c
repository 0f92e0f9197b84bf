#include <string.h>

#include "diff/diff.h"
#include "diff/fixture.h"
#include "stint_test.h"

static const char *const s_names[] = {"a.json", "b.json", "c.json"};

/* Returns why they cannot be compared; "" if they can. Static storage. */
static const char *refusal(const struct fixture *fixtures, size_t a, size_t b, int other_gpu)
{
    static char reason[STINT_REFUSAL_SIZE];
    const struct stint_diff *diff = fixture_compare(fixtures, a, b);
    if (stint_diff_refuse(diff, s_names, other_gpu, reason) == 0)
        reason[0] = '\0';
    return reason;
}

/* Returns the first note, or "". Static storage. */
static const char *note(const struct fixture *fixtures)
{
    static char text[200];
    struct stint_array notes = {0};
    struct stint_arena arena = {0};
    const struct stint_diff *diff = fixture_compare(fixtures, 1, 1);
    assert_int_equal(stint_diff_note(diff, &notes, &arena), 0);
    strcpy(text, notes.count ? *(const char *const *)notes.items : "");
    assert_true(notes.count < 2);
    stint_arena_free(&arena);
    return text;
}

static struct fixture like(const char *scope)
{
    return (struct fixture){.scopes = {{"GlobalStatInfo", scope, -1, 1, 1000, 0}}};
}

TEST(the_same_program_is_comparable)
{
    const struct fixture pair[] = {fixture_before, fixture_after};
    assert_string_equal(refusal(pair, 1, 1, 0), "");
}

TEST(what_is_empty_is_not)
{
    const struct fixture files[] = {like("s"), like("s"), {.host = NULL}};
    assert_string_equal(refusal(files, 1, 2, 0),
                        "c.json: nothing was recorded: no scope, no call, no GPU activity, no sample");
}

TEST(other_scopes_are_not)
{
    const struct fixture files[] = {like("s"), like("t")};
    assert_string_equal(refusal(files, 1, 1, 0), "A and B have no scope, kernel, copy, call or function in common");
}

TEST(other_functions_are_not)
{
    struct fixture files[] = {like("s"), like("t")};
    files[0].samples = files[1].samples = 100;
    files[0].functions[0] = (struct stint_diff_function){"f", 5000000, 5000000};
    files[1].functions[0] = (struct stint_diff_function){"g", 5000000, 5000000};
    assert_string_equal(refusal(files, 1, 1, 0), "A and B have no scope, kernel, copy, call or function in common");
    files[1].functions[0].name = "f";
    assert_string_equal(refusal(files, 1, 1, 0), "");
}

TEST(other_gpus_are_not_unless_that_is_wanted)
{
    struct fixture files[] = {fixture_before, fixture_after};
    files[1].gpu = "NVIDIA H100";
    assert_string_equal(refusal(files, 1, 1, 0), "a.json ran on NVIDIA H200, b.json on NVIDIA H100; --force compares "
                                                 "them anyway");
    assert_string_equal(refusal(files, 1, 1, 1), "");
}

TEST(repetitions_have_the_same_gpu_too)
{
    struct fixture files[] = {fixture_before, fixture_before, fixture_after};
    files[1].gpu = "NVIDIA H100";
    assert_non_null(strstr(refusal(files, 2, 1, 0), "a.json ran on NVIDIA H200, b.json on NVIDIA H100"));
}

TEST(what_ran_on_no_gpu_can_be_compared)
{
    struct fixture files[] = {fixture_before, fixture_after};
    files[1].gpu = NULL;
    memset(files[1].works, 0, sizeof files[1].works);
    assert_string_equal(refusal(files, 1, 1, 0), "");
    assert_string_equal(note(files), "GPU activity was recorded only in A");
}

TEST(what_is_alike_needs_no_note)
{
    const struct fixture files[] = {fixture_before, fixture_after};
    assert_string_equal(note(files), "");
}

TEST(other_hosts_clocks_and_losses_are_noted)
{
    struct fixture files[] = {fixture_before, fixture_after};
    files[1].host = "node08";
    assert_string_equal(note(files), "A ran on the host node07, B on node08");
    files[1].host = NULL;
    files[1].clock = "monotonic";
    assert_non_null(strstr(note(files), "A was measured with the clock tsc, B with monotonic: "));
    files[1].clock = NULL;
    files[1].dropped.nodes = 3;
    files[1].dropped.truncated = 7; /* which is no record */
    assert_string_equal(note(files), "B lacks 3 dropped records: its own report says which");
    files[1].dropped = (struct stint_dropped){.negative = 2, .impossible = 1, .events = 9};
    assert_string_equal(note(files),
                        "B has values that are impossible or beyond 64 bits (3): its own report says which");
}

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

TEST(another_verdict_is_noted)
{
    struct fixture a = kernel("gemm", 91, 20), b = kernel("gemm", 30, 85);
    assert_string_equal(note_of(&a, &b), "gemm was bound by DRAM in A, and is bound by the fp32 pipe (FMA) in B");
    assert_string_equal(note_of(&a, &a), "");
}

/* Two units less than 10 points apart, both below 80 %: perhaps. */
TEST(what_is_perhaps_true_is_not)
{
    struct fixture a = kernel("gemm", 91, 20), b = kernel("gemm", 68, 70);
    assert_string_equal(note_of(&a, &b), "");
}

TEST(kernels_are_found_by_name)
{
    struct fixture a = kernel("gemm", 91, 20), b = kernel("zgemm", 30, 85);
    assert_string_equal(note_of(&a, &b), "");
    b = kernel("gemm", 30, 85);
    a.counters[0].kernel = a.counters[1].kernel = "a kernel in front";
    assert_string_equal(note_of(&a, &b), "gemm was bound by DRAM in A, and is bound by the fp32 pipe (FMA) in B");
}
