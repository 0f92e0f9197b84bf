/* Writes names as libiberty does, which programs have in their C++ runtime library and c++filt. */
#include <stdio.h>
#include <string.h>

#include "import/cxx_node.h"

enum { LONGEST = 1 << 16, DEEPEST = 512, NO_ITEM = -1, MOST_STEPS = 1 << 20 };

struct printer {
    char *out;
    size_t used;
    int depth;
    int failed;
    long item;                             /* of packs, within an expansion; else NO_ITEM */
    const struct stint_cxx_node *instance; /* whose arguments template parameters stand for; or NULL */
    long steps; /* nodes visited: parts may be shared, so a short name may stand for an endless one */
};

typedef const struct stint_cxx_node node_t;

static void print(struct printer *printer, node_t *node);

static void put(struct printer *printer, const char *text, size_t length)
{
    if (printer->failed || printer->used + length >= LONGEST) {
        printer->failed = 1;
        return;
    }
    memcpy(printer->out + printer->used, text, length);
    printer->used += length;
}

static void put_text(struct printer *printer, const char *text)
{
    put(printer, text, strlen(text));
}

static void put_number(struct printer *printer, uint64_t number)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    put_text(printer, digits);
}

static char last(const struct printer *printer)
{
    return printer->used ? printer->out[printer->used - 1] : '\0';
}

/* ---------------------------------------------------------------------------------------------------------- lists */

/* Empty packs leave no comma. */
static void print_items(struct printer *printer, node_t *node)
{
    size_t begin = printer->used;
    for (size_t i = 0; i < node->count; i++) {
        size_t before = printer->used;
        if (before > begin)
            put_text(printer, ", ");
        size_t comma = printer->used;
        print(printer, node->items[i]);
        if (printer->used == comma)
            printer->used = before;
    }
}

static void print_list(struct printer *printer, const char *open, node_t *node, const char *close)
{
    put_text(printer, open);
    print_items(printer, node);
    put_text(printer, close);
}

static void print_arguments(struct printer *printer, node_t *node)
{
    print_list(printer, last(printer) == '<' ? " <" : "<", node, "");
    put_text(printer, last(printer) == '>' ? " >" : ">");
}

/* What a template's parameter stands for; NULL if there is no such. A part may be read before it is known what its
 * parameters are: the same "T_" may belong to two templates in one name. */
static node_t *argument(const struct printer *printer, node_t *node)
{
    node_t *instance = printer->instance;
    return instance && node->number < instance->count ? instance->items[node->number] : NULL;
}

/* Returns the first pack that a parameter in the tree stands for, or NULL. Functions have parameters of their own. */
static node_t *find_pack(struct printer *printer, node_t *node)
{
    if (!node || ++printer->steps > MOST_STEPS || printer->depth > DEEPEST || node->kind == STINT_CXX_ENCODING)
        return NULL;
    if (node->kind == STINT_CXX_PARAM) {
        node_t *found = argument(printer, node);
        return found && found->kind == STINT_CXX_PACK ? found : NULL;
    }
    printer->depth++;
    node_t *found = find_pack(printer, node->first);
    found = found ? found : find_pack(printer, node->second);
    for (size_t i = 0; !found && i < node->count; i++)
        found = find_pack(printer, node->items[i]);
    printer->depth--;
    return found;
}

static void print_expansion(struct printer *printer, node_t *node)
{
    node_t *pack = find_pack(printer, node->first);
    long outer = printer->item;
    if (!pack) {
        print(printer, node->first);
        put_text(printer, "...");
        return;
    }
    for (size_t i = 0; i < pack->count; i++) {
        printer->item = (long)i;
        if (i)
            put_text(printer, ", ");
        print(printer, node->first);
    }
    printer->item = outer;
}

/* What a parameter stands for, of a pack that is being expanded its item; other nodes as they are. */
static node_t *chosen(struct printer *printer, node_t *node)
{
    static const struct stint_cxx_node nothing = {.kind = STINT_CXX_TEXT, .text = ""};
    while (node->kind == STINT_CXX_PARAM) {
        node = argument(printer, node);
        if (node && node->kind == STINT_CXX_PACK && printer->item != NO_ITEM)
            node = (size_t)printer->item < node->count ? node->items[printer->item] : NULL;
        if (!node || ++printer->steps > MOST_STEPS) {
            printer->failed = 1;
            return &nothing;
        }
    }
    return node;
}

/* ---------------------------------------------------------------------------------------------------------- types */

/* Whether part of the type stands behind what is declared. */
static int has_right(struct printer *printer, node_t *node)
{
    for (;; node = node->kind == STINT_CXX_MEMBER ? node->second : node->first) {
        node = chosen(printer, node);
        switch (node->kind) {
        case STINT_CXX_ARRAY:
        case STINT_CXX_FUNCTION:
            return node->kind == STINT_CXX_ARRAY ? 2 : 1;
        case STINT_CXX_SUFFIX:
        case STINT_CXX_POINTER:
        case STINT_CXX_LVALUE:
        case STINT_CXX_RVALUE:
        case STINT_CXX_MEMBER:
            break;
        default:
            return 0;
        }
    }
}

static void print_left(struct printer *printer, node_t *node);
static void print_right(struct printer *printer, node_t *node);

static void open_declarator(struct printer *printer, node_t *to)
{
    int right = has_right(printer, to);
    node_t *direct = chosen(printer, to);
    while (direct->kind == STINT_CXX_SUFFIX)
        direct = chosen(printer, direct->first);
    if (!right || (direct->kind != STINT_CXX_ARRAY && direct->kind != STINT_CXX_FUNCTION))
        return;
    if (right == 2)
        put_text(printer, " ");
    put_text(printer, "(");
}

static void close_declarator(struct printer *printer, node_t *to)
{
    node_t *direct = chosen(printer, to);
    while (direct->kind == STINT_CXX_SUFFIX)
        direct = chosen(printer, direct->first);
    if (direct->kind == STINT_CXX_ARRAY || direct->kind == STINT_CXX_FUNCTION)
        put_text(printer, ")");
    print_right(printer, to);
}

/* A reference to a reference is one of the two: && only if both are. */
static node_t *referred(struct printer *printer, node_t *node, int *is_rvalue)
{
    *is_rvalue = 1;
    node = chosen(printer, node);
    while (node->kind == STINT_CXX_LVALUE || node->kind == STINT_CXX_RVALUE) {
        *is_rvalue &= node->kind == STINT_CXX_RVALUE;
        node = chosen(printer, node->first);
    }
    return node;
}

/* Whether the type is const, say, already. */
static int has_suffix(node_t *node, const char *text)
{
    return node->kind == STINT_CXX_SUFFIX && strcmp(node->text, text) == 0;
}

static void print_left(struct printer *printer, node_t *node)
{
    int is_rvalue;
    node_t *inner;
    node = chosen(printer, node);
    if (printer->failed || ++printer->depth > DEEPEST || ++printer->steps > MOST_STEPS) {
        printer->failed = 1;
        return;
    }
    switch (node->kind) {
    case STINT_CXX_SUFFIX:
        inner = chosen(printer, node->first);
        print_left(printer, inner);
        if (inner->kind != STINT_CXX_FUNCTION && !has_suffix(inner, node->text)) {
            put_text(printer, " ");
            put(printer, node->text, node->length);
        }
        break;
    case STINT_CXX_POINTER:
        print_left(printer, node->first);
        open_declarator(printer, node->first);
        put(printer, node->text, node->length);
        break;
    case STINT_CXX_LVALUE:
    case STINT_CXX_RVALUE:
        inner = referred(printer, node, &is_rvalue);
        print_left(printer, inner);
        open_declarator(printer, inner);
        put_text(printer, is_rvalue ? "&&" : "&");
        break;
    case STINT_CXX_MEMBER:
        print_left(printer, node->second);
        if (has_right(printer, node->second))
            open_declarator(printer, node->second);
        else
            put_text(printer, " ");
        print(printer, node->first);
        put_text(printer, "::*");
        break;
    case STINT_CXX_ARRAY:
        print_left(printer, node->first);
        break;
    case STINT_CXX_FUNCTION:
        if (node->first) {
            print_left(printer, node->first);
            put_text(printer, has_right(printer, node->first) ? "" : " ");
        }
        break;
    default:
        print(printer, node);
    }
    printer->depth--;
}

static void print_right(struct printer *printer, node_t *node)
{
    int is_rvalue;
    if (printer->failed)
        return;
    node = chosen(printer, node);
    switch (node->kind) {
    case STINT_CXX_SUFFIX:
        print_right(printer, node->first);
        if (chosen(printer, node->first)->kind == STINT_CXX_FUNCTION) {
            put_text(printer, " ");
            put(printer, node->text, node->length);
        }
        break;
    case STINT_CXX_POINTER:
        close_declarator(printer, node->first);
        break;
    case STINT_CXX_LVALUE:
    case STINT_CXX_RVALUE:
        close_declarator(printer, referred(printer, node, &is_rvalue));
        break;
    case STINT_CXX_MEMBER:
        close_declarator(printer, node->second);
        break;
    case STINT_CXX_ARRAY:
        put_text(printer, last(printer) == ']' ? "[" : " [");
        if (node->second)
            print(printer, node->second);
        put_text(printer, "]");
        print_right(printer, node->first);
        break;
    case STINT_CXX_FUNCTION:
        print_list(printer, "(", node, ")");
        if (node->first)
            print_right(printer, node->first);
        put(printer, node->text ? node->text : "", node->length);
        break;
    default:
        break;
    }
}

/* ---------------------------------------------------------------------------------------------------- expressions */

static void print_operand(struct printer *printer, node_t *node)
{
    node = chosen(printer, node);
    int is_simple = node->kind == STINT_CXX_TEXT || node->kind == STINT_CXX_NESTED || node->kind == STINT_CXX_NUMBERED;
    put_text(printer, is_simple ? "" : "(");
    print(printer, node);
    put_text(printer, is_simple ? "" : ")");
}

static void print_literal(struct printer *printer, node_t *node)
{
    static const struct {
        const char *type, *suffix;
    } types[] = {{"int", ""},         {"unsigned int", "u"},        {"long", "l"}, {"unsigned long", "ul"},
                 {"long long", "ll"}, {"unsigned long long", "ull"}};
    node_t *type = node->first;
    int is_float = 0;
    if (type->kind == STINT_CXX_TEXT) {
        if (type->length == 4 && memcmp(type->text, "bool", 4) == 0 && node->length == 1) {
            put_text(printer, node->text[0] == '0' ? "false" : "true");
            return;
        }
        for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
            if (strlen(types[i].type) != type->length || memcmp(types[i].type, type->text, type->length) != 0)
                continue;
            if (node->length && node->text[0] == 'n')
                put_text(printer, "-");
            put(printer, node->text + (node->text[0] == 'n'), node->length - (node->text[0] == 'n'));
            put_text(printer, types[i].suffix);
            return;
        }
        is_float = (type->length == 5 && memcmp(type->text, "float", 5) == 0) ||
                   (type->length == 6 && memcmp(type->text, "double", 6) == 0) ||
                   (type->length == 11 && memcmp(type->text, "long double", 11) == 0);
    }
    put_text(printer, "(");
    print(printer, type);
    put_text(printer, ")");
    put_text(printer, is_float ? "[" : "");
    if (node->length && node->text[0] == 'n')
        put_text(printer, "-");
    put(printer, node->text + (node->length && node->text[0] == 'n'),
        node->length - (node->length && node->text[0] == 'n'));
    put_text(printer, is_float ? "]" : "");
}

static void print_expression(struct printer *printer, node_t *node)
{
    int is_greater = node->kind == STINT_CXX_BINARY && node->length == 1 && node->text[0] == '>';
    switch (node->kind) {
    case STINT_CXX_UNARY:
        put(printer, node->text, node->length);
        if (node->first->kind == STINT_CXX_ENCODING && !node->first->first) /* "&" in front of a function */
            print(printer, node->first->second);
        else
            print_operand(printer, node->first);
        break;
    case STINT_CXX_BINARY:
        put_text(printer, is_greater ? "(" : "");
        print_operand(printer, node->first);
        put(printer, node->text, node->length);
        if (node->length == 2 && memcmp(node->text, "[]", 2) == 0) {
            printer->used--;
            print(printer, node->second);
            put_text(printer, "]");
        } else {
            print_operand(printer, node->second);
        }
        put_text(printer, is_greater ? ")" : "");
        break;
    case STINT_CXX_TERNARY:
        print_operand(printer, node->first);
        put_text(printer, "?");
        print_operand(printer, node->second);
        put_text(printer, " : ");
        print_operand(printer, node->items[0]);
        break;
    case STINT_CXX_CAST:
        put_text(printer, "(");
        print(printer, node->first);
        put_text(printer, ")");
        print_operand(printer, node->second);
        break;
    case STINT_CXX_CALL: /* of a function only the name */
        print_operand(printer, node->first->kind == STINT_CXX_ENCODING ? node->first->second : node->first);
        print_list(printer, "(", node, ")");
        break;
    default: /* wrapped */
        put(printer, node->text, node->length);
        put_text(printer, " (");
        print(printer, node->first);
        put_text(printer, ")");
    }
}

/* ----------------------------------------------------------------------------------------------------------- names */

/* The template that a function is an instance of, or is local to; or NULL. */
static node_t *find_instance(node_t *name)
{
    if (name->kind == STINT_CXX_ENCODING)
        return find_instance(name->second);
    if (name->kind != STINT_CXX_LOCAL)
        return name->kind == STINT_CXX_TEMPLATE ? name : NULL;
    node_t *own = find_instance(name->second);
    return own ? own : find_instance(name->first);
}

static void print_function(struct printer *printer, node_t *node, int with_return)
{
    node_t *outer = printer->instance;
    printer->instance = find_instance(node);
    if (node->first && with_return) {
        print_left(printer, node->first);
        if (!has_right(printer, node->first))
            put_text(printer, " ");
    }
    print(printer, node->second);
    print_list(printer, "(", node, ")");
    if (node->first && with_return)
        print_right(printer, node->first);
    put(printer, node->text ? node->text : "", node->length);
    printer->instance = outer;
}

static void print_name(struct printer *printer, node_t *node)
{
    switch (node->kind) {
    case STINT_CXX_TAGGED:
        print(printer, node->first);
        put_text(printer, "[abi:");
        put(printer, node->text, node->length);
        put_text(printer, "]");
        break;
    case STINT_CXX_LOCAL:
        if (node->first->kind == STINT_CXX_ENCODING)
            print_function(printer, node->first, 0);
        else
            print(printer, node->first);
        put_text(printer, "::");
        print(printer, node->second);
        break;
    case STINT_CXX_NESTED:
        print(printer, node->first);
        put_text(printer, "::");
        print(printer, node->second);
        break;
    case STINT_CXX_TEMPLATE:
        print(printer, node->first);
        print_arguments(printer, node);
        break;
    case STINT_CXX_LAMBDA:
        print_list(printer, "{lambda(", node, ")#");
        put_number(printer, node->number);
        put_text(printer, "}");
        break;
    case STINT_CXX_NUMBERED:
        put_text(printer, "{");
        put(printer, node->text, node->length);
        put_text(printer, "#");
        put_number(printer, node->number);
        put_text(printer, "}");
        break;
    case STINT_CXX_PREFIXED:
        put(printer, node->text, node->length);
        print(printer, node->first);
        break;
    case STINT_CXX_CONVERT:
        put_text(printer, "operator ");
        print(printer, node->first);
        break;
    default:
        print_expression(printer, node);
    }
}

static void print(struct printer *printer, node_t *node)
{
    if (printer->failed || ++printer->depth > DEEPEST || ++printer->steps > MOST_STEPS) {
        printer->failed = 1;
        return;
    }
    node = chosen(printer, node);
    switch (node->kind) {
    case STINT_CXX_TEXT:
        put(printer, node->text, node->length);
        break;
    case STINT_CXX_PACK:
        print_items(printer, node);
        break;
    case STINT_CXX_EXPAND:
        print_expansion(printer, node);
        break;
    case STINT_CXX_SUFFIX:
    case STINT_CXX_POINTER:
    case STINT_CXX_LVALUE:
    case STINT_CXX_RVALUE:
    case STINT_CXX_MEMBER:
    case STINT_CXX_ARRAY:
    case STINT_CXX_FUNCTION:
        print_left(printer, node);
        print_right(printer, node);
        break;
    case STINT_CXX_VECTOR:
        print(printer, node->first);
        put_text(printer, " __vector(");
        print(printer, node->second);
        put_text(printer, ")");
        break;
    case STINT_CXX_ENCODING:
        print_function(printer, node, 1);
        break;
    case STINT_CXX_LITERAL:
        print_literal(printer, node);
        break;
    case STINT_CXX_DECLTYPE:
        put_text(printer, "decltype (");
        print(printer, node->first);
        put_text(printer, ")");
        break;
    default:
        print_name(printer, node);
    }
    printer->depth--;
}

const char *stint_cxx_print(struct stint_arena *arena, const struct stint_cxx_node *node)
{
    struct printer printer = {.out = stint_arena_alloc(arena, LONGEST), .item = NO_ITEM};
    if (!printer.out)
        return NULL;
    print(&printer, node);
    printer.out[printer.used] = '\0';
    return printer.failed ? NULL : printer.out;
}
