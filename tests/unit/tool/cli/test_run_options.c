/* The command line of stint run. */
#include "cli/command_line.h"

#include <stdio.h>
#include <string.h>

#include "captured_output.h"
#include "stint_test.h"

static struct stint_run_options s_run;

static int read_run(int count, char **arguments)
{
    return stint_run_options_read(&s_run, count, arguments);
}

static int read_line(const char *words)
{
    char line[512];
    (void)snprintf(line, sizeof line, "run %s", words);
    return captured_call(read_run, line);
}

TEST(nothing_asked_leaves_the_environment_as_it_is)
{
    const struct stint_recording *recording = &s_run.recording;
    assert_int_equal(read_line("./a.out --gpu off"), -1);
    assert_true(!recording->gpu && recording->nvtx && recording->from_start == -1 && !recording->stores);
    assert_true(!s_run.report && !s_run.format && !s_run.log_file);
    assert_string_equal(s_run.api, "on");
}

TEST(what_is_recorded_is_chosen)
{
    const struct stint_recording *recording = &s_run.recording;
    assert_int_equal(read_line("--gpu kernels --api off --cpu --nvtx off --adopt all --trace 1000 --osrt-threshold 5 "
                               "--functions f* --system-profiling on x"),
                     -1);
    assert_string_equal(recording->gpu, "kernels");
    assert_string_equal(recording->adopt, "all");
    assert_string_equal(recording->functions, "f*");
    assert_true(recording->cpu && !recording->nvtx && recording->trace == 1000 && recording->osrt && recording->system);
    assert_int_equal(read_line("--sample --ops --trace-calls x"), -1);
    assert_string_equal(recording->sample, "on");
    assert_true(recording->ops && recording->ops_iterations == 3 && recording->trace_calls == 10);
    assert_int_equal(read_line("--sample=wall:100 --ops-iterations 0 --trace-calls=2 x"), -1);
    assert_true(recording->ops && recording->ops_iterations == 0 && recording->trace_calls == 2);
}

TEST(times_and_files_are_chosen)
{
    const struct stint_recording *recording = &s_run.recording;
    assert_int_equal(
        read_line("--delay 1.5 --timeout 2 --live --window step --store run.sqlite --store-max 1G,10s "
                  "--store-ring 64M --store-wait --counters memory --launches 2-5 --replay-mode application "
                  "--report tree --log-file out --quiet --per-process --top 3 x"),
        -1);
    assert_true(recording->delay > 1.4 && recording->duration > 1.9 && recording->live > 4.9);
    assert_ptr_equal(recording->stores, &s_run.stores);
    assert_true(s_run.is_store_kept && recording->store_wait && recording->counter_run == 1 && recording->quiet);
    assert_string_equal(recording->store_ring, "64M");
    assert_string_equal(s_run.report, "tree");
    assert_true(s_run.print.per_process && s_run.print.select.quiet && s_run.print.select.layout.top == 3);
}

TEST(mistakes_are_told)
{
    static const struct {
        const char *line, *said;
    } mistakes[] = {
        {"--gpu all x", "--gpu all: expected one of on, off, kernels, api"},
        {"--api kernels x", "--api kernels: expected one of on, all, off"},
        {"--adopt mine x", "--adopt mine: expected one of off, autograd, main, all"},
        {"--nvtx 2 x", "--nvtx 2: expected one of on, off"},
        {"--format xml x", "--format xml: expected one of table, csv, json"},
        {"--delay soon x", "--delay soon: expected seconds, such as 2.5, at least 0"},
        {"--duration 0 x", "--duration 0: expected seconds, such as 2.5, at least 0.001"},
        {"--timeout -1 x", "--timeout -1: expected seconds, such as 2.5, at least 0.001"},
        {"--launches 0 x", "--launches 0: expected a number, such as 3, a range, such as 2-5, or all"},
        {"-xh x", "there is no option -x; stint run --help lists them"},
        {"-F 99 x", "there is no option -F: --sample=HZ sets the sampling rate"},
        {"-o file x", "there is no option -o: --store FILE keeps a recording, --log-file FILE the report"},
        {"--trace 0 x", "--trace 0: expected a number from 1 to 268435456"},
        {"--store x%z x", "--store x%z: expected a path with %p, %i, %h, %r, %q{NAME} or %%"},
        {"--store-max 5x x",
         "--store-max 5x: expected a size, such as 500M, a time, such as 10s, or both, as in 1G,10s"},
        {"--store-ring 1K x", "--store-ring 1K: expected a size of 256K or more, such as 64M, a time, such as 30s, or "
                              "both, as in 64M,30s"},
        {"--window @domain x",
         "--window @domain: expected an NVTX range, NAME or NAME@DOMAIN, or iterations, FIRST:COUNT"},
        {"--sample=0 x", "--sample 0: expected a number from 1 to 10000"},
        {"--replay-mode range x", "--replay-mode range: expected one of kernel, application"},
        {"--live=0.01 x", "--live 0.01: expected seconds, such as 2.5, at least 0.1"},
        {"--repot tree x", "there is no option --repot; did you mean --report?"},
        {"--report", "option --report needs a value"},
    };
    char said[256];
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        assert_int_equal(read_line(mistakes[i].line), 2);
        (void)snprintf(said, sizeof said, "stint: %s\n", mistakes[i].said);
        assert_string_equal(captured_output.err, said);
    }
    assert_int_equal(read_line("--help"), 0);
}
