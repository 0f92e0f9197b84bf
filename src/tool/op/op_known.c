/* Joins what an observer saw of operations to the frames that it is true of. */
#include "op/op_join.h"

#include <string.h>

#include "op/op_scan.h"

/* -------------------------------------------------------------------------------------------------------- by number */

struct stint_op_fact {
    int64_t pid;
    uint64_t op_id;
    uint32_t text; /* in the texts */
};

static const struct stint_table_key s_fact = STINT_TABLE_KEY(struct stint_op_fact, pid, op_id);

/* What emit_nvtx says of an operation, and what is known. */
struct stint_op_fact_text {
    uint32_t said, known; /* in the texts */
};

/* Takes what emit_nvtx says too out of the operation's text: its name and its shapes. */
static uint32_t add_said(struct stint_op_join *join, struct stint_piece text)
{
    static const char number[] = ", op_id = 0", sizes[] = ", sizes = ", types[] = ", types = ";
    struct stint_op_buffer said = {0};
    struct stint_arena arena = {0};
    const char *from = memmem(text.text, text.length, sizes, sizeof sizes - 1);
    const char *end = memmem(text.text, text.length, types, sizeof types - 1);
    uint32_t at = STINT_OP_NO_TEXT;
    if (!from || !end || end < from)
        end = from = text.text;
    if (!stint_op_buffer_put(&said, &arena, text.text, join->operation.name.length) &&
        !stint_op_buffer_put(&said, &arena, number, sizeof number - 1) &&
        !stint_op_buffer_put(&said, &arena, from, (size_t)(end - from))) {
        (void)stint_operation_read(&join->operation, said.text, said.length);
        at = stint_op_texts_add(&join->texts, &join->operation, said.text, said.length);
    }
    stint_arena_free(&arena);
    return at;
}

static int keep_text(struct stint_op_join *join, struct stint_piece text, uint32_t known)
{
    struct stint_op_fact_text *row = stint_array_add(&join->fact_texts, &join->arena, sizeof *row);
    if (!row)
        return -1;
    *row = (struct stint_op_fact_text){.known = known, .said = add_said(join, text)};
    return row->said == STINT_OP_NO_TEXT ? -1 : 0;
}

static const char s_begins[] = "stint.facts, op_id = ";

int stint_op_is_known(const char *text, size_t length)
{
    return length > sizeof s_begins - 1 && memcmp(text, s_begins, sizeof s_begins - 1) == 0;
}

/* Takes ", op_ids = [783, 901], text = ", and keeps what follows for each of the numbers. */
static int keep_all(struct stint_op_join *join, int64_t pid, struct stint_op_scan scan)
{
    struct stint_op_fact fact = {.pid = pid};
    int64_t number;
    const char *text = memmem(scan.at, (size_t)(scan.end - scan.at), "], text = ", 10);
    if (!text || !stint_op_scan_word(&scan, ", op_ids = ["))
        return 0;
    struct stint_op_scan rest = {text + 10, scan.end};
    if (stint_operation_read(&join->operation, rest.at, (size_t)(rest.end - rest.at)) != STINT_OP_CALL ||
        join->operation.is_cut) {
        join->unparsed++;
        return 0;
    }
    fact.text = stint_op_texts_add(&join->texts, &join->operation, rest.at, (size_t)(rest.end - rest.at));
    if (fact.text == STINT_OP_NO_TEXT || keep_text(join, stint_op_scan_rest(&rest), fact.text))
        return -1;
    while (!stint_op_scan_whole(&scan, &number)) {
        fact.op_id = (uint64_t)number;
        if (!stint_table_take(&join->facts, &s_fact, &join->arena, &fact))
            return -1;
        (void)stint_op_scan_sign(&scan, ',');
    }
    return 0;
}

int stint_op_known_add(struct stint_op_join *join, int64_t pid, const char *text, size_t length)
{
    struct stint_op_scan scan = {text + sizeof s_begins - 1, text + length};
    int64_t number;
    return stint_op_scan_whole(&scan, &number) ? 0 : keep_all(join, pid, scan);
}

/* --------------------------------------------------------------------------------------------------------- by place */

/* An operation with these shapes, within that operation, in that layer; of several, the one of that number. */
struct place {
    uint32_t text, within, layer;
    uint32_t direction;
    uint32_t number, of; /* 0: any */
};

/* Operations with these shapes within one activation of another. */
struct siblings {
    uint32_t parent, text;
    uint32_t count;
    uint32_t seen;
};

struct learned {
    struct place place;
    uint32_t text; /* what is true of it; STINT_OP_NO_TEXT: it depends */
};

struct apply {
    struct stint_op_join *join;
    struct stint_arena arena;
    struct stint_table learned; /* struct learned */
    struct stint_table siblings;
    uint32_t *texts; /* of frames: the new one, or STINT_OP_NO_TEXT */
};

static const struct stint_table_key s_learned = STINT_TABLE_KEY(struct learned, place);
static const struct stint_table_key s_siblings = STINT_TABLE_KEY(struct siblings, parent, text);

static struct place place_of(const struct stint_op_join *join, const struct stint_op_frame *frame)
{
    uint32_t within =
        frame->parent == STINT_OP_NO_FRAME ? STINT_OP_NO_TEXT : stint_op_frame_at(join, frame->parent)->text;
    return (struct place){frame->text, within, frame->layer, frame->direction, 0, 0};
}

static int count_siblings(struct apply *apply)
{
    for (size_t i = 0; i < apply->join->frames.count; i++) {
        const struct stint_op_frame *frame = stint_op_frame_at(apply->join, (uint32_t)i);
        struct siblings like = {.parent = frame->parent, .text = frame->text};
        struct siblings *row = stint_table_take(&apply->siblings, &s_siblings, &apply->arena, &like);
        if (!row)
            return -1;
        row->count++;
    }
    return 0;
}

/* To be called for each frame once, in order. */
static struct place numbered(struct apply *apply, const struct stint_op_frame *frame)
{
    struct siblings like = {.parent = frame->parent, .text = frame->text};
    struct siblings *row = stint_table_find(&apply->siblings, &s_siblings, &like);
    struct place place = place_of(apply->join, frame);
    row->seen = row->seen % row->count + 1;
    if (frame->parent == STINT_OP_NO_FRAME)
        return place;
    place.number = row->seen;
    place.of = row->count;
    return place;
}

static int learn(struct apply *apply, const struct place *place, uint32_t text)
{
    struct learned like = {*place, text};
    struct learned *row = stint_table_take(&apply->learned, &s_learned, &apply->arena, &like);
    if (row && row->text != text)
        row->text = STINT_OP_NO_TEXT;
    return row ? 0 : -1;
}

static const struct learned *find_learned(const struct apply *apply, struct place place)
{
    struct learned like = {.place = place};
    return stint_table_find(&apply->learned, &s_learned, &like);
}

static struct place anywhere(uint32_t text)
{
    return (struct place){text, STINT_OP_NO_TEXT, STINT_OP_NO_TEXT, UINT32_MAX, 0, 0};
}

static int is_same_name(const struct stint_op_text *a, const struct stint_op_text *b)
{
    return a->name.length == b->name.length && memcmp(a->name.text, b->name.text, a->name.length) == 0;
}

static uint32_t text_by_number(const struct stint_op_join *join, const struct stint_op_frame *frame)
{
    struct stint_op_fact like = {.pid = frame->pid, .op_id = frame->op_id};
    const struct stint_op_fact *fact = frame->op_id ? stint_table_find(&join->facts, &s_fact, &like) : NULL;
    if (!fact)
        return STINT_OP_NO_TEXT;
    return is_same_name(stint_op_text_at(&join->texts, fact->text), stint_op_text_at(&join->texts, frame->text))
               ? fact->text
               : STINT_OP_NO_TEXT;
}

static uint32_t text_by_place(struct apply *apply, const struct stint_op_frame *frame, struct place nearest)
{
    const struct learned *found = find_learned(apply, place_of(apply->join, frame));
    if (!found)
        found = find_learned(apply, anywhere(frame->text));
    else if (found->text == STINT_OP_NO_TEXT)
        found = find_learned(apply, nearest);
    return found ? found->text : STINT_OP_NO_TEXT;
}

/* Finds what was watched first, and learns from it; it may have run before anything was recorded. */
static int find_texts(struct apply *apply)
{
    const struct stint_op_join *join = apply->join;
    const struct stint_op_fact_text *known = join->fact_texts.items;
    for (size_t i = 0; i < join->fact_texts.count; i++) {
        struct place any = anywhere(known[i].said);
        if (learn(apply, &any, known[i].known))
            return -1;
    }
    for (size_t i = 0; i < join->frames.count; i++) {
        const struct stint_op_frame *frame = stint_op_frame_at(join, (uint32_t)i);
        struct place near = place_of(join, frame), nearest = numbered(apply, frame);
        apply->texts[i] = text_by_number(join, frame);
        if (apply->texts[i] != STINT_OP_NO_TEXT &&
            (learn(apply, &near, apply->texts[i]) || learn(apply, &nearest, apply->texts[i])))
            return -1;
    }
    for (size_t i = 0; i < join->frames.count; i++) {
        const struct stint_op_frame *frame = stint_op_frame_at(join, (uint32_t)i);
        struct place nearest = numbered(apply, frame);
        if (apply->texts[i] == STINT_OP_NO_TEXT && stint_op_text_at(&join->texts, frame->text)->kind == STINT_OP_CALL)
            apply->texts[i] = text_by_place(apply, frame, nearest);
    }
    return 0;
}

static void know(struct stint_op_join *join, struct stint_op_frame *frame, uint32_t text)
{
    frame->text = text;
    frame->layer = stint_op_layer_refine(join, frame->layer, stint_op_text_at(&join->texts, text)->layer);
}

int stint_op_known_apply(struct stint_op_join *join)
{
    struct apply apply = {.join = join};
    struct stint_op_frame *frames = join->frames.items;
    if (!join->facts.count)
        return 0;
    apply.texts = stint_arena_alloc(&apply.arena, (join->frames.count + 1) * sizeof *apply.texts);
    int failed = !apply.texts || count_siblings(&apply) || find_texts(&apply);
    for (size_t i = 0; !failed && i < join->frames.count; i++)
        if (apply.texts[i] != STINT_OP_NO_TEXT)
            know(join, &frames[i], apply.texts[i]);
    stint_arena_free(&apply.arena);
    return failed ? -1 : 0;
}
