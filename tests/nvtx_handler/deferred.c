/* Sends one event that carries times of its own, and nothing else. No statistic has it, but the report mentions it. */
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <stddef.h>
#include <stdint.h>

int main(void)
{
    uint64_t times[] = {1, 2};
    nvtxPayloadData_t data = {NVTX_PAYLOAD_ENTRY_TYPE_UINT64, sizeof times, times};
    nvtxInitialize(NULL);
    nvtxEventSubmit(NULL, &data, 1);
    return 0;
}
