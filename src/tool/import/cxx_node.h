/* A mangled name as a tree, from the parser (cxx_parse.c) to the printer (cxx_print.c). Parts may be shared. */
#ifndef STINT_IMPORT_CXX_NODE_H
#define STINT_IMPORT_CXX_NODE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum stint_cxx_kind {
    STINT_CXX_TEXT,     /* text */
    STINT_CXX_TAGGED,   /* first[abi:text] */
    STINT_CXX_NESTED,   /* first::second */
    STINT_CXX_LOCAL,    /* first::second, where first is a function, without its type of return */
    STINT_CXX_TEMPLATE, /* first<items> */
    STINT_CXX_PACK,     /* items */
    STINT_CXX_PARAM,    /* argument `number` of the template whose instance is being printed */
    STINT_CXX_EXPAND,   /* first, once for each item of the packs in it */
    STINT_CXX_SUFFIX,   /* first text: a qualifier, "const" */
    STINT_CXX_POINTER,  /* first text: "*" */
    STINT_CXX_LVALUE,   /* first& */
    STINT_CXX_RVALUE,   /* first&& */
    STINT_CXX_MEMBER,   /* second first::* */
    STINT_CXX_ARRAY,    /* first [second], or of no known size */
    STINT_CXX_VECTOR,   /* first __vector(second) */
    STINT_CXX_FUNCTION, /* a type: first (items) text; first may be NULL */
    STINT_CXX_ENCODING, /* a function: first second(items) text; first may be NULL */
    STINT_CXX_LAMBDA,   /* {lambda(items)#number} */
    STINT_CXX_NUMBERED, /* {text#number} */
    STINT_CXX_PREFIXED, /* text first: "~" and a name */
    STINT_CXX_CONVERT,  /* operator first */
    STINT_CXX_LITERAL,  /* text, of the type first */
    STINT_CXX_DECLTYPE, /* decltype (first) */
    STINT_CXX_UNARY,    /* text first */
    STINT_CXX_BINARY,   /* first text second */
    STINT_CXX_TERNARY,  /* first ? second : items[0] */
    STINT_CXX_CAST,     /* (first)second */
    STINT_CXX_CALL,     /* first(items) */
    STINT_CXX_WRAPPED   /* text (first) */
};

struct stint_cxx_node {
    enum stint_cxx_kind kind;
    const struct stint_cxx_node *first, *second;
    const char *text;
    size_t length; /* of text */
    const struct stint_cxx_node *const *items;
    size_t count;
    uint64_t number;
};

/* Returns the tree, or NULL. */
const struct stint_cxx_node *stint_cxx_parse(struct stint_arena *arena, const char *mangled);

/* Returns the text, or NULL if it is too long or there is no memory. */
const char *stint_cxx_print(struct stint_arena *arena, const struct stint_cxx_node *node);

#endif
