/* Tables from numbers to contexts, names, counters, modules and chains, filled from the packets that define them; and
 * call chains, given to a replay or a snapshot. A recording may be damaged: what a number refers to may be missing. */
#include "ctf/ctf.h"

#include "demangle/demangle.h"
#include "model/event_writer.h"
#include "replay/replay.h"

/* Numbers count up, so that one from here on beyond the last is an error in the file. */
enum { MOST_GAP = 1 << 20 };

/* Returns the row of that number, made if it is new; NULL if the number is impossible or there is no memory. */
static void *row_at(struct stint_ctf_definitions *definitions, struct stint_array *rows, size_t number, size_t size)
{
    if (number >= rows->count + MOST_GAP)
        return NULL;
    while (rows->count <= number)
        if (!stint_array_add(rows, &definitions->arena, size))
            return NULL;
    return (char *)rows->items + number * size;
}

static const char *copy(struct stint_ctf_definitions *definitions, const char *text)
{
    return stint_arena_copy(&definitions->arena, text, strlen(text));
}

/* Parents come before their children. */
static int add_context(struct stint_ctf_definitions *definitions, const struct stint_ctf_context *context)
{
    if (context->path < STINT_CTF_FIRST_PATH || context->parent >= context->path)
        return 0;
    struct stint_ctf_known *row =
        row_at(definitions, &definitions->contexts, context->path - STINT_CTF_FIRST_PATH, sizeof *row);
    if (!row)
        return 0;
    *row = (struct stint_ctf_known){.parent = context->parent,
                                    .line = context->line,
                                    .set = copy(definitions, context->set),
                                    .name = copy(definitions, context->name),
                                    .file = copy(definitions, context->file),
                                    .context = STINT_GPU_UNATTRIBUTED};
    return row->set && row->name && row->file ? 0 : -1;
}

static int add_name(struct stint_ctf_definitions *definitions, const struct stint_ctf_name *name)
{
    const char **row = row_at(definitions, &definitions->names, name->id, sizeof *row);
    if (!row)
        return 0;
    const char *text = stint_kernel_text(&definitions->arena, name->text);
    *row = text == name->text ? copy(definitions, text) : text;
    return *row ? 0 : -1;
}

static int add_data(struct stint_ctf_definitions *definitions, const struct stint_ctf_data *data)
{
    const char **row = row_at(definitions, &definitions->data, data->id, sizeof *row);
    if (row)
        *row = copy(definitions, data->text);
    return !row || *row ? 0 : -1;
}

static int add_counter(struct stint_ctf_definitions *definitions, const struct stint_ctf_counter *counter)
{
    struct stint_ctf_counter *row = row_at(definitions, &definitions->counters, counter->id, sizeof *row);
    if (!row)
        return 0;
    *row = (struct stint_ctf_counter){counter->id, copy(definitions, counter->set), copy(definitions, counter->name),
                                      copy(definitions, counter->field)};
    return row->set && row->name && row->field ? 0 : -1;
}

static int add_thread(struct stint_ctf_definitions *definitions, const struct stint_ctf_thread *thread)
{
    struct stint_ctf_thread *row = stint_array_add(&definitions->threads, &definitions->arena, sizeof *row);
    if (row)
        *row = (struct stint_ctf_thread){thread->tid, copy(definitions, thread->name)};
    return row && row->name ? 0 : -1;
}

static int add_module(struct stint_ctf_definitions *definitions, const struct stint_ctf_module *module)
{
    struct stint_sample_module *row = row_at(definitions, &definitions->modules, module->id, sizeof *row);
    if (!row)
        return 0;
    *row = module->module;
    row->pid = definitions->process.pid;
    row->path = copy(definitions, row->path);
    row->build_id = copy(definitions, row->build_id);
    return row->path && row->build_id ? 0 : -1;
}

/* Callers come before what they call. */
static int add_chain(struct stint_ctf_definitions *definitions, const struct stint_event_chain *chain)
{
    if (!chain->chain || chain->parent >= chain->chain)
        return 0;
    size_t count = definitions->chains.count;
    struct stint_ctf_chain *row = row_at(definitions, &definitions->chains, chain->chain - (size_t)1, sizeof *row);
    if (!row)
        return 0;
    for (struct stint_ctf_chain *all = definitions->chains.items; count < definitions->chains.count; count++)
        all[count] = (struct stint_ctf_chain){.module = UINT32_MAX, .stack = STINT_SAMPLE_NO_STACK};
    *row = (struct stint_ctf_chain){chain->parent, chain->module, chain->address, STINT_SAMPLE_NO_STACK};
    return 0;
}

static int set_process(struct stint_ctf_definitions *definitions, const struct stint_ctf_process *process)
{
    definitions->has_process = 1;
    definitions->process = (struct stint_process){.pid = process->pid,
                                                  .command = copy(definitions, process->command),
                                                  .host = copy(definitions, process->host),
                                                  .start_unix_ns = process->start_unix_ns,
                                                  .clock = ""};
    return definitions->process.command && definitions->process.host ? 0 : -1;
}

static int add_definition(struct stint_ctf_definitions *definitions, struct stint_ctf_reader *reader,
                          enum stint_ctf_id id)
{
    union {
        struct stint_ctf_process process;
        struct stint_ctf_context context;
        struct stint_ctf_name name;
        struct stint_ctf_data data;
        struct stint_ctf_counter counter;
        struct stint_ctf_thread thread;
        struct stint_ctf_sampling sampling;
        struct stint_ctf_module module;
        struct stint_event_chain chain;
        struct stint_ctf_clock clock;
        struct stint_ctf_ring ring;
        struct stint_ctf_end end;
    } row;
    if (stint_ctf_read_fields(reader, id, &row))
        return 0;
    switch (id) {
    case STINT_CTF_PROCESS:
        return set_process(definitions, &row.process);
    case STINT_CTF_CONTEXT:
        return add_context(definitions, &row.context);
    case STINT_CTF_NAME:
        return add_name(definitions, &row.name);
    case STINT_CTF_DATA:
        return add_data(definitions, &row.data);
    case STINT_CTF_COUNTER:
        return add_counter(definitions, &row.counter);
    case STINT_CTF_THREAD:
        return add_thread(definitions, &row.thread);
    case STINT_CTF_SAMPLING:
        definitions->sampling = row.sampling;
        return 0;
    case STINT_CTF_MODULE:
        return add_module(definitions, &row.module);
    case STINT_CTF_CHAIN:
        return add_chain(definitions, &row.chain);
    case STINT_CTF_RING:
        definitions->ring_bytes = row.ring.bytes;
        return 0;
    case STINT_CTF_END:
        definitions->has_end = 1;
        definitions->events = row.end.events;
        return 0;
    default:
        return 0;
    }
}

int stint_ctf_define(struct stint_ctf_definitions *definitions, const struct stint_ctf_head *head,
                     struct stint_ctf_reader *reader)
{
    definitions->discarded = head->discarded;
    for (int id; (id = stint_ctf_read_id(reader)) >= 0;) {
        if (stint_ctf_event_table[id].stream != STINT_CTF_DEFINITIONS)
            return 0;
        if (add_definition(definitions, reader, (enum stint_ctf_id)id))
            return -1;
    }
    return 0;
}

const char *stint_ctf_text(const struct stint_ctf_definitions *definitions, uint32_t name)
{
    const char *const *names = definitions->names.items;
    return name < definitions->names.count && names[name] ? names[name] : "";
}

const char *stint_ctf_data(const struct stint_ctf_definitions *definitions, uint32_t number)
{
    const char *const *data = definitions->data.items;
    if (!number)
        return "";
    return number < definitions->data.count ? data[number] : NULL;
}

const struct stint_ctf_counter *stint_ctf_counter(const struct stint_ctf_definitions *definitions, uint32_t id)
{
    const struct stint_ctf_counter *counters = definitions->counters.items;
    return id < definitions->counters.count && counters[id].name ? &counters[id] : NULL;
}

int stint_ctf_find_contexts(struct stint_ctf_definitions *definitions, const struct stint_snapshot *snapshot)
{
    struct stint_ctf_known *all = definitions->contexts.items;
    struct stint_context_tree tree;
    if (stint_context_tree_begin(&tree, &definitions->arena, snapshot))
        return -1;
    for (size_t i = 0; i < definitions->contexts.count; i++) {
        const struct stint_ctf_known *parent = stint_ctf_known(definitions, all[i].parent);
        all[i].context = STINT_GPU_UNATTRIBUTED;
        if (all[i].name && (!all[i].parent || parent))
            all[i].context =
                stint_context_tree_find(&tree, parent ? parent->context : STINT_NO_PARENT, all[i].set, all[i].name);
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------ call chains */

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

static void build_chains(struct stint_ctf_definitions *definitions, struct stint_builder *builder)
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
    build_chains(definitions, &replay->builder);
    replay->sampling.wall = definitions->sampling.wall;
    replay->sampling.hz = definitions->sampling.hz;
}

/* ------------------------------------------------------------------------------------------------ of whole programs */

/* Returns 1 if the snapshot has all of them, 0 if not, and -1 without memory. */
static int find_chains(struct stint_ctf_definitions *definitions, const struct stint_snapshot *snapshot)
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
    build_chains(definitions, &builder);
    return stint_builder_end(&builder, &none, &nothing);
}

int stint_ctf_find_chains(struct stint_ctf_definitions *definitions, struct stint_snapshot **snapshot)
{
    int found = definitions->chains.count ? find_chains(definitions, *snapshot) : 1;
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
    return find_chains(definitions, merged) < 0 ? -1 : 0;
}
