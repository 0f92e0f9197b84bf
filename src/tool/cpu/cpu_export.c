/* What files of other tools are made of: samples as stacks, and the names of functions. */
#include "cpu/cpu_export.h"

#include "export/encoder.h"

struct profile_stacks {
    struct stint_stacks stacks; /* has to be the first member */
    const struct stint_cpu_profile *profile;
};

static struct stint_stack_frame function_frame(const struct stint_stacks *stacks, size_t number)
{
    const struct stint_cpu_profile *profile = ((const struct profile_stacks *)stacks)->profile;
    const struct stint_symbol *symbol = &stint_cpu_function_at(profile, number)->symbol;
    return (struct stint_stack_frame){.set = "",
                                      .name = symbol->function,
                                      .file = *symbol->file ? symbol->file : symbol->module,
                                      .line = (uint64_t)symbol->line};
}

static int each_chain(const struct stint_stacks *stacks, int (*add)(void *context, const struct stint_stack *stack),
                      void *context)
{
    const struct stint_cpu_profile *profile = ((const struct profile_stacks *)stacks)->profile;
    size_t chain[STINT_CPU_DEEPEST];
    for (size_t i = 0; i < profile->snapshot->sample_count_count; i++) {
        const struct stint_sample_count *count = &profile->snapshot->sample_counts[i];
        if (!stint_cpu_profile_wants(profile, count))
            continue;
        struct stint_stack stack = {chain, stint_cpu_profile_chain(profile, count, chain), count->samples,
                                    count->time_ns};
        if (add(context, &stack))
            return -1;
    }
    return 0;
}

int stint_cpu_export(const struct stint_cpu_profile *profile, enum stint_cpu_file file, stint_write_fn *write,
                     void *context)
{
    unsigned hz = profile->snapshot->sampling.hz;
    struct profile_stacks stacks = {.stacks = {.frame = function_frame,
                                               .frame_count = profile->functions.count,
                                               .period_ns = hz ? 1000000000U / hz : 0,
                                               .each = each_chain},
                                    .profile = profile};
    char reason[64];
    return stint_walk_stacks(file == STINT_CPU_COLLAPSED ? &stint_encoder_collapsed : &stint_encoder_pprof,
                             &stacks.stacks, write, context, reason, sizeof reason);
}

/* ------------------------------------------------------------------------------------------------------------ names */

static size_t find_names(void *symbols, const struct stint_sample_module *module, uint64_t address,
                         struct stint_function_name *found, size_t most)
{
    enum { INLINED_MOST = 64 };
    struct stint_symbol names[INLINED_MOST];
    size_t count = stint_symbols_find(symbols, module, address, names, most < INLINED_MOST ? most : INLINED_MOST);
    for (size_t i = 0; i < count; i++)
        found[i] = (struct stint_function_name){names[i].function, names[i].file, (uint32_t)names[i].line};
    return count;
}

struct stint_function_names stint_cpu_names(struct stint_symbols *symbols)
{
    return (struct stint_function_names){symbols ? find_names : NULL, symbols};
}
