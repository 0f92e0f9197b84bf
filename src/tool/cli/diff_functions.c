/* Turns the samples of a recording into functions by name, which can be compared with those of another. */
#include "cli/diff_functions.h"

#include <stdio.h>
#include <string.h>

#include "cpu/cpu_profile.h"

/* Functions without a name are known by their address in a file. Returns NULL without memory. */
static const char *name_of(const struct stint_symbol *symbol, struct stint_arena *arena)
{
    if (strncmp(symbol->function, "0x", 2) != 0)
        return stint_arena_copy(arena, symbol->function, strlen(symbol->function));
    size_t size = strlen(symbol->function) + strlen(symbol->module) + sizeof " []";
    char *name = stint_arena_alloc(arena, size);
    if (name)
        (void)snprintf(name, size, "%s [%s]", symbol->function, symbol->module);
    return name;
}

static int copy(struct stint_diff_functions *functions, const struct stint_cpu_profile *profile,
                struct stint_arena *arena)
{
    size_t count = profile->functions.count;
    struct stint_diff_function *items = stint_arena_alloc(arena, (count + 1) * sizeof *items);
    if (!items)
        return -1;
    for (size_t i = 0; i < count; i++) {
        const struct stint_cpu_function *function = stint_cpu_function_at(profile, i);
        items[i] = (struct stint_diff_function){
            .name = name_of(&function->symbol, arena), .self_ns = function->self_ns, .total_ns = function->total_ns};
        if (!items[i].name)
            return -1;
    }
    *functions = (struct stint_diff_functions){
        .items = items, .count = count, .samples = profile->samples, .time_ns = profile->time_ns};
    return 0;
}

int stint_diff_functions_read(struct stint_diff_functions *functions, const struct stint_snapshot *snapshot,
                              struct stint_arena *arena)
{
    static const struct stint_cpu_options all;
    struct stint_cpu_profile profile;
    *functions = (struct stint_diff_functions){0};
    if (!snapshot->sample_count_count)
        return 0;
    int failed = stint_cpu_profile_make(&profile, snapshot, &all) || copy(functions, &profile, arena);
    stint_cpu_profile_free(&profile);
    return failed ? -1 : 0;
}
