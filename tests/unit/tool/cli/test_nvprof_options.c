#include "cli/command_line.h"

#include <stdio.h>
#include <string.h>

#include "captured_output.h"
#include "stint_test.h"

static struct stint_nvprof_asked s_asked;

static int read_asked(int count, char **arguments)
{
    return stint_nvprof_read(&s_asked, count, arguments);
}

/* Reads a command line, words separated by blanks, behind "nvprof". */
static int read_line(const char *words)
{
    char line[512];
    (void)snprintf(line, sizeof line, "nvprof %s", words);
    return captured_call(read_asked, line);
}

static int is_unmet(const char *name)
{
    const char *why, *at;
    for (size_t i = 0; (at = stint_nvprof_option_at(i, &why)); i++)
        if (strcmp(at, name) == 0)
            return s_asked.unmet[i];
    fail_msg("there is no --%s", name);
    return 0;
}

static size_t count_unmet(void)
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof s_asked.unmet; i++)
        count += s_asked.unmet[i];
    return count;
}

TEST(nothing_asked_is_the_summary_of_the_program_from_the_start)
{
    assert_int_equal(read_line("./a.out -o x"), 0);
    assert_int_equal(s_asked.program, 1);
    assert_int_equal(s_asked.modes, 0);
    assert_int_equal(s_asked.otherwise, STINT_NVPROF_SUMMARY);
    assert_int_equal(s_asked.from_start, -1);
    assert_null(s_asked.export_file);
    assert_int_equal(count_unmet(), 0);
}

TEST(command_lines_of_lessons_are_taken)
{
    assert_int_equal(read_line("-f -o net.sql --profile-from-start off -- python net.py"), 0);
    assert_int_equal(s_asked.force, 1);
    assert_string_equal(s_asked.export_file, "net.sql");
    assert_int_equal(s_asked.from_start, 0);
    assert_int_equal(s_asked.program, 7);
    assert_int_equal(read_line("--quiet --export-profile timeline.prof python convolution.py"), 0);
    assert_int_equal(s_asked.quiet, 1);
    assert_string_equal(s_asked.export_file, "timeline.prof");
    assert_int_equal(read_line("--profile-child-processes -fo out_%p.nvvp --track-memory-allocations on python x.py"),
                     0);
    assert_string_equal(s_asked.export_file, "out_%p.nvvp");
    assert_true(s_asked.force && s_asked.children);
    assert_true(is_unmet("track-memory-allocations"));
}

TEST(counters_go_by_old_and_new_names)
{
    assert_int_equal(read_line("--metrics flop_count_dp,dram__bytes.sum -m ipc --events warps_launched ./a"), 0);
    assert_string_equal(s_asked.counters.words, "flop_count_dp,dram__bytes.sum,ipc,warps_launched");
    assert_string_equal(s_asked.counters.metrics, "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum,"
                                                  "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum,"
                                                  "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum,dram__bytes.sum,"
                                                  "sm__inst_executed.avg.per_cycle_active,smsp__warps_launched.sum");
    assert_int_equal(read_line("--quiet --metrics all --events all -o m.prof python convolution.py"), 0);
    assert_string_equal(s_asked.counters.words, "all");
    assert_int_equal(count_unmet(), 0);
    assert_int_equal(read_line("--kernels ::gemm:3 -m ipc ./a"), 0);
    assert_string_equal(s_asked.counters.kernels, "gemm");
    assert_string_equal(s_asked.counters.launches, "3");
    assert_int_equal(read_line("--kernels gemm* -m ipc ./a"), 0);
    assert_string_equal(s_asked.counters.kernels, "gemm*");
    assert_string_equal(s_asked.counters.launches, "");
}

TEST(modes_add_up)
{
    assert_int_equal(read_line("--print-gpu-trace --print-api-trace -s --print-summary-per-gpu ./a"), 0);
    assert_int_equal(s_asked.modes, STINT_NVPROF_TRACES | STINT_NVPROF_SUMMARY | STINT_NVPROF_PER_GPU);
    assert_int_equal(read_line("--print-gpu-summary --print-api-summary ./a"), 0);
    assert_int_equal(s_asked.modes, STINT_NVPROF_GPU_SUMMARY | STINT_NVPROF_API_SUMMARY);
}

TEST(values_are_read)
{
    static const struct {
        const char *line;
        enum stint_time_unit unit;
    } units[] = {
        {"-u s x", STINT_UNIT_S},   {"-ums x", STINT_UNIT_MS},       {"--normalized-time-unit=us x", STINT_UNIT_US},
        {"-u ns x", STINT_UNIT_NS}, {"-u col x", STINT_UNIT_COLUMN}, {"-u auto x", STINT_UNIT_AUTO}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        assert_int_equal(read_line(units[i].line), 0);
        assert_int_equal(s_asked.unit, units[i].unit);
    }
    assert_int_equal(read_line("-t 12 --demangling off --csv --log-file %1 x"), 0);
    assert_int_equal(s_asked.duration, 12);
    assert_true(s_asked.mangled && s_asked.csv);
    assert_string_equal(s_asked.log_file, "%1");
}

TEST(what_to_trace_becomes_what_to_record)
{
    assert_int_equal(read_line("--profile-api-trace none x"), 0);
    assert_string_equal(s_asked.gpu, "kernels");
    assert_int_equal(read_line("--profile-api-trace runtime x"), 0);
    assert_null(s_asked.gpu);
    assert_true(is_unmet("profile-api-trace"));
    assert_int_equal(read_line("--profile-api-trace all --trace gpu,api x"), 0);
    assert_int_equal(count_unmet(), 0);
    assert_int_equal(read_line("--trace gpu x"), 0);
    assert_string_equal(s_asked.gpu, "kernels");
    assert_int_equal(read_line("--trace api x"), 0);
    assert_int_equal(s_asked.otherwise, STINT_NVPROF_API_SUMMARY);
}

TEST(names_may_be_cut_short)
{
    assert_int_equal(read_line("--profile-from off --print-gpu-t --export a.prof x"), 0);
    assert_int_equal(s_asked.from_start, 0);
    assert_int_equal(s_asked.modes, STINT_NVPROF_GPU_TRACE);
    assert_string_equal(s_asked.export_file, "a.prof");
    assert_int_equal(read_line("--print-gpu x"), -1);
}

TEST(option_that_asks_for_what_happens_anyway_is_met)
{
    assert_int_equal(read_line("--concurrent-kernels on --cpu-profiling off --annotate-mpi off --devices all x"), 0);
    assert_int_equal(count_unmet(), 0);
    assert_int_equal(read_line("--concurrent-kernels off --annotate-mpi openmpi x"), 0);
    assert_int_equal(count_unmet(), 2);
}

TEST(unified_memory_is_recorded_as_asked)
{
    assert_int_equal(read_line("x"), 0);
    assert_null(s_asked.unified_memory);
    assert_int_equal(read_line("--unified-memory-profiling per-process-device x"), 0);
    assert_string_equal(s_asked.unified_memory, "on");
    assert_int_equal(read_line("--unified-memory-profiling off x"), 0);
    assert_string_equal(s_asked.unified_memory, "off");
    assert_int_equal(count_unmet(), 0);
    assert_int_equal(read_line("--unified-memory-profiling none x"), -1);
}

TEST(mistakes_are_told)
{
    static const struct {
        const char *line, *said;
    } mistakes[] = {
        {"--metrix x", "there is no option --metrix; did you mean --metrics?"},
        {"--gpu on x", "there is no option --gpu; stint nvprof --help lists them"},
        {"-z x", "there is no option -z; stint nvprof --help lists them"},
        {"-o", "option -o needs a value"},
        {"--devices --csv x", "option --devices needs a value"},
        {"--csv=yes x", "option --csv takes no value"},
        {"-u min x", "--normalized-time-unit min: expected one of auto, col, s, ms, us, ns"},
        {"--profile-from-start 0 x", "--profile-from-start 0: expected one of on, off"},
        {"--metrics ecc_transactions x",
         "--metrics ecc_transactions: there is no such metric; --query-metrics lists them"},
        {"--events , x", "--events: expected all, or names of metrics"},
        {"--kernels 1:::3 x",
         "--kernels 1:::3: contexts and streams cannot be chosen; leave them empty: ::NAME:INVOCATION"},
        {"-t 0 x", "--timeout 0: expected a number from 1 to 1000000000"},
        {"--trace cpu x", "--trace cpu: expected one of gpu, api, gpu,api, api,gpu"},
    };
    char said[256];
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        assert_int_equal(read_line(mistakes[i].line), -1);
        (void)snprintf(said, sizeof said, "stint: %s\n", mistakes[i].said);
        assert_string_equal(captured_output.err, said);
    }
}

TEST(samples_of_the_cpu_are_as_nvprof_had_them)
{
    assert_int_equal(read_line("--cpu-profiling on x"), 0);
    assert_true(s_asked.cpu.on && s_asked.cpu.hz == 100 && s_asked.cpu.mode == STINT_CPU_BOTTOM_UP);
    assert_int_equal(read_line("--cpu-profiling on --cpu-profiling-mode flat --cpu-profiling-frequency 500 "
                               "--cpu-profiling-max-depth 3 --cpu-profiling-percentage-threshold 5 "
                               "--cpu-profiling-scope instruction --cpu-profiling-show-library on x"),
                     0);
    assert_true(s_asked.cpu.hz == 500 && s_asked.cpu.mode == STINT_CPU_FLAT && s_asked.cpu.deepest == 3);
    assert_true(s_asked.cpu.least_percent == 5 && s_asked.cpu.by_lines && s_asked.cpu.library);
    assert_int_equal(read_line("--cpu-profiling-frequency 0 x"), -1);
}

/* Whatever nvprof took, alone or with a value, is taken. */
TEST(every_option_is_taken_or_says_why_not)
{
    const char *name, *why;
    char line[128];
    for (size_t i = 0; (name = stint_nvprof_option_at(i, &why)); i++) {
        int taken = 0;
        snprintf(line, sizeof line, "--%s x y", name);
        taken |= read_line(line) == 0;
        if (why && taken)
            assert_true(s_asked.unmet[i]);
        snprintf(line, sizeof line, "--%s on y", name);
        taken |= read_line(line) == 0;
        snprintf(line, sizeof line, "--%s 1 y", name);
        taken |= read_line(line) == 0;
        taken |= strcmp(name, "cpu-profiling-mode") == 0 || strcmp(name, "cpu-profiling-scope") == 0 ||
                 strcmp(name, "normalized-time-unit") == 0 || strcmp(name, "timeout") == 0 ||
                 strcmp(name, "profile-api-trace") == 0 || strcmp(name, "trace") == 0 || strcmp(name, "metrics") == 0 ||
                 strcmp(name, "events") == 0 || strcmp(name, "unified-memory-profiling") == 0;
        assert_true(taken);
        if (why) {
            assert_true(strlen(why) > 20 && strlen(why) < 120);
            assert_null(strchr(why, '\n'));
        }
    }
}
