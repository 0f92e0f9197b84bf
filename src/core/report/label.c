/* Writes a statistic's name into so many columns of a terminal. Names are foreign: control characters are escaped, wide
 * characters count twice, and what is too long loses its middle. */
#include "report/line.h"

#include <string.h>

#include "base/text.h"

struct stint_label stint_label_of(const struct stint_snapshot *snapshot, const struct stint_stat *stat)
{
    int global = snapshot->set_count == 0 || strcmp(stat->set, snapshot->sets[0]) == 0;
    return (struct stint_label){.set = global ? "" : stat->set, .name = stat->name};
}

/* ----------------------------------------------------------------------------------------------------------- glyphs */

/* One character as it is displayed. */
struct glyph {
    char text[STINT_ESCAPE_SIZE];
    size_t length;
    size_t columns;
};

/* Reads the character at `name`, and returns its length in bytes. */
static size_t read_glyph(const char *name, struct glyph *glyph)
{
    uint32_t code;
    size_t taken = stint_utf8_read(name, &code);
    if (code == STINT_UTF8_INVALID)
        glyph->length = stint_escape_byte(glyph->text, (unsigned char)*name);
    else
        glyph->length = stint_escape_terminal(glyph->text, name, &taken);
    glyph->columns = glyph->length;
    if (glyph->length)
        return taken;
    memcpy(glyph->text, name, taken);
    glyph->length = taken;
    glyph->columns = stint_utf8_columns(code);
    return taken;
}

/* ----------------------------------------------------------------------------------------------------------- labels */

/* Reads set, slash and name as if they were one text. */
struct reader {
    const char *rest[3];
    size_t part;
};

static struct reader begin_label(struct stint_label label)
{
    return (struct reader){.rest = {label.set, label.set[0] ? "/" : "", label.name}};
}

static int next(struct reader *reader, struct glyph *glyph)
{
    while (reader->part < 3 && !*reader->rest[reader->part])
        reader->part++;
    if (reader->part == 3)
        return 0;
    reader->rest[reader->part] += read_glyph(reader->rest[reader->part], glyph);
    return 1;
}

size_t stint_label_columns(struct stint_label label)
{
    size_t columns = 0;
    struct glyph glyph;
    for (struct reader reader = begin_label(label); next(&reader, &glyph);)
        columns += glyph.columns;
    return columns;
}

/* Writes the first `head` and the last `tail` columns of a label that is `all` columns wide, and a mark in place of the
 * rest. */
static void put_ends(struct stint_text *text, struct stint_label label, size_t all, size_t head, size_t tail)
{
    size_t position = 0;
    int cut = 0;
    struct glyph glyph;
    for (struct reader reader = begin_label(label); next(&reader, &glyph); position += glyph.columns) {
        int in_head = !cut && position + glyph.columns <= head;
        /* A combining character belongs to the character before it, so it does not begin the tail. */
        int in_tail = tail && position >= all - tail + (glyph.columns == 0);
        if (in_head || in_tail) {
            stint_text_put(text, glyph.text, glyph.length);
        } else if (!cut) {
            stint_text_string(text, "…");
            cut = 1;
        }
    }
}

static void put_whole(struct stint_text *text, struct stint_label label)
{
    struct glyph glyph;
    for (struct reader reader = begin_label(label); next(&reader, &glyph);)
        stint_text_put(text, glyph.text, glyph.length);
}

void stint_label_put(struct stint_text *text, struct stint_label label, size_t columns)
{
    size_t all = stint_label_columns(label);
    size_t tail = (columns - 1) / 2;
    if (all <= columns)
        put_whole(text, label);
    else
        put_ends(text, label, all, columns - 1 - tail, tail);
}

void stint_label_put_start(struct stint_text *text, struct stint_label label, size_t columns)
{
    size_t all = stint_label_columns(label);
    if (all <= columns)
        put_whole(text, label);
    else
        put_ends(text, label, all, columns - 1, 0);
}
