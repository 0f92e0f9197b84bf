/* Finds the stream of a thread by its number, or gives it that of a thread that has ended. */
#include "ctf_writer/ctf_threads.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ctf_writer/ctf_format.h"

static struct stint_ctf_output *output_at(const struct stint_ctf_threads *threads, size_t position)
{
    return (struct stint_ctf_output *)threads->outputs.items + position;
}

/* Looking at two finds one soon, if there are any. */
static struct stint_ctf_output *output_of_ended(struct stint_ctf_threads *threads)
{
    enum { FEW = 64, LOOKS = 2 };
    for (int i = 0; i < LOOKS && threads->outputs.count >= FEW; i++) {
        struct stint_ctf_output *output = output_at(threads, threads->candidate++ % threads->outputs.count);
        if (syscall(SYS_tgkill, getpid(), output->tid, 0) < 0 && errno == ESRCH)
            return output;
    }
    return NULL;
}

static struct stint_ctf_output *add(struct stint_ctf_threads *threads, struct stint_arena *arena, int64_t tid)
{
    struct stint_ctf_output *output = output_of_ended(threads);
    if (!output) {
        output = stint_array_add(&threads->outputs, arena, sizeof *output);
        if (!output)
            return NULL;
        (void)snprintf(output->name, sizeof output->name, "%s%zu", stint_ctf_stream_names[STINT_CTF_THREADS],
                       threads->outputs.count);
    }
    output->tid = tid;
    return output;
}

struct stint_ctf_output *stint_ctf_threads_current(const struct stint_ctf_threads *threads)
{
    return threads->outputs.count ? output_at(threads, threads->current) : NULL;
}

int stint_ctf_threads_change(struct stint_ctf_threads *threads, struct stint_arena *arena, int64_t tid)
{
    size_t i = 0, count = threads->outputs.count;
    while (i < count && output_at(threads, i)->tid != tid)
        i++;
    struct stint_ctf_output *output = i < count ? output_at(threads, i) : add(threads, arena, tid);
    if (!output)
        return -1;
    threads->current = (size_t)(output - output_at(threads, 0));
    return 0;
}

void stint_ctf_threads_end(const struct stint_ctf_threads *threads, const char *folder)
{
    for (size_t i = 0; i < threads->outputs.count; i++)
        stint_ctf_output_end(output_at(threads, i), folder);
}
