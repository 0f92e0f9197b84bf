/* Foreign files of which some memory cannot be had, whichever: what is read is complete, or refused. */
#include <string.h>

#include "failing_arena.h"
#include "foreign_fixture.h"
#include "stint_test.h"
#include "store/store.h"

TEST_EACH(NULL, foreign_close)

/* What was said to be lost, and how many events there are; -1: the file is refused. */
static int64_t read_all(const char *path, struct stint_dropped *dropped)
{
    char reason[160] = "";
    struct stint_event event;
    int64_t events = 0;
    int more = -1;
    foreign_opened = stint_foreign_open(path, reason, sizeof reason);
    if (foreign_opened) {
        struct stint_event_source *source = stint_foreign_events(foreign_opened);
        *dropped = stint_foreign_snapshot(foreign_opened)->dropped;
        for (more = source->begin(source) ? -1 : 1; more > 0 && (more = source->next(source, &event)) > 0;)
            events++;
        (void)strcpy(reason, source->reason);
    }
    if (more < 0 && !strstr(reason, "not enough memory"))
        fail_msg("call %ld of memory fails, and the reason is '%s'", s_fails_at, reason);
    (void)foreign_close(NULL);
    return more < 0 ? -1 : events;
}

static void assert_all_or_nothing(const char *path)
{
    struct stint_dropped whole, now;
    int64_t events = read_all(path, &whole);
    assert_in_range(events, 1, 1000);
    for (s_fails_at = 0;; s_fails_at++) {
        s_calls = 0;
        int64_t read = read_all(path, &now);
        if (s_calls <= s_fails_at)
            break;
        if (read >= 0 && (read != events || memcmp(&now, &whole, sizeof now) != 0))
            fail_msg("call %ld of memory fails, and %lld of %lld events are there", s_fails_at, (long long)read,
                     (long long)events);
    }
    s_fails_at = -1;
}

TEST(of_nsight_systems)
{
    assert_all_or_nothing(foreign_fixture("nsys.sql", NULL));
}

TEST(of_nvprof)
{
    assert_all_or_nothing(foreign_fixture("nvprof.sql", NULL));
}
