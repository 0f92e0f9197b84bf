/* STINT_NVTX: timers as ranges that a tool gets. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nvtx_tool/told.h"
#include "stint/stint.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

MODE(nests)
{
    REGISTER_TIMER("outer");
    for (int i = 0; i < 2; ++i) {
        REGISTER_TIMER_INFO("inner", "info");
    }
    return 0;
}

MODE(every_kind)
{
    struct stint_statset *const set = stint_statset_get("Set");
    struct stint_timer timer = STINT_TIMER_INIT;
    char name[] = "layer 0";
    for (int i = 0; i < 2; ++i) {
        name[6] = (char)('0' + i);
        REGISTER_TIMER_DYNAMIC(name);
        REGISTER_TIMER_SET("since", stint_now_us() - 1000);
        REGISTER_TIMER_DYNAMIC_SET(name, stint_now_us(), UINT64_MAX, set);
        STINT_SCOPE("scope", UINT64_MAX, set);
    }
    /* Such timers do not nest. */
    stint_timer_start(&timer, "timer", NULL);
    stint_timer_stop(&timer);
    stint_statset_add(NULL, "added", 1);
    return 0;
}

MODE(operations)
{
    STINT_OP("conv2d", STINT_FPROP, "features \"1\"", 7, STINT_TENSOR(STINT_FP16, 64, 6, 14, 14),
             STINT_TENSOR(STINT_FP16, 16, 6, 5, 5), STINT_NONE(), STINT_NUMBERS(1, 1));
    {
        STINT_OP_BACKWARD("conv2d", 7);
    }
    REGISTER_TIMER("timer");
    return 0;
}

static void *work(void *unused)
{
    REGISTER_TIMER("work");
    nests();
    return unused;
}

MODE(threads)
{
    REGISTER_TIMER("main");
    on_thread(work, NULL);
    on_thread(work, NULL);
    return 0;
}

static jmp_buf s_back;

static void jump_back(void)
{
    STINT_SCOPE("jumped over");
    longjmp(s_back, 1);
}

static void jump(void)
{
    if (setjmp(s_back))
        return;
    STINT_SCOPE("jumped over too");
    jump_back();
}

MODE(abandons)
{
    {
        STINT_SCOPE("survivor");
        jump();
    }
    scopes("after", 1);
    return 0;
}

MODE(switches_off)
{
    STINT_SCOPE("running");
    stint_set_enabled(0);
    scopes("while off", 3);
    stint_set_enabled(1);
    scopes("on again", 1);
    return 0;
}

MODE(forks)
{
    STINT_SCOPE("before");
    const pid_t child = fork();
    int status = 1;

    if (child == 0) {
        scopes("in the child", 1);
        return 0;
    }
    return waitpid(child, &status, 0) != child || status;
}

/* A name of 4095 bytes in a set whose name is as long. */
MODE(is_wordy)
{
    static char set[4096], name[4096];
    memset(set, 's', sizeof set - 1);
    memset(name, 'n', sizeof name - 1);
    STINT_SCOPE(name, UINT64_MAX, stint_statset_get(set));
    return 0;
}

/* Returns 1 if scopes take the slow path, which they must if a tool is to get them, and must not otherwise. */
MODE(is_slow)
{
    STINT_SCOPE("scope");
    return (int)(stint_i_state & 1);
}

/* ------------------------------------------------------------------------------------------------------------ tests */

#define ATTACH "t1 attach\nt1 DomainCreateA \"stint\"\n"
#define REGISTER(thread, name) thread " DomainRegisterStringA domain=\"stint\" \"" name "\"\n"
#define PUSH(thread, name) thread " DomainRangePushEx domain=\"stint\" text=registered:\"" name "\"\n"
#define POP(thread) thread " DomainRangePop domain=\"stint\"\n"

#define NESTS                                                                                                          \
    ATTACH REGISTER("t1", "outer") PUSH("t1", "outer") REGISTER("t1", "inner") PUSH("t1", "inner") POP("t1")           \
        PUSH("t1", "inner") POP("t1") POP("t1")

TEST(a_timer_is_a_range_while_a_tool_is_attached)
{
    const struct result result = run("nests", TOOL, tool_log(), NULL);
    assert_string_equal(told_by(&result), NESTS);
    assert_int_equal(stat_number(result.report, "inner", "count"), 2);
}

TEST(auto_is_the_default)
{
    const struct result result = run("nests", TOOL, tool_log(), "STINT_NVTX=auto", NULL);
    assert_string_equal(told_by(&result), NESTS);
}

TEST(on_is_auto_where_a_tool_is_attached)
{
    const struct result result = run("nests", TOOL, tool_log(), "STINT_NVTX=on", NULL);
    assert_string_equal(told_by(&result), NESTS);
}

TEST(off_does_not_load_the_tool)
{
    const struct result result = run("nests", TOOL, tool_log(), "STINT_NVTX=off", NULL);
    assert_exit(&result, 0);
    assert_null(read_file(scratch("calls")));
    assert_int_equal(stat_number(result.report, "inner", "count"), 2);
}

TEST(nonsense_is_one_line_and_auto)
{
    const struct result result = run("nests", TOOL, tool_log(), "STINT_NVTX=maybe", NULL);
    assert_int_equal(occurrences(result.err, "\n"), 1);
    assert_non_null(strstr(result.err, "] STINT_NVTX=maybe is not understood: expected auto|on|off; using auto\n"));
    assert_string_equal(told_by(&result), NESTS);
}

TEST(every_kind_of_scope_is_a_range_and_floating_samples_are_none)
{
    const struct result result = run("every_kind", TOOL, tool_log(), NULL);
    assert_string_equal(told_by(&result), ATTACH REGISTER("t1", "layer 0") PUSH("t1", "layer 0") REGISTER("t1", "since")
                                              PUSH("t1", "since") REGISTER("t1", "Set/layer 0")
                                                  PUSH("t1", "Set/layer 0") REGISTER("t1", "Set/scope")
                                                      PUSH("t1", "Set/scope") POP("t1") POP("t1") POP("t1") POP("t1")
                        /* the second time */
                        REGISTER("t1", "layer 1") PUSH("t1", "layer 1") PUSH("t1", "since")
                            REGISTER("t1", "Set/layer 1") PUSH("t1", "Set/layer 1") PUSH("t1", "Set/scope") POP("t1")
                                POP("t1") POP("t1") POP("t1"));
}

#define OPERANDS                                                                                                       \
    "sizes = [[64, 6, 14, 14], [16, 6, 5, 5], [], []], types = [\"fp16\", \"fp16\", \"\", \"\"], "                     \
    "inputs = [\"\", \"\", \"None\", \"[1, 1]\"]"

TEST(operations_have_payloads)
{
    const struct result result = run("operations", TOOL, tool_log(), NULL);
    assert_string_equal(told_by(&result), ATTACH
                        "t1 PayloadSchemaRegister domain=\"stint\" \"stint::op\"\n"
                        "t1 DomainRangePushEx domain=\"stint\" payload=stint::op sequence=7 pass=\"fprop\" "
                        "layer=\"features _1_\" operands=\"" OPERANDS "\" text=ascii:\"conv2d\"\n"
                        "t1 DomainRangePushEx domain=\"stint\" payload=stint::op sequence=7 pass=\"bprop\" layer=\"\" "
                        "operands=\"\" text=ascii:\"conv2d\"\n" POP("t1") REGISTER("t1", "timer") PUSH("t1", "timer")
                            POP("t1") POP("t1"));
}

TEST(operations_are_texts_for_a_tool_without_payloads)
{
    const struct result result = run("operations", TOOL, tool_log(), "NVTX_TOOL_WITHOUT=payloads", NULL);
    assert_string_equal(told_by(&result),
                        ATTACH "t1 DomainRangePushEx domain=\"stint\" text=ascii:\"conv2d, seq = 7, " OPERANDS
                               ", direction = \"fprop\", layer = \"features _1_\"\"\n"
                               "t1 DomainRangePushEx domain=\"stint\" text=ascii:\"conv2d, seq = 7, "
                               "direction = \"bprop\"\"\n" POP("t1") REGISTER("t1", "timer") PUSH("t1", "timer")
                                   POP("t1") POP("t1"));
}

TEST(each_thread_has_its_own_ranges)
{
    const struct result result = run("threads", TOOL, tool_log(), NULL);
    assert_string_equal(told_by(&result), ATTACH REGISTER("t1", "main") PUSH("t1", "main")
                        /* the first thread */
                        REGISTER("t2", "work") PUSH("t2", "work") REGISTER("t2", "outer") PUSH("t2", "outer")
                            REGISTER("t2", "inner") PUSH("t2", "inner") POP("t2") PUSH("t2", "inner") POP("t2")
                                POP("t2") POP("t2")
                        /* the second */
                        PUSH("t3", "work") PUSH("t3", "outer") PUSH("t3", "inner") POP("t3") PUSH("t3", "inner")
                            POP("t3") POP("t3") POP("t3") POP("t1"));
}

TEST(scopes_that_longjmp_leaves_end_as_ranges)
{
    if (TEST_UNDER_TSAN) /* which does without stint's longjmp */
        skip();
    const struct result result = run("abandons", TOOL, tool_log(), NULL);
    assert_string_equal(told_by(&result),
                        ATTACH REGISTER("t1", "survivor") PUSH("t1", "survivor") REGISTER("t1", "jumped over too")
                            PUSH("t1", "jumped over too") REGISTER("t1", "jumped over") PUSH("t1", "jumped over")
                                POP("t1") POP("t1") POP("t1") REGISTER("t1", "after") PUSH("t1", "after") POP("t1"));
    assert_int_equal(dropped(result.report, "abandoned"), 0);
}

TEST(what_is_not_recorded_is_no_range)
{
    const struct result result = run("switches_off", TOOL, tool_log(), NULL);
    assert_string_equal(told_by(&result), ATTACH REGISTER("t1", "running") PUSH("t1", "running")
                                              REGISTER("t1", "on again") PUSH("t1", "on again") POP("t1") POP("t1"));
}

TEST(a_forked_child_goes_on_with_its_parents_ranges)
{
    const struct result result = run("forks", TOOL, tool_log(), "STINT_REPORT=off", NULL);
    assert_string_equal(told_by(&result),
                        ATTACH REGISTER("t1", "before") PUSH("t1", "before") REGISTER("t2", "in the child")
                            PUSH("t2", "in the child") POP("t2") POP("t2") POP("t1"));
}

TEST(the_longest_names_are_told_whole)
{
    const struct result result = run("is_wordy", TOOL, tool_log(), NULL);
    const char *text = strstr(told_by(&result), "text=registered:\"");
    assert_non_null(text);
    text += strlen("text=registered:\"");
    assert_int_equal(strspn(text, "s"), 4095);
    assert_int_equal(text[4095], '/');
    assert_int_equal(strspn(text + 4096, "n"), 4095);
    assert_int_equal(text[8191], '"');
}

TEST(a_tool_that_registers_no_text_gets_it_each_time)
{
    const struct result result = run("nests", TOOL, tool_log(), "NVTX_TOOL_WITHOUT=DomainRegisterStringA", NULL);
    assert_string_equal(told_by(&result), ATTACH "t1 DomainRangePushEx domain=\"stint\" text=ascii:\"outer\"\n"
                                                 "t1 DomainRangePushEx domain=\"stint\" text=ascii:\"inner\"\n"
                                                 "t1 DomainRangePop domain=\"stint\"\n"
                                                 "t1 DomainRangePushEx domain=\"stint\" text=ascii:\"inner\"\n"
                                                 "t1 DomainRangePop domain=\"stint\"\n"
                                                 "t1 DomainRangePop domain=\"stint\"\n");
}

TEST(a_tool_without_domains_is_none_to_auto)
{
    const struct result result = run("nests", TOOL, tool_log(), "NVTX_TOOL_WITHOUT=DomainCreateA", NULL);
    assert_string_equal(told_by(&result), "t1 attach\n");
}

TEST(on_gives_a_tool_without_domains_the_default_one)
{
    const struct result result =
        run("nests", TOOL, tool_log(), "NVTX_TOOL_WITHOUT=DomainCreateA", "STINT_NVTX=on", NULL);
    assert_string_equal(told_by(&result), "t1 attach\n"
                                          "t1 DomainRegisterStringA domain=\"\" \"outer\"\n"
                                          "t1 RangePushEx domain=\"\" text=registered:\"outer\"\n"
                                          "t1 DomainRegisterStringA domain=\"\" \"inner\"\n"
                                          "t1 RangePushEx domain=\"\" text=registered:\"inner\"\n"
                                          "t1 RangePop domain=\"\"\n"
                                          "t1 RangePushEx domain=\"\" text=registered:\"inner\"\n"
                                          "t1 RangePop domain=\"\"\n"
                                          "t1 RangePop domain=\"\"\n");
}

TEST(without_a_tool_auto_costs_nothing)
{
    const struct result attached = run("is_slow", TOOL, tool_log(), NULL);
    const struct result off = run("is_slow", "NVTX_INJECTION64_PATH", "STINT_NVTX=off", NULL);
    const int as_off = WEXITSTATUS(off.status);
    const struct result unset = run("is_slow", "NVTX_INJECTION64_PATH", NULL);
    const struct result missing = run("is_slow", "NVTX_INJECTION64_PATH=/nowhere/tool.so", NULL);
    const struct result refuses = run("is_slow", TOOL, tool_log(), "NVTX_TOOL_WITHOUT=all", NULL);
    assert_exit(&attached, 1);
    assert_exit(&unset, as_off);
    assert_exit(&missing, as_off);
    assert_exit(&refuses, as_off);
    assert_string_equal(missing.err, "");
}

TEST(on_without_a_tool_does_no_harm)
{
    const struct result result = run("nests", "NVTX_INJECTION64_PATH", "STINT_NVTX=on", NULL);
    const struct result slow = run("is_slow", "NVTX_INJECTION64_PATH", "STINT_NVTX=on", NULL);
    assert_exit(&result, 0);
    assert_string_equal(result.err, "");
    assert_int_equal(stat_number(result.report, "inner", "count"), 2);
    assert_exit(&slow, 1);
}
