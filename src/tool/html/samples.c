/* Puts samples on the page: the sources of functions, a tree of calls, functions, and how much of each was sampled
 * where. */

#include <string.h>

#include "html/data.h"
#include "html/page_json.h"
#include "stat/numbers.h"

enum { SOURCES_MOST = 200, LINES_MOST = 10000 };

static const struct stint_cpu_source *source_at(const struct stint_html_sources *sources, size_t at)
{
    return (const struct stint_cpu_source *)sources->all.items + at;
}

/* Reads them, of a profile that is by lines, until there are as many lines as a page has room for. `folder` is as in
 * stint_cpu_source_read. Memory is the profile's. Returns 0, or -1 without memory. */
static int make_sources(struct stint_html_sources *sources, struct stint_cpu_profile *by_lines, const char *folder)
{
    size_t lines = 0;
    if (stint_cpu_sources_find(by_lines, "*", &sources->all))
        return -1;
    while (sources->count < sources->all.count && sources->count < SOURCES_MOST && lines < LINES_MOST) {
        struct stint_cpu_source *source = (struct stint_cpu_source *)sources->all.items + sources->count++;
        if (stint_cpu_source_read(by_lines, source, folder))
            return -1;
        lines += source->lines.count;
    }
    return 0;
}

/* -------------------------------------------------------------------------------------------------------------- put */

/* Writes the objects "sources" and "source_lines": the lines of one source after the other. */
static void put_sources(const struct stint_html_sources *sources, struct stint_html_strings *strings,
                        struct stint_json *json)
{
    struct stint_html_table all = {.strings = strings, .keys = "name module file found newer cut"};
    struct stint_html_table lines = {.strings = strings, .keys = "of line self total code"};
    for (size_t i = 0; i < sources->count; i++) {
        const struct stint_cpu_source *source = source_at(sources, i);
        stint_html_text(&all, source->function);
        stint_html_text(&all, source->module);
        stint_html_text(&all, source->path ? source->path : source->file);
        stint_html_i64(&all, source->path != NULL);
        stint_html_i64(&all, source->is_newer);
        stint_html_i64(&all, source->is_cut);
        for (size_t at = 0; at < source->lines.count; at++) {
            const struct stint_cpu_source_line *line = (const struct stint_cpu_source_line *)source->lines.items + at;
            stint_html_u64(&lines, i);
            stint_html_i64(&lines, line->line);
            stint_html_u64(&lines, line->sampled ? line->sampled->self_ns : 0);
            stint_html_u64(&lines, line->sampled ? line->sampled->total_ns : 0);
            stint_html_text(&lines, line->text ? line->text : "");
        }
    }
    stint_html_table_put(&all, json, "sources");
    stint_html_table_put(&lines, json, "source_lines");
    stint_json_key_u64(json, "sources_beyond", sources->all.count - sources->count);
}

/* ---------------------------------------------------------------------------------------------------------- samples */

/* What is below a part of 2000 of the time, 0.05 %, is left out, and more if that is not enough. */
enum { LEAST_PART = 2000, NODES_MOST = 5000, FUNCTIONS_MOST = 2000, PARTS_MOST = 10000 };

/* A calling context that there was no room for; html/data.h has those below 0. */
enum { CROWDED = -2 };

static const struct stint_cpu_node *node_at(const struct stint_html_samples *samples, size_t at)
{
    return (const struct stint_cpu_node *)samples->nodes.items + at;
}

/* ----------------------------------------------------------------------------------------------------------- places */

static int is_shown(const struct stint_html_samples *samples, size_t function)
{
    const struct stint_cpu_function *row = stint_cpu_function_at(&samples->profile, function);
    return row->total_ns && row->total_ns >= samples->least_ns;
}

/* Nodes come after those around them, which take as long at least. */
static void place_all(struct stint_html_samples *samples)
{
    samples->node_count = samples->function_count = 0;
    samples->node_places[0] = -1;
    for (size_t i = 1; i < samples->nodes.count; i++) {
        const struct stint_cpu_node *node = node_at(samples, i);
        int shown = node->total_ns >= samples->least_ns;
        samples->node_places[i] = shown ? (int64_t)samples->node_count : samples->node_places[node->parent];
        samples->node_count += (size_t)shown;
    }
    for (size_t i = 0; i < samples->profile.functions.count; i++) {
        int shown = is_shown(samples, i);
        samples->function_places[i] = shown ? (int64_t)samples->function_count : -1;
        samples->function_count += (size_t)shown;
    }
}

static int choose_rows(struct stint_html_samples *samples)
{
    struct stint_arena *arena = &samples->profile.arena;
    size_t functions = samples->profile.functions.count, sampled = 0;
    samples->node_places = stint_arena_alloc(arena, samples->nodes.count * sizeof *samples->node_places);
    samples->function_places = stint_arena_alloc(arena, (functions + 1) * sizeof *samples->function_places);
    samples->counted = stint_arena_alloc(arena, (functions + 1) * sizeof *samples->counted);
    if (!samples->node_places || !samples->function_places || !samples->counted)
        return -1;
    samples->least_ns = samples->profile.time_ns / LEAST_PART + 1;
    for (place_all(samples); samples->node_count > NODES_MOST || samples->function_count > FUNCTIONS_MOST;
         place_all(samples))
        samples->least_ns *= 2;
    for (size_t i = 0; i < functions; i++) {
        sampled += stint_cpu_function_at(&samples->profile, i)->total_ns > 0;
        samples->counted[i] = 0;
    }
    samples->nodes_beyond = samples->nodes.count - 1 - samples->node_count;
    samples->functions_beyond = sampled - samples->function_count;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ parts */

static const struct stint_table_key s_part = STINT_TABLE_KEY(struct stint_html_sample_part, row, context);

/* Adds to a part; to the row's crowded one if there is no room for another. */
static int add_part(struct stint_html_samples *samples, struct stint_table *parts,
                    const struct stint_html_sample_part *added)
{
    struct stint_html_sample_part like = {.row = added->row, .context = added->context}, *part;
    if (parts->count >= PARTS_MOST && !stint_table_find(parts, &s_part, &like)) {
        like.context = CROWDED;
        stint_sum_up(&samples->crowded_ns, parts == &samples->node_parts ? added->self_ns : 0);
    }
    part = stint_table_take(parts, &s_part, &samples->profile.arena, &like);
    if (!part)
        return -1;
    stint_sum_up(&part->self_ns, added->self_ns);
    stint_sum_up(&part->samples, added->samples);
    stint_sum_up(&part->total_ns, added->total_ns);
    return 0;
}

/* The row of the innermost node of a call chain, or of the nearest one around it that has a row. */
static int64_t row_of_chain(const struct stint_html_samples *samples, const size_t *chain, size_t length)
{
    size_t at = 0;
    while (length--) {
        size_t child = node_at(samples, at)->child;
        while (child && node_at(samples, child)->function != chain[length])
            child = node_at(samples, child)->next;
        if (!child || samples->node_places[child] == samples->node_places[at])
            break;
        at = child;
    }
    return samples->node_places[at];
}

/* `number` is that of the count, from 1 on. */
static int add_count(struct stint_html_samples *samples, const struct stint_sample_count *count, size_t number,
                     int64_t context)
{
    size_t chain[STINT_CPU_DEEPEST], length = stint_cpu_profile_chain(&samples->profile, count, chain);
    struct stint_html_sample_part part = {.row = row_of_chain(samples, chain, length),
                                          .context = context,
                                          .self_ns = count->time_ns,
                                          .samples = count->samples,
                                          .total_ns = count->time_ns};
    if (add_part(samples, &samples->node_parts, &part))
        return -1;
    for (size_t i = 0; i < length; i++) {
        part.row = samples->function_places[chain[i]];
        if (part.row < 0 || samples->counted[chain[i]] == number)
            continue;
        samples->counted[chain[i]] = number;
        part.self_ns = i ? 0 : count->time_ns;
        part.samples = i ? 0 : count->samples;
        if (add_part(samples, &samples->function_parts, &part))
            return -1;
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ lines */

static int is_of(const struct stint_cpu_function *function, const struct stint_cpu_function *line)
{
    return strcmp(function->symbol.function, line->symbol.function) == 0 &&
           strcmp(function->symbol.module, line->symbol.module) == 0;
}

/* Gives each function the line in which most of its own time was; without samples of its own, of those it called. */
static int find_lines(struct stint_html_samples *samples, const struct stint_snapshot *snapshot)
{
    static const struct stint_cpu_options by_lines = {.by_lines = 1};
    size_t functions = samples->profile.functions.count;
    samples->lines = stint_arena_alloc(&samples->profile.arena, (functions + 1) * sizeof *samples->lines);
    if (!samples->lines || stint_cpu_profile_make(&samples->by_lines, snapshot, &by_lines))
        return -1;
    for (size_t i = 0; i < functions; i++) {
        samples->lines[i] = NULL;
        for (size_t at = 0; samples->function_places[i] >= 0 && at < samples->by_lines.functions.count; at++) {
            const struct stint_cpu_function *line = stint_cpu_function_at(&samples->by_lines, at);
            const struct stint_cpu_function *best = samples->lines[i];
            if (!line->symbol.line || !is_of(stint_cpu_function_at(&samples->profile, i), line))
                continue;
            if (!best || line->self_ns > best->self_ns ||
                (line->self_ns == best->self_ns && line->total_ns > best->total_ns))
                samples->lines[i] = line;
        }
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- make */

int stint_html_samples_make(struct stint_html_samples *samples, const struct stint_snapshot *snapshot,
                            const struct stint_html_contexts *contexts, const char *source_path)
{
    static const struct stint_cpu_options all;
    samples->any = snapshot->sample_count_count > 0;
    if (!samples->any)
        return 0;
    if (stint_cpu_profile_make(&samples->profile, snapshot, &all) ||
        stint_cpu_tree_make(&samples->profile, 0, &samples->nodes) || choose_rows(samples) ||
        find_lines(samples, snapshot))
        return -1;
    for (size_t i = 0; i < snapshot->sample_count_count; i++) {
        const struct stint_sample_count *count = &snapshot->sample_counts[i];
        if (add_count(samples, count, i + 1, stint_html_context(contexts, snapshot, count->context)))
            return -1;
    }
    return make_sources(&samples->sources, &samples->by_lines, source_path);
}

void stint_html_samples_free(struct stint_html_samples *samples)
{
    if (samples->by_lines.snapshot)
        stint_cpu_profile_free(&samples->by_lines);
    if (samples->any)
        stint_cpu_profile_free(&samples->profile);
}

/* -------------------------------------------------------------------------------------------------------------- put */

static void put_functions(const struct stint_html_samples *samples, struct stint_html_strings *strings,
                          struct stint_json *json)
{
    char name[1024];
    struct stint_html_table table = {.strings = strings, .keys = "name full module file line"};
    for (size_t i = 0; i < samples->profile.functions.count; i++) {
        const struct stint_cpu_function *line = samples->lines[i];
        const struct stint_cpu_function *function = stint_cpu_function_at(&samples->profile, i);
        if (samples->function_places[i] < 0)
            continue;
        stint_cpu_short_name(function->symbol.function, name, sizeof name);
        const char *copy = function->places ? NULL : stint_arena_copy(strings->arena, name, strlen(name));
        stint_html_text(&table, copy ? copy : function->symbol.function); /* what has no name is called by its file */
        stint_html_text(&table, function->symbol.function);
        stint_html_text(&table, function->symbol.module);
        stint_html_text(&table, line ? line->symbol.file : "");
        stint_html_i64(&table, line ? line->symbol.line : 0);
    }
    stint_html_table_put(&table, json, "functions");
}

static void put_nodes(const struct stint_html_samples *samples, struct stint_html_strings *strings,
                      struct stint_json *json)
{
    struct stint_html_table table = {.strings = strings, .keys = "parent callee"};
    for (size_t i = 1; i < samples->nodes.count; i++) {
        const struct stint_cpu_node *node = node_at(samples, i);
        if (node->total_ns < samples->least_ns)
            continue;
        stint_html_i64(&table, samples->node_places[node->parent]);
        stint_html_i64(&table, samples->function_places[node->function]);
    }
    stint_html_table_put(&table, json, "frames");
}

static void put_sampled_parts(const struct stint_table *parts, int has_total, const char *key,
                              struct stint_html_strings *strings, struct stint_json *json)
{
    struct stint_html_table table = {.strings = strings,
                                     .keys = has_total ? "row context self samples total" : "row context self samples"};
    const struct stint_html_sample_part *part = parts->items;
    for (size_t i = 0; i < parts->count; i++, part++) {
        stint_html_i64(&table, part->row);
        stint_html_i64(&table, part->context);
        stint_html_u64(&table, part->self_ns);
        stint_html_u64(&table, part->samples);
        if (has_total)
            stint_html_u64(&table, part->total_ns);
    }
    stint_html_table_put(&table, json, key);
}

void stint_html_samples_put(struct stint_html_samples *samples, struct stint_html_strings *strings,
                            struct stint_json *json)
{
    if (!samples->any)
        return;
    stint_json_new_line(json);
    stint_json_key(json, "sampling");
    stint_json_begin(json, "{");
    stint_json_key_bool(json, "wall", samples->profile.snapshot->sampling.wall);
    stint_json_key_u64(json, "least_ns", samples->least_ns);
    stint_json_key_u64(json, "nodes_beyond", samples->nodes_beyond);
    stint_json_key_u64(json, "functions_beyond", samples->functions_beyond);
    stint_json_key_u64(json, "crowded_ns", samples->crowded_ns);
    stint_json_key_u64(json, "threads", samples->profile.snapshot->sample_thread_count);
    stint_json_key_string(json, "remark", stint_symbols_remark(samples->profile.symbols));
    stint_json_end(json, "}");
    put_functions(samples, strings, json);
    put_nodes(samples, strings, json);
    put_sampled_parts(&samples->node_parts, 0, "frame_parts", strings, json);
    put_sampled_parts(&samples->function_parts, 1, "function_parts", strings, json);
    put_sources(&samples->sources, strings, json);
}
