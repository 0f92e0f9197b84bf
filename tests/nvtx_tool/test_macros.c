/* Behaviour of annotate.h that the golden files do not show: threads that race, tools with fewer functions, names for
 * the system. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "nvtx_tool/told.h"
#include "stint/annotate.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

enum { RACERS = 8, LAPS = 500, MANY = 70 };

STINT_DOMAIN_DEFINE(s_track, "track");
static pthread_barrier_t s_start;

static void *run_laps(void *unused)
{
    pthread_barrier_wait(&s_start);
    for (int i = 0; i < LAPS; ++i) {
        STINT_RANGE_IN(&s_track, "lap", STINT_COLOR_RED, 1, i);
    }
    return unused;
}

MODE(race)
{
    pthread_t racers[RACERS];
    STINT_MARK("ready"); /* NVTX starts here, because races in its own initialisation are not to be tested, and
                          * ThreadSanitizer would report them */
    pthread_barrier_init(&s_start, NULL, RACERS);
    for (int i = 0; i < RACERS; ++i)
        if (pthread_create(&racers[i], NULL, run_laps, NULL))
            return 1;
    for (int i = 0; i < RACERS; ++i)
        pthread_join(racers[i], NULL);
    return 0;
}

MODE(texts)
{
    static const char *const changing[] = {"text 0", "text 1", "text 2"};
    for (int i = 0; i < 3; ++i) {
        STINT_RANGE("literal", STINT_COLOR_RED, 1, i);
        STINT_MARK(changing[i]);
    }
    return 0;
}

MODE(many_domains)
{
    static char names[MANY][16];
    static struct stint_domain domains[MANY];
    for (int i = 0; i < 2 * MANY; ++i) {
        struct stint_domain *const domain = &domains[i % MANY];
        snprintf(names[i % MANY], sizeof names[0], "domain %d", i % MANY);
        domain->name = names[i % MANY];
        STINT_RANGE_IN(domain, "in");
    }
    return 0;
}

static void name_and_tell(const char *name)
{
    char found[16] = "";
    STINT_NAME_THREAD(name);
    pthread_getname_np(pthread_self(), found, sizeof found);
    printf("[%s]\n", found);
}

MODE(thread_names)
{
    name_and_tell("short");
    name_and_tell("fifteen bytes..");
    name_and_tell("sixteen bytes...");
    name_and_tell("14 and an \xC3\xA9: 12\xC3\xA9 and more");
    name_and_tell("12345678901234\xC3\xA9");
    name_and_tell("123456789012\xF0\x9F\x9A\x80");
    name_and_tell("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80");
    name_and_tell("");
    name_and_tell(NULL);
    return 0;
}

/* Returns 0 if no tool gives a range an id. */
MODE(starts)
{
    const uint64_t id = STINT_RANGE_START("range");
    STINT_RANGE_END(id);
    return id != 0;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

TEST(threads_at_one_site_register_it_once_and_lose_nothing)
{
    const struct result result = run("race", TOOL, tool_log(), NULL);
    const char *told = told_by(&result);
    assert_int_equal(occurrences(told, "DomainRegisterStringA domain=\"track\" \"lap\"\n"), 1);
    assert_int_equal(occurrences(told, "DomainRangePushEx domain=\"track\" color=FFE53935 category=1 payload=i32:"),
                     RACERS * LAPS);
    assert_int_equal(occurrences(told, ":\"lap\"\n"), RACERS * LAPS);
    assert_int_equal(occurrences(told, "DomainRangePop domain=\"track\"\n"), RACERS * LAPS);
}

TEST(text_that_a_tool_does_not_register_is_sent_each_time)
{
    const struct result result =
        run("texts", TOOL, tool_log(), "NVTX_TOOL_WITHOUT=RangePop,DomainRegisterStringA", NULL);
    assert_string_equal(told_by(&result), "t1 attach\n"
                                          "t1 RangePushEx domain=\"\" color=FFE53935 category=1 payload=i32:0 "
                                          "text=ascii:\"literal\"\n"
                                          "t1 MarkEx domain=\"\" text=ascii:\"text 0\"\n"
                                          "t1 RangePushEx domain=\"\" color=FFE53935 category=1 payload=i32:1 "
                                          "text=ascii:\"literal\"\n"
                                          "t1 MarkEx domain=\"\" text=ascii:\"text 1\"\n"
                                          "t1 RangePushEx domain=\"\" color=FFE53935 category=1 payload=i32:2 "
                                          "text=ascii:\"literal\"\n"
                                          "t1 MarkEx domain=\"\" text=ascii:\"text 2\"\n");
}

TEST(a_tool_without_domains_gets_everything_in_the_default_domain)
{
    const struct result result = run("race", TOOL, tool_log(), "NVTX_TOOL_WITHOUT=DomainCreateA", NULL);
    const char *told = told_by(&result);
    assert_int_equal(occurrences(told, " RangePushEx domain=\"\""), RACERS * LAPS);
    assert_int_equal(occurrences(told, " RangePop domain=\"\"\n"), RACERS * LAPS);
}

TEST(each_domain_is_created_once_however_many)
{
    const struct result result = run("many_domains", TOOL, tool_log(), NULL);
    const char *told = told_by(&result);
    assert_int_equal(occurrences(told, " DomainCreateA "), MANY);
    for (int i = 0; i < MANY; ++i) {
        char line[64];
        snprintf(line, sizeof line, " DomainRangePushEx domain=\"domain %d\" ", i);
        assert_int_equal(occurrences(told, line), 2);
    }
}

TEST(the_system_gets_a_thread_name_cut_between_characters)
{
    const struct result result = run("thread_names", TOOL, tool_log(), NULL);
    assert_string_equal(result.out, "[short]\n"
                                    "[fifteen bytes..]\n"
                                    "[sixteen bytes..]\n"
                                    "[14 and an \xC3\xA9: 1]\n"
                                    "[12345678901234]\n"
                                    "[123456789012]\n"
                                    "[]\n"
                                    "[]\n"
                                    "[(unnamed)]\n");
    assert_non_null(strstr(told_by(&result), " NameOsThreadA self \"14 and an \xC3\xA9: 12\xC3\xA9 and more\"\n"));
}

TEST(without_a_tool_only_the_system_gets_a_thread_name)
{
    const struct result result = run("thread_names", "NVTX_INJECTION64_PATH", tool_log(), NULL);
    assert_exit(&result, 0);
    assert_non_null(strstr(result.out, "[sixteen bytes..]\n"));
    assert_null(read_file(scratch("calls")));
}

TEST(a_tool_that_is_missing_or_refuses_is_no_tool)
{
    const struct result attached = run("starts", TOOL, tool_log(), NULL);
    const struct result unset = run("starts", "NVTX_INJECTION64_PATH", NULL);
    const struct result missing = run("starts", "NVTX_INJECTION64_PATH=/nowhere/tool.so", NULL);
    const struct result refuses = run("starts", TOOL, tool_log(), "NVTX_TOOL_WITHOUT=all", NULL);
    assert_exit(&attached, 1);
    assert_exit(&unset, 0);
    assert_exit(&missing, 0);
    assert_exit(&refuses, 0);
}
