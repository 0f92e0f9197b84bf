#include "op/kernel_name.h"

#include <string.h>

#include "import/cxx_name.h"

/* Removes each of them wherever it is. */
static void drop(char *name, const char *word)
{
    size_t length = strlen(word);
    for (char *at = name; (at = strstr(at, word));)
        memmove(at, at + length, strlen(at + length) + 1);
}

/* "void at::native::(anonymous namespace)::f<4>(int)" is f. What is cut off may have these words, too. */
const char *stint_op_kernel_name(struct stint_arena *arena, const char *name)
{
    static const char *const words[] = {"void ", "at::", "cuda::", "native::", "(anonymous namespace)::"};
    const char *text = stint_kernel_text(arena, name);
    char *copy = text ? stint_arena_copy(arena, text, strcspn(text, "<")) : NULL;
    if (!copy)
        return NULL;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        drop(copy, words[i]);
    copy[strcspn(copy, "(")] = '\0';
    return copy;
}
