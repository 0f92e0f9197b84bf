#include <stdlib.h>
#include <string.h>

#include "export/fixture.h"
#include "report/fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

TEST_ONCE(NULL, fixture_gpu_teardown)

/* Readers search for the text, with its blank. */
TEST(rank_is_that_of_the_launcher)
{
    setenv("RANK", "3", 1);
    setenv("WORLD_SIZE", "8", 1);
    struct capture out = export_as(STINT_EXPORT_CHROME, fixture_empty(), fixture_no_events());
    unsetenv("RANK");
    unsetenv("WORLD_SIZE");
    assert_non_null(strstr(out.text, "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": 3, \"world_size\": 8}"));
}

TEST(without_a_launcher_there_is_no_rank)
{
    assert_null(strstr(export_as(STINT_EXPORT_CHROME, fixture_empty(), fixture_no_events()).text, "distributedInfo"));
}
