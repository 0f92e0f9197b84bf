/* Adds samples up by function, once for all reports about them. */
#include "cpu/cpu_profile.h"

#include <math.h>
#include <string.h>

enum { MOST_INLINED = 32 };

/* -------------------------------------------------------------------------------------------------------- functions */

static const struct stint_table_key s_function =
    STINT_TABLE_KEY(struct stint_cpu_function, symbol.function, symbol.module, symbol.file, symbol.line);

static size_t function_of(struct stint_cpu_profile *profile, const struct stint_symbol *symbol)
{
    struct stint_cpu_function like = {.symbol = *symbol};
    void *function = stint_table_take(&profile->functions, &s_function, &profile->arena, &like);
    if (!function)
        profile->failed = 1;
    return function ? stint_table_position(&profile->functions, &s_function, function) : 0;
}

static void add_frame(struct stint_cpu_profile *profile, const struct stint_sample_frame *frame, int by_lines)
{
    struct stint_symbol found[MOST_INLINED];
    const struct stint_sample_module *module = &profile->snapshot->sample_modules[frame->module];
    size_t count = stint_symbols_find(profile->symbols, module, frame->address, found, MOST_INLINED);
    for (size_t i = 0; i < count; i++) {
        size_t *place = stint_array_add(&profile->places, &profile->arena, sizeof *place);
        if (!by_lines) {
            found[i].file = "";
            found[i].line = 0;
        }
        if (place)
            *place = function_of(profile, &found[i]);
        else
            profile->failed = 1;
    }
}

static void add_frames(struct stint_cpu_profile *profile, int by_lines)
{
    size_t count = profile->snapshot->sample_frame_count;
    profile->first_places = stint_arena_alloc(&profile->arena, (count + 1) * sizeof *profile->first_places);
    if (!profile->first_places) {
        profile->failed = 1;
        return;
    }
    for (size_t i = 0; i < count && !profile->failed; i++) {
        add_frame(profile, &profile->snapshot->sample_frames[i], by_lines);
        profile->first_places[i + 1] = profile->places.count;
    }
}

/* ----------------------------------------------------------------------------------------------------------- scopes */

/* Contexts come after those that they are in. */
static void want_scopes(struct stint_cpu_profile *profile, const char *scope)
{
    const struct stint_snapshot *snapshot = profile->snapshot;
    profile->is_wanted = stint_arena_alloc(&profile->arena, snapshot->context_count + 1);
    if (!profile->is_wanted) {
        profile->failed = 1;
        return;
    }
    for (size_t i = 0; i < snapshot->context_count; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        int within = context->parent < i && profile->is_wanted[context->parent];
        profile->is_wanted[i] = (char)(within || strcmp(snapshot->stats[context->stat].name, scope) == 0);
    }
}

int stint_cpu_profile_wants(const struct stint_cpu_profile *profile, const struct stint_sample_count *count)
{
    if (!profile->is_wanted)
        return 1;
    return count->context < profile->snapshot->context_count && profile->is_wanted[count->context];
}

/* ---------------------------------------------------------------------------------------------------------- samples */

size_t stint_cpu_profile_chain(const struct stint_cpu_profile *profile, const struct stint_sample_count *count,
                               size_t chain[STINT_CPU_DEEPEST])
{
    const size_t *places = profile->places.items;
    size_t used = 0;
    for (size_t at = count->stack; at != STINT_SAMPLE_NO_STACK; at = profile->snapshot->sample_stacks[at].parent) {
        size_t frame = profile->snapshot->sample_stacks[at].frame;
        for (size_t i = profile->first_places[frame]; i < profile->first_places[frame + 1]; i++)
            if (used < STINT_CPU_DEEPEST)
                chain[used++] = places[i];
    }
    return used;
}

/* `number` is that of the sample, from 1 on. */
static void count_sample(struct stint_cpu_profile *profile, const struct stint_sample_count *count, size_t number)
{
    size_t chain[STINT_CPU_DEEPEST], length = stint_cpu_profile_chain(profile, count, chain);
    profile->time_ns += count->time_ns;
    profile->samples += count->samples;
    if (!length) {
        profile->nowhere_ns += count->time_ns;
        return;
    }
    stint_cpu_function_at(profile, chain[0])->self_ns += count->time_ns;
    stint_cpu_function_at(profile, chain[0])->self_samples += count->samples;
    for (size_t i = 0; i < length; i++) {
        struct stint_cpu_function *function = stint_cpu_function_at(profile, chain[i]);
        if (function->last == number)
            continue;
        function->last = number;
        function->total_ns += count->time_ns;
        function->total_samples += count->samples;
    }
}

double stint_cpu_share(const struct stint_cpu_profile *profile, uint64_t ns)
{
    return profile->time_ns ? 100 * (double)ns / (double)profile->time_ns : 0;
}

/* Samples are drawn as from a binomial distribution. */
double stint_cpu_error(const struct stint_cpu_profile *profile, uint64_t ns)
{
    double share = stint_cpu_share(profile, ns) / 100;
    return profile->samples ? 196 * sqrt(share * (1 - share) / (double)profile->samples) : 0;
}

int stint_cpu_profile_make(struct stint_cpu_profile *profile, const struct stint_snapshot *snapshot,
                           const struct stint_cpu_options *options)
{
    *profile = (struct stint_cpu_profile){.snapshot = snapshot, .symbols = stint_symbols_begin()};
    if (!profile->symbols)
        return -1;
    if (options->scope)
        want_scopes(profile, options->scope);
    add_frames(profile, options->by_lines);
    for (size_t i = 0; i < snapshot->sample_count_count && !profile->failed; i++)
        if (stint_cpu_profile_wants(profile, &snapshot->sample_counts[i]))
            count_sample(profile, &snapshot->sample_counts[i], i + 1);
    return profile->failed ? -1 : 0;
}

void stint_cpu_profile_free(struct stint_cpu_profile *profile)
{
    stint_symbols_end(profile->symbols);
    stint_arena_free(&profile->arena);
}
