/* More ranges inside each other than stint keeps. A file of its own: the calling contexts that this makes would stay,
 * and be in every snapshot of the tests after it. */
#include "nvtx/client.h"
#include "nvtx/domain.h"
#include "record/fixture.h"
#include "stint_test.h"

TEST_ONCE(client_start, NULL)

TEST_SETUP(ranges_in_too_many_others_are_counted_and_popped, client_reset)
{
    const nvtx_handle string = register_text(NULL, "deep");
    int level = 0;
    for (int i = 0; i < STINT_NVTX_MAX_DEPTH + 10; ++i)
        level = push_registered(NULL, string);
    assert_int_equal(level, STINT_NVTX_MAX_DEPTH + 9);
    assert_int_equal(stint_dropped.nvtx_depth, 10);
    for (int i = STINT_NVTX_MAX_DEPTH + 9; i >= 0; --i)
        level |= pop() - i;
    assert_int_equal(level, STINT_NVTX_MAX_DEPTH + 9);
    assert_int_equal(of("NVTX", "deep").count, STINT_NVTX_MAX_DEPTH);
    check_dropped((struct stint_dropped){.nvtx_depth = 10});
}
