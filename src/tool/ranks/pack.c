#include "ranks/pack.h"

#include <stdlib.h>
#include <string.h>

enum { MEMBERS_MOST = 64 };

/* Numbers are written in groups of seven bits, texts with their length. A text that is the same as in the row before is
 * written as 0, others as their length + 1, because most rows of a table have the same set, or the same host. */
struct packer {
    struct stint_packed *out;
    const char *before[STINT_ROW_KINDS][MEMBERS_MOST];
};

static void put_row(struct packer *packer, enum stint_row_kind kind, const void *row);

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

static void put_bytes(struct stint_packed *out, const void *bytes, size_t size)
{
    unsigned char *to = room_for(out, size);
    if (!to)
        return;
    memcpy(to, bytes, size);
    out->size += size;
}

static void put_number(struct packer *packer, uint64_t value)
{
    enum { NUMBER_MOST = 10 };
    unsigned char *begin = room_for(packer->out, NUMBER_MOST), *to = begin;
    if (!to)
        return;
    for (; value >= 0x80; value >>= 7)
        *to++ = (unsigned char)(value | 0x80);
    *to++ = (unsigned char)value;
    packer->out->size += (size_t)(to - begin);
}

static void put_text(struct packer *packer, const char *text, const char **before)
{
    size_t length = strlen(text);
    if (*before && strcmp(*before, text) == 0) {
        put_number(packer, 0);
        return;
    }
    *before = text;
    put_number(packer, length + 1);
    put_bytes(packer->out, text, length);
}

static struct stint_row_list list_at(const void *at)
{
    struct stint_row_list list;
    memcpy(&list, at, sizeof list);
    return list;
}

static void put_bins(struct packer *packer, struct stint_row_list list)
{
    const struct stint_bin *bins = list.rows;
    uint64_t before = 0;
    put_number(packer, list.count);
    for (size_t i = 0; i < list.count; i++) {
        put_number(packer, bins[i].ns - before);
        put_number(packer, bins[i].count);
        before = bins[i].ns;
    }
}

static void put_texts(struct packer *packer, struct stint_row_list list)
{
    const char *const *texts = list.rows;
    const char *before = NULL;
    put_number(packer, list.count);
    for (size_t i = 0; i < list.count; i++)
        put_text(packer, texts[i], &before);
}

static void put_rows(struct packer *packer, enum stint_row_kind kind, struct stint_row_list list)
{
    put_number(packer, list.count);
    for (size_t i = 0; i < list.count; i++)
        put_row(packer, kind, (const char *)list.rows + i * stint_row_tables[kind].size);
}

static void put_spread(struct packer *packer, const struct stint_spread *spread)
{
    put_number(packer, spread != NULL);
    if (spread)
        put_row(packer, STINT_ROWS_SPREAD, spread);
}

/* The two special contexts are the greatest numbers, and become 0 and 1. */
static void put_context(struct packer *packer, size_t context)
{
    put_number(packer, context == STINT_GPU_NO_SCOPE ? 0 : context == STINT_GPU_UNATTRIBUTED ? 1 : context + 2);
}

static void put_several(struct packer *packer, const struct stint_member *member, const void *at)
{
    switch (member->type) {
    case STINT_MEMBER_TEXTS:
        put_texts(packer, list_at(at));
        break;
    case STINT_MEMBER_DIMENSIONS:
        put_bytes(packer->out, at, 3 * sizeof(uint32_t));
        break;
    case STINT_MEMBER_BINS:
        put_bins(packer, list_at(at));
        break;
    case STINT_MEMBER_OBJECT:
        put_row(packer, (enum stint_row_kind)member->of, at);
        break;
    case STINT_MEMBER_ROWS:
        put_rows(packer, (enum stint_row_kind)member->of, list_at(at));
        break;
    default:
        put_spread(packer, *(const struct stint_spread *const *)at);
    }
}

static void put_value(struct packer *packer, const struct stint_member *member, const void *at, const char **before)
{
    switch (member->type) {
    case STINT_MEMBER_U32:
    case STINT_MEMBER_WORD:
    case STINT_MEMBER_SWITCH:
        put_number(packer, *(const uint32_t *)at);
        break;
    case STINT_MEMBER_U64:
        put_number(packer, *(const uint64_t *)at);
        break;
    case STINT_MEMBER_I64:
    case STINT_MEMBER_NUMBER:
    case STINT_MEMBER_SQUARES:
    case STINT_MEMBER_EXACT:
        put_bytes(packer->out, at, sizeof(uint64_t));
        break;
    case STINT_MEMBER_TEXT:
        put_text(packer, *(const char *const *)at ? *(const char *const *)at : "", before);
        break;
    case STINT_MEMBER_NAME:
        put_text(packer, at, before);
        break;
    case STINT_MEMBER_INDEX:
        put_number(packer, *(const size_t *)at + 1); /* none, SIZE_MAX, is 0 */
        break;
    case STINT_MEMBER_CONTEXT:
        put_context(packer, *(const size_t *)at);
        break;
    default:
        put_several(packer, member, at);
    }
}

static void put_row(struct packer *packer, enum stint_row_kind kind, const void *row)
{
    const struct stint_row_table *table = &stint_row_tables[kind];
    for (size_t i = 0; i < table->count; i++)
        if (stint_pack_has(&table->members[i]))
            put_value(packer, &table->members[i], (const char *)row + table->members[i].at, &packer->before[kind][i]);
}

int stint_pack(struct stint_packed *packed, const struct stint_snapshot *snapshot)
{
    struct packer packer = {.out = packed};
    put_bytes(packed, STINT_PACK_MAGIC, sizeof STINT_PACK_MAGIC - 1);
    put_row(&packer, STINT_ROWS_SNAPSHOT, snapshot);
    return packed->failed ? -1 : 0;
}

void stint_packed_free(struct stint_packed *packed)
{
    free(packed->bytes);
    *packed = (struct stint_packed){.size = 0};
}
