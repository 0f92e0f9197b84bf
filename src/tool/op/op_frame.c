/* Makes frames of ranges, and finds out what those around them, forward ones and inputs say about them. */
#include "op/op_join.h"

#include <string.h>

#include "op/op_scan.h"

/* ------------------------------------------------------------------------------------------------- forward frames */

struct stint_op_forward {
    int64_t pid;
    uint64_t seq;
    uint32_t frame;
};

static const struct stint_table_key s_forward = STINT_TABLE_KEY(struct stint_op_forward, pid, seq);

int stint_op_frame_remember(struct stint_op_join *join, int64_t pid, uint32_t frame)
{
    struct stint_op_forward like = {.pid = pid, .seq = stint_op_frame_at(join, frame)->seq};
    struct stint_op_forward *row = stint_table_take(&join->forwards, &s_forward, &join->arena, &like);
    if (row)
        row->frame = frame;
    return row ? 0 : -1;
}

/* ------------------------------------------------------------------------------------------------ shapes of results */

/* A frame whose cost depends on the shape of its result. The operation that uses the result tells, usually soon. */
struct stint_op_wish {
    int64_t pid;
    int64_t tid;
    uint64_t op_id; /* 0: none */
    uint32_t frame;
};

enum { WISHES = 1 << 16 };

static struct stint_op_wish *wish_at(struct stint_op_join *join, int64_t pid, int64_t tid, uint64_t op_id)
{
    return &join->wishes[stint_hash_mix(op_id, (uint64_t)pid ^ (uint64_t)tid << 32) % WISHES];
}

/* Operations that only pass on what this one does have the same result, and it is known as theirs. */
static int wish(struct stint_op_join *join, int64_t pid, uint32_t frame)
{
    const struct stint_op_rule *rule = stint_op_text_at(&join->texts, stint_op_frame_at(join, frame)->text)->rule;
    if (!join->wishes)
        join->wishes = stint_arena_alloc(&join->arena, WISHES * sizeof *join->wishes);
    if (!join->wishes)
        return -1;
    for (uint32_t at = frame; at != STINT_OP_NO_FRAME; at = stint_op_frame_at(join, at)->parent) {
        const struct stint_op_frame *outer = stint_op_frame_at(join, at);
        const struct stint_op_text *text = stint_op_text_at(&join->texts, outer->text);
        if (text->kind != STINT_OP_CALL || !text->rule || !stint_op_rules_agree(rule, text->rule))
            break;
        if (outer->op_id)
            *wish_at(join, pid, outer->tid, outer->op_id) =
                (struct stint_op_wish){pid, outer->tid, outer->op_id, frame};
    }
    return 0;
}

static const struct stint_table_key s_shape = STINT_TABLE_KEY_WHOLE_COPYING(struct stint_piece);

/* Returns the position of the shape plus 1, or 0 without memory. */
static uint32_t keep_shape(struct stint_op_join *join, const int64_t *dims, size_t count)
{
    struct stint_piece like = {(const char *)dims, count * sizeof *dims};
    const void *row = stint_table_take(&join->shapes, &s_shape, &join->arena, &like);
    return (uint32_t)stint_table_position(&join->shapes, &s_shape, row) + 1;
}

int stint_op_frame_see_inputs(struct stint_op_join *join, int64_t pid, int64_t tid)
{
    const struct stint_op_value *values = stint_op_values(&join->operation);
    for (size_t i = 0; join->wishes && i < join->operation.values.count; i++) {
        const struct stint_op_value *value = &values[i];
        if (!value->producer || value->producer_output || value->kind != STINT_OP_TENSOR)
            continue;
        struct stint_op_wish *found = wish_at(join, pid, tid, value->producer);
        if (found->op_id != value->producer || found->pid != pid || found->tid != tid)
            continue;
        struct stint_op_frame *frame = (struct stint_op_frame *)join->frames.items + found->frame;
        frame->output = keep_shape(join, stint_op_numbers(&join->operation, value), value->count);
        found->op_id = 0;
        if (!frame->output)
            return -1;
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------- direction */

static int begins(struct stint_piece name, const char *with)
{
    return name.length >= strlen(with) && memcmp(name.text, with, strlen(with)) == 0;
}

static int ends(struct stint_piece name, const char *with)
{
    size_t length = strlen(with);
    return name.length >= length && memcmp(name.text + name.length - length, with, length) == 0;
}

static const char s_engine[] = "autograd::engine::evaluate_function";

/* "ConvolutionBackward0", "aten::convolution_backward", and what autograd runs for others. */
int stint_op_is_backward(struct stint_piece name)
{
    if (begins(name, s_engine))
        return 1;
    while (name.length && name.text[name.length - 1] >= '0' && name.text[name.length - 1] <= '9')
        name.length--;
    return ends(name, "Backward") || ends(name, "_backward");
}

/* What torch.amp.GradScaler runs before an optimizer's step, and behind it. */
static const char s_scales[] = "aten::_amp_";

static enum stint_op_direction direction_of(const struct stint_op_text *text, const struct stint_op_frame *parent)
{
    if (text->pass >= 0)
        return (enum stint_op_direction)text->pass;
    if (parent && parent->direction != STINT_OP_FORWARD)
        return (enum stint_op_direction)parent->direction;
    if (text->kind != STINT_OP_CALL)
        return STINT_OP_FORWARD;
    if (begins(text->name, "Optimizer.") || begins(text->name, s_scales))
        return STINT_OP_UPDATE;
    return stint_op_is_backward(text->name) ? STINT_OP_BACKWARD : STINT_OP_FORWARD;
}

/* ------------------------------------------------------------------------------------------------------------- add */

/* Whether the layer's name has the other one's in it already: "net.conv" has "net", and so have "net/conv" and
 * "net". */
static int continues(struct stint_piece layer, const struct stint_op_text *outer)
{
    return layer.length >= outer->length && memcmp(layer.text, outer->text, outer->length) == 0 &&
           (layer.length == outer->length || layer.text[outer->length] == '.' || layer.text[outer->length] == '/');
}

/* Returns the layer within another one: "outer:inner", or "outer.inner" if it is called so itself. */
static uint32_t layer_within(struct stint_op_join *join, uint32_t outer, struct stint_piece layer)
{
    char names[1024];
    size_t length = 0;
    if (outer != STINT_OP_NO_TEXT && continues(layer, stint_op_text_at(&join->texts, outer)))
        outer = STINT_OP_NO_TEXT;
    if (outer != STINT_OP_NO_TEXT) {
        const struct stint_op_text *text = stint_op_text_at(&join->texts, outer);
        length = text->length < sizeof names / 2 ? text->length : sizeof names / 2;
        memcpy(names, text->text, length);
        names[length++] = ':';
    }
    size_t rest = layer.length < sizeof names - length ? layer.length : sizeof names - length;
    memcpy(names + length, layer.text, rest);
    return stint_op_texts_add_plain(&join->texts, names, length + rest);
}

uint32_t stint_op_layer_refine(struct stint_op_join *join, uint32_t outer, struct stint_piece layer)
{
    int is_within = outer == STINT_OP_NO_TEXT || continues(layer, stint_op_text_at(&join->texts, outer));
    return layer.length && is_within ? stint_op_texts_add_plain(&join->texts, layer.text, layer.length) : outer;
}

/* An optimizer is in no layer of a network, and so is one itself: "SGD" of "Optimizer.step#SGD.step". */
static uint32_t layer_of_step(struct stint_op_join *join, const struct stint_op_text *text)
{
    static const char scaler[] = "GradScaler";
    if (begins(text->name, s_scales))
        return stint_op_texts_add_plain(&join->texts, scaler, sizeof scaler - 1);
    if (!begins(text->name, "Optimizer."))
        return STINT_OP_NO_TEXT;
    const char *end = text->name.text + text->name.length;
    const char *name = memchr(text->name.text, '#', text->name.length);
    const char *dot = name ? memchr(name, '.', (size_t)(end - name)) : NULL;
    return dot ? stint_op_texts_add_plain(&join->texts, name + 1, (size_t)(dot - name) - 1) : STINT_OP_NO_TEXT;
}

/* What a compiler launches to find out which of its kernels is fastest is in a layer of its own. */
static const char s_tuning[] = "(autotuning)";

static int is_tuning(const struct stint_op_text *text)
{
    return text->kind == STINT_OP_CALL && stint_op_is(text->name, "CachingAutotuner.benchmark_all_configs");
}

/* Returns the layer that one within the frame is in. Paths of XLA begin with the program. */
static uint32_t layer_around(const struct stint_op_join *join, const struct stint_op_frame *frame)
{
    if (frame->program == STINT_OP_NO_FRAME)
        return frame->layer;
    uint32_t around = stint_op_frame_at(join, frame->program)->parent;
    return around == STINT_OP_NO_FRAME ? STINT_OP_NO_TEXT : stint_op_frame_at(join, around)->layer;
}

/* What frames have from those around them, and a backward one from the forward one. */
static void fill(struct stint_op_join *join, struct stint_op_frame *frame, int64_t pid)
{
    const struct stint_op_text *text = stint_op_text_at(&join->texts, frame->text);
    const struct stint_op_frame *parent =
        frame->parent == STINT_OP_NO_FRAME ? NULL : stint_op_frame_at(join, frame->parent);
    frame->direction = (uint8_t)direction_of(text, parent);
    frame->forward = parent ? parent->forward : STINT_OP_NO_FRAME;
    frame->layer = parent ? parent->layer : STINT_OP_NO_TEXT;
    frame->program = parent ? parent->program : STINT_OP_NO_FRAME;
    struct stint_op_forward like = {.pid = pid, .seq = frame->seq};
    const struct stint_op_forward *forward = frame->has_seq && frame->direction == STINT_OP_BACKWARD
                                                 ? stint_table_find(&join->forwards, &s_forward, &like)
                                                 : NULL;
    if (forward)
        frame->forward = forward->frame;
    if (text->layer.length)
        frame->layer = layer_within(join, layer_around(join, frame), text->layer);
    if (text->program >= 0)
        frame->program = (uint32_t)join->frames.count;
    if (frame->layer == STINT_OP_NO_TEXT && frame->forward != STINT_OP_NO_FRAME)
        frame->layer = stint_op_frame_at(join, frame->forward)->layer;
    if (frame->layer == STINT_OP_NO_TEXT && text->kind == STINT_OP_CALL)
        frame->layer = layer_of_step(join, text);
    if (text->kind == STINT_OP_LAYER)
        frame->layer = layer_within(join, frame->layer, text->name);
    if (is_tuning(text))
        frame->layer = layer_within(join, frame->layer, (struct stint_piece){s_tuning, sizeof s_tuning - 1});
}

/* One time that a graph ran what was captured in a frame, as its launch's correlation. */
struct stint_op_replayed {
    int64_t pid;
    uint64_t correlation;
    uint32_t frame, copy;
};

static const struct stint_table_key s_replayed = STINT_TABLE_KEY(struct stint_op_replayed, pid, correlation, frame);

uint32_t stint_op_frame_replay(struct stint_op_join *join, int64_t pid, uint64_t correlation, uint32_t frame,
                               int *failed)
{
    struct stint_op_replayed like = {.pid = pid, .correlation = correlation, .frame = frame};
    const struct stint_op_replayed *known = stint_table_find(&join->replayed, &s_replayed, &like);
    if (frame == STINT_OP_NO_FRAME || known)
        return known ? known->copy : frame;
    struct stint_op_frame copy = *stint_op_frame_at(join, frame), *row = NULL;
    copy.parent = stint_op_frame_replay(join, pid, correlation, copy.parent, failed);
    like.copy = (uint32_t)join->frames.count;
    if (like.copy < STINT_OP_NO_FRAME - 1)
        row = stint_op_add_to_large(&join->frames, &join->frame_memory, sizeof *row);
    if (!row || !stint_table_take(&join->replayed, &s_replayed, &join->arena, &like)) {
        *failed = 1;
        return frame;
    }
    *row = copy;
    return like.copy;
}

void stint_op_frame_retell(struct stint_op_join *join, uint32_t at, uint32_t text)
{
    struct stint_op_frame *frame = (struct stint_op_frame *)join->frames.items + at;
    const struct stint_op_text *row = stint_op_text_at(&join->texts, text);
    frame->text = text;
    if (row->pass >= 0)
        frame->direction = (uint8_t)row->pass;
    if (row->layer.length)
        frame->layer = layer_within(join, layer_around(join, frame), row->layer);
}

int stint_op_is_engine(const struct stint_op_join *join, const struct stint_op_range *range)
{
    return begins(stint_op_text_at(&join->texts, range->text)->name, s_engine);
}

int stint_op_range_keep(struct stint_op_join *join, struct stint_op_range *range, const char *text, size_t length)
{
    const struct stint_operation *operation = &join->operation;
    *range = (struct stint_op_range){.text = stint_op_texts_add(&join->texts, operation, text, length),
                                     .has_seq = operation->has_seq != 0,
                                     .seq = operation->seq,
                                     .op_id = operation->op_id};
    return range->text == STINT_OP_NO_TEXT ? -1 : 0;
}

void *stint_op_add_to_large(struct stint_array *array, struct stint_arena *arena, size_t size)
{
    struct stint_arena outgrown = {0};
    if (array->count == array->capacity) {
        outgrown = *arena;
        *arena = (struct stint_arena){0};
    }
    void *item = stint_array_add(array, arena, size);
    if (item)
        stint_arena_free(&outgrown);
    else
        *arena = outgrown;
    return item;
}

uint32_t stint_op_frame_add(struct stint_op_join *join, uint32_t parent, int64_t pid, int64_t tid,
                            const struct stint_op_range *range, int *failed)
{
    struct stint_op_frame frame = {.parent = parent,
                                   .text = range->text,
                                   .has_seq = range->has_seq != 0,
                                   .seq = range->seq,
                                   .op_id = range->op_id,
                                   .pid = pid,
                                   .tid = tid};
    struct stint_op_frame *row = NULL;
    if (join->frames.count < STINT_OP_NO_FRAME - 1) {
        fill(join, &frame, pid);
        row = stint_op_add_to_large(&join->frames, &join->frame_memory, sizeof *row);
    }
    if (!row) {
        *failed = 1;
        return parent;
    }
    *row = frame;
    uint32_t at = (uint32_t)(join->frames.count - 1);
    if (stint_op_text_at(&join->texts, frame.text)->wants_output && wish(join, pid, at))
        *failed = 1;
    return at;
}
