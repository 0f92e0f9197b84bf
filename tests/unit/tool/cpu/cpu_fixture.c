/* Samples, whose functions are those that stand here. */
#include "cpu/cpu_fixture.h"

#include "stint_test.h"

struct stint_symbols *__wrap_stint_symbols_begin(enum stint_symbols_detail detail)
{
    static char any;
    (void)detail;
    return (struct stint_symbols *)(void *)&any;
}

void __wrap_stint_symbols_end(struct stint_symbols *symbols);
void __wrap_stint_symbols_end(struct stint_symbols *symbols)
{
    assert_non_null(symbols);
}

const char *__wrap_stint_symbols_remark(struct stint_symbols *symbols);
const char *__wrap_stint_symbols_remark(struct stint_symbols *symbols)
{
    return "";
}

/* At 40, add() is inlined into loop(); at 60 is Python's loop; others from 50 on have no
 * name, and of that at 70 it is known where it begins. */
size_t __wrap_stint_symbols_find(struct stint_symbols *symbols, const struct stint_sample_module *module,
                                 uint64_t address, struct stint_symbol *found, size_t most);
size_t __wrap_stint_symbols_find(struct stint_symbols *symbols, const struct stint_sample_module *module,
                                 uint64_t address, struct stint_symbol *found, size_t most)
{
    static const char *const names[] = {"main", "outer", "loop", "recurse"};
    assert_true(most >= 2);
    if (address >= 50) {
        int kind = address == 60 ? STINT_SYMBOL_NAMED : address == 70 ? STINT_SYMBOL_NAMELESS : STINT_SYMBOL_UNKNOWN;
        found[0] = (struct stint_symbol){.function = address == 60 ? "_PyEval_EvalFrameDefault" : "0x32",
                                         .module = *module->path ? module->path : "[jit]",
                                         .file = "",
                                         .kind = kind};
        return 1;
    }
    if (address == 40) {
        found[0] = (struct stint_symbol){"add", module->path, "a.c", 7, STINT_SYMBOL_NAMED};
        found[1] = (struct stint_symbol){"loop", module->path, "a.c", 9, STINT_SYMBOL_NAMED};
        return 2;
    }
    found[0] = (struct stint_symbol){names[address / 10], module->path, "a.c", (int)address, STINT_SYMBOL_NAMED};
    return 1;
}

/* main > outer > loop > add (inlined): 60 ms in the scope; main > recurse > recurse: 30 ms; and 10 ms of a sample for
 * whose stack there was no room. */
static const struct stint_sample_module s_module = {.pid = 7, .path = "prog", .build_id = ""};
static const struct stint_sample_frame s_frames[] = {{0, 0}, {0, 10}, {0, 40}, {0, 30}};
static const struct stint_sample_stack s_stacks[] = {
    {STINT_SAMPLE_NO_STACK, 0}, {0, 1}, {1, 2}, {0, 3}, {3, 3},
};
static const struct stint_sample_count s_counts[] = {
    {0, 1, 2, 6, 60000000},
    {0, STINT_GPU_NO_SCOPE, 4, 3, 30000000},
    {0, STINT_GPU_NO_SCOPE, STINT_SAMPLE_NO_STACK, 1, 10000000},
};
static const struct stint_sample_thread s_thread = {.pid = 7, .tid = 7};
static const struct stint_stat s_stats[] = {{.set = "GlobalStatInfo", .name = "step"},
                                            {.set = "GlobalStatInfo", .name = "forward"}};
static const struct stint_context s_contexts[] = {{.stat = 0, .parent = STINT_NO_PARENT}, {.stat = 1, .parent = 0}};

static const struct stint_snapshot s_snapshot = {
    .stats = s_stats,
    .stat_count = 2,
    .contexts = s_contexts,
    .context_count = 2,
    .sampling = {.sampled = 1, .hz = 100, .samples = 10, .time_ns = 100000000, .crowded = 1},
    .sample_modules = &s_module,
    .sample_module_count = 1,
    .sample_frames = s_frames,
    .sample_frame_count = 4,
    .sample_stacks = s_stacks,
    .sample_stack_count = 5,
    .sample_threads = &s_thread,
    .sample_thread_count = 1,
    .sample_counts = s_counts,
    .sample_count_count = 3,
};

struct stint_cpu_profile cpu_fixture(const struct stint_cpu_options *options)
{
    struct stint_cpu_profile profile;
    assert_int_equal(stint_cpu_profile_make(&profile, &s_snapshot, options), 0);
    return profile;
}
