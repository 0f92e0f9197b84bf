#include "store/btree_page.h"

#include <string.h>

enum { CELLS_AT = 3, CONTENT_AT = 5, RIGHT_AT = 8, LEAF_HEAD = 8, INNER_HEAD = 12 };

static unsigned head_of(const struct stint_btree_page *page)
{
    return page->bytes[0] >= STINT_BTREE_INDEX_LEAF ? LEAF_HEAD : INNER_HEAD;
}

static void put_u16(unsigned char *to, unsigned value)
{
    to[0] = (unsigned char)(value >> 8);
    to[1] = (unsigned char)value;
}

unsigned char *stint_btree_put_u32(unsigned char *to, uint32_t value)
{
    put_u16(to, value >> 16);
    put_u16(to + 2, value & 0xFFFF);
    return to + 4;
}

/* ------------------------------------------------------------------------------------------------------------ pages */

void stint_btree_begin(struct stint_btree_page *page, enum stint_btree_kind kind)
{
    memset(page->bytes, 0, sizeof page->bytes);
    page->bytes[0] = (unsigned char)kind;
    page->cells = 0;
    page->content = STINT_BTREE_PAGE;
}

void stint_btree_resume(struct stint_btree_page *page)
{
    page->cells = (unsigned)page->bytes[CELLS_AT] << 8 | page->bytes[CELLS_AT + 1];
    page->content = (unsigned)page->bytes[CONTENT_AT] << 8 | page->bytes[CONTENT_AT + 1];
}

size_t stint_btree_room(const struct stint_btree_page *page)
{
    size_t used = head_of(page) + (size_t)2 * (page->cells + 1);
    return page->content > used ? page->content - used : 0;
}

static void put_cell(struct stint_btree_page *page, unsigned char *pointer, const unsigned char *cell, size_t size)
{
    page->content -= (unsigned)size;
    memcpy(page->bytes + page->content, cell, size);
    put_u16(pointer, page->content);
    page->cells++;
}

void stint_btree_add(struct stint_btree_page *page, const unsigned char *cell, size_t size)
{
    put_cell(page, page->bytes + head_of(page) + (size_t)2 * page->cells, cell, size);
}

void stint_btree_add_first(struct stint_btree_page *page, const unsigned char *cell, size_t size)
{
    unsigned char *first = page->bytes + head_of(page);
    memmove(first + 2, first, (size_t)2 * page->cells);
    put_cell(page, first, cell, size);
}

const unsigned char *stint_btree_cell(const struct stint_btree_page *page, unsigned cell)
{
    const unsigned char *pointer = page->bytes + head_of(page) + (size_t)2 * cell;
    return page->bytes + ((unsigned)pointer[0] << 8 | pointer[1]);
}

void stint_btree_remove_last(struct stint_btree_page *page, size_t size)
{
    page->content += (unsigned)size;
    page->cells--;
}

void stint_btree_end(struct stint_btree_page *page, uint32_t right)
{
    put_u16(page->bytes + CELLS_AT, page->cells);
    put_u16(page->bytes + CONTENT_AT, page->content);
    if (head_of(page) == INNER_HEAD)
        (void)stint_btree_put_u32(page->bytes + RIGHT_AT, right);
}

/* ---------------------------------------------------------------------------------------------------------- records */

unsigned char *stint_btree_put_varint(unsigned char *to, uint64_t value)
{
    unsigned char reversed[10];
    size_t count = 0;
    if (value >> 56) { /* the ninth byte has eight bits */
        for (int shift = 57; shift >= 8; shift -= 7)
            *to++ = (unsigned char)(value >> shift | 0x80);
        *to++ = (unsigned char)value;
        return to;
    }
    do {
        reversed[count++] = (unsigned char)(value & 0x7F);
        value >>= 7;
    } while (value);
    while (count > 1)
        *to++ = reversed[--count] | 0x80;
    *to++ = reversed[0];
    return to;
}

void stint_btree_null(struct stint_btree_record *record)
{
    record->type[record->types++] = 0;
}

/* Types 1 to 6 are numbers of 1, 2, 3, 4, 6 and 8 bytes; 8 and 9 are the numbers 0 and 1. */
void stint_btree_i64(struct stint_btree_record *record, int64_t value)
{
    static const unsigned char sizes[] = {0, 1, 2, 3, 4, 6, 8};
    uint64_t magnitude = (uint64_t)(value < 0 ? ~value : value);
    unsigned bits = magnitude ? 65 - (unsigned)__builtin_clzll(magnitude) : 1; /* with the sign */
    unsigned type = bits <= 32 ? (bits + 7) / 8 : bits <= 48 ? 5 : 6;
    if (value == 0 || value == 1) {
        record->type[record->types++] = (unsigned char)(8 + value);
        return;
    }
    record->type[record->types++] = (unsigned char)type;
    for (unsigned shift = 8 * sizes[type]; shift;)
        record->value[record->size++] = (unsigned char)((uint64_t)value >> (shift -= 8));
}

/* The types' sizes fit into a byte each, as does the record's. */
unsigned char *stint_btree_put_record(unsigned char *to, const struct stint_btree_record *record, const int64_t *row_id)
{
    to = stint_btree_put_varint(to, 1 + record->types + record->size);
    if (row_id)
        to = stint_btree_put_varint(to, (uint64_t)*row_id);
    *to++ = (unsigned char)(1 + record->types);
    memcpy(to, record->type, record->types);
    memcpy(to + record->types, record->value, record->size);
    return to + record->types + record->size;
}
