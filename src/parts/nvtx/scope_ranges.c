/* Reads STINT_NVTX at the start, and joins scopes to the tool that it asks for. */
#include "nvtx/scope_ranges.h"

#include <stddef.h>

#include "base/env.h"
#include "base/log.h"
#include "nvtx/outgoing.h"
#include "record/scope.h"

void stint_ranges_start(void)
{
    enum { AUTO, ON, OFF };
    static const struct stint_listener listener = {stint_nvtx_push, stint_nvtx_pop};
    size_t choice = stint_env_choice("STINT_NVTX", "auto|on|off", AUTO);

    if (choice == OFF)
        return;
    enum stint_nvtx nvtx = stint_nvtx_start(choice == ON);
    if (choice == ON && nvtx == STINT_NVTX_NO_MEMORY)
        STINT_LOG(STINT_LOG_WARNING, "STINT_NVTX=on, but there is no memory: scopes are not passed on as ranges");
    else if (choice == ON || nvtx == STINT_NVTX_ATTACHED)
        stint_scope_listen(&listener);
}
