/* Samples, with a library that notes what it is asked. */
#include "stint/samples.h"

#include <stdlib.h>
#include <string.h>

#include "model/sampler.h"
#include "record/part.h"
#include "stint_test.h"

static char s_how[32];
static int s_stops, s_ends;

static enum stint_status start(const char *how, char *reason, size_t size)
{
    (void)strncpy(s_how, how, sizeof s_how - 1);
    return STINT_OK;
}

static void stop(void)
{
    s_stops++;
}

static void reset(void) {}

static void end(void)
{
    s_ends++;
}

static const struct stint_sampler *offer(const struct stint_sampler_host *host)
{
    static const struct stint_sampler sampler = {.start = start, .stop = stop, .reset = reset, .end = end};
    assert_int_equal(host->version, STINT_SAMPLER_VERSION);
    assert_null(host->ticks); /* there is no recording */
    return &sampler;
}

void *__wrap_stint_module_find_sampler(const char *function, char *reason, size_t size)
{
    stint_sampler_fn *sampler = offer;
    void *found;
    assert_string_equal(function, STINT_SAMPLER);
    memcpy(&found, &sampler, sizeof found);
    return found;
}

TEST(a_program_starts_and_stops_them)
{
    stint_sample_stop(); /* before the first start there is nothing to stop */
    assert_int_equal(stint_sample_start(NULL), STINT_OK);
    assert_string_equal(s_how, "on");
    assert_int_equal(stint_sample_start("cpu,500"), STINT_OK);
    assert_string_equal(s_how, "cpu,500");
    assert_int_equal(s_stops, 0);
    stint_sample_stop();
    assert_int_equal(s_stops, 1);
}

/* Which has what ran, with or without a sample. */
TEST(the_end_of_a_process_is_told_unless_there_is_a_report)
{
    stint_parts_at(STINT_AT_END);
    assert_int_equal(s_ends, 1);
    stint_parts_report(NULL, 0, 0, 0);
    stint_parts_at(STINT_AT_END);
    assert_int_equal(s_ends, 2);
    stint_parts_report(NULL, 1, 0, 0);
    stint_parts_at(STINT_AT_END);
    assert_int_equal(s_ends, 2);
}
