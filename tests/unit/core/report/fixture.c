#include "report/fixture.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 160, MOST_BINS = 4 };

static struct {
    struct stint_snapshot snapshot;
    const char *sets[4];
    struct stint_stat stats[MOST];
    struct stint_context contexts[MOST];
    struct stint_thread threads[4];
    struct stint_thread_stat thread_stats[MOST];
    struct stint_bin bins[MOST][MOST_BINS];
    char names[MOST][24];
} data;

static const char global[] = "GlobalStatInfo";

/* A calling context; its numbers follow from the bins. */
struct row {
    const char *set;
    const char *name;
    int parent; /* index of a row above; -1 for a root */
    struct stint_bin bins[MOST_BINS];
    uint64_t running;
    uint64_t running_ns;
};

/* --------------------------------------------------------------------------------------------------------- building */

static void begin(void)
{
    memset(&data, 0, sizeof data);
    data.sets[0] = global;
    data.snapshot = (struct stint_snapshot){
        .size = sizeof data.snapshot,
        .process = {.pid = 4711,
                    .command = "./train --batch-size 32",
                    .host = "node07",
                    .start_unix_ns = UINT64_C(1735689600000000000),
                    .wall_ns = UINT64_C(12040123456),
                    .clock = "tsc",
                    .clock_hz = 2494140000,
                    .clock_read_ns = 8.3,
                    .scope_ns = 19.2},
        .sets = data.sets,
        .set_count = 1,
        .stats = data.stats,
        .contexts = data.contexts,
        .threads = data.threads,
        .thread_stats = data.thread_stats,
    };
}

static void add_thread(int64_t tid, const char *name)
{
    struct stint_thread *thread = &data.threads[data.snapshot.thread_count++];
    *thread = (struct stint_thread){.pid = 4711, .tid = tid, .exited = tid == 0};
    snprintf(thread->name, sizeof thread->name, "%s", name);
}

static size_t stat_of(const struct row *row)
{
    size_t i = 0;
    for (; i < data.snapshot.stat_count; i++)
        if (!strcmp(data.stats[i].set, row->set) && !strcmp(data.stats[i].name, row->name))
            return i;
    data.stats[i] = (struct stint_stat){
        .set = row->set, .name = row->name, .file = "src/train.c", .function = "train", .line = (uint32_t)(10 + i)};
    data.snapshot.stat_count++;
    return i;
}

static struct stint_numbers numbers_of(const struct row *row, struct stint_bin *bins)
{
    struct stint_numbers numbers = {.running = row->running, .running_ns = row->running_ns};
    for (size_t i = 0; i < MOST_BINS && row->bins[i].count; i++) {
        bins[i] = row->bins[i];
        numbers.count += bins[i].count;
        numbers.total_ns += bins[i].count * bins[i].ns;
        numbers.square_ns2 += (double)bins[i].count * (double)bins[i].ns * (double)bins[i].ns;
        numbers.max_ns = bins[i].ns;
        numbers.bin_count = i + 1;
    }
    numbers.min_ns = bins[0].ns;
    numbers.self_ns = numbers.total_ns;
    numbers.bins = numbers.bin_count ? bins : NULL;
    return numbers;
}

static int has_ancestor_of_same_stat(const struct stint_context *context)
{
    size_t stat = context->stat;
    while (context->parent != STINT_NO_PARENT) {
        context = &data.contexts[context->parent];
        if (context->stat == stat)
            return 1;
    }
    return 0;
}

/* Adds a context's numbers to its statistic's. No fixture has two outermost contexts of one statistic. */
static void add_to_stat(const struct stint_context *context)
{
    struct stint_numbers *sum = &data.stats[context->stat].numbers;
    if (!has_ancestor_of_same_stat(context)) {
        *sum = context->numbers;
        return;
    }
    sum->count += context->numbers.count;
    sum->recursive += context->numbers.count;
    sum->self_ns += context->numbers.self_ns;
    sum->running += context->numbers.running;
    sum->running_ns += context->numbers.running_ns;
}

static void add_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct stint_context *context = &data.contexts[i];
        context->stat = stat_of(&rows[i]);
        context->parent = rows[i].parent < 0 ? STINT_NO_PARENT : (size_t)rows[i].parent;
        context->depth = rows[i].parent < 0 ? 0 : data.contexts[context->parent].depth + 1;
        context->numbers = numbers_of(&rows[i], data.bins[i]);
        /* Time of children that ended before their parent does is not in its total yet. */
        if (context->depth && !data.contexts[context->parent].numbers.running)
            data.contexts[context->parent].numbers.self_ns -= context->numbers.total_ns;
    }
    data.snapshot.context_count = count;
    for (size_t i = 0; i < count; i++)
        add_to_stat(&data.contexts[i]);
}

static int comes_before(const struct stint_stat *a, const struct stint_stat *b)
{
    if (a->numbers.total_ns != b->numbers.total_ns)
        return a->numbers.total_ns > b->numbers.total_ns;
    return strcmp(a->name, b->name) < 0;
}

static void swap_stats(size_t a, size_t b)
{
    struct stint_stat stat = data.stats[a];
    data.stats[a] = data.stats[b];
    data.stats[b] = stat;
    for (size_t i = 0; i < data.snapshot.context_count; i++) {
        size_t *index = &data.contexts[i].stat;
        *index = *index == a ? b : *index == b ? a : *index;
    }
}

static const struct stint_snapshot *finish(void)
{
    for (size_t i = 1; i < data.snapshot.stat_count; i++)
        for (size_t j = i; j > 0 && comes_before(&data.stats[j], &data.stats[j - 1]); j--)
            swap_stats(j, j - 1);
    return &data.snapshot;
}

static size_t index_of(const char *name)
{
    size_t i = 0;
    while (strcmp(data.stats[i].name, name) != 0)
        i++;
    return i;
}

/* To be called by statistic, then thread, after finish(). */
static void add_thread_part(const char *name, size_t thread, struct stint_bin all)
{
    data.thread_stats[data.snapshot.thread_stat_count++] = (struct stint_thread_stat){
        .thread = thread,
        .stat = index_of(name),
        .numbers = {.count = all.count,
                    .total_ns = all.count * all.ns,
                    .self_ns = all.count * all.ns,
                    .min_ns = all.ns,
                    .max_ns = all.ns},
    };
}

/* --------------------------------------------------------------------------------------------------------- training */

const struct stint_snapshot *fixture_training(void)
{
    static const struct row rows[] = {
        {global, "trainOnePass", -1, {{12031442107, 1}}, 0, 0},
        {global, "forwardBackward", 0, {{43512345, 200}, {47123456, 45}, {91234567, 5}}, 0, 0},
        {global, "BackwardTimer", 1, {{6512345, 950}, {9123456, 45}, {21234567, 5}}, 0, 0},
        {global, "BpMulTimer", 2, {{5812345, 745}, {12345678, 5}}, 0, 0},
        {global, "ForwardTimer", 1, {{3801234, 900}, {5123456, 92}, {9876543, 8}}, 0, 0},
        {global, "FwMulTimer", 4, {{3412345, 740}, {6123456, 10}}, 0, 0},
        {global, "updateParameters", 0, {{2012345, 240}, {4123456, 10}}, 0, 0},
        {"Network", "send", 6, {{1212345, 245}, {2345678, 5}}, 0, 0},
        {"Network", "recv", 6, {{512345, 200}, {612345, 50}}, 0, 0},
        {global, "getTrainBatch", -1, {{9123456, 230}, {12345678, 21}}, 0, 0},
        {global, "decode", 9, {{61234, 30000}, {91234, 2100}, {1234567, 28}}, 0, 0},
        {global, "strtod", 10, {{52, 1900000}, {104, 156000}, {9877, 192}}, 0, 0},
        {global, "evalOnBatch", -1, {{1234567, 12}}, 0, 0},
    };
    begin();
    data.sets[data.snapshot.set_count++] = "Network";
    add_thread(4711, "train");
    add_thread(4712, "loader");
    add_thread(4713, "loader");
    add_thread(0, "");
    add_rows(rows, sizeof rows / sizeof rows[0]);
    finish();
    struct stint_stat *unbinned = &data.stats[index_of("evalOnBatch")];
    unbinned->numbers.bin_count = 0;
    unbinned->numbers.bins = NULL;
    unbinned->numbers.square_ns2 = 0;
    data.stats[index_of("decode")].by_thread = 1;
    add_thread_part("trainOnePass", 0, (struct stint_bin){12031442107, 1});
    add_thread_part("decode", 1, (struct stint_bin){61234, 15000});
    add_thread_part("decode", 2, (struct stint_bin){91234, 2100});
    add_thread_part("decode", 3, (struct stint_bin){61234, 15000});
    add_thread_part("strtod", 1, (struct stint_bin){52, 1900000});
    return &data.snapshot;
}

/* ------------------------------------------------------------------------------------------------------------ nasty */

const struct stint_snapshot *fixture_nasty(void)
{
    static char long_name[301];
    const struct row rows[] = {
        {global, "line\nbreak\r\tand tab", -1, {{900000, 10}}, 0, 0},
        {global, "comma, \"quote\" and \\backslash", 0, {{80000, 10}}, 0, 0},
        {global, "100% of %s and %n", 0, {{70000, 10}}, 0, 0},
        {global, long_name, -1, {{600000, 10}}, 0, 0},
        {global, "畳み込み層の順伝播テスト計測区間その一その二その三", 3, {{50000, 10}}, 0, 0},
        {global, "e\xcc\x81tude with a combining accent", 3, {{40000, 10}}, 0, 0},
        {global, "broken \xff\xc0\xaf\xed\xa0\x80 and cut off \xe2\x82", 3, {{30000, 10}}, 0, 0},
        {global, "\x1b[31mred\x7f and \xc2\x9b", 3, {{20000, 10}}, 0, 0},
        {global, "turned \xe2\x80\xae around", 3, {{10000, 10}}, 0, 0},
        {"set, with\ncomma", " ", -1, {{5000, 10}}, 0, 0},
    };
    memset(long_name, 'x', sizeof long_name - 1);
    memcpy(long_name, "begin::", 7);
    memcpy(long_name + 295, "::end", 5);
    begin();
    data.snapshot.process.command = "./\x1b[2Jnasty \"program\"";
    data.snapshot.process.host = "";
    data.sets[data.snapshot.set_count++] = "set, with\ncomma";
    add_thread(4711, "a\"b\n\xff");
    add_rows(rows, sizeof rows / sizeof rows[0]);
    finish();
    data.stats[0].file = "dir, with \"comma\"/a.c";
    data.stats[1].file = "";
    data.stats[1].function = "";
    data.stats[1].line = 0;
    return &data.snapshot;
}

/* ---------------------------------------------------------------------------------------------------------- running */

const struct stint_snapshot *fixture_running(void)
{
    static const struct row rows[] = {
        {global, "main", -1, {{0, 0}}, 1, 1234567890},
        {global, "fibonacci", 0, {{91234567, 8}}, 1, 91234560},
        {global, "fibonacci", 1, {{40123456, 16}}, 1, 40123450},
        {global, "fibonacci", 2, {{10123456, 32}}, 0, 0},
        {global, "add", 3, {{31, 64}}, 0, 0},
        {global, "poll", -1, {{1050, 1}}, 0, 0},
    };
    begin();
    add_thread(4711, "main");
    add_rows(rows, sizeof rows / sizeof rows[0]);
    data.snapshot.dropped = (struct stint_dropped){.nodes = 12,
                                                   .names = 1,
                                                   .sets = 7,
                                                   .threads = 1000000,
                                                   .memory = 2,
                                                   .reentrant = 3,
                                                   .truncated = 4,
                                                   .unnamed = 5,
                                                   .changed = 6,
                                                   .mismatched = 1,
                                                   .abandoned = 8,
                                                   .negative = 9,
                                                   .barriers = 10};
    return finish();
}

/* ----------------------------------------------------------------------------------------------------------- budget */

/* Of `left_out` activations, which took `ns` each, +/- a tenth of that in all. */
static void leave_out(size_t stat, uint64_t left_out, uint64_t ns)
{
    struct stint_numbers *all[] = {&data.stats[stat].numbers, &data.contexts[stat].numbers};
    for (size_t i = 0; i < 2; i++) {
        all[i]->count += left_out;
        all[i]->left_out = left_out;
        all[i]->total_ns += left_out * ns;
        all[i]->self_ns += left_out * ns;
        all[i]->error_ns = (double)(left_out * ns) / 10;
        all[i]->self_error_ns = all[i]->error_ns;
    }
}

const struct stint_snapshot *fixture_budget(void)
{
    static const struct row rows[] = {
        {global, "request", -1, {{10000000, 1000}}, 0, 0},
        {global, "look up", 0, {{150, 4000}}, 0, 0},
        {global, "hash", 1, {{20, 4000}}, 0, 0},
    };
    begin();
    add_thread(4711, "main");
    add_rows(rows, sizeof rows / sizeof rows[0]);
    leave_out(1, 30000000, 130);
    leave_out(2, 30000000, 20);
    data.stats[0].numbers.self_ns -= 30000000 * (uint64_t)150;
    data.contexts[0].numbers.self_ns -= 30000000 * (uint64_t)150;
    data.stats[0].numbers.self_error_ns = data.contexts[0].numbers.self_error_ns = 394538970;
    data.snapshot.process.budget = 0.02;
    data.snapshot.process.thinned_ns = 1.25;
    return finish();
}

/* ------------------------------------------------------------------------------------------------------------- deep */

const struct stint_snapshot *fixture_deep(void)
{
    enum { LEVELS = 70 };
    struct row rows[2 * LEVELS];
    begin();
    add_thread(4711, "main");
    memset(rows, 0, sizeof rows);
    for (int i = 0; i < LEVELS; i++) {
        snprintf(data.names[i], sizeof data.names[i], "level %d", i);
        rows[i] = (struct row){global, data.names[i], i - 1, {{(uint64_t)(LEVELS - i) * 1000000, 1}}, 0, 0};
    }
    for (int i = 0; i < LEVELS; i++) { /* on the way back, innermost first: below level LEVELS - 2 - i */
        int parent = LEVELS - 2 - i;
        snprintf(data.names[LEVELS + i], sizeof data.names[0], "leaf %d", LEVELS - 1 - i);
        rows[LEVELS + i] = (struct row){global, data.names[LEVELS + i], parent, {{1000, 1}}, 0, 0};
    }
    add_rows(rows, sizeof rows / sizeof rows[0]);
    return finish();
}

/* -------------------------------------------------------------------------------------------------------------- XLA */

const struct stint_snapshot *fixture_xla(void)
{
    static const char tsl[] = "NVTX:TSL";
    static const struct row rows[] = {
        {"NVTX", "train", -1, {{900000000, 1}}, 0, 0},
        {tsl, "XlaCompile", 0, {{500000000, 1}}, 0, 0},
        {tsl, "XlaPassPipeline optimization", 1, {{200000000, 1}}, 0, 0},
        {tsl, "XlaPass algsimp", 2, {{20000000, 4}}, 0, 0},
        {tsl, "XlaPass dce", 2, {{10000000, 4}}, 0, 0},
        {tsl, "XlaAutotunerMeasurement", 1, {{50000000, 2}}, 0, 0},
        {tsl, "XlaModule gemm", 5, {{10000000, 2}}, 0, 0},
        {tsl, "Thunk", 6, {{4000000, 2}}, 0, 0},
        {tsl, "XlaModule jit_step", 0, {{2000000, 100}}, 0, 0},
        {tsl, "Thunk", 8, {{300000, 400}}, 0, 0},
        {tsl, "XlaCompileBackend", -1, {{30000000, 8}}, 0, 0},
        {tsl, "XlaEmitLlvmIr", 10, {{10000000, 8}}, 0, 0},
        {"NVTX", "save", -1, {{220000000, 1}}, 0, 0},
        {tsl, "XlaPass fusion", -1, {{60000000, 2}}, 0, 0},
        {global, "XlaOwn", -1, {{1000000, 1}}, 0, 0},
        {"NVTX", "Xlarge", -1, {{900000, 1}}, 0, 0},
    };
    begin();
    add_thread(4711, "main");
    data.sets[1] = "NVTX";
    data.sets[2] = tsl;
    data.snapshot.set_count = 3;
    add_rows(rows, sizeof rows / sizeof rows[0]);
    return finish();
}

/* --------------------------------------------------------------------------------------------------------- extremes */

const struct stint_snapshot *fixture_empty(void)
{
    begin();
    data.snapshot.process = (struct stint_process){.pid = 4711, .command = "./idle", .host = "", .clock = ""};
    data.snapshot.process.wall_ns = 1500000;
    return &data.snapshot;
}

const struct stint_snapshot *fixture_extreme(void)
{
    static const struct row rows[] = {{global, "forever", -1, {{UINT64_MAX, 1}}, 0, 0},
                                      {global, "never", 0, {{0, 1}}, 0, 0}};
    begin();
    data.snapshot.process.wall_ns = UINT64_MAX;
    data.snapshot.process.clock_hz = 1e300;
    add_thread(INT64_MAX, "");
    add_rows(rows, sizeof rows / sizeof rows[0]);
    data.contexts[0].numbers.count = data.stats[0].numbers.count = UINT64_MAX;
    return finish();
}
