/* Packs snapshots for ranks, and unpacks them: one walk over the members of rows does both, so that the two cannot
 * differ. Numbers are written in groups of seven bits, texts with their length. A text that is the same as in the row
 * before is written as 0, others as their length + 1, because most rows of a table have the same set, or the same
 * host. */
#include "ranks/ranks.h"

#include <stdlib.h>
#include <string.h>

#include "model/model.h"

enum { MEMBERS_MOST = 64, PARTICIPANTS_MOST = 65535 };

/* Begins every packed snapshot. */
static const char s_magic[] = "stint\1";

/* A walk over a snapshot. A function that is given where something is writes it from there, or reads it to there. */
struct walk {
    struct stint_packed *out; /* NULL: it reads */
    const unsigned char *at, *end;
    struct stint_arena *arena;     /* for what is read */
    size_t count[STINT_ROW_KINDS]; /* rows that were read, to which others may refer */
    const char *before[STINT_ROW_KINDS][MEMBERS_MOST];
    int failed;
};

static void walk_row(struct walk *walk, enum stint_row_kind kind, void *row);

/* ----------------------------------------------------------------------------------------------------------- memory */

/* Returns room for so many bytes, or NULL if there is no memory. */
static unsigned char *room_for(struct stint_packed *out, size_t size)
{
    if (out->size + size > out->room && !out->failed) {
        size_t room = 2 * (out->size + size) + 4096;
        unsigned char *larger = realloc(out->bytes, room);
        out->failed = !larger;
        out->bytes = larger ? larger : out->bytes;
        out->room = larger ? room : out->room;
    }
    return out->failed ? NULL : out->bytes + out->size;
}

/* Returns memory for what is read. */
static void *take_memory(struct walk *walk, size_t size)
{
    void *memory = walk->failed ? NULL : stint_arena_alloc(walk->arena, size ? size : 1);
    walk->failed |= !memory;
    return memory;
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

static void put_bytes(struct stint_packed *out, const void *bytes, size_t size)
{
    unsigned char *to = room_for(out, size);
    if (!to)
        return;
    memcpy(to, bytes, size);
    out->size += size;
}

static void walk_bytes(struct walk *walk, void *bytes, size_t size)
{
    if (walk->out) {
        put_bytes(walk->out, bytes, size);
    } else if (walk->failed || (size_t)(walk->end - walk->at) < size) {
        walk->failed = 1;
    } else {
        memcpy(bytes, walk->at, size);
        walk->at += size;
    }
}

static void put_number(struct stint_packed *out, uint64_t value)
{
    enum { NUMBER_MOST = 10 };
    unsigned char *begin = out->room - out->size >= NUMBER_MOST ? out->bytes + out->size : room_for(out, NUMBER_MOST);
    unsigned char *to = begin;
    if (!to)
        return;
    for (; value >= 0x80; value >>= 7)
        *to++ = (unsigned char)(value | 0x80);
    *to++ = (unsigned char)value;
    out->size += (size_t)(to - begin);
}

static uint64_t read_number(struct walk *walk)
{
    const unsigned char *at = walk->at, *end = walk->end;
    uint64_t value = 0;
    for (unsigned shift = 0; at < end && shift <= 63; shift += 7) {
        unsigned char byte = *at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte & 0x80)
            continue;
        walk->at = at;
        return value;
    }
    walk->failed = 1;
    return 0;
}

/* Most bytes of a message are numbers. Returns the number. */
static uint64_t walk_number(struct walk *walk, uint64_t value)
{
    if (!walk->out)
        return read_number(walk);
    put_number(walk->out, value);
    return value;
}

/* Every item takes at least one byte, so that a wrong number asks for no more memory than a message has bytes, times
 * the size of a row. */
static size_t walk_count(struct walk *walk, size_t count)
{
    uint64_t number = walk_number(walk, count);
    if (!walk->out && number > (uint64_t)(walk->end - walk->at))
        walk->failed = 1;
    return walk->failed ? 0 : (size_t)number;
}

static void walk_short(struct walk *walk, const struct stint_member *member, uint32_t *at)
{
    uint64_t value = walk_number(walk, walk->out ? *at : 0);
    if (walk->out)
        return;
    walk->failed |= value > UINT32_MAX;
    if (member->type == STINT_MEMBER_WORD)
        walk->failed |= value > STINT_WORDS_MOST || !*stint_word((enum stint_words)member->of, (unsigned)value);
    *at = (uint32_t)value;
}

/* Only a calling context may refer to none, which is 0: a root has no parent. */
static void walk_index(struct walk *walk, enum stint_row_kind kind, enum stint_row_kind of, size_t *at)
{
    uint64_t number = walk_number(walk, walk->out ? *at + 1 : 0);
    if (walk->out)
        return;
    if (number > walk->count[of] || (!number && (kind != STINT_ROWS_CONTEXTS || of != STINT_ROWS_CONTEXTS)))
        walk->failed = 1;
    *at = (size_t)number - 1;
}

/* The two special contexts are the greatest numbers, and become 0 and 1. */
static void walk_context(struct walk *walk, size_t *at)
{
    if (walk->out) {
        put_number(walk->out, *at == STINT_GPU_NO_SCOPE ? 0 : *at == STINT_GPU_UNATTRIBUTED ? 1 : *at + 2);
        return;
    }
    uint64_t number = read_number(walk);
    if (number >= 2 && number - 2 >= walk->count[STINT_ROWS_CONTEXTS])
        walk->failed = 1;
    *at = number == 0 ? STINT_GPU_NO_SCOPE : number == 1 ? STINT_GPU_UNATTRIBUTED : (size_t)number - 2;
}

/* ------------------------------------------------------------------------------------------------------------ texts */

static void put_text(struct stint_packed *out, const char *text, const char **before)
{
    size_t length = strlen(text);
    if (*before && strcmp(*before, text) == 0) {
        put_number(out, 0);
        return;
    }
    *before = text;
    put_number(out, length + 1);
    put_bytes(out, text, length);
}

static const char *read_text(struct walk *walk, const char **before)
{
    uint64_t size = read_number(walk);
    if (!size && *before)
        return *before;
    if (!size || size - 1 > (uint64_t)(walk->end - walk->at))
        walk->failed = 1;
    char *text = take_memory(walk, walk->failed ? 0 : (size_t)size);
    if (!text)
        return "";
    walk_bytes(walk, text, (size_t)size - 1);
    *before = text;
    return text;
}

static void walk_text(struct walk *walk, const char **text, const char **before)
{
    if (walk->out)
        put_text(walk->out, *text ? *text : "", before);
    else
        *text = read_text(walk, before);
}

static void walk_name(struct walk *walk, char *name, const char **before)
{
    if (walk->out)
        put_text(walk->out, name, before);
    else
        strncpy(name, read_text(walk, before), sizeof((struct stint_process *)0)->rank - 1);
}

/* --------------------------------------------------------------------------------------------------- several values */

/* Writes how many items there are, or reads it and takes memory for them. Returns the list. */
static struct stint_row_list walk_list(struct walk *walk, void *at, size_t size)
{
    struct stint_row_list list;
    memcpy(&list, at, sizeof list);
    list.count = walk_count(walk, walk->out ? list.count : 0);
    if (walk->out)
        return list;
    list.rows = take_memory(walk, list.count * size);
    list.count = list.rows ? list.count : 0;
    struct stint_row_list taken = {list.count ? list.rows : NULL, list.count};
    memcpy(at, &taken, sizeof taken);
    return list;
}

static void walk_bins(struct walk *walk, void *at)
{
    struct stint_row_list list = walk_list(walk, at, sizeof(struct stint_bin));
    struct stint_bin *bins = (struct stint_bin *)(uintptr_t)list.rows;
    uint64_t before = 0;
    for (size_t i = 0; i < list.count; i++) {
        if (walk->out) {
            put_number(walk->out, bins[i].ns - before);
            put_number(walk->out, bins[i].count);
        } else {
            bins[i].ns = before + read_number(walk);
            bins[i].count = read_number(walk);
        }
        before = bins[i].ns;
    }
}

static void walk_texts(struct walk *walk, void *at)
{
    struct stint_row_list list = walk_list(walk, at, sizeof(const char *));
    const char **texts = (const char **)(uintptr_t)list.rows;
    const char *before = NULL;
    for (size_t i = 0; i < list.count; i++)
        walk_text(walk, &texts[i], &before);
}

static void walk_rows(struct walk *walk, enum stint_row_kind kind, void *at)
{
    size_t size = stint_row_tables[kind]->size;
    struct stint_row_list list = walk_list(walk, at, size);
    walk->count[kind] = 0;
    for (size_t i = 0; i < list.count && !walk->failed; i++) {
        walk_row(walk, kind, (char *)(uintptr_t)list.rows + i * size);
        walk->count[kind] = i + 1;
    }
}

static void walk_spread(struct walk *walk, void *at)
{
    void *spread;
    memcpy(&spread, at, sizeof spread);
    if (!walk_number(walk, walk->out && spread))
        return;
    if (!walk->out) {
        spread = take_memory(walk, sizeof(struct stint_spread));
        memcpy(at, &spread, sizeof spread);
    }
    if (spread)
        walk_row(walk, STINT_ROWS_SPREAD, spread);
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static void walk_several(struct walk *walk, const struct stint_member *member, void *at)
{
    switch (member->type) {
    case STINT_MEMBER_TEXTS:
        walk_texts(walk, at);
        break;
    case STINT_MEMBER_DIMENSIONS:
        walk_bytes(walk, at, 3 * sizeof(uint32_t));
        break;
    case STINT_MEMBER_BINS:
        walk_bins(walk, at);
        break;
    case STINT_MEMBER_OBJECT:
        walk_row(walk, (enum stint_row_kind)member->of, at);
        break;
    case STINT_MEMBER_ROWS:
        walk_rows(walk, (enum stint_row_kind)member->of, at);
        break;
    default:
        walk_spread(walk, at);
    }
}

static void walk_member(struct walk *walk, enum stint_row_kind kind, const struct stint_member *member, void *at,
                        const char **before)
{
    switch (member->type) {
    case STINT_MEMBER_U32:
    case STINT_MEMBER_SWITCH:
    case STINT_MEMBER_WORD:
        walk_short(walk, member, at);
        break;
    case STINT_MEMBER_U64:
        if (walk->out)
            put_number(walk->out, *(const uint64_t *)at);
        else
            *(uint64_t *)at = read_number(walk);
        break;
    case STINT_MEMBER_I64:
    case STINT_MEMBER_NUMBER:
    case STINT_MEMBER_SQUARES:
    case STINT_MEMBER_EXACT:
        walk_bytes(walk, at, sizeof(uint64_t));
        break;
    case STINT_MEMBER_TEXT:
        walk_text(walk, at, before);
        break;
    case STINT_MEMBER_NAME:
        walk_name(walk, at, before);
        break;
    case STINT_MEMBER_INDEX:
        walk_index(walk, kind, (enum stint_row_kind)member->of, at);
        break;
    case STINT_MEMBER_CONTEXT:
        walk_context(walk, at);
        break;
    default:
        walk_several(walk, member, at);
    }
}

/* Whether a member is packed, whose value does not follow from others. */
static int is_packed(const struct stint_member *member)
{
    return member->type >= STINT_MEMBER_TEXTS && member->type < STINT_MEMBER_PARTS && member->type != STINT_MEMBER_KIND;
}

/* What the members do not say, because it follows from the name; and what others rely on. */
static void complete(struct walk *walk, enum stint_row_kind kind, void *row)
{
    struct stint_gpu_activity *activity = row;
    if (kind == STINT_ROWS_BARRIERS && ((struct stint_barrier_stat *)row)->participants > PARTICIPANTS_MOST)
        walk->failed = 1;
    if (kind != STINT_ROWS_GPU_ACTIVITIES || walk->failed)
        return;
    activity->direction = stint_gpu_direction_of(activity->kind, activity->name);
    activity->wait = stint_gpu_wait_of(activity->kind, activity->name);
}

static void walk_row(struct walk *walk, enum stint_row_kind kind, void *row)
{
    const struct stint_row_table *table = stint_row_tables[kind];
    for (size_t i = 0; i < table->count; i++)
        if (is_packed(&table->members[i]))
            walk_member(walk, kind, &table->members[i], (char *)row + table->members[i].at, &walk->before[kind][i]);
    if (!walk->out)
        complete(walk, kind, row);
}

/* ------------------------------------------------------------------------------------------------------------ whole */

int stint_pack(struct stint_packed *packed, const struct stint_snapshot *snapshot)
{
    struct walk walk = {.out = packed};
    put_bytes(packed, s_magic, sizeof s_magic - 1);
    walk_row(&walk, STINT_ROWS_SNAPSHOT, (void *)(uintptr_t)snapshot);
    return packed->failed ? -1 : 0;
}

void stint_packed_free(struct stint_packed *packed)
{
    free(packed->bytes);
    *packed = (struct stint_packed){.size = 0};
}

int stint_unpack(struct stint_unpacked *unpacked, const unsigned char *bytes, size_t size)
{
    char magic[sizeof s_magic] = "";
    stint_arena_reuse(&unpacked->arena);
    unpacked->snapshot = (struct stint_snapshot){.size = sizeof(struct stint_snapshot)};
    struct walk walk = {.arena = &unpacked->arena, .at = bytes, .end = bytes + size};
    walk_bytes(&walk, magic, sizeof magic - 1);
    if (memcmp(magic, s_magic, sizeof magic) != 0)
        return -1;
    walk_row(&walk, STINT_ROWS_SNAPSHOT, &unpacked->snapshot);
    return walk.failed || walk.at != walk.end ? -1 : 0;
}

void stint_unpacked_free(struct stint_unpacked *unpacked)
{
    stint_arena_free(&unpacked->arena);
    *unpacked = (struct stint_unpacked){.snapshot.size = 0};
}
