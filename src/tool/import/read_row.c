/* Rows as report/json.c writes them: both use the tables of stat/members.c. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "import/import.h"
#include "model/model.h"

/* ------------------------------------------------------------------------------------------------ references, words */

/* Returns the builder's position of the row `index` of the report, which has to have been read already. */
static size_t find_row(struct stint_import *import, enum stint_row_kind kind, enum stint_row_kind of, size_t index)
{
    static const char names[STINT_ROW_KINDS][16] = {
        [STINT_ROWS_THREADS] = "thread",           [STINT_ROWS_STATS] = "statistic",
        [STINT_ROWS_CONTEXTS] = "calling context", [STINT_ROWS_GPU_ACTIVITIES] = "activity",
        [STINT_ROWS_GPU_INSTANCES] = "instance",   [STINT_ROWS_SAMPLE_MODULES] = "module",
        [STINT_ROWS_SAMPLE_FRAMES] = "frame",      [STINT_ROWS_SAMPLE_STACKS] = "stack",
        [STINT_ROWS_SAMPLE_THREADS] = "thread",
    };
    const struct stint_array *places = &import->places[of];
    if (index < places->count)
        return ((const size_t *)places->items)[index];
    stint_reader_fail(import->reader, import->reader->at, "there is no such %s%s", names[of],
                      of == kind ? " before this one" : "");
    return 0;
}

static size_t read_index(struct stint_import *import, enum stint_row_kind kind, const struct stint_member *member)
{
    enum stint_row_kind of = (enum stint_row_kind)member->of;
    size_t index = stint_reader_index(import->reader);
    int may_be_none = of == kind || member->presence != STINT_MEMBER_NEEDED;
    return index == SIZE_MAX && may_be_none ? SIZE_MAX : find_row(import, kind, of, index);
}

static size_t read_context(struct stint_import *import)
{
    struct stint_reader *reader = import->reader;
    if (!stint_reader_is_text(reader))
        return find_row(import, STINT_ROWS_SNAPSHOT, STINT_ROWS_CONTEXTS, (size_t)stint_reader_u64(reader));
    const char *word = stint_reader_text(reader);
    if (strcmp(word, STINT_WORD_NO_SCOPE) == 0)
        return STINT_GPU_NO_SCOPE;
    if (strcmp(word, STINT_WORD_UNATTRIBUTED) != 0)
        stint_reader_fail(reader, reader->at, "the context \"%.40s\" is unknown", word);
    return STINT_GPU_UNATTRIBUTED;
}

/* A later version may know more words: an unknown status is read as an error, and an unknown named thing as a
 * resource. */
static unsigned read_word(struct stint_reader *reader, const char *key, enum stint_words words)
{
    const char *word = stint_reader_text(reader);
    for (unsigned value = 0; value < STINT_WORDS_MOST; value++)
        if (*word && strcmp(stint_word(words, value), word) == 0)
            return value;
    if (words == STINT_WORDS_STATUS)
        return STINT_ERROR_UNAVAILABLE;
    if (words == STINT_WORDS_NVTX_NAMED)
        return STINT_NVTX_RESOURCE;
    stint_reader_fail(reader, reader->at, "the %s \"%.40s\" is unknown", key, word);
    return 0;
}

static void read_event(struct stint_reader *reader, const char *key, struct stint_gpu_event *event)
{
    unsigned kind = read_word(reader, key, STINT_WORDS_EVENT);
    event->api = kind == STINT_WORD_API;
    event->kind = event->api ? STINT_GPU_KERNEL : (enum stint_gpu_kind)kind;
}

/* ----------------------------------------------------------------------------------------------------------- values */

/* A name that was not UTF-8 may have grown when it was written: if it does not fit, it is cut between characters. */
static void read_name(struct stint_reader *reader, char *to)
{
    const char *name = stint_reader_text(reader);
    size_t used = stint_utf8_cut(name, sizeof((struct stint_thread *)0)->name - 1);
    memcpy(to, name, used);
    to[used] = '\0';
}

static void read_dimensions(struct stint_reader *reader, uint32_t *dimensions)
{
    size_t count = 0;
    struct stint_reader_list list = stint_reader_open(reader, '[');
    for (; stint_reader_next(reader, &list); count++) {
        uint64_t value = stint_reader_u64(reader);
        if (count == 3 || value > UINT32_MAX)
            stint_reader_fail(reader, reader->at, "a grid or block must be three numbers");
        else
            dimensions[count] = (uint32_t)value;
    }
}

static struct stint_bin read_bin(struct stint_reader *reader)
{
    uint64_t values[2] = {0, 0};
    size_t count = 0;
    struct stint_reader_list list = stint_reader_open(reader, '[');
    for (; stint_reader_next(reader, &list); count++) {
        uint64_t value = stint_reader_u64(reader);
        if (count < 2)
            values[count] = value;
    }
    if (count != 2)
        stint_reader_fail(reader, reader->at, "a bin must be two numbers");
    return (struct stint_bin){values[0], values[1]};
}

/* Returns a new item at the end of the array, zeroed even if the array has been emptied and is used again; NULL if
 * there is no memory, which is a failure of the reader. */
static void *add_item(struct stint_reader *reader, struct stint_array *array, size_t size)
{
    void *item = stint_array_add(array, &reader->arena, size);
    if (!item)
        stint_reader_fail_memory(reader);
    return item ? memset(item, 0, size) : NULL;
}

static struct stint_array read_bins(struct stint_reader *reader)
{
    struct stint_array bins = {0};
    struct stint_reader_list list = stint_reader_open(reader, '[');
    while (stint_reader_next(reader, &list)) {
        const struct stint_bin *all = bins.items;
        struct stint_bin bin = read_bin(reader);
        if (bins.count && all[bins.count - 1].ns >= bin.ns)
            stint_reader_fail(reader, reader->at, "bins must be in ascending order");
        struct stint_bin *row = add_item(reader, &bins, sizeof *row);
        if (row)
            *row = bin;
    }
    return bins;
}

static void read_rows(struct stint_import *import, enum stint_row_kind kind, struct stint_array *rows)
{
    struct stint_reader_list list = stint_reader_open(import->reader, '[');
    while (stint_reader_next(import->reader, &list)) {
        void *row = add_item(import->reader, rows, stint_row_tables[kind]->size);
        if (row)
            stint_import_row(import, kind, row);
    }
}

static void read_spread(struct stint_import *import, void *to)
{
    struct stint_spread *spread = stint_arena_alloc(&import->reader->arena, sizeof *spread);
    if (!spread) {
        stint_reader_fail_memory(import->reader);
        return;
    }
    stint_import_row(import, STINT_ROWS_SPREAD, spread);
    memcpy(to, &spread, sizeof spread);
}

static void put_list(void *to, const struct stint_array *array)
{
    struct stint_row_list list = {array->items, array->count};
    memcpy(to, &list, sizeof list);
}

static void read_several(struct stint_import *import, const struct stint_member *member, void *to)
{
    struct stint_array rows = {0};
    switch (member->type) {
    case STINT_MEMBER_DIMENSIONS:
        read_dimensions(import->reader, to);
        break;
    case STINT_MEMBER_BINS:
        rows = read_bins(import->reader);
        put_list(to, &rows);
        break;
    case STINT_MEMBER_OBJECT:
        stint_import_row(import, (enum stint_row_kind)member->of, to);
        break;
    case STINT_MEMBER_ROWS:
        read_rows(import, (enum stint_row_kind)member->of, &rows);
        put_list(to, &rows);
        break;
    case STINT_MEMBER_SPREAD:
        read_spread(import, to);
        break;
    default:
        read_rows(import, (enum stint_row_kind)member->of, &import->parts);
    }
}

static double read_double(struct stint_reader *reader, const struct stint_member *member)
{
    double value = stint_reader_number(reader);
    if (member->type == STINT_MEMBER_EXACT && isnan(value))
        stint_reader_fail(reader, reader->at, "\"%s\" must be a number", member->key);
    return value;
}

static void read_value(struct stint_import *import, enum stint_row_kind kind, const struct stint_member *member,
                       void *to)
{
    struct stint_reader *reader = import->reader;
    switch (member->type) {
    case STINT_MEMBER_U32:
        *(uint32_t *)to = (uint32_t)stint_reader_at_most(reader, UINT32_MAX);
        break;
    case STINT_MEMBER_U64:
        *(uint64_t *)to = stint_reader_u64(reader);
        break;
    case STINT_MEMBER_I64:
        *(int64_t *)to = stint_reader_i64(reader);
        break;
    case STINT_MEMBER_NUMBER:
    case STINT_MEMBER_SQUARES:
    case STINT_MEMBER_EXACT:
        *(double *)to = read_double(reader, member);
        break;
    case STINT_MEMBER_SWITCH:
        *(int *)to = stint_reader_switch(reader);
        break;
    case STINT_MEMBER_TEXT:
        *(const char **)to = stint_reader_text(reader);
        break;
    case STINT_MEMBER_NAME:
        read_name(reader, to);
        break;
    case STINT_MEMBER_WORD:
        *(unsigned *)to = read_word(reader, member->key, (enum stint_words)member->of);
        break;
    case STINT_MEMBER_KIND:
        read_event(reader, member->key, to);
        break;
    case STINT_MEMBER_INDEX:
        *(size_t *)to = read_index(import, kind, member);
        break;
    case STINT_MEMBER_CONTEXT:
        *(size_t *)to = read_context(import);
        break;
    default:
        read_several(import, member, to);
    }
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static void set_default(const struct stint_member *member, void *to)
{
    if (member->type == STINT_MEMBER_TEXT)
        *(const char **)to = "";
    else if (member->type == STINT_MEMBER_INDEX)
        *(size_t *)to = SIZE_MAX;
    else if (member->type == STINT_MEMBER_CONTEXT)
        *(size_t *)to = STINT_GPU_UNATTRIBUTED;
    else if (member->type == STINT_MEMBER_SQUARES)
        *(double *)to = NAN;
}

/* Reports of version 0.1.0 have no square_ns2. It is computed from stddev_ns, which is NaN if unknown, and is as exact
 * as that. */
static void complete(struct stint_reader *reader, void *row, const struct stint_member *squares, double stddev_ns)
{
    char *begin = (char *)row + squares->at - offsetof(struct stint_numbers, square_ns2);
    struct stint_numbers *numbers = (struct stint_numbers *)(void *)begin;
    if (numbers->recursive > numbers->count)
        stint_reader_fail(reader, reader->at, "\"recursive\" exceeds \"count\"");
    if (numbers->square_ns2 < 0 || isnan(numbers->square_ns2)) {
        double n = (double)(numbers->count - numbers->recursive);
        double mean = n > 0 ? (double)numbers->total_ns / n : 0;
        numbers->square_ns2 = isnan(stddev_ns) ? 0 : n * (mean * mean + stddev_ns * stddev_ns);
    }
}

const struct stint_member *stint_import_member(const struct stint_reader_list *list, enum stint_row_kind kind)
{
    const struct stint_row_table *table = stint_row_tables[kind];
    for (const struct stint_member *member = table->members; member < table->members + table->count; member++)
        if (strlen(member->key) == list->key_length && memcmp(member->key, list->key, list->key_length) == 0)
            return member->type < STINT_MEMBER_AVG || member->type == STINT_MEMBER_STDDEV ? member : NULL;
    return NULL;
}

/* Which members an object has. */
struct met {
    uint64_t members; /* a bit for each */
    double stddev_ns; /* NaN if unknown */
};

static void read_member(struct stint_import *import, enum stint_row_kind kind, const struct stint_member *member,
                        void *row, struct met *met)
{
    if (member->type == STINT_MEMBER_STDDEV)
        met->stddev_ns = stint_reader_number(import->reader);
    else
        read_value(import, kind, member, (char *)row + member->at);
    if (member->presence == STINT_MEMBER_IF_PEER)
        ((struct stint_gpu_event *)row)->peer = 1;
}

static struct met read_members(struct stint_import *import, enum stint_row_kind kind, void *row)
{
    struct stint_reader *reader = import->reader;
    struct met met = {.stddev_ns = NAN};
    struct stint_reader_list list = stint_reader_open(reader, '{');
    while (stint_reader_next(reader, &list)) {
        const struct stint_member *member = stint_import_member(&list, kind);
        if (!member) {
            stint_reader_skip(reader);
            continue;
        }
        uint64_t bit = UINT64_C(1) << (member - stint_row_tables[kind]->members);
        if (met.members & bit)
            stint_reader_fail(reader, list.key, "\"%s\" occurs twice", member->key);
        met.members |= bit;
        read_member(import, kind, member, row, &met);
    }
    return met;
}

void stint_import_row(struct stint_import *import, enum stint_row_kind kind, void *row)
{
    const struct stint_row_table *table = stint_row_tables[kind];
    const char *begin = stint_reader_place(import->reader);
    for (size_t i = 0; i < table->count; i++)
        set_default(&table->members[i], (char *)row + table->members[i].at);
    struct met met = read_members(import, kind, row);
    for (size_t i = 0; i < table->count; i++) {
        const struct stint_member *member = &table->members[i];
        if (member->presence == STINT_MEMBER_NEEDED && !(met.members >> i & 1))
            stint_reader_fail(import->reader, begin, "\"%s\" is missing", member->key);
        if (member->type == STINT_MEMBER_SQUARES)
            complete(import->reader, row, member, met.stddev_ns);
    }
}
