/* Adds samples up by function and to a tree of calls, once for all reports about them; and gives them as stacks to
 * files of other tools. */
#include "cpu/cpu_profile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "export/encoder.h"
#include "stat/numbers.h"

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

/* "libfoo.so (no symbols)". */
static const char *name_folded(struct stint_cpu_profile *profile, const struct stint_symbol *symbol)
{
    char name[256];
    if (strcmp(symbol->module, "[jit]") == 0)
        return "JIT code";
    (void)snprintf(name, sizeof name, "%.200s (no symbols)", symbol->module);
    const char *copy = stint_arena_copy(&profile->arena, name, strlen(name));
    return copy ? copy : "";
}

/* Code that was sampled before the sampler knew of its file has the address that it was loaded at. */
static struct stint_sample_frame where_it_is(const struct stint_snapshot *snapshot,
                                             const struct stint_sample_frame *frame)
{
    const struct stint_sample_module *unknown = &snapshot->sample_modules[frame->module];
    for (size_t i = 0; !*unknown->path && i < snapshot->sample_module_count; i++) {
        const struct stint_sample_module *module = &snapshot->sample_modules[i];
        if (*module->path && module->pid == unknown->pid && frame->address >= module->begin &&
            frame->address < module->end)
            return (struct stint_sample_frame){i, frame->address - module->bias};
    }
    return *frame;
}

static void add_frame(struct stint_cpu_profile *profile, const struct stint_sample_frame *frame,
                      const struct stint_cpu_options *options)
{
    struct stint_symbol found[MOST_INLINED];
    struct stint_sample_frame place = where_it_is(profile->snapshot, frame);
    const struct stint_sample_module *module = &profile->snapshot->sample_modules[place.module];
    size_t count = stint_symbols_find(profile->symbols, module, place.address, found, MOST_INLINED);
    int folded = found[0].kind == STINT_SYMBOL_UNKNOWN; /* one function of its file */
    if (folded)
        found[0].function = name_folded(profile, &found[0]);
    if (options->no_inline) {
        found[0] = found[count - 1];
        count = 1;
    }
    for (size_t i = 0; i < count; i++) {
        size_t *added = stint_array_add(&profile->places, &profile->arena, sizeof *added);
        if (!options->by_lines) {
            found[i].file = "";
            found[i].line = 0;
        }
        if (!added) {
            profile->failed = 1;
            return;
        }
        *added = function_of(profile, &found[i]);
        if (folded && !profile->failed)
            stint_cpu_function_at(profile, *added)->places++;
    }
}

static void add_frames(struct stint_cpu_profile *profile, const struct stint_cpu_options *options)
{
    size_t count = profile->snapshot->sample_frame_count;
    profile->first_places = stint_arena_alloc(&profile->arena, (count + 1) * sizeof *profile->first_places);
    if (!profile->first_places) {
        profile->failed = 1;
        return;
    }
    for (size_t i = 0; i < count && !profile->failed; i++) {
        add_frame(profile, &profile->snapshot->sample_frames[i], options);
        profile->first_places[i + 1] = profile->places.count;
    }
}

/* ----------------------------------------------------------------------------------------------------------- Python */

/* Whether it is the interpreter alone: "libpython3.11.so.1.0", "python3.13". */
static int is_interpreter(const struct stint_sample_module *module)
{
    const char *slash = strrchr(module->path, '/'), *name = slash ? slash + 1 : module->path;
    name += strncmp(name, "lib", 3) == 0 ? 3 : 0;
    return strncmp(name, "python", 6) == 0 && !name[6 + strspn(name + 6, "0123456789.sodmt")];
}

static const struct stint_sample_module *module_of(const struct stint_snapshot *snapshot, size_t stack)
{
    return &snapshot->sample_modules[snapshot->sample_frames[snapshot->sample_stacks[stack].frame].module];
}

/* Callers come before those that they call. */
static void find_within(struct stint_cpu_profile *profile)
{
    const struct stint_snapshot *snapshot = profile->snapshot;
    profile->is_within = stint_arena_alloc(&profile->arena, snapshot->sample_stack_count + 1);
    if (!profile->is_within)
        profile->failed = 1;
    for (size_t i = 0; profile->is_within && i < snapshot->sample_stack_count; i++) {
        size_t caller = snapshot->sample_stacks[i].parent;
        profile->is_within[i] = caller < i && is_interpreter(module_of(snapshot, i)) &&
                                (profile->is_within[caller] || stint_symbols_is_python(module_of(snapshot, caller)));
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

/* Whether the sample is within what is asked for. */
static int is_wanted(const struct stint_cpu_profile *profile, const struct stint_sample_count *count)
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
        if (profile->is_within[at])
            continue;
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
    stint_sum_up(&profile->time_ns, count->time_ns);
    stint_sum_up(&profile->samples, count->samples);
    if (!length) {
        stint_sum_up(&profile->nowhere_ns, count->time_ns);
        return;
    }
    stint_sum_up(&stint_cpu_function_at(profile, chain[0])->self_ns, count->time_ns);
    stint_sum_up(&stint_cpu_function_at(profile, chain[0])->self_samples, count->samples);
    size_t at = count->stack;
    while (profile->is_within[at])
        at = profile->snapshot->sample_stacks[at].parent;
    size_t frame = profile->snapshot->sample_stacks[at].frame;
    size_t inlined = profile->first_places[frame + 1] - profile->first_places[frame] - 1;
    stint_sum_up(&stint_cpu_function_at(profile, chain[inlined])->code_ns, count->time_ns);
    for (size_t i = 0; i < length; i++) {
        struct stint_cpu_function *function = stint_cpu_function_at(profile, chain[i]);
        if (function->last == number)
            continue;
        function->last = number;
        stint_sum_up(&function->total_ns, count->time_ns);
        stint_sum_up(&function->total_samples, count->samples);
    }
}

double stint_cpu_share(const struct stint_cpu_profile *profile, uint64_t ns)
{
    if (profile->time_ns == UINT64_MAX) /* or more */
        return INFINITY;
    return profile->time_ns ? 100 * (double)ns / (double)profile->time_ns : 0;
}

/* Samples are drawn as from a binomial distribution. */
double stint_cpu_error(const struct stint_cpu_profile *profile, uint64_t ns)
{
    double share = stint_cpu_share(profile, ns) / 100;
    return profile->samples ? 196 * sqrt(share * (1 - share) / (double)profile->samples) : 0;
}

/* ---------------------------------------------------------------------------------------------- code without names */

/* What all code of that file without a name is together. */
static size_t whole_of(struct stint_cpu_profile *profile, const struct stint_symbol *symbol)
{
    return function_of(profile, &(struct stint_symbol){.function = name_folded(profile, symbol),
                                                       .module = symbol->module,
                                                       .file = "",
                                                       .kind = STINT_SYMBOL_UNKNOWN});
}

/* Adds up what ran in each function itself, and in all of each file that have no name; returns the time of all. */
static uint64_t add_wholes(struct stint_cpu_profile *profile, size_t *wholes, size_t known)
{
    uint64_t time_ns = 0;
    size_t chain[STINT_CPU_DEEPEST];
    for (size_t i = 0; i < profile->snapshot->sample_count_count; i++) {
        const struct stint_sample_count *count = &profile->snapshot->sample_counts[i];
        size_t length = is_wanted(profile, count) ? stint_cpu_profile_chain(profile, count, chain) : 0;
        if (length)
            stint_sum_up(&stint_cpu_function_at(profile, chain[0])->self_ns, count->time_ns);
        stint_sum_up(&time_ns, length ? count->time_ns : 0);
    }
    for (size_t i = 0; i < known && !profile->failed; i++) {
        struct stint_cpu_function function = *stint_cpu_function_at(profile, i);
        wholes[i] = i;
        if (function.symbol.kind != STINT_SYMBOL_NAMELESS)
            continue;
        wholes[i] = whole_of(profile, &function.symbol);
        stint_sum_up(&stint_cpu_function_at(profile, wholes[i])->self_ns, function.self_ns);
    }
    return time_ns;
}

/* Functions whose names were stripped are told apart by where they begin. In a table of a few rows they are one of
 * their file, if that took little. Notes the file in which code without names took most. */
static void fold_nameless(struct stint_cpu_profile *profile, int is_brief)
{
    enum { LITTLE_PERCENT = 10 };
    size_t known = profile->functions.count, *places = profile->places.items;
    size_t *wholes = stint_arena_alloc(&profile->arena, (known + 1) * sizeof *wholes);
    if (!wholes)
        profile->failed = 1;
    uint64_t time_ns = profile->failed ? 0 : add_wholes(profile, wholes, known);
    for (size_t i = 0; is_brief && i < profile->places.count && !profile->failed; i++) {
        struct stint_cpu_function *whole = stint_cpu_function_at(profile, wholes[places[i]]);
        if (places[i] == wholes[places[i]] || whole->self_ns / LITTLE_PERCENT >= time_ns / 100)
            continue;
        places[i] = wholes[places[i]];
        whole->places++;
    }
    for (size_t i = 0; i < profile->functions.count; i++) {
        struct stint_cpu_function *function = stint_cpu_function_at(profile, i);
        if (function->symbol.kind == STINT_SYMBOL_UNKNOWN && strcmp(function->symbol.module, "[jit]") != 0 &&
            function->self_ns > profile->nameless_ns) {
            profile->nameless_ns = function->self_ns;
            profile->nameless = function->symbol.module;
        }
        function->self_ns = 0;
    }
}

/* ------------------------------------------------------------------------------------------------------------- make */

static enum stint_symbols_detail detail_of(const struct stint_cpu_options *options)
{
    if (options->by_lines)
        return STINT_SYMBOLS_LINES;
    if (options->no_inline)
        return STINT_SYMBOLS_NAMES;
    return options->is_brief ? STINT_SYMBOLS_INLINED_IF_CHEAP : STINT_SYMBOLS_INLINED;
}

int stint_cpu_profile_make(struct stint_cpu_profile *profile, const struct stint_snapshot *snapshot,
                           const struct stint_cpu_options *options)
{
    *profile = (struct stint_cpu_profile){.snapshot = snapshot, .symbols = options->symbols};
    if (!profile->symbols)
        profile->symbols = profile->own_symbols = stint_symbols_begin(detail_of(options));
    if (!profile->symbols)
        return -1;
    if (options->scope)
        want_scopes(profile, options->scope);
    add_frames(profile, options);
    find_within(profile);
    fold_nameless(profile, options->is_brief);
    for (size_t i = 0; i < snapshot->sample_count_count && !profile->failed; i++)
        if (is_wanted(profile, &snapshot->sample_counts[i]))
            count_sample(profile, &snapshot->sample_counts[i], i + 1);
    return profile->failed ? -1 : 0;
}

void stint_cpu_profile_free(struct stint_cpu_profile *profile)
{
    stint_symbols_end(profile->own_symbols);
    stint_arena_free(&profile->arena);
}

/* ------------------------------------------------------------------------------------------------------------- tree */

/* The nodes of a tree. A child is found by its parent and its function. */
struct tree {
    struct stint_cpu_profile *profile;
    struct stint_table *nodes;
};

static const struct stint_table_key s_child = STINT_TABLE_KEY(struct stint_cpu_node, parent, function);

static struct stint_cpu_node *node_at(const struct stint_table *nodes, size_t at)
{
    return (struct stint_cpu_node *)nodes->items + at;
}

/* Finds or adds a child. Returns 0, the root, without memory. */
static size_t child_of(struct tree *tree, size_t parent, size_t function)
{
    struct stint_cpu_node like = {.function = function, .parent = parent, .next = node_at(tree->nodes, parent)->child};
    size_t known = tree->nodes->count;
    void *child = stint_table_take(tree->nodes, &s_child, &tree->profile->arena, &like);
    if (!child) {
        tree->profile->failed = 1;
        return 0;
    }
    size_t at = stint_table_position(tree->nodes, &s_child, child);
    if (at == known)
        node_at(tree->nodes, parent)->child = at;
    return at;
}

static void add_sample(struct tree *tree, const struct stint_sample_count *count, int bottom_up)
{
    size_t chain[STINT_CPU_DEEPEST], length = stint_cpu_profile_chain(tree->profile, count, chain), at = 0;
    stint_sum_up(&node_at(tree->nodes, 0)->total_ns, count->time_ns);
    stint_sum_up(&node_at(tree->nodes, 0)->samples, count->samples);
    for (size_t i = 0; i < length && !tree->profile->failed; i++) {
        at = child_of(tree, at, chain[bottom_up ? i : length - 1 - i]);
        stint_sum_up(&node_at(tree->nodes, at)->total_ns, count->time_ns);
        stint_sum_up(&node_at(tree->nodes, at)->samples, count->samples);
    }
    stint_sum_up(&node_at(tree->nodes, at)->self_ns, count->time_ns);
}

/* ------------------------------------------------------------------------------------------------------------ order */

static int is_before(const void *array, size_t a, size_t b)
{
    const struct stint_cpu_node *nodes = array;
    return nodes[a].total_ns != nodes[b].total_ns ? nodes[a].total_ns > nodes[b].total_ns
                                                  : nodes[a].function < nodes[b].function;
}

/* Links the children of a node anew; `list` has room for all nodes, twice. */
static void sort_children(const struct stint_table *nodes, size_t parent, size_t *list)
{
    size_t count = 0;
    for (size_t at = node_at(nodes, parent)->child; at; at = node_at(nodes, at)->next)
        list[count++] = at;
    stint_sort(list, count, is_before, nodes->items, list + count);
    for (size_t i = 0; i < count; i++)
        node_at(nodes, list[i])->next = i + 1 < count ? list[i + 1] : 0;
    if (count)
        node_at(nodes, parent)->child = list[0];
}

int stint_cpu_tree_make(struct stint_cpu_profile *profile, int bottom_up, struct stint_table *nodes)
{
    const struct stint_snapshot *snapshot = profile->snapshot;
    struct tree tree = {.profile = profile, .nodes = nodes};
    struct stint_cpu_node *root = stint_array_add(&nodes->array, &profile->arena, sizeof *root);
    if (!root)
        return -1;
    root->function = STINT_CPU_ROOT;
    root->parent = STINT_CPU_ROOT;
    for (size_t i = 0; i < snapshot->sample_count_count && !profile->failed; i++)
        if (is_wanted(profile, &snapshot->sample_counts[i]))
            add_sample(&tree, &snapshot->sample_counts[i], bottom_up);
    size_t *list = stint_arena_alloc(&profile->arena, 2 * nodes->count * sizeof *list);
    for (size_t i = 0; list && i < nodes->count; i++)
        sort_children(nodes, i, list);
    return profile->failed || !list ? -1 : 0;
}

/* ----------------------------------------------------------------------------------------------------------- export */

static struct stint_stack_frame function_frame(const struct stint_stacks *stacks, size_t number)
{
    const struct stint_cpu_profile *profile = ((const struct stint_cpu_stacks *)stacks)->profile;
    const struct stint_symbol *symbol = &stint_cpu_function_at(profile, number)->symbol;
    return (struct stint_stack_frame){.set = "",
                                      .name = symbol->function,
                                      .file = *symbol->file ? symbol->file : symbol->module,
                                      .line = (uint64_t)symbol->line};
}

static int each_chain(const struct stint_stacks *stacks, int (*add)(void *context, const struct stint_stack *stack),
                      void *context)
{
    const struct stint_cpu_profile *profile = ((const struct stint_cpu_stacks *)stacks)->profile;
    size_t chain[STINT_CPU_DEEPEST];
    for (size_t i = 0; i < profile->snapshot->sample_count_count; i++) {
        const struct stint_sample_count *count = &profile->snapshot->sample_counts[i];
        if (!is_wanted(profile, count))
            continue;
        struct stint_stack stack = {chain, stint_cpu_profile_chain(profile, count, chain), count->samples,
                                    count->time_ns};
        if (add(context, &stack))
            return -1;
    }
    return 0;
}

struct stint_cpu_stacks stint_cpu_stacks(const struct stint_cpu_profile *profile)
{
    unsigned hz = profile->snapshot->sampling.hz;
    return (struct stint_cpu_stacks){.stacks = {.frame = function_frame,
                                                .frame_count = profile->functions.count,
                                                .period_ns = hz ? 1000000000U / hz : 0,
                                                .each = each_chain},
                                     .profile = profile};
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
