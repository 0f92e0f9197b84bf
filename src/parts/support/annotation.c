/* Recognizes texts of ranges that carry data, as PyTorch, XLA and pyprof write them, and splits them into a name, by
 * which events are counted, and pairs. Most names carry nothing, so the last character decides in nearly all cases. */
#include "support/annotation.h"

#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- pieces */

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct stint_piece trim(struct stint_piece piece)
{
    while (piece.length && is_space(piece.text[0])) {
        piece.text++;
        piece.length--;
    }
    while (piece.length && is_space(piece.text[piece.length - 1]))
        piece.length--;
    return piece;
}

static int is(struct stint_piece piece, const char *text)
{
    return piece.length == strlen(text) && memcmp(piece.text, text, piece.length) == 0;
}

static int begins(struct stint_piece rest, const char *with)
{
    size_t length = strlen(with);
    return rest.length >= length && memcmp(rest.text, with, length) == 0;
}

/* Returns the part before the first `c`; all of it if there is none. */
static struct stint_piece before(struct stint_piece piece, char c)
{
    const char *at = piece.length ? memchr(piece.text, c, piece.length) : NULL;
    return (struct stint_piece){piece.text, at ? (size_t)(at - piece.text) : piece.length};
}

static struct stint_piece after(struct stint_piece piece, size_t length)
{
    return length < piece.length ? (struct stint_piece){piece.text + length, piece.length - length}
                                 : (struct stint_piece){piece.text + piece.length, 0};
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

/* What ends the brackets and quotation marks that are open. A comma within them belongs to the value. */
struct nesting {
    size_t depth;
    char ends[32]; /* deeper ones are not told apart from text */
};

/* Returns what ends the part that `c` begins; NUL if it begins none. */
static char end_of(char c)
{
    static const char pairs[] = "()[]{}\"\"''";
    for (const char *pair = pairs; *pair; pair += 2)
        if (*pair == c)
            return pair[1];
    return '\0';
}

/* Within quotation marks, brackets are text. */
static void nest(struct nesting *nesting, char c)
{
    char last = '\0', end = end_of(c);
    if (nesting->depth)
        last = nesting->ends[nesting->depth - 1];
    int is_quoted = last == '"' || last == '\'';
    if (last && c == last)
        nesting->depth--;
    else if (end && !is_quoted && nesting->depth < sizeof nesting->ends)
        nesting->ends[nesting->depth++] = end;
}

/* Takes the text up to the next comma that separates. */
static struct stint_piece take(struct stint_piece *data)
{
    struct nesting nesting = {0};
    size_t length = 0;
    for (; length < data->length && (nesting.depth || data->text[length] != ','); length++)
        nest(&nesting, data->text[length]);
    struct stint_piece taken = {data->text, length};
    *data = after(*data, length + 1);
    return taken;
}

int stint_annotation_pair(struct stint_piece *data, struct stint_piece *key, struct stint_piece *value)
{
    while (data->length) {
        struct stint_piece pair = take(data), left = before(pair, '=');
        *key = trim(left);
        *value = trim(after(pair, left.length + 1));
        if (key->length && value->length)
            return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- read */

/* Values without which a name says too little. The names of operations are not among them: there are too many. */
static const struct {
    char name[16];
    char key[12];
} s_labels[] = {
    {"XlaModule", "hlo_module"},
    {"XlaPass", "name"},
    {"XlaPassPipeline", "name"},
};

static struct stint_piece value_of(struct stint_piece data, const char *key)
{
    struct stint_piece found, value;
    while (stint_annotation_pair(&data, &found, &value))
        if (is(found, key))
            return value;
    return (struct stint_piece){"", 0};
}

static struct stint_piece label_of(const struct stint_annotation *annotation)
{
    for (size_t i = 0; i < sizeof s_labels / sizeof s_labels[0]; i++)
        if (is(annotation->name, s_labels[i].name))
            return value_of(annotation->data, s_labels[i].key);
    return (struct stint_piece){"", 0};
}

/* "C#" and "step #3#" are names. */
static int read_marked(struct stint_annotation *annotation, const char *text, size_t length)
{
    struct stint_piece whole = {text, length - 1}, name = before(whole, '#');
    annotation->data = after(whole, name.length + 1);
    if (before(annotation->data, '=').length == annotation->data.length)
        return 0;
    annotation->name = trim(name);
    if (annotation->name.length && annotation->name.text[annotation->name.length - 1] == ':')
        annotation->name.length--;
    annotation->label = label_of(annotation);
    return 1;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Takes "KEY = NUMBER" from the beginning. Returns 0 if it is not there. */
static int take_number(struct stint_piece *rest, const char *key)
{
    size_t length = strlen(key), end = length;
    if (!begins(*rest, key))
        return 0;
    while (end < rest->length && is_digit(rest->text[end]))
        end++;
    *rest = after(*rest, end);
    return end > length;
}

/* Whether the rest is "sizes = [[64, 16], []]". */
static int is_sizes(struct stint_piece rest)
{
    return begins(rest, "sizes = [[") || begins(rest, "sizes = []");
}

/* Versions of PyTorch before 1.11 give no op_id. A program's own range may well be called "decode, seq = 128": of a
 * text with this number alone the name tells, until the program is known to use PyTorch. */
static int s_uses_pytorch;

static int is_name_of_pytorch(struct stint_piece name)
{
    static const char backward[] = "Backward";
    enum { LENGTH = sizeof backward - 1 };
    while (name.length && is_digit(name.text[name.length - 1]))
        name.length--;
    return (name.length >= LENGTH && memcmp(name.text + name.length - LENGTH, backward, LENGTH) == 0) ||
           memmem(name.text, name.length, "::", 2);
}

/* Whether data of PyTorch begin here: with the number of the operation, or, where autograd runs it, of the forward
 * operation, or with sizes. */
static int begins_operation(struct stint_piece name, struct stint_piece rest)
{
    if (take_number(&rest, "op_id = "))
        return 1;
    if (!take_number(&rest, "seq = "))
        return is_sizes(rest);
    if (!rest.length)
        return __atomic_load_n(&s_uses_pytorch, __ATOMIC_RELAXED) || is_name_of_pytorch(name);
    return begins(rest, ", op_id = ") || (begins(rest, ", ") && is_sizes(after(rest, 2)));
}

static int read_operation(struct stint_annotation *annotation, const char *text, size_t length)
{
    struct stint_piece rest = {text, length};
    do {
        rest = after(rest, before(rest, ',').length + 1);
        if (!rest.length)
            return 0;
        annotation->name = (struct stint_piece){text, (size_t)(rest.text - text) - 1};
    } while (rest.text[0] != ' ' || !begins_operation(annotation->name, after(rest, 1)));
    annotation->name = trim(annotation->name);
    annotation->label = (struct stint_piece){"", 0};
    annotation->data = after(rest, 1);
    __atomic_store_n(&s_uses_pytorch, 1, __ATOMIC_RELAXED);
    return 1;
}

/* Takes "KEY'value'" from the beginning; the value has no quotation marks. Returns 0 if it is not there. */
static int take_quoted(struct stint_piece *rest, const char *key, struct stint_piece *value)
{
    size_t length = strlen(key);
    if (!begins(*rest, key))
        return 0;
    *value = before(after(*rest, length), '\'');
    *rest = after(*rest, length + value->length + 1);
    return value->length && rest->length;
}

/* A dictionary of pyprof.init(): of a function, of a module, or with the lines of the call. */
static int read_dictionary(struct stint_annotation *annotation, const char *text, size_t length)
{
    struct stint_piece rest = {text, length};
    annotation->data = rest;
    annotation->label = (struct stint_piece){"", 0};
    if (take_quoted(&rest, "{'mod': '", &annotation->name)) {
        if (!take_quoted(&rest, ", 'op': '", &annotation->label) && !begins(rest, ", 'strRepr': "))
            return 0;
    } else if (begins(rest, "{'traceMarker': [")) {
        annotation->name = (struct stint_piece){text + 2, sizeof "traceMarker" - 1};
    } else {
        return 0;
    }
    __atomic_store_n(&s_uses_pytorch, 1, __ATOMIC_RELAXED);
    return 1;
}

/* The last character tells most names from texts with data. */
int stint_annotation_read(struct stint_annotation *annotation, const char *text, size_t length)
{
    if (length < 2)
        return 0;
    char last = text[length - 1];
    if (last == '#')
        return read_marked(annotation, text, length);
    if (last == '}')
        return text[0] == '{' && read_dictionary(annotation, text, length);
    return (last == ']' || is_digit(last)) && read_operation(annotation, text, length);
}

int stint_annotation_is_broken(const char *text, size_t length)
{
    static const char op_id[] = ", op_id = ", sizes[] = ", sizes = [[";
    struct stint_piece whole = {text, length};
    if (length < sizeof op_id - 1) /* what is empty may have no address */
        return 0;
    return begins(whole, "{'mod': '") || begins(whole, "{'traceMarker': ") ||
           memmem(text, length, op_id, sizeof op_id - 1) || memmem(text, length, sizes, sizeof sizes - 1);
}

/* ------------------------------------------------------------------------------------------------------------- name */

static size_t add(char *out, size_t used, size_t size, struct stint_piece piece)
{
    size_t length = piece.length < size - 1 - used ? piece.length : size - 1 - used;
    memcpy(out + used, piece.text, length);
    return used + length;
}

void stint_annotation_name(const struct stint_annotation *annotation, char *out, size_t size)
{
    size_t used = add(out, 0, size, annotation->name);
    if (annotation->label.length) {
        used = add(out, used, size, (struct stint_piece){*annotation->data.text == '{' ? "." : " ", used != 0});
        used = add(out, used, size, annotation->label);
    }
    out[used] = '\0';
}
