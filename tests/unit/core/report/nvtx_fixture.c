#include "report/nvtx_fixture.h"

#include <float.h>

#include "stat/builder.h"

static struct stint_builder s_builder;

static void add_range(const char *set, const char *name, uint64_t count, uint64_t ns)
{
    const struct stint_stat like = {.set = set, .name = name, .file = "", .function = ""};
    const struct stint_numbers numbers = {
        .count = count, .total_ns = count * ns, .self_ns = count * ns, .min_ns = ns, .max_ns = ns};
    const size_t stat = stint_builder_stat(&s_builder, &like);
    stint_builder_add_stat(&s_builder, stat, &numbers);
    stint_builder_add_context(&s_builder, stint_builder_context(&s_builder, STINT_NO_PARENT, stat), &numbers);
}

static void add_values(const struct stint_nvtx_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        stint_builder_add(&s_builder, STINT_ROWS_NVTX_VALUES, &values[i]);
}

static void add_names(const struct stint_nvtx_name *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        stint_builder_add(&s_builder, STINT_ROWS_NVTX_NAMES, &names[i]);
}

static struct stint_snapshot *finish(const struct stint_dropped *dropped)
{
    const struct stint_process process = {.pid = 4711, .command = "serve", .host = "node07", .clock = "tsc"};
    return stint_builder_end(&s_builder, &process, dropped);
}

#define ADD(add, rows) add(rows, sizeof(rows) / sizeof(rows)[0])

struct stint_snapshot *fixture_nvtx_values(void)
{
    static const struct stint_nvtx_value values[] = {
        {"NVTX", "request", "bytes", 1500, 6291456, 512, 65536},
        {"NVTX", "request", "ratio", 1500, 412.25, 0.03125, 0.9375},
        {"NVTX", "batch", "", 12, 384, 32, 32},
        {"NVTX:io", "read", "bytes", 7, 1e15, 4096, 1e15},
        {"NVTX start/end:io", "read", "bytes", 2, -3, -2, -1},
        {"NVTX marks", "request", "bytes", 1, 9, 9, 9},
        {"NVTX counters", "queue length", "", 100000, 1234567, 0, 41},
        {"NVTX counters:io", "disk", "reads", 3, 0.1, 0.01, 0.07},
        {"NVTX counters:io", "disk", "writes", 3, 1e-7, -1e-9, 1e-7},
    };
    static const struct stint_nvtx_name names[] = {
        {4711, STINT_NVTX_THREAD, "", 4712, "loader"},
        {4711, STINT_NVTX_CATEGORY, "io", 1, "disk"},
        {4711, STINT_NVTX_RESOURCE, "io", UINT64_MAX, "lock"},
        {4711, STINT_NVTX_CUDA_STREAM, "", 94000, "copies"},
    };
    const struct stint_dropped dropped = {0};
    stint_builder_begin(&s_builder);
    add_range("NVTX", "request", 1500, 20000);
    stint_builder_add(&s_builder, STINT_ROWS_NVTX,
                      &(struct stint_nvtx_info){.images = 2, .open = 1, .rest = 1500, .missing = 3});
    ADD(add_values, values);
    ADD(add_names, names);
    return finish(&dropped);
}

struct stint_snapshot *fixture_nvtx_nasty(void)
{
    static const struct stint_nvtx_value values[] = {
        {"NVTX:marks", "a \"range\", in\ttwo\nlines", "f,\"1\"", UINT64_MAX, DBL_MAX, -DBL_MAX, DBL_MAX},
        {"NVTX marks:marks", "", "", 1, 5e-324, 5e-324, 5e-324},
        {"NVTX counters:counters: x", "caf\xc3\xa9 \xff", "[0]", 3, -0.0, -0.0, 0},
        {"NVTXray", "of a set of the program's", "", 1, 1, 1, 1},
    };
    static const struct stint_nvtx_name names[] = {
        {4711, STINT_NVTX_CUDA_EVENT, "do\"main", 0, ""},
    };
    const struct stint_dropped dropped = {
        .nvtx_events = 1,
        .nvtx_unknown = 2,
        .nvtx_domains = 3,
        .nvtx_strings = 4,
        .nvtx_schemas = 5,
        .nvtx_counters = 6,
        .nvtx_values = 7,
        .nvtx_names = 8,
        .nvtx_depth = 9,
        .nvtx_ranges = 10,
    };
    stint_builder_begin(&s_builder);
    ADD(add_values, values);
    ADD(add_names, names);
    return finish(&dropped);
}
