/* What compilers put around the names of kernels. */
#include "cxxabi/cxxabi.h"

#include <stdlib.h>
#include <string.h>

const char *stint_static_kernel(const char *name)
{
    static const char prefix[] = "__nv_static_";
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return name;
    char *rest;
    unsigned long length = strtoul(name + sizeof prefix - 1, &rest, 10);
    if (*rest != '_' || length >= strlen(rest + 1) || rest[1 + length] != '_' || rest[2 + length] == '\0')
        return name;
    return rest + 2 + length;
}

/* Returns the length of the Numba tag at the beginning of the text, or 0 if there is none. */
static size_t numba_tag(const char *text)
{
    size_t length = strcspn(text, "]");
    if (text[length] == '\0')
        return 0;
    if (strncmp(text, "[abi:v", 6) == 0 && strspn(text + 6, "0123456789") == length - 6)
        return length + 1;
    return strncmp(text, "[abi:cw", 7) == 0 ? length + 1 : 0;
}

void stint_drop_numba_tags(char *name)
{
    char *out = name;
    while (*name != '\0') {
        size_t tag = *name == '[' ? numba_tag(name) : 0;
        if (tag == 0)
            *out++ = *name++;
        name += tag;
    }
    *out = '\0';
}
