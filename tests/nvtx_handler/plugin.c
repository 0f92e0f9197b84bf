/* An image of its own, which initialises NVTX by itself. */
#include <nvtx3/nvToolsExt.h>

__attribute__((visibility("default"))) int plugin_push(void);
__attribute__((visibility("default"))) int plugin_pop(void);

int plugin_push(void)
{
    return nvtxRangePushA("of the plugin");
}

int plugin_pop(void)
{
    return nvtxRangePop();
}
