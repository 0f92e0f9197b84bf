/* Two functions for Python's ctypes. */
#include <nvtx3/nvToolsExt.h>

void range_push(const char *name);
void range_pop(void);

__attribute__((visibility("default"))) void range_push(const char *name)
{
    nvtxRangePushA(name);
}

__attribute__((visibility("default"))) void range_pop(void)
{
    nvtxRangePop();
}
