/* A reader process sends batches through a pipe to a trainer, in which one thread decodes them and another trains.
 * Threads and ranges have names and colors for a profiler to show. */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stint/annotate.h>
#include <stint/stint.h>

enum { BATCHES = 8, SAMPLES = 4096, STEPS = 20 };
enum { DISK = 1, PIPE = 2 }; /* categories of the domain "io" */

struct batch {
    uint32_t number;
    uint32_t samples[SAMPLES];
};

STINT_DOMAIN_DEFINE(s_io, "io");

static int s_pipe[2];

/* ------------------------------------------------------------------------------------------------------- the reader */

static void read_samples(struct batch *batch, uint32_t number)
{
    STINT_RANGE_IN(&s_io, "read", STINT_COLOR_ORANGE, DISK, number);
    REGISTER_TIMER("read"); /* also a range of the domain "stint" for the profiler */

    batch->number = number;
    for (int i = 0; i < SAMPLES; ++i)
        batch->samples[i] = number * 2654435761U + (uint32_t)i * 40503U;
}

static int run_reader(void)
{
    static struct batch batch;

    STINT_NAME_THREAD("reader");
    STINT_CATEGORY_NAME_IN(&s_io, DISK, "disk");
    STINT_CATEGORY_NAME_IN(&s_io, PIPE, "pipe");
    close(s_pipe[0]);
    for (uint32_t i = 0; i < BATCHES; ++i) {
        STINT_RANGE_IN(&s_io, "batch", STINT_COLOR_AMBER, 0, i);
        read_samples(&batch, i);
        STINT_RANGE_IN(&s_io, "send", STINT_COLOR_YELLOW, PIPE, sizeof batch);
        for (size_t sent = 0; sent < sizeof batch;) {
            const ssize_t bytes = write(s_pipe[1], (const char *)&batch + sent, sizeof batch - sent);

            if (bytes <= 0)
                return 1;
            sent += (size_t)bytes;
        }
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------ the trainer */

/* A batch that is handed from one thread to the other, and the range that shows how long this takes. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int full;
    int over;
    struct batch batch;
    uint64_t range;
} s_slot = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static int receive(struct batch *batch)
{
    STINT_RANGE_IN(&s_io, "receive", STINT_COLOR_YELLOW, PIPE);

    for (size_t got = 0; got < sizeof *batch;) {
        const ssize_t bytes = read(s_pipe[0], (char *)batch + got, sizeof *batch - got);

        if (bytes <= 0)
            return 0;
        got += (size_t)bytes;
    }
    return 1;
}

static void decode(struct batch *batch)
{
    STINT_FUNCTION_RANGE(STINT_COLOR_BLUE, 0, batch->number);
    REGISTER_TIMER("decode");

    for (int i = 0; i < SAMPLES; ++i)
        batch->samples[i] ^= batch->samples[i] >> 15;
}

static void put(const struct batch *batch, int over)
{
    STINT_RANGE("put", STINT_COLOR_SILVER);

    pthread_mutex_lock(&s_slot.lock);
    while (s_slot.full)
        pthread_cond_wait(&s_slot.changed, &s_slot.lock);
    s_slot.batch = *batch;
    s_slot.over = over;
    s_slot.full = 1;
    s_slot.range = STINT_RANGE_START("in the slot", STINT_COLOR_PINK, 0, batch->number); /* from here ... */
    pthread_cond_signal(&s_slot.changed);
    pthread_mutex_unlock(&s_slot.lock);
}

static int take(struct batch *batch)
{
    int over;

    STINT_RANGE("take", STINT_COLOR_SILVER);
    pthread_mutex_lock(&s_slot.lock);
    while (!s_slot.full)
        pthread_cond_wait(&s_slot.changed, &s_slot.lock);
    *batch = s_slot.batch;
    over = s_slot.over;
    s_slot.full = 0;
    STINT_RANGE_END(s_slot.range); /* ... to here, on another thread */
    pthread_cond_signal(&s_slot.changed);
    pthread_mutex_unlock(&s_slot.lock);
    return !over;
}

static void *run_decoder(void *unused)
{
    static struct batch batch;

    STINT_NAME_THREAD("decoder");
    while (receive(&batch)) {
        decode(&batch);
        put(&batch, 0);
    }
    put(&batch, 1);
    return unused;
}

static uint32_t forward(const struct batch *batch, uint32_t weight)
{
    STINT_FUNCTION_RANGE(STINT_COLOR_TEAL);
    REGISTER_TIMER("forward");

    for (int step = 0; step < STEPS; ++step)
        for (int i = 0; i < SAMPLES; ++i)
            weight = weight * 31U + batch->samples[i];
    return weight;
}

static uint32_t backward(uint32_t loss)
{
    STINT_FUNCTION_RANGE(STINT_COLOR_PURPLE);
    REGISTER_TIMER("backward");

    for (int i = 0; i < STEPS * SAMPLES; ++i)
        loss = loss * 1664525U + 1013904223U;
    return loss;
}

static uint32_t train(void)
{
    static struct batch batch;
    uint32_t weight = 1;

    while (take(&batch)) {
        char name[32];

        snprintf(name, sizeof name, "step %u", (unsigned)batch.number);
        STINT_RANGE_DYNAMIC(name, STINT_COLOR_GREEN, 0, batch.number);
        weight = backward(forward(&batch, weight));
        STINT_MARK("weight", STINT_COLOR_RED, 0, weight);
    }
    return weight;
}

int main(void)
{
    pthread_t decoder;
    pid_t reader;
    uint32_t weight;
    int status = 1;

    if (pipe(s_pipe))
        return 1;
    reader = fork();
    if (reader == 0)
        return run_reader();
    STINT_NAME_THREAD("trainer"); /* the main thread's name is also the process's */
    close(s_pipe[1]);
    if (reader < 0 || pthread_create(&decoder, NULL, run_decoder, NULL))
        return 1;
    weight = train();
    pthread_join(decoder, NULL);
    waitpid(reader, &status, 0);
    printf("weight %u after %d batches, annotations %s\n", (unsigned)weight, BATCHES,
           STINT_HAS_NVTX ? "compiled in" : "left out");
    return status != 0;
}
