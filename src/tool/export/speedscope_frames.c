#include <string.h>

#include "export/speedscope.h"

static int is_same(const void *array, size_t position, const void *key)
{
    const struct stint_frame *a = (const struct stint_frame *)array + position, *b = key;
    return strcmp(a->name, b->name) == 0 && strcmp(a->set, b->set) == 0;
}

static uint64_t hash_of(const struct stint_frame *frame)
{
    return stint_hash(frame->name, strlen(frame->name), stint_hash(frame->set, strlen(frame->set), 0));
}

static size_t add(struct stint_frames *frames, const struct stint_frame *like)
{
    size_t position = frames->frames.count;
    struct stint_frame *frame = stint_array_add(&frames->frames, &frames->arena, sizeof *frame);
    if (!frame || stint_index_add(&frames->index, &frames->arena, hash_of(like), position))
        return STINT_INDEX_NONE;
    frame->set = stint_arena_copy(&frames->arena, like->set, strlen(like->set));
    frame->name = stint_arena_copy(&frames->arena, like->name, strlen(like->name));
    frame->file = stint_arena_copy(&frames->arena, like->file, strlen(like->file));
    frame->line = like->line;
    return frame->set && frame->name && frame->file ? position : STINT_INDEX_NONE;
}

size_t stint_frames_find(struct stint_frames *frames, const struct stint_frame *frame)
{
    size_t position = stint_index_find(&frames->index, hash_of(frame), is_same, frames->frames.items, frame);
    return position == STINT_INDEX_NONE ? add(frames, frame) : position;
}

void stint_frames_write(const struct stint_frames *frames, struct stint_out *out)
{
    const struct stint_frame *frame = frames->frames.items;
    for (size_t i = 0; i < frames->frames.count; i++, frame++) {
        stint_out_string(out, i ? ",\n{\"name\": " : "\n{\"name\": ");
        stint_out_json_label(out, frame->set, frame->name);
        if (*frame->file) {
            stint_out_string(out, ", \"file\": ");
            stint_out_json(out, frame->file);
        }
        if (*frame->file && frame->line) {
            stint_out_string(out, ", \"line\": ");
            stint_out_u64(out, frame->line);
        }
        stint_out_string(out, "}");
    }
}

void stint_frames_free(struct stint_frames *frames)
{
    stint_arena_free(&frames->arena);
}
