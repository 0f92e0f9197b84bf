/* What libstint.so takes from libstint_module.so as GPU activity is asked for: what finds CUPTI. */
#include "model/cupti_library.h"

__attribute__((visibility("default"))) stint_module_cupti_fn stint_module_cupti;

const struct stint_cupti_finder *stint_module_cupti(uint64_t version)
{
    return version == STINT_MODULE_CUPTI_VERSION ? &stint_cupti_finder : NULL;
}
