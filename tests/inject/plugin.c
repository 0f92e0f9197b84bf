/* A library that was built with stint and also uses NVTX. */
#include "inject/nvtx_client.h"
#include "stint/stint.h"

__attribute__((visibility("default"))) void plugin_run(void);

void plugin_run(void)
{
    STINT_SCOPE("plugin's scope");

    (void)nvtx_push("plugin's range");
    (void)nvtx_pop();
}
