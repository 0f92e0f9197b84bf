#include "cpu/cpu_names.h"

static size_t find(void *symbols, const struct stint_sample_module *module, uint64_t address,
                   struct stint_function_name *found, size_t most)
{
    enum { INLINED_MOST = 64 };
    struct stint_symbol names[INLINED_MOST];
    size_t count = stint_symbols_find(symbols, module, address, names, most < INLINED_MOST ? most : INLINED_MOST);
    for (size_t i = 0; i < count; i++)
        found[i] = (struct stint_function_name){names[i].function, names[i].file, (uint32_t)names[i].line};
    return count;
}

struct stint_function_names stint_cpu_names(struct stint_symbols *symbols)
{
    return (struct stint_function_names){symbols ? find : NULL, symbols};
}
