/* Measures what it costs to make a database: scopes in nested calls on several threads are written to a store, as when
 * a recording is converted, and read back in the order of time. Rates are per elapsed time; on a machine that is busy
 * with other work, CPU time says more.
 *
 *     bench_store [--json] [--events N] FILE
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "store/store.h"

enum { THREADS = 4, SCOPES = 1000, CHUNK = 1024, DEEP = 8 };

static const char s_report[] =
    "{\"format\":\"stint-report\",\"version\":1,\"process\":{\"pid\":4711,\"command\":\"./bench\","
    "\"host\":\"\",\"start_unix_ns\":1790000000000000000,\"wall_ns\":60000000000}}";

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void need(int ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "bench_store: %s\n", what);
    exit(1);
}

/* ----------------------------------------------------------------------------------------------------------- events */

static void tell_contexts(struct stint_store_writer *writer)
{
    static char names[SCOPES][16];
    for (uint32_t i = 0; i < SCOPES; i++) {
        snprintf(names[i], sizeof names[i], "scope %" PRIu32, i);
        struct stint_event_context context = {
            .path = i + 1, .parent = i % DEEP ? i : 0, .set = "GlobalStatInfo", .name = names[i], .file = ""};
        need(stint_store_writer_context(writer, &context) == 0, "it cannot be written");
    }
}

/* Of `DEEP` activations, the outermost, which began first, comes first. */
static void tell_chunk(struct stint_store_writer *writer, uint64_t begin_ns, int64_t thread, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t depth = i % DEEP, outer_ns = begin_ns + i / DEEP * 1000;
        struct stint_event event = {.kind = STINT_EVENT_SCOPE,
                                    .start_ns = outer_ns + depth * 20,
                                    .end_ns = outer_ns + 900 - depth * 20,
                                    .pid = 4711,
                                    .tid = 4711 + thread,
                                    .context = (size_t)((begin_ns >> 10) % (SCOPES / DEEP) * DEEP + depth + 1),
                                    .name = "",
                                    .set = ""};
        need(stint_store_writer_event(writer, &event) == 0, "it cannot be written");
    }
}

/* ------------------------------------------------------------------------------------------------------------ times */

struct result {
    double write_s;
    double finish_s;
    double write_cpu_s; /* for writing and finishing */
    double read_s;
    long resident_kib;
    double file_mb;
};

static void write_events(const char *path, uint64_t events, struct result *result)
{
    char reason[256] = "";
    double begin = seconds(), begin_cpu = cpu_seconds();
    struct stint_store_writer *writer = stint_store_writer_open(path, 4711, reason, sizeof reason);
    need(writer != NULL, reason);
    tell_contexts(writer);
    for (uint64_t done = 0, chunk = 0; done < events; chunk++) {
        uint64_t count = events - done < CHUNK ? events - done : CHUNK;
        tell_chunk(writer, chunk / THREADS * CHUNK / DEEP * 1000, (int64_t)(chunk % THREADS), count);
        done += count;
    }
    result->write_s = seconds() - begin;
    begin = seconds();
    need(stint_store_writer_finish(writer, s_report, sizeof s_report - 1, reason, sizeof reason) == 0, reason);
    result->finish_s = seconds() - begin;
    result->write_cpu_s = cpu_seconds() - begin_cpu;
}

static void read_events(const char *path, uint64_t events, struct result *result)
{
    char reason[256];
    struct stint_store *store = stint_store_open(path, reason, sizeof reason);
    struct stint_event event;
    uint64_t count = 0, last_ns = 0;
    double begin = seconds();
    need(store != NULL, reason);
    struct stint_event_source *source = stint_store_events(store);
    need(source->begin(source) == 0, source->reason);
    for (int more; (more = source->next(source, &event)) != 0; count++) {
        need(more > 0, source->reason);
        need(event.start_ns >= last_ns, "events are not in order");
        last_ns = event.start_ns;
    }
    need(count == events, "events are missing");
    stint_store_close(store);
    result->read_s = seconds() - begin;
}

int main(int count, char **arguments)
{
    uint64_t events = 20000000;
    int json = 0, at = 1;
    struct result result = {0};
    struct rusage usage;
    struct stat info;
    for (; at < count && arguments[at][0] == '-'; at++) {
        if (strcmp(arguments[at], "--json") == 0)
            json = 1;
        else if (strcmp(arguments[at], "--events") == 0 && at + 1 < count)
            events = strtoull(arguments[++at], NULL, 10);
    }
    need(at < count, "usage: bench_store [--json] [--events N] FILE");
    write_events(arguments[at], events, &result);
    getrusage(RUSAGE_SELF, &usage);
    result.resident_kib = usage.ru_maxrss;
    if (stat(arguments[at], &info) == 0)
        result.file_mb = (double)info.st_size / 1e6;
    read_events(arguments[at], events, &result);
    getrusage(RUSAGE_SELF, &usage);
    double all_s = result.write_s + result.finish_s, number = (double)events;
    if (json)
        printf("{\"store_events\": %" PRIu64 ", \"store_events_per_s\": %.0f, \"store_write_ns\": %.1f, "
               "\"store_finish_s\": %.2f, \"store_cpu_ns\": %.1f, \"store_read_events_per_s\": %.0f, "
               "\"store_resident_mib\": %.1f, "
               "\"store_bytes_per_event\": %.1f}\n",
               events, number / all_s, result.write_s * 1e9 / number, result.finish_s,
               result.write_cpu_s * 1e9 / number, number / result.read_s, (double)result.resident_kib / 1024,
               result.file_mb * 1e6 / number);
    else
        printf("%" PRIu64
               " events: %.0f a second; %.1f ns each to write, %.2f s to finish, %.1f MB, %.1f MiB resident;\n"
               "read back: %.0f a second, %.1f MiB resident\n",
               events, number / all_s, result.write_s * 1e9 / number, result.finish_s, result.file_mb,
               (double)result.resident_kib / 1024, number / result.read_s, (double)usage.ru_maxrss / 1024);
    return 0;
}
