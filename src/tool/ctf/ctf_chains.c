/* Joins the call chains that a recording defines to those in its snapshot, where the same chain has another number. */
#include "ctf/ctf_chains.h"

#include "replay/chain_tree.h"

static size_t parent_of(const struct stint_ctf_definitions *definitions, const struct stint_ctf_chain *chain)
{
    const struct stint_ctf_chain *parent = stint_ctf_chain(definitions, chain->parent);
    return parent ? parent->stack : STINT_SAMPLE_NO_STACK;
}

static const struct stint_sample_module *module_of(const struct stint_ctf_definitions *definitions, uint32_t number)
{
    const struct stint_sample_module *modules = definitions->modules.items;
    return number < definitions->modules.count && modules[number].path ? &modules[number] : NULL;
}

/* Whether all that the chain refers to is there. */
static int is_whole(const struct stint_ctf_definitions *definitions, const struct stint_ctf_chain *chain)
{
    return module_of(definitions, chain->module) &&
           (!chain->parent || parent_of(definitions, chain) != STINT_SAMPLE_NO_STACK);
}

/* Files may have been loaded several times. Returns for each module the builder's row + 1. */
static size_t *add_modules(const struct stint_ctf_definitions *definitions, struct stint_builder *builder,
                           struct stint_arena *arena)
{
    size_t *rows = stint_arena_alloc(arena, (definitions->modules.count + 1) * sizeof *rows);
    for (uint32_t i = 0; rows && i < definitions->modules.count; i++)
        if (module_of(definitions, i))
            rows[i] = stint_builder_append(builder, STINT_ROWS_SAMPLE_MODULES, module_of(definitions, i)) + 1;
    return rows;
}

static void add_chains(struct stint_ctf_definitions *definitions, struct stint_builder *builder)
{
    struct stint_ctf_chain *all = definitions->chains.items;
    const size_t *modules = add_modules(definitions, builder, &definitions->arena);
    if (!modules) {
        builder->failed = 1;
        return;
    }
    for (size_t i = 0; i < definitions->chains.count; i++) {
        all[i].stack = STINT_SAMPLE_NO_STACK;
        if (!is_whole(definitions, &all[i]))
            continue;
        struct stint_sample_frame frame = {modules[all[i].module] - 1, all[i].address};
        struct stint_sample_stack stack = {parent_of(definitions, &all[i]),
                                           stint_builder_add(builder, STINT_ROWS_SAMPLE_FRAMES, &frame)};
        all[i].stack = stint_builder_add(builder, STINT_ROWS_SAMPLE_STACKS, &stack);
    }
}

void stint_ctf_add_chains(struct stint_ctf_definitions *definitions, struct stint_replay *replay)
{
    add_chains(definitions, &replay->builder);
    replay->sampling.wall = definitions->sampling.wall;
    replay->sampling.hz = definitions->sampling.hz;
}

/* ------------------------------------------------------------------------------------------------ of whole programs */

/* Returns 1 if the snapshot has all of them, 0 if not, and -1 without memory. */
static int find(struct stint_ctf_definitions *definitions, const struct stint_snapshot *snapshot)
{
    struct stint_ctf_chain *all = definitions->chains.items;
    struct stint_chain_tree tree;
    int has_all = 1;
    if (stint_chain_tree_begin(&tree, &definitions->arena, snapshot))
        return -1;
    for (size_t i = 0; i < definitions->chains.count; i++) {
        all[i].stack = STINT_SAMPLE_NO_STACK;
        if (!is_whole(definitions, &all[i]))
            continue;
        all[i].stack = stint_chain_tree_find(&tree, parent_of(definitions, &all[i]),
                                             module_of(definitions, all[i].module), all[i].address);
        has_all &= all[i].stack != STINT_SAMPLE_NO_STACK;
    }
    return has_all;
}

/* Returns a snapshot with nothing but the call chains. */
static struct stint_snapshot *chains_only(struct stint_ctf_definitions *definitions)
{
    static const struct stint_process none = {.command = "", .host = "", .clock = ""};
    static const struct stint_dropped nothing;
    struct stint_builder builder;
    stint_builder_begin(&builder);
    add_chains(definitions, &builder);
    return stint_builder_end(&builder, &none, &nothing);
}

int stint_ctf_find_chains(struct stint_ctf_definitions *definitions, struct stint_snapshot **snapshot)
{
    int found = definitions->chains.count ? find(definitions, *snapshot) : 1;
    if (found)
        return found > 0 ? 0 : -1;
    struct stint_snapshot *chains = chains_only(definitions), *merged = NULL;
    if (chains)
        (void)stint_snapshot_merge(*snapshot, chains, &merged);
    stint_snapshot_free(chains);
    if (!merged)
        return -1;
    stint_snapshot_free(*snapshot);
    *snapshot = merged;
    return find(definitions, merged) < 0 ? -1 : 0;
}
