#include <string.h>

#include "ranks/pack.h"
#include "stat/gpu_words.h"

enum { MEMBERS_MOST = 64, PARTICIPANTS_MOST = 65535 };

struct unpacker {
    struct stint_arena *arena;
    const unsigned char *at;
    const unsigned char *end;
    size_t count[STINT_ROW_KINDS]; /* rows that were read, to which others may refer */
    const char *before[STINT_ROW_KINDS][MEMBERS_MOST];
    int failed;
};

static void read_row(struct unpacker *unpacker, enum stint_row_kind kind, void *row);

static void *take_memory(struct unpacker *unpacker, size_t size)
{
    void *memory = unpacker->failed ? NULL : stint_arena_alloc(unpacker->arena, size ? size : 1);
    unpacker->failed |= !memory;
    return memory;
}

static void read_bytes(struct unpacker *unpacker, void *to, size_t size)
{
    if (unpacker->failed || (size_t)(unpacker->end - unpacker->at) < size) {
        unpacker->failed = 1;
        return;
    }
    memcpy(to, unpacker->at, size);
    unpacker->at += size;
}

/* Most bytes of a message are numbers. */
static uint64_t read_number(struct unpacker *unpacker)
{
    const unsigned char *at = unpacker->at, *end = unpacker->end;
    uint64_t value = 0;
    for (unsigned shift = 0; at < end && shift <= 63; shift += 7) {
        unsigned char byte = *at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte & 0x80)
            continue;
        unpacker->at = at;
        return value;
    }
    unpacker->failed = 1;
    return 0;
}

/* Every item takes at least one byte, so that a wrong number asks for no more memory than a message has bytes, times
 * the size of a row. */
static size_t read_count(struct unpacker *unpacker)
{
    uint64_t count = read_number(unpacker);
    if (count > (uint64_t)(unpacker->end - unpacker->at))
        unpacker->failed = 1;
    return unpacker->failed ? 0 : (size_t)count;
}

static uint32_t read_u32(struct unpacker *unpacker)
{
    uint64_t value = read_number(unpacker);
    unpacker->failed |= value > UINT32_MAX;
    return (uint32_t)value;
}

static const char *read_text(struct unpacker *unpacker, const char **before)
{
    uint64_t size = read_number(unpacker);
    if (!size && *before)
        return *before;
    if (!size || size - 1 > (uint64_t)(unpacker->end - unpacker->at))
        unpacker->failed = 1;
    char *text = take_memory(unpacker, unpacker->failed ? 0 : (size_t)size);
    if (!text)
        return "";
    read_bytes(unpacker, text, (size_t)size - 1);
    *before = text;
    return text;
}

static void put_list(void *to, const void *rows, size_t count)
{
    struct stint_row_list list = {count ? rows : NULL, count};
    memcpy(to, &list, sizeof list);
}

static void read_texts(struct unpacker *unpacker, void *to)
{
    size_t count = read_count(unpacker);
    const char *before = NULL;
    const char **texts = take_memory(unpacker, count * sizeof *texts);
    for (size_t i = 0; texts && i < count; i++)
        texts[i] = read_text(unpacker, &before);
    put_list(to, texts, texts ? count : 0);
}

static void read_bins(struct unpacker *unpacker, void *to)
{
    size_t count = read_count(unpacker);
    struct stint_bin *bins = take_memory(unpacker, count * sizeof *bins);
    uint64_t before = 0;
    for (size_t i = 0; bins && i < count; i++) {
        bins[i].ns = before += read_number(unpacker);
        bins[i].count = read_number(unpacker);
    }
    put_list(to, bins, bins ? count : 0);
}

static void read_rows(struct unpacker *unpacker, enum stint_row_kind kind, void *to)
{
    size_t size = stint_row_tables[kind].size, count = read_count(unpacker);
    char *rows = take_memory(unpacker, count * size);
    unpacker->count[kind] = 0;
    for (size_t i = 0; rows && i < count && !unpacker->failed; i++) {
        read_row(unpacker, kind, rows + i * size);
        unpacker->count[kind] = i + 1;
    }
    put_list(to, rows, rows ? count : 0);
}

static void read_spread(struct unpacker *unpacker, void *to)
{
    if (!read_number(unpacker))
        return;
    void *spread = take_memory(unpacker, sizeof(struct stint_spread));
    if (!spread)
        return;
    read_row(unpacker, STINT_ROWS_SPREAD, spread);
    memcpy(to, &spread, sizeof spread);
}

/* Only a calling context may refer to none: a root has no parent. */
static size_t read_index(struct unpacker *unpacker, enum stint_row_kind kind, enum stint_row_kind of)
{
    uint64_t number = read_number(unpacker);
    if (number > unpacker->count[of] || (!number && (kind != STINT_ROWS_CONTEXTS || of != STINT_ROWS_CONTEXTS)))
        unpacker->failed = 1;
    return (size_t)number - 1;
}

static size_t read_context(struct unpacker *unpacker)
{
    uint64_t number = read_number(unpacker);
    if (number >= 2 && number - 2 >= unpacker->count[STINT_ROWS_CONTEXTS])
        unpacker->failed = 1;
    return number == 0 ? STINT_GPU_NO_SCOPE : number == 1 ? STINT_GPU_UNATTRIBUTED : (size_t)number - 2;
}

static uint32_t read_word(struct unpacker *unpacker, enum stint_words of)
{
    uint32_t value = read_u32(unpacker);
    unpacker->failed |= value > STINT_WORDS_MOST || !*stint_word(of, value);
    return value;
}

static void read_several(struct unpacker *unpacker, const struct stint_member *member, void *to)
{
    switch (member->type) {
    case STINT_MEMBER_TEXTS:
        read_texts(unpacker, to);
        break;
    case STINT_MEMBER_DIMENSIONS:
        read_bytes(unpacker, to, 3 * sizeof(uint32_t));
        break;
    case STINT_MEMBER_BINS:
        read_bins(unpacker, to);
        break;
    case STINT_MEMBER_OBJECT:
        read_row(unpacker, (enum stint_row_kind)member->of, to);
        break;
    case STINT_MEMBER_ROWS:
        read_rows(unpacker, (enum stint_row_kind)member->of, to);
        break;
    default:
        read_spread(unpacker, to);
    }
}

static void read_value(struct unpacker *unpacker, enum stint_row_kind kind, const struct stint_member *member, void *to,
                       const char **before)
{
    switch (member->type) {
    case STINT_MEMBER_U32:
    case STINT_MEMBER_SWITCH:
        *(uint32_t *)to = read_u32(unpacker);
        break;
    case STINT_MEMBER_WORD:
        *(uint32_t *)to = read_word(unpacker, (enum stint_words)member->of);
        break;
    case STINT_MEMBER_U64:
        *(uint64_t *)to = read_number(unpacker);
        break;
    case STINT_MEMBER_I64:
    case STINT_MEMBER_NUMBER:
    case STINT_MEMBER_SQUARES:
    case STINT_MEMBER_EXACT:
        read_bytes(unpacker, to, sizeof(uint64_t));
        break;
    case STINT_MEMBER_TEXT:
        *(const char **)to = read_text(unpacker, before);
        break;
    case STINT_MEMBER_NAME:
        strncpy(to, read_text(unpacker, before), sizeof((struct stint_process *)0)->rank - 1);
        break;
    case STINT_MEMBER_INDEX:
        *(size_t *)to = read_index(unpacker, kind, (enum stint_row_kind)member->of);
        break;
    case STINT_MEMBER_CONTEXT:
        *(size_t *)to = read_context(unpacker);
        break;
    default:
        read_several(unpacker, member, to);
    }
}

/* What the members do not say, because it follows from the name; and what others rely on. */
static void complete(struct unpacker *unpacker, enum stint_row_kind kind, void *row)
{
    struct stint_gpu_activity *activity = row;
    if (kind == STINT_ROWS_BARRIERS && ((struct stint_barrier_stat *)row)->participants > PARTICIPANTS_MOST)
        unpacker->failed = 1;
    if (kind != STINT_ROWS_GPU_ACTIVITIES || unpacker->failed)
        return;
    activity->direction = stint_gpu_direction_of(activity->kind, activity->name);
    activity->wait = stint_gpu_wait_of(activity->kind, activity->name);
}

static void read_row(struct unpacker *unpacker, enum stint_row_kind kind, void *row)
{
    const struct stint_row_table *table = &stint_row_tables[kind];
    for (size_t i = 0; i < table->count; i++) {
        const struct stint_member *member = &table->members[i];
        if (stint_pack_has(member))
            read_value(unpacker, kind, member, (char *)row + member->at, &unpacker->before[kind][i]);
    }
    complete(unpacker, kind, row);
}

int stint_unpack(struct stint_unpacked *unpacked, const unsigned char *bytes, size_t size)
{
    char magic[sizeof STINT_PACK_MAGIC - 1] = "";
    stint_arena_reuse(&unpacked->arena);
    unpacked->snapshot = (struct stint_snapshot){.size = sizeof(struct stint_snapshot)};
    struct unpacker unpacker = {.arena = &unpacked->arena, .at = bytes, .end = bytes + size};
    read_bytes(&unpacker, magic, sizeof magic);
    if (memcmp(magic, STINT_PACK_MAGIC, sizeof magic) != 0)
        return -1;
    read_row(&unpacker, STINT_ROWS_SNAPSHOT, &unpacked->snapshot);
    return unpacker.failed || unpacker.at != unpacker.end ? -1 : 0;
}

void stint_unpacked_free(struct stint_unpacked *unpacked)
{
    stint_arena_free(&unpacked->arena);
    *unpacked = (struct stint_unpacked){.snapshot.size = 0};
}
