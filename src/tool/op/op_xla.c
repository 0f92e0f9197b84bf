/* What XLA says in its ranges, which JAX's programs have without any help, as texts of operations: a path as
 * "jit(step)/transpose(jvp(second))/dot_general" is the operation dot_general in the layer jit(step)/second,
 * backward. */
#include "op/op_join.h"

#include <string.h>

#include "op/op_scan.h"

static const char s_program[] = "XlaModule:#", s_thunk[] = "Thunk:#";

/* ----------------------------------------------------------------------------------------------------------- pieces */

static struct stint_piece piece_of(const char *word)
{
    return (struct stint_piece){word, strlen(word)};
}

static int put(struct stint_op_xla *xla, struct stint_op_buffer *buffer, struct stint_piece piece)
{
    return stint_op_buffer_put(buffer, &xla->arena, piece.text, piece.length);
}

/* Puts all of them into the text, which becomes longer. */
static int put_all(struct stint_op_xla *xla, const struct stint_piece *pieces, size_t count)
{
    int failed = 0;
    for (size_t i = 0; i < count; i++)
        failed |= put(xla, &xla->text, pieces[i]);
    return failed;
}

/* As it may stand between quotation marks. */
static int put_quoted(struct stint_op_xla *xla, struct stint_op_buffer *buffer, struct stint_piece piece)
{
    int failed = 0;
    for (size_t i = 0; i < piece.length; i++)
        failed |= ((piece.text[i] == '"' || piece.text[i] == '\\') && put(xla, buffer, piece_of("\\"))) ||
                  put(xla, buffer, (struct stint_piece){piece.text + i, 1});
    return failed;
}

struct stint_piece stint_op_xla_value(struct stint_piece data, const char *key, const char *next)
{
    struct stint_piece none = {"", 0};
    const char *from = data.length ? memmem(data.text, data.length, key, strlen(key)) : NULL;
    if (!from || (from != data.text && from[-1] != ',' && from[-1] != ' '))
        return none;
    from += strlen(key);
    size_t length = (size_t)(data.text + data.length - from);
    const char *end = memmem(from, length, next, strlen(next));
    return (struct stint_piece){from, end ? (size_t)(end - from) : length};
}

/* ------------------------------------------------------------------------------------------------------------ paths */

/* Takes what stands before the next slash that is in no parentheses. A semicolon begins another path, which was fused
 * with this one. */
static struct stint_piece take_part(struct stint_piece *rest)
{
    size_t length = 0, depth = 0;
    for (; length < rest->length && (depth || (rest->text[length] != '/' && rest->text[length] != ';')); length++) {
        depth += rest->text[length] == '(';
        depth -= depth && rest->text[length] == ')';
    }
    struct stint_piece part = {rest->text, length};
    size_t behind = length < rest->length && rest->text[length] == '/' ? length + 1 : rest->length;
    *rest = (struct stint_piece){rest->text + behind, rest->length - behind};
    return part;
}

static int is_wrapped(struct stint_piece part)
{
    return part.length && part.text[part.length - 1] == ')' && memchr(part.text, '(', part.length);
}

/* Takes "transpose(jvp(second))" for "second": what JAX makes of a function has the function's layer. What is
 * transposed is backward. */
static struct stint_piece without_wrappers(struct stint_piece part, int *is_backward)
{
    static const char *const wrappers[] = {"transpose(", "jvp(", "vmap("};
    for (size_t i = 0; i < sizeof wrappers / sizeof wrappers[0]; i++) {
        size_t length = strlen(wrappers[i]);
        if (!is_wrapped(part) || memcmp(part.text, wrappers[i], length < part.length ? length : part.length) != 0)
            continue;
        *is_backward |= i == 0;
        part = (struct stint_piece){part.text + length, part.length - length - 1};
        i = (size_t)-1;
    }
    return part;
}

/* Makes the layer of a path whose last part is an operation, unless that has parentheses, and returns the operation. */
static struct stint_piece make_layer(struct stint_op_xla *xla, struct stint_piece path, int *is_backward, int *failed)
{
    xla->layer.length = 0;
    while (path.length) {
        struct stint_piece part = take_part(&path);
        if (!path.length && !is_wrapped(part))
            return part;
        part = without_wrappers(part, is_backward);
        if (!part.length || stint_op_is(part, "rematted_computation"))
            continue;
        *failed |= (xla->layer.length && put(xla, &xla->layer, piece_of("/"))) || put_quoted(xla, &xla->layer, part);
    }
    return (struct stint_piece){"", 0};
}

/* A name of an instruction without its number: "gemm_fusion_dot.2". */
static struct stint_piece without_number(struct stint_piece name)
{
    size_t length = name.length;
    while (length && name.text[length - 1] >= '0' && name.text[length - 1] <= '9')
        length--;
    if (length > 1 && length < name.length && name.text[length - 1] == '.')
        name.length = length - 1;
    return name;
}

/* ------------------------------------------------------------------------------------------------------------- make */

/* Behind all else, as in what STINT_OP says. */
static int put_place(struct stint_op_xla *xla, int is_backward)
{
    struct stint_piece layer = {xla->layer.text, xla->layer.length};
    struct stint_piece pieces[] = {piece_of(is_backward ? ", direction = \"bprop\"" : ", direction = \"fprop\""),
                                   piece_of(", layer = \""), layer, piece_of("\"")};
    return layer.length && put_all(xla, pieces, sizeof pieces / sizeof pieces[0]) ? -1 : 0;
}

/* A path of one part is the name of a parameter, or what all that was fused has in common. */
int stint_op_xla_put(struct stint_op_xla *xla, struct stint_piece path, struct stint_piece hlo_op,
                     struct stint_piece cost)
{
    int is_backward = 0, failed = 0;
    struct stint_piece op = make_layer(xla, path, &is_backward, &failed);
    if (!op.length || !xla->layer.length)
        op = without_number(hlo_op);
    struct stint_piece pieces[] = {op, piece_of(", op_id = 0, hlo_op = \"")};
    return failed || put_all(xla, pieces, 2) || put_quoted(xla, &xla->text, hlo_op) ||
                   put_all(xla, (struct stint_piece[]){piece_of("\""), cost}, 2) || put_place(xla, is_backward)
               ? -1
               : 0;
}

/* What JAX begins the names of modules with: jit_step is jit(step). */
static size_t maker_of(struct stint_piece module)
{
    static const char *const makers[] = {"jit_", "pmap_"};
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++)
        if (module.length > strlen(makers[i]) && memcmp(module.text, makers[i], strlen(makers[i])) == 0)
            return strlen(makers[i]) - 1;
    return 0;
}

static int make_program_layer(struct stint_op_xla *xla, struct stint_piece module)
{
    size_t maker = maker_of(module);
    struct stint_piece name = {module.text + maker + 1, module.length - maker - 1};
    xla->layer.length = 0;
    if (!maker)
        return put_quoted(xla, &xla->layer, module);
    return put(xla, &xla->layer, (struct stint_piece){module.text, maker}) || put(xla, &xla->layer, piece_of("(")) ||
           put_quoted(xla, &xla->layer, name) || put(xla, &xla->layer, piece_of(")"));
}

/* What XLA compiles to see how fast it is has no number of a program, and is called as the instruction is. */
static int put_program(struct stint_op_xla *xla, struct stint_piece module, struct stint_piece id)
{
    if (!id.length && !maker_of(module))
        return put(xla, &xla->text, piece_of(STINT_OP_AUTOTUNING));
    struct stint_piece pieces[] = {module, piece_of(", op_id = 0"), piece_of(id.length ? ", program = " : ""), id};
    return make_program_layer(xla, module) || put_all(xla, pieces, sizeof pieces / sizeof pieces[0]) ||
                   put_place(xla, 0)
               ? -1
               : 0;
}

/* Returns what is between the beginning and the last sign, which all of XLA's texts end with; empty if it is none. */
static struct stint_piece data_of(const char *begins, struct stint_piece text)
{
    size_t skipped = strlen(begins);
    if (text.length <= skipped || memcmp(text.text, begins, skipped) != 0 || text.text[text.length - 1] != '#')
        return (struct stint_piece){"", 0};
    return (struct stint_piece){text.text + skipped, text.length - skipped - 1};
}

int stint_op_xla_read(struct stint_op_xla *xla, struct stint_piece *text)
{
    struct stint_piece program = data_of(s_program, *text), thunk = data_of(s_thunk, *text), none = {"", 0};
    struct stint_piece module = stint_op_xla_value(program, "hlo_module=", ",program_id=");
    struct stint_piece hlo_op = stint_op_xla_value(thunk, "hlo_op=", ",unique_hlo_op_id=");
    int failed = 0;
    xla->text.length = 0;
    if (module.length)
        failed = put_program(xla, module, stint_op_xla_value(program, "program_id=", ","));
    else if (hlo_op.length)
        failed = stint_op_xla_put(xla, stint_op_xla_value(thunk, "name=", ",hlo_op="), hlo_op, none);
    if (xla->text.length)
        *text = (struct stint_piece){xla->text.text, xla->text.length};
    return failed ? -1 : 0;
}
