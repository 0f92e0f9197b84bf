/* What NVTX's events carried, as src/library/report/json_nvtx.c wrote it. */
#include <string.h>

#include "import/read_sections.h"
#include "stat/words.h"

static void read_info(struct stint_reader *reader, void *context)
{
    static const struct stint_field fields[] = {
        STINT_FIELD(struct stint_nvtx_info, "images", U64, images),
        STINT_FIELD(struct stint_nvtx_info, "open", U64, open),
        STINT_FIELD(struct stint_nvtx_info, "rest", U64, rest),
        STINT_FIELD(struct stint_nvtx_info, "missing", U64, missing),
    };
    struct stint_import *import = context;
    struct stint_nvtx_info row = {0};
    STINT_READER_ROW(reader, fields, &row);
    stint_builder_nvtx_info(&import->builder, &row);
}

/* null would be no number. */
static int is_known(const struct stint_nvtx_value *row)
{
    return row->sum == row->sum && row->min == row->min && row->max == row->max;
}

static void read_values(struct stint_reader *reader, void *context)
{
    static const struct stint_field fields[] = {
        STINT_FIELD_NEEDED(struct stint_nvtx_value, "set", TEXT, set),
        STINT_FIELD_NEEDED(struct stint_nvtx_value, "name", TEXT, name),
        STINT_FIELD(struct stint_nvtx_value, "field", TEXT, field),
        STINT_FIELD_NEEDED(struct stint_nvtx_value, "count", U64, count),
        STINT_FIELD_NEEDED(struct stint_nvtx_value, "sum", NUMBER, sum),
        STINT_FIELD_NEEDED(struct stint_nvtx_value, "min", NUMBER, min),
        STINT_FIELD_NEEDED(struct stint_nvtx_value, "max", NUMBER, max),
    };
    struct stint_import *import = context;
    struct stint_reader_list list = stint_reader_open(reader, '[');
    while (stint_reader_next(reader, &list)) {
        struct stint_nvtx_value row = {.field = ""};
        STINT_READER_ROW(reader, fields, &row);
        if (!is_known(&row))
            stint_reader_fail(reader, reader->at, "sum, min and max have to be numbers");
        if (!reader->status)
            stint_builder_nvtx_value(&import->builder, &row);
    }
}

struct name_row {
    struct stint_nvtx_name name;
    const char *what;
};

/* What a later version may name, is a resource of some kind. */
static enum stint_nvtx_named what_of(const char *word)
{
    for (int what = STINT_NVTX_CATEGORY; what < STINT_NVTX_RESOURCE; what++)
        if (strcmp(word, stint_nvtx_named_words[what]) == 0)
            return (enum stint_nvtx_named)what;
    return STINT_NVTX_RESOURCE;
}

static void read_names(struct stint_reader *reader, void *context)
{
    static const struct stint_field fields[] = {
        STINT_FIELD(struct name_row, "pid", I64, name.pid),
        STINT_FIELD_NEEDED(struct name_row, "what", TEXT, what),
        STINT_FIELD(struct name_row, "domain", TEXT, name.domain),
        STINT_FIELD_NEEDED(struct name_row, "handle", U64, name.handle),
        STINT_FIELD_NEEDED(struct name_row, "name", TEXT, name.name),
    };
    struct stint_import *import = context;
    struct stint_reader_list list = stint_reader_open(reader, '[');
    while (stint_reader_next(reader, &list)) {
        struct name_row row = {.name.domain = "", .what = ""};
        STINT_READER_ROW(reader, fields, &row);
        row.name.what = what_of(row.what);
        if (!reader->status)
            stint_builder_nvtx_name(&import->builder, &row.name);
    }
}

void stint_import_nvtx(struct stint_import *import, const struct stint_places *places)
{
    struct stint_reader *reader = import->reader;
    stint_reader_visit(reader, places->nvtx, read_info, import);
    stint_reader_visit(reader, places->nvtx_values, read_values, import);
    stint_reader_visit(reader, places->nvtx_names, read_names, import);
}
