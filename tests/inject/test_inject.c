/* Tests libstint_inject.so in programs that were not built for it, and in some that have a stint of their own. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "process/gpu/launches.h"
#include "process/harness.h"

/* How it is loaded: where NVTX looks, where CUDA looks, or preloaded. */
#define BY_NVTX "NVTX_INJECTION64_PATH=" INJECT
#define BY_CUDA "CUDA_INJECTION64_PATH=" INJECT
#define BY_PRELOAD "LD_PRELOAD=" INJECT
#define NO_NVTX "NVTX_INJECTION64_PATH"
#define NO_CUDA "CUDA_INJECTION64_PATH"
#define FAKE_STORE "STINT_MODULE=" FAKE_STORE_PATH

static unsigned reports(void)
{
    return for_each_scratch("report", NULL);
}

static struct result run_plain(const char *mode, const char *how)
{
    replace_next(PLAIN);
    return run(mode, NO_NVTX, NO_CUDA, "STINT_CUPTI_PATH=" CUPTI, how, NULL);
}

/* Fails unless there is exactly one report, with the numbers of the subject's steps. */
static void assert_steps(const struct result *result)
{
    assert_int_equal(reports(), 1);
    assert_true(is_json(result->report));
    assert_int_equal(set_stat_number(result->report, "NVTX", "step", "count"), 3);
    assert_int_equal(set_stat_number(result->report, "NVTX", "inner", "count"), 3);
}

static void assert_quiet(const struct result *result)
{
    assert_string_equal(result->out, "");
    assert_string_equal(result->err, "");
    assert_int_equal(reports(), 0);
}

/* ------------------------------------------------------------------------------------------------------------- NVTX */

TEST(test_records_nvtx_where_nvtx_looks)
{
    const struct result result = run_plain("nvtx", BY_NVTX);
    assert_exit(&result, 0);
    assert_steps(&result);
    assert_string_equal(result.err, "");
}

/* Returns whether the trace has an event of that kind (enum stint_event_kind) and name. */
static int has_event(const char *trace, int kind, const char *name)
{
    char begin[16], end[64];
    size_t length = (size_t)snprintf(begin, sizeof begin, "\nevent %d ", kind);
    snprintf(end, sizeof end, " %s", name);
    for (const char *at = trace; (at = strstr(at, begin)); at += length) {
        const char *const line = strchr(at + 1, '\n');
        if (line && (size_t)(line - at) > strlen(end) && !strncmp(line - strlen(end), end, strlen(end)))
            return 1;
    }
    return 0;
}

TEST(test_traces_ranges_and_marks)
{
    enum { SCOPE, RANGE, MARK };
    char trace[4096];

    snprintf(trace, sizeof trace, "STINT_TRACE=%s", scratch("trace.stint"));
    replace_next(PLAIN);
    struct result result = run("every", NO_CUDA, BY_NVTX, trace, FAKE_STORE, NULL);
    assert_exit(&result, 0);
    const char *text = read_file(scratch("trace.stint"));
    assert_true(has_event(text, SCOPE, "outer"));
    assert_true(has_event(text, SCOPE, "registered"));
    assert_true(has_event(text, RANGE, "across"));
    assert_true(has_event(text, MARK, "mark"));
    assert_false(has_event(text, RANGE, "mark"));
}

TEST(test_preloaded_alone_it_records_nvtx)
{
    const struct result result = run_plain("nvtx", BY_PRELOAD);
    assert_exit(&result, 0);
    assert_steps(&result);
}

TEST(test_preloaded_it_leaves_variables_that_are_set)
{
    replace_next(PLAIN);
    struct result result = run("untracked", NO_NVTX, BY_CUDA, BY_PRELOAD, NULL);
    assert_exit(&result, 0);
    assert_quiet(&result);
}

TEST(test_records_many_threads_that_meet_at_the_first_call)
{
    const struct result result = run_plain("threads", BY_NVTX);
    assert_exit(&result, 0);
    assert_int_equal(set_stat_number(result.report, "NVTX", "step", "count"), 8000);
}

/* ------------------------------------------------------------------------------------------------------------ quiet */

TEST(test_is_quiet_where_nothing_is_recorded)
{
    struct result result = run_plain("nothing", BY_PRELOAD);
    assert_exit(&result, 0);
    assert_quiet(&result);
    result = run_plain("cuda_unused", BY_PRELOAD);
    assert_exit(&result, 0);
    assert_quiet(&result);
}

TEST(test_switched_off_it_is_quiet)
{
    replace_next(PLAIN);
    struct result result = run("every", NO_CUDA, BY_NVTX, "STINT_ENABLE=off", NULL);
    assert_exit(&result, 0);
    assert_quiet(&result);
}

/* ------------------------------------------------------------------------------------------------------------- CUDA */

static void assert_launches(const struct result *result)
{
    assert_no_misuse(result);
    assert_int_equal(activity_number(result->report, "kernel", "count"), 3);
    assert_int_equal(activity_number(result->report, "kernel", "total_ns"), 3 * 2000);
}

TEST(test_records_what_gpus_do)
{
    const struct result result = run_plain("cuda", BY_CUDA);
    assert_exit(&result, 0);
    assert_launches(&result);
    assert_int_equal(set_stat_number(result.report, STINT_API_SET, "cuLaunchKernel", "count"), 3);
    assert_string_equal(result.err, "");
}

/* libstint.so finds CUPTI by it, and what is injected does without. */
TEST(test_without_the_module_nothing_is_counted)
{
    struct result result;
    replace_next(PLAIN);
    result = run("cuda", NO_NVTX, BY_CUDA, "STINT_CUPTI_PATH=" CUPTI, "STINT_COUNTERS=all", "STINT_MODULE=/nowhere.so",
                 NULL);
    assert_exit(&result, 0);
    assert_launches(&result);
    assert_non_null(strstr(result.err, "STINT_COUNTERS: nothing is counted: /nowhere.so"));
}

TEST(test_charges_gpu_work_to_the_range_that_launched_it)
{
    const struct result result = run_plain("cuda", BY_PRELOAD);
    assert_exit(&result, 0);
    assert_launches(&result);
    assert_int_equal(set_stat_number(result.report, "NVTX", "step", "count"), 3);
    assert_int_equal(use_number(result.report, "step", "kernels"), 3);
}

TEST(test_waits_for_gpu_work_that_exit_would_leave_behind)
{
    const struct result result = run_plain("cuda_left_behind", BY_PRELOAD);
    assert_exit(&result, 7);
    assert_launches(&result);
}

TEST(test_gpu_off_keeps_it_from_gpus)
{
    replace_next(PLAIN);
    struct result result = run("cuda", BY_NVTX, BY_CUDA, "STINT_CUPTI_PATH=" CUPTI, "STINT_GPU=off", NULL);
    assert_exit(&result, 0);
    assert_int_equal(set_stat_number(result.report, "NVTX", "step", "count"), 3);
    assert_int_equal(occurrences(result.report, "\"kernel\""), 0);
    assert_int_equal(occurrences(result.report, "STINT_GPU=off"), 0);
    assert_string_equal(result.err, "");
}

/* Holds for any setting in the environment: a shell must not open CUPTI. */
TEST(test_does_not_touch_cupti_before_cuda_is_used)
{
    replace_next(PLAIN);
    struct result result =
        run("without_cupti", NO_CUDA, NO_NVTX, BY_PRELOAD, "STINT_CUPTI_PATH=" CUPTI, "STINT_GPU=on", NULL);
    assert_exit(&result, 0);
    assert_string_equal(result.err, "");
}

TEST(test_a_gpu_that_cannot_be_recorded_is_one_line)
{
    replace_next(PLAIN);
    struct result result = run("cuda", BY_CUDA, BY_NVTX, "STINT_CUPTI_PATH=" CUPTI, "MOCK_CUPTI=subscribe=39", NULL);
    assert_exit(&result, 0);
    assert_int_equal(occurrences(result.err, "\n"), 1);
    assert_int_equal(occurrences(result.err, "CUPTI is in use by another profiler"), 1);
    assert_int_equal(set_stat_number(result.report, "NVTX", "step", "count"), 3);
}

/* ------------------------------------------------------------------------------------------------------------- ends */

TEST(test_survives_every_way_to_exit)
{
    static const struct {
        const char *mode;
        int code;
    } ways[] = {{"exits", 3}, {"exits_fast", 4}, {"exits_faster", 5}, {"exits_quickly", 6}};

    for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
        const struct result result = run_plain(ways[i].mode, BY_PRELOAD);
        assert_exit(&result, ways[i].code);
        assert_steps(&result);
        assert_int_equal(remove(scratch("report")), 0);
    }
}

/* What NVTX loads comes after the C library, so that the program would see handlers: they have to be asked for. */
TEST(test_reports_what_a_signal_ends_and_lets_it)
{
    static const struct {
        const char *mode;
        int signal;
    } ways[] = {{"terminated", SIGTERM}, {"interrupted", SIGINT}, {"aborts", SIGABRT}, {"crashes", SIGSEGV}};

    for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
        struct result result = run_plain(ways[i].mode, BY_NVTX);
        assert_signal(&result, ways[i].signal);
        assert_int_equal(reports(), 0);
        replace_next(PLAIN);
        result = run(ways[i].mode, NO_CUDA, BY_NVTX, "STINT_SIGNALS=on", NULL);
        assert_signal(&result, ways[i].signal);
        assert_steps(&result);
        assert_int_equal(remove(scratch("report")), 0);
        result = run_plain(ways[i].mode, BY_PRELOAD);
        assert_signal(&result, ways[i].signal);
        assert_steps(&result);
        assert_int_equal(remove(scratch("report")), 0);
    }
}

/* -------------------------------------------------------------------------------------------------------- processes */

static const char *s_child_report;

static void find_child_report(const char *path)
{
    if (strcmp(path, scratch("report")) != 0)
        s_child_report = read_file(path);
}

TEST(test_a_forked_child_reports_its_own)
{
    const struct result result = run_plain("forks", BY_NVTX);
    assert_exit(&result, 0);
    assert_int_equal(for_each_scratch("report", find_child_report), 2);
    assert_int_equal(set_stat_number(result.report, "NVTX", "step", "count"), 3);
    assert_false(has_stat(result.report, "in the child"));
    assert_int_equal(set_stat_number(s_child_report, "NVTX", "in the child", "count"), 1);
    assert_false(has_stat(s_child_report, "step"));
}

TEST(test_follows_exec)
{
    const struct result result = run_plain("becomes_another", BY_PRELOAD);
    assert_exit(&result, 0);
    assert_steps(&result);
}

TEST(test_reports_what_was_before_exec)
{
    static const char *const ways[] = {"execve",  "execv",    "execl",  "execle", "execvp",
                                       "execvpe", "execveat", "execlp", "fexecve"};
    char way[32];
    for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
        snprintf(way, sizeof way, "WAY=%s", ways[i]);
        replace_next(PLAIN);
        struct result result = run("becomes_after_steps", NO_NVTX, NO_CUDA, BY_PRELOAD, way, NULL);
        assert_exit(&result, 0);
        assert_string_equal(result.err, "");
        s_child_report = NULL;
        assert_int_equal(for_each_scratch("report", find_child_report), 2);
        assert_int_equal(set_stat_number(result.report, "NVTX", "step", "count"), 3);
        assert_int_equal(set_stat_number(s_child_report, "NVTX", "step", "count"), 3);
        assert_int_equal(process_number(s_child_report, "pid"), process_number(result.report, "pid"));
        assert_int_equal(remove(scratch("report.exec1.json")), 0);
    }
}

TEST(test_traces_what_was_before_exec_beside)
{
    char trace[4096];
    snprintf(trace, sizeof trace, "STINT_TRACE=%s", scratch("trace.stint"));
    replace_next(PLAIN);
    struct result result =
        run("becomes_after_steps", NO_NVTX, NO_CUDA, BY_PRELOAD, "WAY=execv", trace, FAKE_STORE, NULL);
    assert_exit(&result, 0);
    assert_int_equal(occurrences(read_file(scratch("trace.exec1.stint")), " step\n"), 4); /* and its context */
    assert_int_equal(occurrences(read_file(scratch("trace.stint")), " step\n"), 4);
}

TEST(test_so_does_a_program_that_is_linked_with_stint)
{
    replace_next(SHARED);
    struct result result = run("becomes_after_steps", NO_CUDA, BY_NVTX, BY_PRELOAD, "WAY=execv", NULL);
    assert_exit(&result, 0);
    s_child_report = NULL;
    assert_int_equal(for_each_scratch("report", find_child_report), 2);
    assert_int_equal(stat_number(s_child_report, "scope", "count"), 1);
    assert_int_equal(stat_number(result.report, "scope", "count"), 1);
}

TEST(test_exec_works_before_anything_has_started)
{
    const struct result result = run_plain("nvtx", BY_PRELOAD ":" EARLY);
    assert_exit(&result, 0);
    assert_string_equal(result.out, "");
    assert_int_equal(reports(), 0);
}

TEST(test_program_that_is_not_there_is_no_reason_for_a_report)
{
    const struct result result = run_plain("fails_to_become", BY_PRELOAD);
    assert_exit(&result, 0);
    assert_int_equal(reports(), 1);
    assert_int_equal(set_stat_number(result.report, "NVTX", "step", "count"), 6);
}

TEST(test_a_vforked_child_reports_nothing_of_its_parents)
{
    const struct result result = run_plain("vforks", BY_PRELOAD);
    assert_exit(&result, 0);
    assert_steps(&result);
}

TEST(test_follows_what_a_shell_runs)
{
    const struct result result = run_plain("has_a_shell", BY_PRELOAD);
    assert_exit(&result, 0);
    assert_string_equal(result.err, "");
    assert_steps(&result);
}

TEST(test_follows_a_daemon)
{
    struct result result = run_plain("becomes_a_daemon", BY_PRELOAD);
    const struct timespec moment = {0, 5000000};
    assert_exit(&result, 0);
    for (int i = 0; i < 2000 && !result.report; ++i) {
        nanosleep(&moment, NULL);
        result.report = read_file(scratch("report"));
    }
    assert_steps(&result);
}

/* ------------------------------------------------------------------------------------------- one recording, not two */

static void run_with_stint(struct result *result, const char *program, const char *mode, const char *how)
{
    replace_next(program);
    *result = run(mode, NO_NVTX, NO_CUDA, "STINT_CUPTI_PATH=" CUPTI, how, NULL);
}

static void check_one_recording(const char *program)
{
    static const char *const ways[] = {BY_NVTX, BY_PRELOAD};
    struct result result;
    for (size_t i = 0; i < 2; ++i) {
        run_with_stint(&result, program, "nvtx", ways[i]);
        assert_exit(&result, 0);
        assert_steps(&result);
        assert_int_equal(stat_number(result.report, "scope", "count"), 1);
        assert_string_equal(result.err, "");
        assert_int_equal(remove(scratch("report")), 0);
    }
}

TEST(test_hands_over_to_a_shared_stint)
{
    check_one_recording(SHARED);
}

TEST(test_hands_over_to_a_static_stint)
{
    check_one_recording(STATIC);
}

static void check_gpu_of_one_recording(const char *program)
{
    struct result result;
    run_with_stint(&result, program, "cuda", BY_PRELOAD);
    assert_exit(&result, 0);
    assert_launches(&result);
    assert_int_equal(reports(), 1);
    assert_int_equal(use_number(result.report, "scope", "kernels"), 3);
    assert_int_equal(use_number(result.report, "step", "kernels"), 3);
}

TEST(test_a_shared_stint_collects_from_gpus)
{
    check_gpu_of_one_recording(SHARED);
}

TEST(test_a_static_stint_collects_from_gpus)
{
    check_gpu_of_one_recording(STATIC);
}

static void check_fast_exit(const char *program)
{
    replace_next(program);
    struct result result = run("scope_alone", BY_NVTX, BY_CUDA, BY_PRELOAD, "STINT_NVTX=off", NULL);
    assert_exit(&result, 4);
    assert_int_equal(reports(), 1);
    assert_int_equal(stat_number(result.report, "scope", "count"), 1);
}

TEST(test_its_exit_has_a_shared_stint_report)
{
    check_fast_exit(SHARED);
}

TEST(test_its_exit_has_a_static_stint_report)
{
    check_fast_exit(STATIC);
}

TEST(test_a_signal_has_the_other_stint_report)
{
    struct result result;
    run_with_stint(&result, SHARED, "terminated", BY_PRELOAD);
    assert_signal(&result, SIGTERM);
    assert_steps(&result);
    assert_int_equal(stat_number(result.report, "scope", "count"), 1);
}

TEST(test_hands_over_to_the_stint_of_a_library_loaded_before)
{
    replace_next(PLAIN);
    struct result result = run("plugin_first", NO_CUDA, BY_NVTX, "PLUGIN=" PLUGIN, NULL);
    assert_exit(&result, 0);
    assert_steps(&result);
    assert_int_equal(stat_number(result.report, "plugin's scope", "count"), 1);
    assert_int_equal(stat_number(result.report, "plugin's range", "count"), 1);
}

/* The preloaded _exit takes precedence over that of a library which is loaded later. */
TEST(test_reports_what_a_worker_did_in_a_library_loaded_later)
{
    replace_next(PLAIN);
    struct result result = run("plugin_in_worker", BY_PRELOAD, "PLUGIN=" PLUGIN, NULL);
    assert_exit(&result, 0);
    assert_int_equal(for_each_scratch("report", find_child_report), 2);
    assert_int_equal(stat_number(result.report, "plugin's scope", "count"), 1);
    assert_int_equal(stat_number(s_child_report, "plugin's scope", "count"), 2);
}

/* Two recordings cannot be merged; neither is lost. */
TEST(test_reports_beside_the_stint_of_a_library_loaded_later)
{
    replace_next(PLAIN);
    struct result result = run("plugin_last", NO_CUDA, BY_NVTX, "PLUGIN=" PLUGIN, NULL);
    assert_exit(&result, 0);
    assert_int_equal(reports(), 2);
    assert_int_equal(set_stat_number(result.report, "NVTX", "step", "count"), 3);
    assert_int_equal(set_stat_number(result.report, "NVTX", "plugin's range", "count"), 1);
    assert_int_equal(stat_number(read_file(scratch("report.copy2")), "plugin's scope", "count"), 1);
}

/* ----------------------------------------------------------------------------------------------------------- chains */

static const char *log_variable(void)
{
    static char variable[256];
    snprintf(variable, sizeof variable, "OTHER_LOG=%s", scratch("log"));
    return variable;
}

/* Returns what the other tool logged, and removes the log. */
static const char *take_log(void)
{
    const char *log = read_file(scratch("log"));
    assert_non_null(log);
    assert_int_equal(remove(scratch("log")), 0);
    return log;
}

/* Runs the subject with the other tool alone, then with both tools, and compares what the other tool logged. */
static struct result check_chain(const char *program, const char *without)
{
    replace_next(program);
    struct result result =
        run("every", NO_CUDA, "NVTX_INJECTION64_PATH=" OTHER, "STINT_NVTX=off", log_variable(), without, NULL);
    assert_exit(&result, 0);
    const char *alone = take_log();
    assert_null(strstr(alone, "WRONG"));
    (void)remove(scratch("report"));
    replace_next(program);
    result = run("every", NO_CUDA, BY_NVTX, "STINT_CHAIN_NVTX=" OTHER, "STINT_NVTX=off", log_variable(), without, NULL);
    assert_exit(&result, 0);
    assert_string_equal(take_log(), alone);
    assert_int_equal(reports(), 1);
    return result;
}

static void assert_every(const struct result *result)
{
    assert_int_equal(set_stat_number(result->report, "NVTX", "outer", "count"), 1);
    assert_int_equal(set_stat_number(result->report, "NVTX:domain", "registered", "count"), 1);
    assert_int_equal(set_stat_number(result->report, "NVTX marks", "mark", "count"), 1);
    assert_int_equal(set_stat_number(result->report, "NVTX marks:domain", "registered", "count"), 1);
    assert_int_equal(set_stat_number(result->report, "NVTX start/end", "across", "count"), 1);
    assert_int_equal(set_stat_number(result->report, "NVTX start/end:domain", "registered", "count"), 1);
    assert_int_equal(dropped(result->report, "mismatched"), 0);
}

TEST(test_another_nvtx_tool_sees_what_it_saw_alone)
{
    const struct result result = check_chain(PLAIN, "OTHER_WITHOUT");
    assert_every(&result);
}

TEST(test_another_tool_is_called_beside_the_programs_stint)
{
    const struct result result = check_chain(SHARED, "OTHER_WITHOUT");
    assert_every(&result);
}

TEST(test_another_tool_without_handles_gets_none)
{
    const struct result result = check_chain(PLAIN, "OTHER_WITHOUT=handles");
    assert_every(&result);
}

TEST(test_another_tool_that_refuses_is_left_out)
{
    const struct result result = check_chain(PLAIN, "OTHER_WITHOUT=nvtx");
    assert_every(&result);
}

TEST(test_switched_off_it_still_calls_another_tool)
{
    replace_next(PLAIN);
    struct result result = run("every", NO_CUDA, "NVTX_INJECTION64_PATH=" OTHER, log_variable(), NULL);
    const char *alone = take_log();
    replace_next(PLAIN);
    result = run("every", NO_CUDA, BY_NVTX, "STINT_CHAIN_NVTX=" OTHER, "STINT_ENABLE=off", log_variable(), NULL);
    assert_exit(&result, 0);
    assert_string_equal(take_log(), alone);
    assert_quiet(&result);
}

TEST(test_what_another_tool_returns_is_what_programs_get)
{
    replace_next(PLAIN);
    struct result result = run("nvtx", NO_CUDA, BY_NVTX, "STINT_CHAIN_NVTX=" OTHER, log_variable(), NULL);
    assert_exit(&result, 0);
    assert_steps(&result);
    const char *log = take_log();
    assert_int_equal(occurrences(log, "attach"), 1); /* by the program, and not also by stint's timers */
    assert_int_equal(occurrences(log, "push step\n"), 3);
}

TEST(test_another_cuda_tool_is_called_first)
{
    replace_next(PLAIN);
    struct result result =
        run("cuda", NO_NVTX, BY_CUDA, "STINT_CUPTI_PATH=" CUPTI, "STINT_CHAIN_CUDA=" OTHER, log_variable(), NULL);
    assert_exit(&result, 0);
    assert_string_equal(take_log(), "cuda \n");
    assert_launches(&result);
}

TEST(test_a_chain_to_itself_is_none)
{
    replace_next(PLAIN);
    struct result result = run("cuda", BY_NVTX, BY_CUDA, "STINT_CUPTI_PATH=" CUPTI, "STINT_CHAIN_CUDA=" INJECT,
                               "STINT_CHAIN_NVTX=" INJECT, NULL);
    assert_exit(&result, 0);
    assert_launches(&result);
    assert_int_equal(set_stat_number(result.report, "NVTX", "step", "count"), 3);
}

TEST(test_a_chain_to_nothing_is_one_line)
{
    replace_next(PLAIN);
    struct result result = run("nvtx", NO_CUDA, BY_NVTX, "STINT_CHAIN_NVTX=/nowhere/tool.so", NULL);
    assert_exit(&result, 0);
    assert_steps(&result);
    assert_int_equal(occurrences(result.err, "\n"), 1);
    assert_int_equal(occurrences(result.err, "/nowhere/tool.so"), 1);
}
