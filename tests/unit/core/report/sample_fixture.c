#include "report/sample_fixture.h"

#include "stat/builder.h"

#define COUNT_OF(rows) (sizeof(rows) / sizeof(rows)[0])
#define ADD(kind, rows) add(&builder, kind, rows, sizeof(rows)[0], COUNT_OF(rows))

static void add(struct stint_builder *builder, enum stint_row_kind kind, const void *rows, size_t size, size_t count)
{
    for (size_t i = 0; i < count; i++)
        (void)stint_builder_append(builder, kind, (const char *)rows + i * size);
}

static size_t add_scope(struct stint_builder *builder, size_t parent, const char *name)
{
    struct stint_stat like = {.set = "GlobalStatInfo", .name = name, .file = "", .function = ""};
    struct stint_numbers numbers = {.count = 2, .total_ns = 80000000, .self_ns = 40000000, .max_ns = 40000000};
    size_t stat = stint_builder_stat(builder, &like), context = stint_builder_context(builder, parent, stat);
    stint_builder_add_stat(builder, stat, &numbers);
    stint_builder_add_context(builder, context, &numbers);
    return context;
}

struct stint_snapshot *fixture_samples(void)
{
    static const struct stint_process process = {.pid = 4711, .command = "./train", .host = "node07", .clock = "tsc"};
    static const struct stint_dropped dropped = {0};
    static const struct stint_sample_info info = {
        .sampled = 1,
        .hz = 997,
        .samples = 22,
        .time_ns = 88000000,
        .cpu_ns = 88100000,
        .leaves = 1,
        .cut = 2,
        .deep = 3,
        .crowded = 4,
        .unsampled = 5,
    };
    static const struct stint_sample_module modules[] = {
        {4711, "/usr/bin/train", "0123456789abcdef0123456789abcdef01234567", 0x555555554000, 0x555555580000,
         0x555555554000},
        {4711, "/lib/lib\xff \"m\".so", "", 0x7ffff7a00000, 0x7ffff7b00000, 0x7ffff7a00000},
        {4711, "", "", 0, UINT64_MAX, 0},
    };
    static const struct stint_sample_frame frames[] = {{0, 0x1180}, {0, 0x1234}, {1, 0xbeef}, {2, 0x7fffe0001000}};
    static const struct stint_sample_stack stacks[] = {
        {STINT_SAMPLE_NO_STACK, 0}, {0, 1}, {1, 2}, {0, 3}, {STINT_SAMPLE_NO_STACK, 2},
    };
    static const struct stint_sample_thread threads[] = {{4711, 4711, 0, "train"}, {4711, 0, 1, ""}};
    struct stint_builder builder;
    stint_builder_begin(&builder);
    size_t outer = add_scope(&builder, STINT_NO_PARENT, "outer"), inner = add_scope(&builder, outer, "inner");
    const struct stint_sample_count counts[] = {
        {0, inner, 2, 10, 40000000},
        {0, outer, 1, 5, 20000000},
        {0, STINT_GPU_NO_SCOPE, 3, 3, 12000000},
        {1, STINT_GPU_UNATTRIBUTED, 4, 2, 8000000},
        {1, STINT_GPU_NO_SCOPE, STINT_SAMPLE_NO_STACK, 2, 8000000},
    };
    stint_builder_add(&builder, STINT_ROWS_SAMPLING, &info);
    ADD(STINT_ROWS_SAMPLE_MODULES, modules);
    ADD(STINT_ROWS_SAMPLE_FRAMES, frames);
    ADD(STINT_ROWS_SAMPLE_STACKS, stacks);
    ADD(STINT_ROWS_SAMPLE_THREADS, threads);
    ADD(STINT_ROWS_SAMPLE_COUNTS, counts);
    return stint_builder_end(&builder, &process, &dropped);
}
