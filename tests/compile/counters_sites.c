/* Every macro and function of counters.h, as C, C++ and CUDA host code. Compiled with the profiler on and off; also
 * linked and run: the run fails if a program would fail without a GPU. */
#include <stint/counters.h>

#ifdef __cplusplus
#define NOTHING nullptr
#else
#include <stddef.h>
#define NOTHING NULL
#endif

/* Also called outside of macro arguments, because these are not evaluated when the macro is compiled out. */
static const char *metrics_of(int x)
{
    return x % 2 ? "flops" : "memory";
}

static int blocks(int x)
{
    STINT_COUNTERS("all");
    /* clang-format off */
    STINT_COUNTERS("flops"); STINT_COUNTERS(metrics_of(x));
    /* clang-format on */
    STINT_COUNTERS(NOTHING);
    for (int i = 0; i < 3; ++i) {
        STINT_COUNTERS("stalls");
        if (i == x)
            continue;
        if (i > x)
            return i;
    }
    return 0;
}

static int is_expected(enum stint_status status)
{
    return status == STINT_OK || status == STINT_ERROR_UNAVAILABLE || status == STINT_ERROR_PERMISSION;
}

static int functions(void)
{
    struct stint_counters_options options = {sizeof options, metrics_of(1), NOTHING, NOTHING, NOTHING};
    struct stint_counter counter;
    if (stint_counters_status() == STINT_OK || !is_expected(stint_counters_start(&options)) ||
        !is_expected(stint_counters_status()))
        return 1;
    if (stint_counters_status() != STINT_OK && !*stint_counters_reason())
        return 2;
    if (stint_counters_read(STINT_COUNTERS_OF_SCOPES, NOTHING, "dram__bytes_read", &counter) != STINT_ERROR_NOT_FOUND ||
        counter.launches)
        return 3;
    (void)stint_counters_stop();
    return stint_counters_stop() != STINT_ERROR_NOT_STARTED;
}

int main(void)
{
    return blocks(0) + blocks(5) - 1 + functions();
}
