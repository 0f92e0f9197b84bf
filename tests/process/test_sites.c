/* Ten thousand call sites, each known to every thread that reaches it. */
#include <stdio.h>
#include <stdlib.h>

#include "process/harness.h"
#include "process/sites.h"
#include "stint/stint.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

extern run_sites_fn *const __start_test_sites[];
extern run_sites_fn *const __stop_test_sites[];

/* Runs each of the sites once: "site 0" to "site 9999". */
static void run_sites(void)
{
    const unsigned parts = (unsigned)(__stop_test_sites - __start_test_sites);
    for (unsigned part = 0; part < parts; part++)
        __start_test_sites[part](part * (SITES / parts));
}

static void *run_sites_there(void *argument)
{
    run_sites();
    return argument;
}

MODE(runs_sites)
{
    run_sites();
    run_sites();
    on_thread(run_sites_there, NULL);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

TEST(test_every_site_counts)
{
    const struct result result = run("runs_sites", NULL);
    assert_exit(&result, 0);
    assert_string_equal(result.err, "");
    assert_true(is_json(result.report));
    assert_int_equal(occurrences(result.report, ",\"count\":3,"), 2 * SITES); /* statistics and contexts */
    assert_int_equal(stat_number(result.report, "site 0", "count"), 3);
    assert_int_equal(stat_number(result.report, "site 9999", "count"), 3);
    assert_int_equal(dropped(result.report, "nodes") + dropped(result.report, "names"), 0);
}

TEST(test_sites_beyond_the_limit)
{
    const struct result result = run("runs_sites", "STINT_MAX_NAMES=4000", NULL);
    assert_exit(&result, 0);
    assert_int_equal(occurrences(result.report, ",\"count\":3,"), 2 * 4000);
    assert_int_equal(dropped(result.report, "names"), 3 * (SITES - 4000));
}
