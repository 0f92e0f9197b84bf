/* Runs each kernel of a ceiling long enough to be timed, several times, and keeps the fastest: a ceiling is what can be
 * reached, so every disturbance only makes it lower. */
#include "ceiling/ceilings.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ceiling/ceiling_driver.h"

/* Of RUNS the best counts, after WARM_UPS, in which clocks rise. */
enum { WARM_UPS = 10, RUNS = 10, RUN_MS = 4, MOST_TIMES = 1 << 20, L2_PARTS = 3 };

/* Bit patterns that are numbers in all types, below 1. */
static const unsigned s_pattern = 0x3bff3bff;

static const size_t s_most_bytes = (size_t)1 << 30, s_least_bytes = (size_t)1 << 26;

struct device {
    struct stint_cuda cuda;
    int id;
    int error; /* of the last call that failed */
    unsigned capability, multiprocessors;
    size_t l2_bytes;
    size_t bytes; /* of each of these */
    uint64_t from, to;
    void *begin, *end; /* events */
    char *text;
};

/* A kernel and how it is launched. */
struct work {
    const struct stint_code *code;
    void *function;
    unsigned blocks;
    uint64_t items; /* 0: it moves nothing */
};

static int has_failed(struct device *device, int error)
{
    device->error = error ? error : device->error;
    return error;
}

/* ------------------------------------------------------------------------------------------------------------- time */

/* Returns milliseconds, or -1. */
static double run(struct device *device, const struct work *work, unsigned times)
{
    uint64_t items = work->items;
    void *arguments[] = {&device->from, &device->to, &items, &times};
    const struct stint_cuda *cuda = &device->cuda;
    float ms = 0;
    if (has_failed(device, cuda->record(device->begin, NULL)) ||
        has_failed(device, cuda->launch(work->function, work->blocks, 1, 1, work->code->block, 1, 1, 0, NULL, arguments,
                                        NULL)) ||
        has_failed(device, cuda->record(device->end, NULL)) || has_failed(device, cuda->wait(device->end)) ||
        has_failed(device, cuda->elapsed(&ms, device->begin, device->end)))
        return -1;
    return (double)ms;
}

/* Returns how often a kernel has to do its work to take RUN_MS; 0 if it fails. */
static unsigned times_of(struct device *device, const struct work *work)
{
    double ms = run(device, work, 1);
    for (unsigned times = 1; ms >= 0; ms = run(device, work, times)) {
        if (ms >= RUN_MS / 2.0 || times >= MOST_TIMES)
            return times;
        double factor = ms > 0 ? RUN_MS / ms : 64;
        factor = factor < 2 ? 2 : factor > 64 ? 64 : factor;
        times = times * factor < MOST_TIMES ? (unsigned)(times * factor) : MOST_TIMES;
    }
    return 0;
}

/* Returns how much is done in a second; 0 if it fails. */
static double rate_of(struct device *device, const struct work *work)
{
    unsigned times = times_of(device, work);
    double best = 0, each = work->items ? (double)work->items : (double)work->blocks * work->code->block;
    for (unsigned i = 0; times && i < WARM_UPS + RUNS; i++) {
        double ms = run(device, work, times);
        if (ms < 0)
            return 0;
        if (i >= WARM_UPS && ms > 0 && (best == 0 || ms < best))
            best = ms;
    }
    return best > 0 ? each * work->code->amount * times / best * 1e3 : 0;
}

/* ---------------------------------------------------------------------------------------------------------- kernels */

/* What moves memory takes whole rounds of all threads; what stays in L2 is a part of it. */
static void choose_items(const struct device *device, struct work *work)
{
    uint64_t of_block = (uint64_t)work->code->block * STINT_CODE_ITEMS;
    uint64_t bytes = device->bytes;
    if (work->code->ceiling > STINT_CEILING_L2)
        return;
    if (work->code->ceiling == STINT_CEILING_L2)
        bytes = device->l2_bytes / L2_PARTS < bytes ? device->l2_bytes / L2_PARTS : bytes;
    uint64_t most = bytes / STINT_CODE_ITEM_BYTES / of_block;
    if (work->blocks > most)
        work->blocks = (unsigned)(most ? most : 1);
    work->items = bytes / STINT_CODE_ITEM_BYTES / (of_block * work->blocks) * of_block * work->blocks;
}

/* Kernels that a device or its driver does not take are left out; what fails later breaks the context. */
static int measure_one(struct device *device, const struct stint_code *code, struct stint_ceilings *ceilings)
{
    struct work work = {.code = code, .blocks = device->multiprocessors * code->blocks};
    void *module;
    if (device->capability < code->least || device->capability > code->most)
        return 0;
    stint_code_write(code, device->text);
    if (device->cuda.load(&module, device->text))
        return 0;
    double rate = 0;
    if (!has_failed(device, device->cuda.function(&work.function, module, STINT_CODE_ENTRY))) {
        choose_items(device, &work);
        rate = code->ceiling == STINT_CEILING_L2 && !work.items ? 0 : rate_of(device, &work);
    }
    (void)device->cuda.unload(module);
    if (rate > ceilings->per_s[code->ceiling])
        ceilings->per_s[code->ceiling] = rate;
    return device->error ? -1 : 0;
}

static int measure_all(struct device *device, struct stint_ceilings *ceilings)
{
    const struct stint_code *code;
    for (size_t i = 0; (code = stint_code_at(i)); i++)
        if (measure_one(device, code, ceilings))
            return -1;
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- device */

static int describe(struct device *device, struct stint_ceilings *ceilings)
{
    const struct stint_cuda *cuda = &device->cuda;
    int count = 0, major = 0, minor = 0, multiprocessors = 0, l2 = 0;
    if (has_failed(device, cuda->init(0)) || has_failed(device, cuda->count(&count)) || !count ||
        has_failed(device, cuda->version(&ceilings->driver)) ||
        has_failed(device, cuda->name(ceilings->device, sizeof ceilings->device, device->id)) ||
        has_failed(device, cuda->attribute(&major, STINT_CUDA_COMPUTE_MAJOR, device->id)) ||
        has_failed(device, cuda->attribute(&minor, STINT_CUDA_COMPUTE_MINOR, device->id)) ||
        has_failed(device, cuda->attribute(&multiprocessors, STINT_CUDA_MULTIPROCESSORS, device->id)) ||
        has_failed(device, cuda->attribute(&l2, STINT_CUDA_L2_BYTES, device->id)))
        return -1;
    device->capability = (unsigned)(10 * major + minor);
    device->multiprocessors = (unsigned)multiprocessors;
    device->l2_bytes = (size_t)l2;
    return 0;
}

/* As much memory as there is, but not more than is needed. */
static int allocate(struct device *device)
{
    const struct stint_cuda *cuda = &device->cuda;
    for (device->bytes = s_most_bytes; device->bytes >= s_least_bytes; device->bytes /= 2) {
        int error = cuda->allocate(&device->from, device->bytes);
        if (!error) {
            error = cuda->allocate(&device->to, device->bytes);
            if (!error)
                return has_failed(device, cuda->set(device->from, s_pattern, device->bytes / sizeof s_pattern));
            (void)cuda->free(device->from);
        }
        device->error = error;
    }
    return -1;
}

static int prepare_and_measure(struct device *device, struct stint_ceilings *ceilings)
{
    const struct stint_cuda *cuda = &device->cuda;
    if (allocate(device))
        return -1;
    device->error = 0;
    int failed = has_failed(device, cuda->make_event(&device->begin, 0)) ||
                 has_failed(device, cuda->make_event(&device->end, 0)) || measure_all(device, ceilings);
    (void)cuda->destroy_event(device->begin);
    (void)cuda->destroy_event(device->end);
    (void)cuda->free(device->from);
    (void)cuda->free(device->to);
    return failed ? -1 : 0;
}

static int measure(struct device *device, struct stint_ceilings *ceilings)
{
    void *context;
    if (describe(device, ceilings) || has_failed(device, device->cuda.retain(&context, device->id)))
        return -1;
    int failed = has_failed(device, device->cuda.push(context)) ? -1 : prepare_and_measure(device, ceilings);
    (void)device->cuda.pop(&context);
    (void)device->cuda.release(device->id);
    return failed;
}

int stint_ceilings_measure(struct stint_ceilings *ceilings, char *reason, size_t size)
{
    struct device device = {.text = malloc(STINT_CODE_SIZE)};
    const char *missing = device.text ? stint_cuda_open(&device.cuda) : "memory";
    int failed = missing ? -1 : measure(&device, ceilings);
    if (missing)
        (void)snprintf(reason, size, "%s is missing", missing);
    else if (failed)
        (void)snprintf(reason, size, device.error ? "CUDA failed with error %d" : "there is no device", device.error);
    free(device.text);
    return failed;
}
