#include <stdlib.h>
#include <string.h>

#include "counters/counted_device.h"
#include "stint_test.h"

static size_t s_free, s_all;

static int memory(size_t *free_bytes, size_t *all_bytes)
{
    *free_bytes = s_free;
    *all_bytes = s_all;
    return 0;
}

void __wrap_stint_driver_function(const char *name, void *pointer)
{
    assert_string_equal(name, "cuMemGetInfo_v2");
    *(int (**)(size_t *, size_t *))pointer = memory;
}

static int room_for(size_t used, size_t free_bytes)
{
    char why[512] = "";
    s_free = free_bytes;
    s_all = used + free_bytes;
    int result = stint_replay_room(why, sizeof why);
    assert_int_equal(result != 0, strstr(why, "--replay-mode application saves nothing") != NULL);
    return result;
}

TEST(what_is_in_use_has_to_fit_into_what_is_free)
{
    assert_int_equal(room_for(0, 1 << 30), 0);
    assert_int_equal(room_for(1 << 30, 1 << 30), 0);
    assert_int_equal(room_for((1 << 30) + 1, 1 << 30), 0);    /* a byte of the host's */
    assert_int_equal(room_for((size_t)1 << 50, 1 << 30), -1); /* more than any host has */
}

TEST(without_a_limit_nothing_is_watched)
{
    (void)unsetenv("STINT_COUNTERS_TIMEOUT");
    stint_replay_watch_begin("waits(int)");
    stint_replay_watch_end();
}
