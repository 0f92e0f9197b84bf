#include "ctf/ctf_fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctf_writer/ctf_writer.h"
#include "stint_test.h"

struct stint_event ctf_events[CTF_EVENTS];
static struct stint_gpu_event s_gpu[CTF_DEVICES];
static struct stint_gpu_event s_pages[CTF_PAGES];
static struct stint_event_memory s_memory[CTF_EVENTS];
static struct stint_event s_sorted[CTF_EVENTS], s_sorted_1[CTF_EVENTS_1];

static const char s_report[] =
    "{\"format\":\"stint-report\",\"version\":1,\"process\":{\"pid\":77,\"command\":\"train --fast\",\"host\":\"h\","
    "\"start_unix_ns\":1700000000123456789,\"wall_ns\":9000000000},\"stats\":[{\"set\":\"GlobalStatInfo\",\"name\":"
    "\"outer\",\"count\":5,\"total_ns\":50}],\"contexts\":[{\"stat\":0,\"parent\":null,\"count\":5,\"total_ns\":50}]}"
    "\n";

/* ------------------------------------------------------------------------------------------------------------ files */

static char s_folder[64];

static void remove_all(void)
{
    char command[96];
    (void)snprintf(command, sizeof command, "rm -rf %s", s_folder);
    if (system(command))
        fprintf(stderr, "%s is left\n", s_folder);
}

const char *ctf_scratch(const char *name)
{
    static char s_paths[8][256];
    static int s_made, s_next;
    if (!s_made) {
        const char *parent =
            access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"; /* memory, if there is such a folder */
        (void)snprintf(s_folder, sizeof s_folder, "%s/stint_ctf_XXXXXX", parent);
        s_made = mkdtemp(s_folder) && !atexit(remove_all);
    }
    s_next = (s_next + 1) % 8;
    (void)snprintf(s_paths[s_next], sizeof s_paths[0], "%s/%s", s_folder, name);
    return s_paths[s_next];
}

unsigned char ctf_bytes[1 << 18];

size_t ctf_read_file(const char *path)
{
    int file = open(path, O_RDONLY);
    ssize_t size = read(file, ctf_bytes, sizeof ctf_bytes);
    assert_true(size > 0 && (size_t)size < sizeof ctf_bytes);
    close(file);
    return (size_t)size;
}

void ctf_write_file(const char *path, size_t size)
{
    int file = open(path, O_WRONLY | O_TRUNC | O_CREAT, 0666);
    assert_int_equal(write(file, ctf_bytes, size), size);
    close(file);
}

struct stint_ctf *ctf_open(const char *path)
{
    char reason[256];
    struct stint_ctf *ctf = stint_ctf_open(path, reason, sizeof reason);
    if (!ctf)
        fail_msg("%s", reason);
    return ctf;
}

/* ----------------------------------------------------------------------------------------------------------- events */

/* Contexts: 2 is outer, 3 inner within it, 4 a started range, 5 a mark. */
static const struct stint_event_context s_contexts[] = {
    {2, 0, "GlobalStatInfo", "outer", "a.c", 7},
    {3, 2, "GlobalStatInfo", "in\"ner", "b.c", 8},
    {4, 0, "NVTX start/end", "range", "", 0},
    {5, 0, "NVTX marks", "mark", "", 0},
};

static struct stint_event event_of(size_t path, uint64_t start_ns, uint64_t end_ns, int64_t tid)
{
    const struct stint_event_context *context = &s_contexts[path - 2];
    return (struct stint_event){.kind = path < 4    ? STINT_EVENT_SCOPE
                                        : path == 4 ? STINT_EVENT_RANGE
                                                    : STINT_EVENT_MARK,
                                .start_ns = start_ns,
                                .end_ns = end_ns,
                                .pid = 77,
                                .tid = tid,
                                .context = path,
                                .name = context->name,
                                .set = context->set};
}

/* Two threads by turns, a chunk each: inner scopes, and at the end of each chunk the outer ones around them, of which
 * the very last encloses all. Some last long, some come long after the one before, and one is told of too late. */
static void make_scopes(void)
{
    uint64_t random = 5, at[2] = {1000, 2000}, begun[2] = {900, 1900};
    for (int i = 0; i < CTF_SCOPES; i++) {
        int thread = i / CTF_CHUNK % 2;
        uint64_t gap = test_random(&random) % 300, span = test_random(&random) % 2000;
        if (i % 97 == 0)
            gap += UINT64_C(1) << 28;
        if (i % 701 == 0)
            span += UINT64_C(5) << 32;
        if (i % CTF_CHUNK == CTF_CHUNK - 1) {
            ctf_events[i] = event_of(2, i < CTF_SCOPES - 2 * CTF_CHUNK ? begun[thread] : 900, at[thread], 11 + thread);
            begun[thread] = at[thread];
        } else {
            ctf_events[i] = event_of(3, at[thread] + gap, at[thread] + gap + span, 11 + thread);
            at[thread] += gap + span;
        }
    }
    struct stint_event late = ctf_events[3 * CTF_CHUNK];
    ctf_events[3 * CTF_CHUNK] = ctf_events[3 * CTF_CHUNK + 1];
    ctf_events[3 * CTF_CHUNK + 1] = late;
}

static void make_devices(struct stint_event *events)
{
    static const enum stint_gpu_kind kinds[] = {0, STINT_GPU_KERNEL, STINT_GPU_COPY, STINT_GPU_SYNC};
    for (uint32_t i = 0; i < CTF_DEVICES; i++) {
        struct stint_gpu_event *gpu = &s_gpu[i];
        *gpu = (struct stint_gpu_event){.api = i % 4 == 0,
                                        .kind = kinds[i % 4],
                                        .name = i % 4 == 0   ? "cudaLaunchKernel"
                                                : i % 4 == 1 ? "k<int>"
                                                             : "[x]",
                                        .start_ns = 5000 + 100 * ((i * 7) % CTF_DEVICES),
                                        .correlation = UINT64_C(1) << 40 | i,
                                        .tid = i % 4 == 0 ? 11 : 0,
                                        .instance = STINT_GPU_NO_INSTANCE};
        gpu->end_ns = gpu->start_ns + i;
        if (i % 4 == 1)
            gpu->grid[1] = gpu->block[2] = gpu->registers = gpu->graph = i;
        if (i % 8 == 1)
            gpu->captured = UINT64_C(1) << 33 | i;
        if (i % 4 == 2) {
            gpu->bytes = UINT64_C(1) << 41 | i;
            gpu->direction = STINT_GPU_PTOP;
            gpu->source = STINT_GPU_MEMORY_DEVICE;
            gpu->peer = 1;
            gpu->peer_device = i;
        }
        if (i % 4 == 3)
            gpu->wait = STINT_GPU_WAIT_STREAM;
        gpu->stream = gpu->api ? 0 : i;
        events[i] = (struct stint_event){.kind = gpu->api ? STINT_EVENT_CALL : STINT_EVENT_DEVICE,
                                         .start_ns = gpu->start_ns,
                                         .end_ns = gpu->end_ns,
                                         .pid = 77,
                                         .tid = gpu->tid,
                                         .context = i % 3 ? i % 3 == 1 ? 2 : STINT_GPU_UNATTRIBUTED : 0,
                                         .name = gpu->name,
                                         .set = "",
                                         .gpu = gpu};
    }
}

static void make_values(struct stint_event *event, int number)
{
    *event = (struct stint_event){.kind = STINT_EVENT_VALUE,
                                  .start_ns = 6000 + 10 * (uint64_t)number,
                                  .end_ns = 6000 + 10 * (uint64_t)number,
                                  .pid = 77,
                                  .tid = 11 + number % 2,
                                  .name = number % 4 ? "loss" : "rate",
                                  .set = "NVTX counters",
                                  .field = number % 4 == 1 ? "of an epoch" : "",
                                  .value = -0.1 * number};
}

static void make_memory(struct stint_event *event, uint32_t number)
{
    s_memory[number] = (struct stint_event_memory){.address = UINT64_C(1) << 50 | number,
                                                   .bytes = UINT64_C(1) << 33,
                                                   .current_bytes = UINT64_C(3) << 33 | number,
                                                   .device = number,
                                                   .kind = STINT_GPU_MEMORY_MANAGED,
                                                   .pool = number % 4 == 1,
                                                   .freed = number % 4 == 2};
    *event = (struct stint_event){.kind = STINT_EVENT_MEMORY,
                                  .start_ns = 7000 + number,
                                  .end_ns = 7000 + number,
                                  .pid = 77,
                                  .tid = 12,
                                  .context = number % 3 ? 3 : 0,
                                  .name = "",
                                  .set = "",
                                  .memory = &s_memory[number]};
}

/* Unified memory, which moves and faults by turns. */
static void make_page(struct stint_event *event, uint32_t number)
{
    int moves = number % 2 == 0;
    uint64_t start = 8600 + 10 * number;
    s_pages[number] = (struct stint_gpu_event){.kind = moves ? STINT_GPU_UNIFIED : STINT_GPU_FAULT,
                                               .name = moves ? "[move]" : "[fault]",
                                               .direction = moves ? STINT_GPU_DTOD : STINT_GPU_DIRECTION_UNKNOWN,
                                               .start_ns = start,
                                               .end_ns = start + (moves ? 7 : 0),
                                               .instance = STINT_GPU_NO_INSTANCE,
                                               .device = moves ? number : 0,
                                               .bytes = moves ? UINT64_C(1) << 40 | number : 1,
                                               .address = UINT64_MAX - number,
                                               .peer = moves,
                                               .peer_device = moves ? 1 + number : 0};
    *event = (struct stint_event){.kind = STINT_EVENT_DEVICE,
                                  .start_ns = start,
                                  .end_ns = s_pages[number].end_ns,
                                  .pid = 77,
                                  .context = STINT_GPU_UNATTRIBUTED,
                                  .name = s_pages[number].name,
                                  .set = "",
                                  .gpu = &s_pages[number]};
}

static void make_newer(struct stint_event *events)
{
    for (uint32_t i = 0; i < CTF_PAGES; i++)
        make_page(events++, i);
    for (int i = 0; i < CTF_EVENTS - CTF_EVENTS_1 - CTF_PAGES - 4; i++)
        if (i % 2)
            make_memory(&events[i], (uint32_t)i);
        else
            make_values(&events[i], i / 2);
    events += CTF_EVENTS - CTF_EVENTS_1 - CTF_PAGES - 4;
    for (size_t i = 0; i < 4; i++) {
        events[i] = event_of(2 + i, 8000 + 100 * i, i < 3 ? 8000 + 150 * i : 8300, 12);
        events[i].color = i != 1 ? 0xFF00FF00U + (uint32_t)i : 0;
        events[i].category = (uint32_t)i;
    }
    events[2].text = "range#with=data#";
}

static int compare(const void *a, const void *b)
{
    const struct stint_event *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->end_ns != y->end_ns)
        return x->end_ns > y->end_ns ? -1 : 1;
    return x->tid != y->tid ? x->tid < y->tid ? -1 : 1 : (int)x->kind - (int)y->kind;
}

static void make_events(void)
{
    if (ctf_events[0].end_ns)
        return;
    make_scopes();
    ctf_events[CTF_SCOPES] = event_of(4, 4000, 700000, 12);
    ctf_events[CTF_SCOPES + 1] = event_of(5, 4500, 4500, 12);
    ctf_events[CTF_SCOPES + 1].text = "mark#id=7#";
    ctf_events[7].text = "inner#a=1#";
    make_devices(ctf_events + CTF_SCOPES + 2);
    make_newer(ctf_events + CTF_EVENTS_1);
    memcpy(s_sorted_1, ctf_events, sizeof s_sorted_1);
    qsort(s_sorted_1, CTF_EVENTS_1, sizeof s_sorted_1[0], compare);
    memcpy(s_sorted, ctf_events, sizeof s_sorted);
    qsort(s_sorted, CTF_EVENTS, sizeof s_sorted[0], compare);
}

struct stint_event_writer *ctf_write_events(const char *path)
{
    const struct stint_event_process process = {77, "train --fast", "h", UINT64_C(1700000000123456789)};
    char reason[256];
    struct stint_event_writer *writer = stint_ctf_writer_open(path, &process, reason, sizeof reason);
    make_events();
    if (!writer)
        fail_msg("%s", reason);
    for (size_t i = 0; i < sizeof s_contexts / sizeof s_contexts[0]; i++)
        assert_int_equal(writer->context(writer, &s_contexts[i]), 0);
    assert_int_equal(writer->clock(writer, &(struct stint_event_clock){5, 6, 7, 8}), 0);
    for (size_t i = 0; i < CTF_EVENTS; i++) {
        assert_int_equal(writer->event(writer, &ctf_events[i]), 0);
        if (i % 250 == 0)
            (void)writer->flush(writer);
    }
    (void)writer->flush(writer);
    return writer;
}

void ctf_write(const char *path)
{
    struct stint_event_writer *writer = ctf_write_events(path);
    assert_int_equal(writer->finish(writer, s_report, sizeof s_report - 1), 0);
}

/* ----------------------------------------------------------------------------------------------------------- checks */

static int s_has_captured = 1; /* what is read has the calls that made nodes of graphs */

static int is_same_memory(const struct stint_event_memory *a, const struct stint_event_memory *b)
{
    return a->address == b->address && a->bytes == b->bytes && a->current_bytes == b->current_bytes &&
           a->device == b->device && a->kind == b->kind && a->pool == b->pool && a->freed == b->freed;
}

static int is_same(const struct stint_event *a, const struct stint_event *b, int may_be_nameless)
{
    return a->kind == b->kind && a->start_ns == b->start_ns && a->end_ns == b->end_ns && a->tid == b->tid &&
           a->pid == b->pid && strcmp(a->text ? a->text : "", b->text ? b->text : "") == 0 && a->color == b->color &&
           a->category == b->category && a->value == b->value && !a->memory == !b->memory &&
           (!a->memory || is_same_memory(a->memory, b->memory)) &&
           (may_be_nameless || strcmp(a->field ? a->field : "", b->field ? b->field : "") == 0) &&
           (may_be_nameless || (strcmp(a->name, b->name) == 0 && strcmp(a->set, b->set) == 0));
}

static void check_gpu(const struct stint_gpu_event *got, const struct stint_gpu_event *expected)
{
    assert_int_equal(got->api, expected->api);
    assert_int_equal(got->kind, expected->kind);
    assert_int_equal(got->direction, expected->direction);
    assert_int_equal(got->wait, expected->wait);
    assert_int_equal(got->correlation, expected->correlation);
    assert_memory_equal(got->grid, expected->grid, sizeof got->grid);
    assert_memory_equal(got->block, expected->block, sizeof got->block);
    assert_int_equal(got->registers, expected->registers);
    assert_int_equal(got->graph, expected->graph);
    assert_int_equal(got->captured, s_has_captured ? expected->captured : 0);
    assert_int_equal(got->stream, expected->stream);
    assert_int_equal(got->bytes, expected->bytes);
    assert_int_equal(got->address, expected->address);
    assert_int_equal(got->device, expected->device);
    assert_int_equal(got->source, expected->source);
    assert_int_equal(got->destination, expected->destination);
    assert_int_equal(got->peer, expected->peer);
    assert_int_equal(got->peer_device, expected->peer_device);
}

static void check_events(struct stint_event_source *source, const struct stint_event *sorted, size_t count)
{
    struct stint_event event;
    assert_int_equal(source->begin(source), 0);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(source->next(source, &event), 1);
        if (!is_same(&event, &sorted[i], 0))
            fail_msg("event %zu is %s %llu %llu, not %s %llu %llu", i, event.name, (unsigned long long)event.start_ns,
                     (unsigned long long)event.end_ns, sorted[i].name, (unsigned long long)sorted[i].start_ns,
                     (unsigned long long)sorted[i].end_ns);
        if (event.gpu)
            check_gpu(event.gpu, sorted[i].gpu);
    }
    assert_int_equal(source->next(source, &event), 0);
}

void ctf_check_events(struct stint_event_source *source)
{
    check_events(source, s_sorted, CTF_EVENTS);
}

void ctf_check_events_2(struct stint_event_source *source)
{
    s_has_captured = 0;
    ctf_check_events(source);
    s_has_captured = 1;
}

void ctf_check_events_1(struct stint_event_source *source)
{
    s_has_captured = 0;
    check_events(source, s_sorted_1, CTF_EVENTS_1);
    s_has_captured = 1;
}

int ctf_is_known(const struct stint_event *event, int may_be_nameless)
{
    size_t low = 0, high = CTF_EVENTS;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(&s_sorted[middle], event) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < CTF_EVENTS && is_same(event, &s_sorted[low], may_be_nameless);
}
