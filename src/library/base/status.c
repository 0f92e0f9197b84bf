#include <stddef.h>

#include "stint/status.h"

struct status_text {
    const char *name;
    const char *sentence;
};

static const struct status_text s_texts[] = {
    [STINT_OK] = {"STINT_OK", "success"},
    [STINT_ERROR_INVALID_ARGUMENT] = {"STINT_ERROR_INVALID_ARGUMENT", "an argument is NULL, empty or out of range"},
    [STINT_ERROR_NOT_FOUND] = {"STINT_ERROR_NOT_FOUND", "no set or statistic has that name"},
    [STINT_ERROR_NOT_STARTED] = {"STINT_ERROR_NOT_STARTED", "what is to be stopped is not running"},
    [STINT_ERROR_NO_MEMORY] = {"STINT_ERROR_NO_MEMORY", "there is not enough memory"},
    [STINT_ERROR_LIMIT] = {"STINT_ERROR_LIMIT", "a limit is reached; see LIMITS in stint(7)"},
    [STINT_ERROR_IO] = {"STINT_ERROR_IO", "a file could not be written"},
    [STINT_ERROR_BUSY] = {"STINT_ERROR_BUSY", "called from a signal handler that interrupted stint"},
    [STINT_ERROR_INCOMPLETE] = {"STINT_ERROR_INCOMPLETE", "a round of the barrier is not finished"},
    [STINT_ERROR_UNAVAILABLE] = {"STINT_ERROR_UNAVAILABLE", "there is no CUDA runtime, driver or CUPTI, or no device"},
    [STINT_ERROR_CUDA] =
        {"STINT_ERROR_CUDA",
         "a call to CUDA or CUPTI failed; stint_profiler_cuda_code() or stint_gpu_reason() says which"},
    [STINT_ERROR_TAKEN] = {"STINT_ERROR_TAKEN", "another profiler or debugger uses CUPTI in this process"},
    [STINT_ERROR_PERMISSION] = {"STINT_ERROR_PERMISSION",
                                "the driver allows only administrators to profile; see stint_gpu_reason()"},
};

static const struct status_text *text_of(enum stint_status status)
{
    static const struct status_text unknown = {"STINT_ERROR_UNKNOWN", "not a status of this version of stint"};
    size_t index = (size_t)status;

    return index < sizeof s_texts / sizeof s_texts[0] ? &s_texts[index] : &unknown;
}

const char *stint_status_name(enum stint_status status)
{
    return text_of(status)->name;
}

const char *stint_status_string(enum stint_status status)
{
    return text_of(status)->sentence;
}
