/* Finds and calls __cxa_demangle on a stack of its own; takes off what compilers put around the names of kernels. */
#include "cxxabi/cxxabi.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

/* libstdc++ needs about 70 bytes of stack for each byte of the name. */
enum { LONGEST = 8191, STACK_SIZE = 1 << 20, GUARD_SIZE = 1 << 16 };

extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *size, int *status) __attribute__((weak));

stint_cxxabi_fn *stint_cxxabi(void)
{
    return __cxa_demangle;
}

stint_cxxabi_fn *stint_cxxabi_loaded(void)
{
    static const char names[][16] = {"libstdc++.so.6", "libc++abi.so.1", "libc++.so.1"};
    stint_cxxabi_fn *demangle = __cxa_demangle;
    for (size_t i = 0; !demangle && i < sizeof names / sizeof names[0]; i++) {
        void *library = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD); /* not closed: it must stay */
        void *address = library ? dlsym(library, "__cxa_demangle") : NULL;
        memcpy(&demangle, &address, sizeof demangle); /* ISO C has no cast to a function */
    }
    return demangle;
}

static struct {
    void *stack; /* NULL: not mapped yet */
    ucontext_t caller;
    ucontext_t context;
    stint_cxxabi_fn *demangle;
    const char *mangled;
    char *result;
} s_side;

static void run(void)
{
    int status = 0;
    s_side.result = s_side.demangle(s_side.mangled, NULL, NULL, &status);
}

static int map_stack(void)
{
    if (s_side.stack)
        return 0;
    char *memory = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return -1;
    mprotect(memory, GUARD_SIZE, PROT_NONE);
    s_side.stack = memory;
    return 0;
}

char *stint_cxxabi_demangle(stint_cxxabi_fn *demangle, const char *mangled)
{
    if (strlen(mangled) > LONGEST || map_stack() || getcontext(&s_side.context))
        return NULL;
    s_side.context.uc_stack.ss_sp = s_side.stack;
    s_side.context.uc_stack.ss_size = STACK_SIZE;
    s_side.context.uc_link = &s_side.caller;
    s_side.demangle = demangle;
    s_side.mangled = mangled;
    s_side.result = NULL;
    makecontext(&s_side.context, run, 0);
    swapcontext(&s_side.caller, &s_side.context);
    return s_side.result;
}

char *stint_cxxabi_kernel(stint_cxxabi_fn *demangle, const char *name)
{
    const char *own = stint_static_kernel(name);
    char *text = demangle && stint_is_mangled(own) ? stint_cxxabi_demangle(demangle, own) : NULL;
    if (text)
        stint_drop_numba_tags(text);
    return text;
}

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
