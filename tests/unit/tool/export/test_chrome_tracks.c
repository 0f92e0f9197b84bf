#include <stdlib.h>
#include <string.h>

#include "export/fixture.h"
#include "report/fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

/* Readers search for the text, with its blank. */
static void rank_is_that_of_the_launcher(void **state)
{
    setenv("RANK", "3", 1);
    setenv("WORLD_SIZE", "8", 1);
    struct capture out = export_as(STINT_EXPORT_CHROME, fixture_empty(), fixture_no_events());
    unsetenv("RANK");
    unsetenv("WORLD_SIZE");
    assert_non_null(strstr(out.text, "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": 3, \"world_size\": 8}"));
    capture_free(&out);
}

static void without_a_launcher_there_is_no_rank(void **state)
{
    struct capture out = export_as(STINT_EXPORT_CHROME, fixture_empty(), fixture_no_events());
    assert_null(strstr(out.text, "distributedInfo"));
    capture_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rank_is_that_of_the_launcher),
        cmocka_unit_test(without_a_launcher_there_is_no_rank),
    };
    return cmocka_run_group_tests(tests, NULL, fixture_gpu_teardown);
}
