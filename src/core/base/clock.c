/* Chooses the clock that times everything, the processor's counter where kernel and processor vouch for it, and knows
 * its rate from two pairs of readings that lie further and further apart. */
#include "base/clock.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"
#include "stint/detail/clock.h"

#if defined(__x86_64__)
#include <cpuid.h>
#define COUNTER_NAME "tsc"
#elif defined(__aarch64__)
#define COUNTER_NAME "cntvct"
#else
#define COUNTER_NAME ""
#endif

uint64_t stint_i_ticks_per_us;

static int s_inline;
static int s_waits;
static uint64_t s_first_ticks;
static uint64_t s_first_ns;
static uint64_t s_first_unix_ns;

static uint64_t read_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

uint64_t stint_clock_now_ns(void)
{
    return read_ns(CLOCK_MONOTONIC);
}

uint64_t stint_clock_ticks(void)
{
    if (!s_inline)
        return stint_clock_now_ns();
    return s_waits ? stint_i_ordered_ticks() : stint_i_ticks();
}

static int counter_is_invariant(void)
{
#if defined(__x86_64__)
    unsigned a, b, c, d;

    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1);
#elif defined(__aarch64__)
    return 1; /* by architecture: the generic timer has a fixed frequency and is the same on all cores */
#else
    return 0;
#endif
}

/* Whether stint_i_ordered_ticks can be used. */
static int counter_can_wait(void)
{
#if defined(__x86_64__)
    unsigned a, b, c, d;

    __cpuid(0x80000001, a, b, c, d); /* which says as well that the processor has 64 bits */
    return (d >> 27 & 1) != 0;       /* rdtscp */
#else
    return 1;
#endif
}

/* The kernel checks the TSC against other clocks and stops using it when it misbehaves. */
static int kernel_trusts_counter(void)
{
#if defined(__x86_64__)
    char source[16] = "";
    int fd = stint_process_is_confined()
                 ? -1
                 : open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return 0;
    if (read(fd, source, sizeof source - 1) < 0)
        source[0] = '\0';
    close(fd);
    return strncmp(source, "tsc", 3) == 0;
#else
    return 1;
#endif
}

/* Reads both clocks as close together as a few tries allow: an interrupt between the two would distort the rate. */
static void read_pair(uint64_t *ticks, uint64_t *ns)
{
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < 4; i++) {
        uint64_t before = stint_clock_ticks();
        uint64_t middle = stint_clock_now_ns();
        uint64_t after = stint_clock_ticks();
        if (after - before < best) {
            best = after - before;
            *ticks = before + best / 2;
            *ns = middle;
        }
    }
}

void stint_clock_restart(void)
{
    s_first_unix_ns = read_ns(CLOCK_REALTIME);
    read_pair(&s_first_ticks, &s_first_ns);
}

void stint_clock_start(enum stint_clock_choice choice)
{
    s_inline = choice != STINT_CLOCK_MONOTONIC && counter_is_invariant() &&
               (choice == STINT_CLOCK_TSC || kernel_trusts_counter());
    s_waits = s_inline && choice != STINT_CLOCK_FAST && counter_can_wait();
    STINT_I_STORE(&stint_i_ticks_per_us, s_inline ? 0u : 1000u);
    stint_clock_restart();
}

int stint_clock_is_inline(void)
{
    return s_inline;
}

int stint_clock_waits(void)
{
    return s_waits;
}

const char *stint_clock_name(void)
{
    if (!s_inline)
        return "monotonic";
    return s_waits ? COUNTER_NAME : STINT_CLOCK_UNORDERED COUNTER_NAME;
}

double stint_clock_ns_per_tick(void)
{
    uint64_t ticks = 0, ns = 0;
    if (!s_inline)
        return 1.0;
    read_pair(&ticks, &ns);
    if (ticks <= s_first_ticks || ns <= s_first_ns)
        return 1.0;
    return (double)(ns - s_first_ns) / (double)(ticks - s_first_ticks);
}

uint64_t stint_clock_cpu_ns(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t stint_clock_wall_ns(void)
{
    return stint_clock_now_ns() - s_first_ns;
}

uint64_t stint_clock_start_unix_ns(void)
{
    return s_first_unix_ns;
}
