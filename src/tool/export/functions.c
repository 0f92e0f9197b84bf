/* Finds the functions of samples by name, those that are inlined as well. */
#include "export/stacks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int stint_functions_begin(struct stint_functions *functions, const struct stint_export_input *input)
{
    *functions = (struct stint_functions){.input = input};
    functions->frames =
        stint_arena_alloc(&functions->arena, (input->snapshot->sample_frame_count + 1) * sizeof *functions->frames);
    return functions->frames ? 0 : -1;
}

void stint_functions_free(struct stint_functions *functions)
{
    stint_arena_free(&functions->arena);
}

/* Where nobody knows names: "libc.so.6+0x1234". Returns 1, or 0 without memory. */
static size_t name_place(struct stint_functions *functions, const struct stint_sample_module *module, uint64_t address,
                         struct stint_function_name *found)
{
    const char *slash = strrchr(module->path, '/'), *file = slash ? slash + 1 : module->path;
    char name[256];
    int length = snprintf(name, sizeof name, "%.200s%s0x%" PRIx64, file, *file ? "+" : "", address);
    *found = (struct stint_function_name){
        .name = stint_arena_copy(&functions->arena, name, (size_t)length), .file = "", .line = 0};
    return found->name != NULL;
}

static size_t find_names(struct stint_functions *functions, const struct stint_sample_frame *frame,
                         struct stint_function_name *found, size_t most)
{
    const struct stint_function_names *names = functions->input->names;
    const struct stint_sample_module *module = &functions->input->snapshot->sample_modules[frame->module];
    return names && names->find ? names->find(names->context, module, frame->address, found, most)
                                : name_place(functions, module, frame->address, found);
}

static const struct stint_table_key s_function = STINT_TABLE_KEY(struct stint_function, name, file);

static int add_place(struct stint_functions *functions, const struct stint_function_name *found)
{
    struct stint_function like = {found->name, found->file};
    const void *function = stint_table_take(&functions->all, &s_function, &functions->arena, &like);
    struct stint_function_place *place = stint_array_add(&functions->places, &functions->arena, sizeof *place);
    if (!place || !function)
        return -1;
    size_t number = stint_table_position(&functions->all, &s_function, function);
    *place = (struct stint_function_place){(uint32_t)number, found->line};
    return 0;
}

/* Returns the places of a frame; count 0 without memory. */
static struct stint_function_places places_of(struct stint_functions *functions, size_t frame)
{
    enum { INLINED_MOST = 64 };
    struct stint_function_places *range = &functions->frames[frame];
    struct stint_function_name found[INLINED_MOST];
    if (range->count)
        return *range;
    size_t count = find_names(functions, &functions->input->snapshot->sample_frames[frame], found, INLINED_MOST);
    uint32_t first = (uint32_t)functions->places.count;
    for (size_t i = 0; i < count; i++)
        if (add_place(functions, &found[i]))
            return (struct stint_function_places){0};
    *range = (struct stint_function_places){first, (uint32_t)count};
    return *range;
}

struct stint_sample_span stint_sample_span(const struct stint_event *event, uint64_t before_ns)
{
    uint64_t time_ns = event->sample.time_ns, end_ns = event->start_ns;
    if (end_ns <= before_ns)
        return (struct stint_sample_span){before_ns, before_ns};
    uint64_t past_ns = end_ns - before_ns;
    int is_whole = past_ns <= time_ns || past_ns - time_ns <= time_ns / 8;
    return (struct stint_sample_span){is_whole ? before_ns : end_ns - time_ns, end_ns};
}

static void turn_around(uint32_t *items, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        uint32_t item = items[i];
        items[i] = items[count - 1 - i];
        items[count - 1 - i] = item;
    }
}

size_t stint_functions_chain(struct stint_functions *functions, size_t stack)
{
    const struct stint_snapshot *snapshot = functions->input->snapshot;
    size_t count = 0;
    for (; stack < snapshot->sample_stack_count; stack = snapshot->sample_stacks[stack].parent) {
        struct stint_function_places range = places_of(functions, snapshot->sample_stacks[stack].frame);
        if (!range.count)
            return SIZE_MAX;
        for (uint32_t i = 0; i < range.count && count < STINT_FUNCTIONS_MOST; i++)
            functions->chain[count++] = range.first + i;
    }
    turn_around(functions->chain, count);
    return count;
}
