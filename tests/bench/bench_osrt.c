/* Measures what recording calls of the C library costs (`stint run --osrt`): the same calls of the C library itself and
 * through the wrappers, of calls that are too short to be recorded and of ones that are recorded. Prints minimum and
 * median over rounds in which all variants take turns.
 *
 *     bench_osrt [--json] [--rounds N]
 *
 * It runs itself with the library that has the wrappers. With STINT_OSRT_THRESHOLD=0 in the environment, all calls are
 * recorded, otherwise none of these. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "bench.h"
#include "stint/stint.h"

enum { LOOPS = 4000 };

static pthread_cond_t s_condition = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t s_lock = PTHREAD_MUTEX_INITIALIZER;
static char s_byte;

/* The functions in the C library. */
static struct {
    int (*signal)(pthread_cond_t *condition);
    int (*lock)(pthread_mutex_t *lock);
    ssize_t (*write)(int file, const void *from, size_t size);
} s_plain;

static int s_null; /* /dev/null */

/* --------------------------------------------------------------------------------------- variants: LOOPS calls each */

BENCH_CLOCK_PAIR(LOOPS)

static void signal_plain(void)
{
    for (int i = 0; i < LOOPS; ++i)
        s_plain.signal(&s_condition);
}

static void signal_short(void)
{
    for (int i = 0; i < LOOPS; ++i)
        pthread_cond_signal(&s_condition);
}

static void signal_off(void)
{
    stint_set_enabled(0);
    signal_short();
    stint_set_enabled(1);
}

static void lock_plain(void)
{
    for (int i = 0; i < LOOPS; ++i) {
        s_plain.lock(&s_lock);
        pthread_mutex_unlock(&s_lock);
    }
}

static void lock_free(void)
{
    for (int i = 0; i < LOOPS; ++i) {
        pthread_mutex_lock(&s_lock);
        pthread_mutex_unlock(&s_lock);
    }
}

static void write_plain(void)
{
    for (int i = 0; i < LOOPS; ++i)
        (void)!s_plain.write(s_null, &s_byte, 1);
}

static void write_wrapped(void)
{
    for (int i = 0; i < LOOPS; ++i)
        (void)!write(s_null, &s_byte, 1);
}

static struct bench_variant s_variants[] = {
    BENCH_VARIANT("clock_pair_ns", clock_pair, 0),   BENCH_VARIANT("signal_plain_ns", signal_plain, 0),
    BENCH_VARIANT("signal_off_ns", signal_off, 0),   BENCH_VARIANT("signal_ns", signal_short, 0),
    BENCH_VARIANT("lock_plain_ns", lock_plain, 0),   BENCH_VARIANT("lock_free_ns", lock_free, 0),
    BENCH_VARIANT("write_plain_ns", write_plain, 0), BENCH_VARIANT("write_ns", write_wrapped, 0),
};

enum { VARIANTS = sizeof s_variants / sizeof s_variants[0] };

/* ------------------------------------------------------------------------------------------------------------- main */

static void find(void *function, void *library, const char *name)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
}

static int find_plain(void)
{
    void *library = dlopen("libc.so.6", RTLD_LAZY);
    if (!library)
        return -1;
    find(&s_plain.signal, library, "pthread_cond_signal");
    find(&s_plain.lock, library, "pthread_mutex_lock");
    find(&s_plain.write, library, "write");
    return s_plain.signal && s_plain.lock && s_plain.write ? 0 : -1;
}

int main(int argc, char **argv)
{
    static struct bench bench = {"bench_osrt", s_variants, VARIANTS, LOOPS, 0, 0};
    const char *const preload = getenv("LD_PRELOAD");
    if (!preload || !strstr(preload, OSRT)) {
        (void)setenv("LD_PRELOAD", OSRT, 1);
        (void)setenv("STINT_OUTPUT", "off", 1);
        execv("/proc/self/exe", argv);
        return 1;
    }
    if (bench_options(&bench, argc, argv))
        return 2;
    s_null = open("/dev/null", O_WRONLY);
    if (find_plain() || s_null < 0) {
        fprintf(stderr, "bench_osrt: the C library's own functions are not found\n");
        return 1;
    }
    bench_run(&bench);
    if (bench.json) {
        bench_json_begin(&bench);
        bench_json_end(&bench, 0);
    } else {
        bench_table(&bench, 16, 0, "clock pairs", "");
    }
    return 0;
}
