/* Reads names mangled as the Itanium C++ ABI has it (itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling). */
#include <string.h>

#include "base/array.h"
#include "import/cxx_node.h"

enum { DEEPEST = 256, LONGEST = 1 << 15 };

typedef const struct stint_cxx_node node_t;

struct parser {
    const char *at;
    const char *end;
    struct stint_arena *arena;
    struct stint_array parts; /* node_t *: what later parts may stand for */
    int depth;
    int in_lambda; /* template parameters are "auto" */
};

/* What follows a function's name depends on it. */
struct name {
    int is_template;
    int has_no_return; /* of a template: constructors, conversions */
    const char *suffix;
};

static node_t *parse_type(struct parser *parser);
static node_t *parse_encoding(struct parser *parser);
static node_t *parse_name(struct parser *parser, struct name *name);
static node_t *parse_expression(struct parser *parser);
static node_t *parse_unqualified(struct parser *parser, node_t *scope, struct name *name);

/* ----------------------------------------------------------------------------------------------------------- nodes */

static node_t *make(struct parser *parser, struct stint_cxx_node node)
{
    struct stint_cxx_node *made = stint_arena_alloc(parser->arena, sizeof *made);
    if (made)
        *made = node;
    return made;
}

static node_t *make_text(struct parser *parser, const char *text, size_t length)
{
    return make(parser, (struct stint_cxx_node){.kind = STINT_CXX_TEXT, .text = text, .length = length});
}

static node_t *make_word(struct parser *parser, const char *word)
{
    return make_text(parser, word, strlen(word));
}

/* NULL if a part is. */
static node_t *make_pair(struct parser *parser, enum stint_cxx_kind kind, node_t *first, node_t *second)
{
    return first && second ? make(parser, (struct stint_cxx_node){.kind = kind, .first = first, .second = second})
                           : NULL;
}

static node_t *make_around(struct parser *parser, enum stint_cxx_kind kind, node_t *first, const char *text)
{
    return first ? make(parser,
                        (struct stint_cxx_node){.kind = kind, .first = first, .text = text, .length = strlen(text)})
                 : NULL;
}

static int add(struct parser *parser, struct stint_array *list, node_t *node)
{
    node_t **row = node ? stint_array_add(list, parser->arena, sizeof *row) : NULL;
    if (row)
        *row = node;
    return row ? 0 : -1;
}

static node_t *with_items(struct parser *parser, struct stint_cxx_node node, const struct stint_array *items)
{
    node.items = items->items;
    node.count = items->count;
    return make(parser, node);
}

/* Later parts may stand for this one. */
static node_t *keep(struct parser *parser, node_t *node)
{
    return add(parser, &parser->parts, node) ? NULL : node;
}

/* ------------------------------------------------------------------------------------------------------------ text */

static char peek(const struct parser *parser)
{
    return parser->at < parser->end ? *parser->at : '\0';
}

static int take(struct parser *parser, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(parser->end - parser->at) < length || memcmp(parser->at, text, length) != 0)
        return 0;
    parser->at += length;
    return 1;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns -1 if there is no number. */
static long parse_number(struct parser *parser)
{
    long number = is_digit(peek(parser)) ? 0 : -1;
    while (is_digit(peek(parser)) && number < LONGEST)
        number = 10 * number + (*parser->at++ - '0');
    return number;
}

/* "_" is 0, "0_" is 1, and so on. Returns -1 on an error. */
static long parse_sequence(struct parser *parser)
{
    long number = parse_number(parser);
    return take(parser, "_") ? number + 1 : -1;
}

static long parse_part_number(struct parser *parser)
{
    long number = -1;
    for (char c; (c = peek(parser)) != '\0' && c != '_' && number < LONGEST; parser->at++) {
        int digit = is_digit(c) ? c - '0' : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : -1;
        if (digit < 0)
            return -1;
        number = (number < 0 ? 0 : number) * 36 + digit;
    }
    return take(parser, "_") ? number + 1 : -1;
}

static node_t *at_position(const struct stint_array *list, long position)
{
    return position >= 0 && (size_t)position < list->count ? ((node_t *const *)list->items)[position] : NULL;
}

static node_t *parse_source_name(struct parser *parser)
{
    static const char anonymous[] = "_GLOBAL_";
    long length = parse_number(parser);
    if (length <= 0 || length > parser->end - parser->at)
        return NULL;
    const char *text = parser->at;
    parser->at += length;
    if (length >= 10 && memcmp(text, anonymous, sizeof anonymous - 1) == 0 && strchr("._$", text[8]) && text[9] == 'N')
        return make_word(parser, "(anonymous namespace)");
    return make_text(parser, text, (size_t)length);
}

/* ------------------------------------------------------------------------------------------------------- operators */

struct operation {
    char code[3];
    char operands;
    const char *text;
};

static const struct operation s_operators[] = {
    {"aN", 2, "&="}, {"aS", 2, "="},       {"aa", 2, "&&"},  {"ad", 1, "&"},     {"an", 2, "&"},
    {"cl", 0, "()"}, {"cm", 2, ","},       {"co", 1, "~"},   {"dV", 2, "/="},    {"da", 1, "delete[] "},
    {"de", 1, "*"},  {"dl", 1, "delete "}, {"dv", 2, "/"},   {"eO", 2, "^="},    {"eo", 2, "^"},
    {"eq", 2, "=="}, {"ge", 2, ">="},      {"gt", 2, ">"},   {"ix", 2, "[]"},    {"lS", 2, "<<="},
    {"le", 2, "<="}, {"ls", 2, "<<"},      {"lt", 2, "<"},   {"mI", 2, "-="},    {"mL", 2, "*="},
    {"mi", 2, "-"},  {"ml", 2, "*"},       {"mm", 1, "--"},  {"na", 0, "new[]"}, {"ne", 2, "!="},
    {"ng", 1, "-"},  {"nt", 1, "!"},       {"nw", 0, "new"}, {"oR", 2, "|="},    {"oo", 2, "||"},
    {"or", 2, "|"},  {"pL", 2, "+="},      {"pl", 2, "+"},   {"pm", 2, "->*"},   {"pp", 1, "++"},
    {"ps", 1, "+"},  {"pt", 2, "->"},      {"qu", 3, "?"},   {"rM", 2, "%="},    {"rS", 2, ">>="},
    {"rm", 2, "%"},  {"rs", 2, ">>"},      {"ss", 2, "<=>"},
};

static const struct operation *parse_operator(struct parser *parser)
{
    for (size_t i = 0; i < sizeof s_operators / sizeof s_operators[0]; i++)
        if (take(parser, s_operators[i].code))
            return &s_operators[i];
    return NULL;
}

static node_t *parse_operator_name(struct parser *parser, struct name *name)
{
    if (take(parser, "cv")) {
        name->has_no_return = 1;
        return make_around(parser, STINT_CXX_CONVERT, parse_type(parser), "");
    }
    if (take(parser, "li")) {
        node_t *suffix = parse_source_name(parser);
        return suffix ? make_around(parser, STINT_CXX_PREFIXED, suffix, "operator\"\" ") : NULL;
    }
    const struct operation *found = parse_operator(parser);
    if (!found)
        return NULL;
    size_t length = strlen(found->text), is_word = strchr("dn", found->text[0]) != NULL;
    char *text = stint_arena_alloc(parser->arena, length + 16);
    if (!text)
        return NULL;
    memcpy(text, "operator ", 9);
    memcpy(text + 8 + is_word, found->text, length + 1);
    length += 8 + is_word;
    return make_text(parser, text, text[length - 1] == ' ' ? length - 1 : length);
}

/* ------------------------------------------------------------------------------------------------------------ lists */

/* Types until the end of a function's; "v" alone is none. Returns 0, or -1 on an error. */
static int parse_types(struct parser *parser, struct stint_array *types)
{
    if (take(parser, "v"))
        return 0;
    do {
        if (add(parser, types, parse_type(parser)))
            return -1;
    } while (parser->at < parser->end && !strchr("E.", *parser->at) &&
             !(parser->end - parser->at > 1 && strchr("RO", *parser->at) && parser->at[1] == 'E'));
    return 0;
}

/* <value number> E. A floating-point number is in hexadecimal. */
static node_t *parse_literal(struct parser *parser)
{
    if (take(parser, "_Z") || take(parser, "Z")) {
        node_t *encoding = parse_encoding(parser);
        return encoding && take(parser, "E") ? encoding : NULL;
    }
    node_t *type = parse_type(parser);
    const char *begin = parser->at;
    while (is_digit(peek(parser)) || (peek(parser) >= 'a' && peek(parser) <= 'z'))
        parser->at++;
    size_t length = (size_t)(parser->at - begin);
    if (!type || !take(parser, "E"))
        return NULL;
    return make(parser,
                (struct stint_cxx_node){.kind = STINT_CXX_LITERAL, .first = type, .text = begin, .length = length});
}

static node_t *parse_argument(struct parser *parser);

static int parse_arguments(struct parser *parser, struct stint_array *arguments)
{
    while (!take(parser, "E"))
        if (parser->at == parser->end || add(parser, arguments, parse_argument(parser)))
            return -1;
    return 0;
}

static node_t *parse_argument(struct parser *parser)
{
    if (take(parser, "L"))
        return parse_literal(parser);
    if (take(parser, "X")) {
        node_t *expression = parse_expression(parser);
        return take(parser, "E") ? expression : NULL;
    }
    if (take(parser, "J") || take(parser, "I")) {
        struct stint_array items = {0};
        return parse_arguments(parser, &items)
                   ? NULL
                   : with_items(parser, (struct stint_cxx_node){.kind = STINT_CXX_PACK}, &items);
    }
    return parse_type(parser);
}

/* Behind "I". */
static node_t *parse_template(struct parser *parser, node_t *of)
{
    struct stint_array arguments = {0};
    if (!of || parse_arguments(parser, &arguments))
        return NULL;
    return with_items(parser, (struct stint_cxx_node){.kind = STINT_CXX_TEMPLATE, .first = of}, &arguments);
}

/* ------------------------------------------------------------------------------------------------------------ parts */

static node_t *parse_parameter(struct parser *parser)
{
    long position = parse_sequence(parser);
    if (position < 0)
        return NULL;
    if (!parser->in_lambda)
        return make(parser, (struct stint_cxx_node){.kind = STINT_CXX_PARAM, .number = (uint64_t)position});
    static const char digits[] = "auto:1\0auto:2\0auto:3\0auto:4\0auto:5\0auto:6\0auto:7\0auto:8\0auto:9";
    return position < 9 ? make_word(parser, digits + 7 * position) : NULL;
}

struct standard {
    char letter;
    const char *text, *name; /* in front of a constructor: all of it, and the constructor's name */
    const char *full;
};

static const struct standard s_standard[] = {
    {'a', "std::allocator", "allocator", "std::allocator"},
    {'b', "std::basic_string", "basic_string", "std::basic_string"},
    {'s', "std::string", "basic_string", "std::basic_string<char, std::char_traits<char>, std::allocator<char> >"},
    {'i', "std::istream", "basic_istream", "std::basic_istream<char, std::char_traits<char> >"},
    {'o', "std::ostream", "basic_ostream", "std::basic_ostream<char, std::char_traits<char> >"},
    {'d', "std::iostream", "basic_iostream", "std::basic_iostream<char, std::char_traits<char> >"},
};

/* Behind "S", which is not that of "St". */
static node_t *parse_part(struct parser *parser)
{
    for (size_t i = 0; i < sizeof s_standard / sizeof s_standard[0]; i++) {
        if (peek(parser) != s_standard[i].letter)
            continue;
        parser->at++;
        int before_constructor = strchr("CD", peek(parser)) && peek(parser);
        return make_word(parser, before_constructor ? s_standard[i].full : s_standard[i].text);
    }
    return at_position(&parser->parts, parse_part_number(parser));
}

/* ------------------------------------------------------------------------------------------------------------ names */

/* The last name of a scope, for its constructor. */
static node_t *base_name(struct parser *parser, node_t *scope)
{
    while (scope) {
        if (scope->kind == STINT_CXX_NESTED || scope->kind == STINT_CXX_LOCAL)
            scope = scope->second;
        else if (scope->kind == STINT_CXX_TEMPLATE || scope->kind == STINT_CXX_TAGGED)
            scope = scope->first;
        else
            break;
    }
    for (size_t i = 0; scope && scope->kind == STINT_CXX_TEXT && i < sizeof s_standard / sizeof s_standard[0]; i++)
        if (scope->text == s_standard[i].full || scope->text == s_standard[i].text)
            return make_word(parser, s_standard[i].name);
    return scope;
}

static node_t *parse_constructor(struct parser *parser, node_t *scope, struct name *name)
{
    int is_destructor = *parser->at++ == 'D';
    if (!take(parser, "0") && !take(parser, "1") && !take(parser, "2") && !take(parser, "3") && !take(parser, "4") &&
        !take(parser, "5"))
        return NULL;
    name->has_no_return = 1;
    node_t *base = base_name(parser, scope);
    return is_destructor ? make_around(parser, STINT_CXX_PREFIXED, base, "~") : base;
}

/* Behind "U": "t" [number] "_", or "l" types "E" [number] "_". */
static node_t *parse_unnamed(struct parser *parser)
{
    struct stint_array types = {0};
    int is_lambda = take(parser, "l");
    if (!is_lambda && !take(parser, "t"))
        return NULL;
    if (is_lambda) {
        int outer = parser->in_lambda;
        parser->in_lambda = 1;
        int failed = parse_types(parser, &types) || !take(parser, "E");
        parser->in_lambda = outer;
        if (failed)
            return NULL;
    }
    long number = parse_sequence(parser);
    if (number < 0)
        return NULL;
    struct stint_cxx_node node = {.kind = is_lambda ? STINT_CXX_LAMBDA : STINT_CXX_NUMBERED,
                                  .text = "unnamed type",
                                  .length = strlen("unnamed type"),
                                  .number = (uint64_t)number + 1};
    return with_items(parser, node, &types);
}

static node_t *parse_unqualified(struct parser *parser, node_t *scope, struct name *name)
{
    node_t *node;
    (void)take(parser, "L"); /* static */
    if (is_digit(peek(parser)))
        node = parse_source_name(parser);
    else if (scope && (peek(parser) == 'C' || peek(parser) == 'D'))
        node = parse_constructor(parser, scope, name);
    else if (take(parser, "U"))
        node = parse_unnamed(parser);
    else
        node = parse_operator_name(parser, name);
    while (node && take(parser, "B")) {
        node_t *tag = parse_source_name(parser);
        node = tag ? make(parser,
                          (struct stint_cxx_node){
                              .kind = STINT_CXX_TAGGED, .first = node, .text = tag->text, .length = tag->length})
                   : NULL;
    }
    return node;
}

static node_t *parse_component(struct parser *parser, node_t *scope, struct name *name, int *is_part)
{
    *is_part = 0;
    if (!scope && take(parser, "St")) {
        *is_part = 1;
        return make_word(parser, "std");
    }
    if (!scope && take(parser, "S")) {
        *is_part = 1;
        return parse_part(parser);
    }
    if (!scope && take(parser, "T"))
        return parse_parameter(parser);
    if (!scope && (take(parser, "Dt") || take(parser, "DT"))) {
        node_t *expression = parse_expression(parser);
        return expression && take(parser, "E") ? make_around(parser, STINT_CXX_DECLTYPE, expression, "") : NULL;
    }
    if (scope && take(parser, "I")) {
        name->is_template = 1;
        return parse_template(parser, scope);
    }
    name->is_template = 0;
    name->has_no_return = 0;
    node_t *part = parse_unqualified(parser, scope, name);
    return scope ? make_pair(parser, STINT_CXX_NESTED, scope, part) : part;
}

static const char *qualifiers(struct parser *parser)
{
    static const char *const texts[] = {
        "",          " restrict",          " volatile",          " restrict volatile",
        " const",    " restrict const",    " volatile const",    " const volatile restrict",
        " &",        " restrict &",        " volatile &",        " restrict volatile &",
        " const &",  " restrict const &",  " volatile const &",  " const volatile restrict &",
        " &&",       " restrict &&",       " volatile &&",       " restrict volatile &&",
        " const &&", " restrict const &&", " volatile const &&", " const volatile restrict &&"};
    size_t at = 0;
    at += take(parser, "r") ? 1 : 0;
    at += take(parser, "V") ? 2 : 0;
    at += take(parser, "K") ? 4 : 0;
    if (take(parser, "R"))
        at += 8;
    else if (take(parser, "O"))
        at += 16;
    return texts[at];
}

/* Behind "N". All scopes are parts that later ones may stand for, but not the whole. */
static node_t *parse_nested(struct parser *parser, struct name *name)
{
    node_t *node = NULL;
    name->suffix = qualifiers(parser);
    while (!take(parser, "E")) {
        int is_part;
        if (node && take(parser, "M")) /* what follows belongs to a variable's initial value */
            continue;
        node = parse_component(parser, node, name, &is_part);
        if (!node || (!is_part && peek(parser) != 'E' && !keep(parser, node)))
            return NULL;
    }
    return node;
}

static int skip_discriminator(struct parser *parser)
{
    if (take(parser, "__"))
        return parse_number(parser) >= 0 && take(parser, "_") ? 0 : -1;
    if (take(parser, "_"))
        parser->at += is_digit(peek(parser));
    return 0;
}

/* Behind "Z". */
static node_t *parse_local(struct parser *parser, struct name *name)
{
    node_t *function = parse_encoding(parser), *entity;
    if (!function || !take(parser, "E"))
        return NULL;
    if (take(parser, "s")) {
        entity = make_word(parser, "string literal");
        return skip_discriminator(parser) ? NULL : make_pair(parser, STINT_CXX_LOCAL, function, entity);
    }
    if (take(parser, "d")) {
        struct stint_cxx_node node = {.kind = STINT_CXX_NUMBERED, .text = "default arg", .length = 11};
        long number = parse_sequence(parser);
        node.number = (uint64_t)number + 1;
        if (number < 0)
            return NULL;
        function = make_pair(parser, STINT_CXX_LOCAL, function, make(parser, node));
        entity = parse_name(parser, name);
        return make_pair(parser, STINT_CXX_NESTED, function, entity);
    }
    entity = parse_name(parser, name);
    if (entity && skip_discriminator(parser))
        return NULL;
    return make_pair(parser, STINT_CXX_LOCAL, function, entity);
}

/* `name` is that of a function, and receives what it is; NULL: the name is a type's. */
static node_t *parse_name(struct parser *parser, struct name *name)
{
    struct name ignored = {0};
    struct name *kind = name ? name : &ignored;
    node_t *node;
    *kind = (struct name){.suffix = ""};
    if (take(parser, "N"))
        return parse_nested(parser, kind);
    if (take(parser, "Z"))
        return parse_local(parser, kind);
    int is_standard = take(parser, "St"), is_part = !is_standard && take(parser, "S");
    if (is_part)
        node = parse_part(parser);
    else
        node = parse_unqualified(parser, NULL, kind);
    if (is_standard)
        node = make_pair(parser, STINT_CXX_NESTED, make_word(parser, "std"), node);
    if (!node || peek(parser) != 'I')
        return is_part ? NULL : node;
    parser->at++;
    if (!is_part && !keep(parser, node))
        return NULL;
    kind->is_template = 1;
    return parse_template(parser, node);
}

/* ------------------------------------------------------------------------------------------------------------ types */

static const char *builtin(struct parser *parser)
{
    static const struct {
        const char *code, *text;
    } types[] = {{"v", "void"},
                 {"w", "wchar_t"},
                 {"b", "bool"},
                 {"c", "char"},
                 {"a", "signed char"},
                 {"h", "unsigned char"},
                 {"s", "short"},
                 {"t", "unsigned short"},
                 {"i", "int"},
                 {"j", "unsigned int"},
                 {"l", "long"},
                 {"m", "unsigned long"},
                 {"x", "long long"},
                 {"y", "unsigned long long"},
                 {"n", "__int128"},
                 {"o", "unsigned __int128"},
                 {"f", "float"},
                 {"d", "double"},
                 {"e", "long double"},
                 {"g", "__float128"},
                 {"z", "..."},
                 {"Dd", "decimal64"},
                 {"De", "decimal128"},
                 {"Df", "decimal32"},
                 {"Dh", "half"},
                 {"DF16_", "_Float16"},
                 {"Di", "char32_t"},
                 {"Ds", "char16_t"},
                 {"Du", "char8_t"},
                 {"Da", "auto"},
                 {"Dc", "decltype(auto)"},
                 {"Dn", "decltype(nullptr)"}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (take(parser, types[i].code))
            return types[i].text;
    return NULL;
}

/* Behind "F". */
static node_t *parse_function(struct parser *parser, const char *suffix)
{
    struct stint_array types = {0};
    (void)take(parser, "Y");
    node_t *result = parse_type(parser);
    if (!result || parse_types(parser, &types))
        return NULL;
    const char *reference = take(parser, "R") ? " &" : take(parser, "O") ? " &&" : "";
    if (!take(parser, "E"))
        return NULL;
    struct stint_cxx_node node = {.kind = STINT_CXX_FUNCTION,
                                  .first = result,
                                  .text = *reference ? reference : suffix,
                                  .length = strlen(*reference ? reference : suffix)};
    return with_items(parser, node, &types);
}

static node_t *parse_size(struct parser *parser)
{
    const char *begin = parser->at;
    if (!is_digit(peek(parser)))
        return parse_expression(parser);
    (void)parse_number(parser);
    return make_text(parser, begin, (size_t)(parser->at - begin));
}

/* The type behind the "_" of an array or a vector. */
static node_t *parse_items(struct parser *parser, enum stint_cxx_kind kind, node_t *size)
{
    node_t *of = take(parser, "_") ? parse_type(parser) : NULL;
    return of ? make(parser, (struct stint_cxx_node){.kind = kind, .first = of, .second = size}) : NULL;
}

/* Behind "A": [number or expression] "_" type. */
static node_t *parse_array(struct parser *parser)
{
    node_t *size = peek(parser) == '_' ? NULL : parse_size(parser);
    return size || peek(parser) == '_' ? parse_items(parser, STINT_CXX_ARRAY, size) : NULL;
}

/* Behind "Dv": number or "_" expression, "_" type. */
static node_t *parse_vector(struct parser *parser)
{
    node_t *size = take(parser, "_") ? parse_expression(parser) : is_digit(peek(parser)) ? parse_size(parser) : NULL;
    return size ? parse_items(parser, STINT_CXX_VECTOR, size) : NULL;
}

static node_t *parse_vendor_type(struct parser *parser)
{
    node_t *name = parse_source_name(parser);
    if (name && take(parser, "I"))
        name = parse_template(parser, name);
    return name;
}

/* Each reads what is behind the letters that it is chosen by. */
static node_t *parse_d_type(struct parser *parser)
{
    if (take(parser, "p"))
        return make_around(parser, STINT_CXX_EXPAND, parse_type(parser), "");
    if (take(parser, "v"))
        return parse_vector(parser);
    if (take(parser, "oF")) {
        return parse_function(parser, " noexcept");
    }
    if (!take(parser, "t") && !take(parser, "T"))
        return NULL;
    node_t *expression = parse_expression(parser);
    return expression && take(parser, "E") ? make_around(parser, STINT_CXX_DECLTYPE, expression, "") : NULL;
}

static node_t *parse_qualified_type(struct parser *parser)
{
    const char *words[3];
    size_t count = 0;
    static const struct {
        const char *code, *word;
    } all[] = {{"r", "__restrict__"}, {"V", "volatile"}, {"K", "const"}};
    for (size_t i = 0; i < 3; i++)
        if (take(parser, all[i].code))
            words[count++] = all[i].word;
    node_t *node =
        take(parser, "F") ? parse_function(parser, "") : parse_type(parser); /* a function's are part of it */
    while (node && count)
        node = make_around(parser, STINT_CXX_SUFFIX, node, words[--count]);
    return node;
}

static node_t *parse_compound(struct parser *parser)
{
    if (take(parser, "P"))
        return make_around(parser, STINT_CXX_POINTER, parse_type(parser), "*");
    if (take(parser, "R"))
        return make_around(parser, STINT_CXX_LVALUE, parse_type(parser), "");
    if (take(parser, "O"))
        return make_around(parser, STINT_CXX_RVALUE, parse_type(parser), "");
    if (take(parser, "F"))
        return parse_function(parser, "");
    if (take(parser, "A"))
        return parse_array(parser);
    if (take(parser, "M")) {
        node_t *of = parse_type(parser), *type = parse_type(parser);
        return make_pair(parser, STINT_CXX_MEMBER, of, type);
    }
    if (take(parser, "D"))
        return parse_d_type(parser);
    if (take(parser, "u"))
        return parse_vendor_type(parser);
    return strchr("rVK", peek(parser)) ? parse_qualified_type(parser) : parse_name(parser, NULL);
}

/* A parameter or a part may be a template. Parts are not kept again. */
static node_t *parse_reference(struct parser *parser)
{
    int is_parameter = take(parser, "T");
    parser->at += is_parameter ? 0 : 1;
    node_t *node = is_parameter ? parse_parameter(parser) : parse_part(parser);
    if (node && is_parameter)
        node = keep(parser, node);
    if (!node || !take(parser, "I"))
        return node;
    return keep(parser, parse_template(parser, node));
}

static node_t *parse_type(struct parser *parser)
{
    node_t *node = NULL;
    if (++parser->depth > DEEPEST || parser->at >= parser->end) {
        parser->at = parser->end; /* nothing that is read from here on makes sense */
        parser->depth--;
        return NULL;
    }
    const char *word = builtin(parser);
    if (word)
        node = make_word(parser, word);
    else if (peek(parser) == 'T' || (peek(parser) == 'S' && parser->end - parser->at > 1 && parser->at[1] != 't'))
        node = parse_reference(parser);
    else
        node = keep(parser, parse_compound(parser));
    parser->depth--;
    return node;
}

/* ----------------------------------------------------------------------------------------------------- expressions */

/* Behind "f" "p": a parameter of the function. */
static node_t *parse_function_parameter(struct parser *parser)
{
    if (take(parser, "T"))
        return make_word(parser, "this");
    (void)qualifiers(parser);
    long number = parse_sequence(parser);
    struct stint_cxx_node node = {
        .kind = STINT_CXX_NUMBERED, .text = "parm", .length = 4, .number = (uint64_t)number + 1};
    return number < 0 ? NULL : make(parser, node);
}

static node_t *parse_simple_name(struct parser *parser)
{
    struct name name = {0};
    (void)take(parser, "on");
    node_t *node = parse_unqualified(parser, NULL, &name);
    return node && take(parser, "I") ? parse_template(parser, node) : node;
}

/* Behind "sr": a type, or names until "E", and a name in it. */
static node_t *parse_scoped(struct parser *parser)
{
    int has_type = !is_digit(peek(parser)), has_names = !has_type || take(parser, "N");
    node_t *node = has_type ? parse_type(parser) : parse_simple_name(parser);
    while (node && has_names && !take(parser, "E"))
        node = make_pair(parser, STINT_CXX_NESTED, node, parse_simple_name(parser));
    return make_pair(parser, STINT_CXX_NESTED, node, node ? parse_simple_name(parser) : NULL);
}

/* Until "E". Returns 0, or -1 on an error. */
static int parse_expressions(struct parser *parser, struct stint_array *items)
{
    while (!take(parser, "E"))
        if (parser->at == parser->end || add(parser, items, parse_expression(parser)))
            return -1;
    return 0;
}

static node_t *parse_call(struct parser *parser)
{
    struct stint_array items = {0};
    node_t *called = parse_expression(parser);
    if (!called || parse_expressions(parser, &items))
        return NULL;
    return with_items(parser, (struct stint_cxx_node){.kind = STINT_CXX_CALL, .first = called}, &items);
}

static node_t *parse_operation(struct parser *parser)
{
    const struct operation *found = parse_operator(parser);
    if (!found || !found->operands)
        return NULL;
    struct stint_cxx_node node = {.kind = STINT_CXX_UNARY, .text = found->text, .length = strlen(found->text)};
    struct stint_array third = {0};
    node.first = parse_expression(parser);
    if (!node.first || found->operands == 1)
        return node.first ? make(parser, node) : NULL;
    node.kind = found->operands == 2 ? STINT_CXX_BINARY : STINT_CXX_TERNARY;
    node.second = parse_expression(parser);
    if (!node.second || (found->operands == 3 && add(parser, &third, parse_expression(parser))))
        return NULL;
    return with_items(parser, node, &third);
}

/* Behind "cv": type and expression, or type "_" expressions "E". */
static node_t *parse_cast(struct parser *parser)
{
    struct stint_array items = {0};
    node_t *type = parse_type(parser);
    if (type && take(parser, "_"))
        return parse_expressions(parser, &items)
                   ? NULL
                   : make_pair(parser, STINT_CXX_CAST, type,
                               with_items(parser, (struct stint_cxx_node){.kind = STINT_CXX_PACK}, &items));
    return make_pair(parser, STINT_CXX_CAST, type, type ? parse_expression(parser) : NULL);
}

static node_t *parse_any_expression(struct parser *parser)
{
    if (take(parser, "L"))
        return parse_literal(parser);
    if (take(parser, "T"))
        return parse_parameter(parser);
    if (take(parser, "fp"))
        return parse_function_parameter(parser);
    if (take(parser, "sr"))
        return parse_scoped(parser);
    if (take(parser, "cl"))
        return parse_call(parser);
    if (take(parser, "cv"))
        return parse_cast(parser);
    if (take(parser, "st"))
        return make_around(parser, STINT_CXX_WRAPPED, parse_type(parser), "sizeof");
    if (take(parser, "sp"))
        return make_around(parser, STINT_CXX_EXPAND, parse_expression(parser), "");
    if (is_digit(peek(parser)) || (peek(parser) == 'o' && parser->end - parser->at > 1 && parser->at[1] == 'n'))
        return parse_simple_name(parser);
    return parse_operation(parser);
}

static node_t *parse_expression(struct parser *parser)
{
    node_t *node = ++parser->depth > DEEPEST ? NULL : parse_any_expression(parser);
    parser->depth--;
    return node;
}

/* ------------------------------------------------------------------------------------------------------- functions */

static node_t *parse_encoding(struct parser *parser)
{
    struct name name;
    struct stint_array types = {0};
    node_t *called, *result = NULL;
    called = ++parser->depth > DEEPEST ? NULL : parse_name(parser, &name);
    parser->depth--;
    if (!called || parser->at == parser->end || strchr("E.", *parser->at))
        return called;
    if (name.is_template && !name.has_no_return && !(result = parse_type(parser)))
        return NULL;
    if (parse_types(parser, &types))
        return NULL;
    struct stint_cxx_node node = {.kind = STINT_CXX_ENCODING,
                                  .first = result,
                                  .second = called,
                                  .text = name.suffix,
                                  .length = strlen(name.suffix)};
    return with_items(parser, node, &types);
}

const struct stint_cxx_node *stint_cxx_parse(struct stint_arena *arena, const char *mangled)
{
    size_t length = strlen(mangled);
    struct parser parser = {.at = mangled, .end = mangled + length, .arena = arena};
    if (length > LONGEST || !take(&parser, "_Z"))
        return NULL;
    const struct stint_cxx_node *node = parse_encoding(&parser);
    return parser.at == parser.end ? node : NULL;
}
