/* Makes rows of a snapshot from the tree of calls. */
#include <string.h>
#include <unistd.h>

#include "base/process.h"
#include "sample/call_tree.h"
#include "sample/sampling.h"
#include "sample/walk.h"
#include "stat/builder.h"

/* What a node is part of, and what it has become. Numbers of rows + 1. */
struct place {
    uint32_t task;
    uint32_t path; /* of the scope; 0: not known */
    uint32_t stack;
    int is_needed; /* it, or one below it, has samples */
};

struct collect {
    struct stint_builder *builder;
    struct stint_arena *scratch; /* the snapshot's own: to map another takes longer than the rest of a short one */
    struct place *places;        /* by node */
    uint32_t nodes;
    uint32_t tasks;
    uint32_t modules;
    size_t *module_rows; /* by number; + 1 */
    size_t *thread_rows; /* by task; + 1 */
    size_t exited_row;   /* + 1 */
    uint32_t last_path;
    size_t *context_rows; /* by path; + 1 */
    uint32_t left_node;   /* includes what is in no sample */
    uint64_t left_ns;
};

static int begin(struct collect *collect)
{
    struct stint_arena *scratch = collect->scratch;
    collect->nodes = stint_call_tree_last();
    collect->tasks = stint_task_count();
    collect->modules = stint_python_function_end();
    collect->places = stint_arena_alloc(scratch, ((size_t)collect->nodes + 1) * sizeof *collect->places);
    collect->module_rows = stint_arena_alloc(scratch, collect->modules * sizeof *collect->module_rows);
    collect->thread_rows = stint_arena_alloc(scratch, ((size_t)collect->tasks + 1) * sizeof *collect->thread_rows);
    return collect->places && collect->module_rows && collect->thread_rows ? 0 : -1;
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static size_t add_row(struct collect *collect, enum stint_row_kind kind, const void *row)
{
    return stint_builder_append(collect->builder, kind, row);
}

static size_t module_row(struct collect *collect, uint32_t number)
{
    size_t *row = &collect->module_rows[number];
    if (!*row) {
        struct stint_sample_module like = stint_sample_module(number);
        *row = add_row(collect, STINT_ROWS_SAMPLE_MODULES, &like) + 1;
    }
    return *row - 1;
}

static struct stint_sample_thread describe_thread(const struct stint_task *task)
{
    struct stint_sample_thread thread = {.pid = getpid(), .tid = __atomic_load_n(&task->tid, __ATOMIC_ACQUIRE)};
    if (thread.tid) {
        stint_process_thread_name(thread.name, sizeof thread.name, thread.tid);
    } else {
        thread.tid = task->ended_tid;
        thread.exited = 1;
        memcpy(thread.name, task->name, sizeof task->name);
    }
    return thread;
}

/* Threads that have ended have one row together, beyond those that are kept. */
static size_t thread_row(struct collect *collect, uint32_t number, int exited)
{
    const struct stint_task *task = stint_task_at(number);
    size_t *row = exited || (!__atomic_load_n(&task->tid, __ATOMIC_ACQUIRE) && !task->ended_tid)
                      ? &collect->exited_row
                      : &collect->thread_rows[number];
    if (!*row) {
        struct stint_sample_thread like = {.pid = getpid(), .exited = 1};
        if (row != &collect->exited_row)
            like = describe_thread(task);
        *row = add_row(collect, STINT_ROWS_SAMPLE_THREADS, &like) + 1;
    }
    return *row - 1;
}

/* ------------------------------------------------------------------------------------------------------------- sums */

static size_t stack_row(struct collect *collect, const struct stint_call_node *node, uint32_t parent)
{
    struct stint_sample_frame frame = {
        .module = module_row(collect, node->module),
        .address = node->address - stint_sample_bias(node->module),
    };
    struct stint_sample_stack like = {
        .parent = parent ? parent - 1 : STINT_SAMPLE_NO_STACK,
        .frame = stint_builder_add(collect->builder, STINT_ROWS_SAMPLE_FRAMES, &frame),
    };
    return stint_builder_add(collect->builder, STINT_ROWS_SAMPLE_STACKS, &like);
}

static void add_count(struct collect *collect, const struct place *place, const struct stint_call_sum *sum, int exited)
{
    struct stint_sample_count more = {
        .thread = thread_row(collect, place->task, exited),
        .stack = place->stack ? place->stack - 1 : STINT_SAMPLE_NO_STACK,
        .samples = sum->samples,
        .time_ns = sum->time_ns,
    };
    more.context = place->path && place->path <= collect->last_path && collect->context_rows[place->path]
                       ? collect->context_rows[place->path] - 1
                   : place->path ? STINT_GPU_NO_SCOPE
                                 : STINT_GPU_UNATTRIBUTED;
    stint_builder_add(collect->builder, STINT_ROWS_SAMPLE_COUNTS, &more);
}

/* ------------------------------------------------------------------------------------------------------------ nodes */

static struct stint_call_sum read_sum(const struct stint_call_sum *sum)
{
    return (struct stint_call_sum){__atomic_load_n(&sum->samples, __ATOMIC_RELAXED),
                                   __atomic_load_n(&sum->time_ns, __ATOMIC_RELAXED)};
}

/* Unless the samples of the node have been forgotten. */
static void find_left(struct collect *collect, struct stint_sample_info *info)
{
    collect->left_ns = stint_unsampled_time_left(&collect->left_node);
    const struct stint_call_node *node = stint_call_tree_at(collect->left_node);
    if (collect->left_node && (read_sum(&node->now).samples || read_sum(&node->past).samples))
        info->time_ns += collect->left_ns;
}

static int is_ready(const struct stint_call_node *node)
{
    return __atomic_load_n(&node->ready, __ATOMIC_ACQUIRE) != 0;
}

/* Marks what leads to samples. Those below have greater numbers. */
static void mark_needed(struct collect *collect)
{
    for (uint32_t i = collect->nodes; i > 0; i--) {
        const struct stint_call_node *node = stint_call_tree_at(i);
        struct place *place = &collect->places[i];
        if (!is_ready(node))
            continue;
        if (read_sum(&node->now).samples || read_sum(&node->past).samples)
            place->is_needed = 1;
        if (!place->is_needed)
            continue;
        collect->places[node->parent].is_needed = 1;
        if (node->module == STINT_CALL_SCOPE && node->address > collect->last_path)
            collect->last_path = (uint32_t)node->address;
    }
}

/* Adds the calling contexts in which samples were taken. A path's number is greater than those of the paths around. */
static void add_contexts(struct collect *collect)
{
    char *wanted = stint_arena_alloc(collect->scratch, (size_t)collect->last_path + 1);
    collect->context_rows =
        stint_arena_alloc(collect->scratch, ((size_t)collect->last_path + 1) * sizeof *collect->context_rows);
    if (!wanted || !collect->context_rows) {
        collect->builder->failed = 1;
        return;
    }
    for (uint32_t i = 1; i <= collect->nodes; i++)
        if (collect->places[i].is_needed && stint_call_tree_at(i)->module == STINT_CALL_SCOPE)
            wanted[stint_call_tree_at(i)->address] = 1;
    for (uint32_t path = collect->last_path; path > 0; path--)
        if (wanted[path])
            wanted[stint_sampler_host->path_parent(path)] = 1;
    for (uint32_t path = 1; path <= collect->last_path; path++) {
        uint32_t parent = wanted[path] ? stint_sampler_host->path_parent(path) : 0;
        if (!parent)
            continue; /* not wanted, or the root */
        collect->context_rows[path] =
            stint_builder_context(collect->builder, collect->context_rows[parent] - 1, /* of the root: no parent */
                                  stint_sampler_host->path_stat(collect->builder, path)) +
            1;
    }
}

static void add_nodes(struct collect *collect)
{
    for (uint32_t i = 1; i <= collect->nodes && !collect->builder->failed; i++) {
        const struct stint_call_node *node = stint_call_tree_at(i);
        struct place *place = &collect->places[i];
        if (!place->is_needed)
            continue;
        if (node->module == STINT_CALL_TASK) {
            place->task = (uint32_t)node->address;
        } else {
            const struct place *parent = &collect->places[node->parent];
            place->task = parent->task;
            place->path = node->module == STINT_CALL_SCOPE ? (uint32_t)node->address : parent->path;
            if (node->module != STINT_CALL_SCOPE)
                place->stack = (uint32_t)stack_row(collect, node, parent->stack) + 1;
        }
        struct stint_call_sum now = read_sum(&node->now), past = read_sum(&node->past);
        if (i == collect->left_node)
            *(now.samples ? &now.time_ns : &past.time_ns) += collect->left_ns;
        if (now.samples)
            add_count(collect, place, &now, 0);
        if (past.samples)
            add_count(collect, place, &past, 1);
    }
}

void stint_sample_collect(struct stint_builder *builder, int emergency)
{
    struct collect collect = {.builder = builder};
    if (!emergency)
        stint_sampler_see_waits();
    struct stint_sample_info info = stint_sampler_info(); /* no lock is taken: what changes meanwhile is missing */
    if (builder->failed)
        return;
    find_left(&collect, &info);
    stint_builder_add(builder, STINT_ROWS_SAMPLING, &info);
    collect.scratch = stint_builder_arena(builder);
    if (!collect.scratch || begin(&collect)) {
        builder->failed = 1;
    } else {
        mark_needed(&collect);
        add_contexts(&collect);
        if (!builder->failed)
            add_nodes(&collect);
    }
}
