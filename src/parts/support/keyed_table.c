/* Finds rows by the members that their key names, and appends those that are missing. */
#include "support/keyed_table.h"

static const char *text_at(const char *at)
{
    const char *text;
    memcpy(&text, at, sizeof text);
    return text;
}

static struct stint_piece piece_at(const char *at)
{
    struct stint_piece piece;
    memcpy(&piece, at, sizeof piece);
    return piece;
}

static uint32_t load32(const char *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* Returns the text of a part; NULL if it is none. */
static struct stint_piece text_of(const struct stint_table_part *part, const char *at)
{
    if (part->kind == STINT_TABLE_PIECE)
        return piece_at(at);
    return (struct stint_piece){text_at(at), strlen(text_at(at))};
}

/* ------------------------------------------------------------------------------------------------------------- find */

static uint64_t hash_of(const struct stint_table_key *key, const char *row)
{
    uint64_t hash = 0;
    for (const struct stint_table_part *part = key->parts; part->kind; part++) {
        const char *at = row + part->at;
        if (part->kind == STINT_TABLE_WORD) {
            hash = stint_hash_mix(stint_hash_load(at), hash);
        } else if (part->kind == STINT_TABLE_HALF) {
            hash = stint_hash_mix(load32(at), hash);
        } else {
            struct stint_piece bytes = {at, part->size};
            if (part->kind != STINT_TABLE_BYTES)
                bytes = text_of(part, at);
            hash = stint_hash(bytes.text, bytes.length, hash);
        }
    }
    return hash;
}

static int same_piece(struct stint_piece a, struct stint_piece b)
{
    return a.length == b.length && (!a.length || memcmp(a.text, b.text, a.length) == 0);
}

static int is_same(const struct stint_table_key *key, const char *row, const char *like)
{
    for (const struct stint_table_part *part = key->parts; part->kind; part++) {
        const char *a = row + part->at, *b = like + part->at;
        switch (part->kind) {
        case STINT_TABLE_WORD:
            if (stint_hash_load(a) != stint_hash_load(b))
                return 0;
            break;
        case STINT_TABLE_HALF:
            if (load32(a) != load32(b))
                return 0;
            break;
        case STINT_TABLE_TEXT:
            if (text_at(a) != text_at(b) && strcmp(text_at(a), text_at(b)) != 0)
                return 0;
            break;
        case STINT_TABLE_PIECE:
            if (!same_piece(piece_at(a), piece_at(b)))
                return 0;
            break;
        default:
            if (memcmp(a, b, part->size) != 0)
                return 0;
        }
    }
    return 1;
}

static void *row_with_hash(const struct stint_table *table, const struct stint_table_key *key, const void *like,
                           uint64_t hash)
{
    const struct stint_index *index = &table->index;
    for (size_t at = hash & index->mask; index->slots && index->slots[at].position; at = (at + 1) & index->mask) {
        char *row = (char *)table->items + (index->slots[at].position - 1) * key->row_size;
        if (index->slots[at].hash == hash && is_same(key, row, like))
            return row;
    }
    return NULL;
}

void *stint_table_i_find(const struct stint_table *table, const struct stint_table_key *key, const void *like)
{
    return table->count ? row_with_hash(table, key, like, hash_of(key, like)) : NULL;
}

/* ----------------------------------------------------------------------------------------------------------- append */

/* Gives the row copies of the texts in its key. They are aligned, since pieces may be of numbers, too. */
static int copy_texts(const struct stint_table_key *key, struct stint_arena *arena, char *row)
{
    for (const struct stint_table_part *part = key->parts; part->kind; part++) {
        if (part->kind < STINT_TABLE_TEXT)
            continue;
        struct stint_piece text = text_of(part, row + part->at);
        char *copy = stint_arena_pack(arena, text.length + 1);
        if (!copy)
            return -1;
        text.text = memcpy(copy, text.text, text.length);
        memcpy(row + part->at, &text.text, sizeof text.text); /* the first member of a piece, too */
    }
    return 0;
}

static void *append(struct stint_table *table, const struct stint_table_key *key, struct stint_arena *arena,
                    const void *like, uint64_t hash)
{
    char *row = stint_array_add(&table->array, arena, key->row_size);
    if (!row)
        return NULL;
    memcpy(row, like, key->row_size);
    if ((key->copies && copy_texts(key, arena, row)) || stint_index_add(&table->index, arena, hash, table->count - 1)) {
        table->count--;
        return NULL;
    }
    return row;
}

void *stint_table_i_take(struct stint_table *table, const struct stint_table_key *key, struct stint_arena *arena,
                         const void *like)
{
    uint64_t hash = hash_of(key, like);
    void *row = row_with_hash(table, key, like, hash);
    return row ? row : append(table, key, arena, like, hash);
}
