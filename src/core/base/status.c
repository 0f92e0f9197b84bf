/* Names and sentences for the status codes of the public functions. */
#include "stint/status.h"

/* Not a table, whose pointers would cost a relocation each. */
#define STATUSES(STATUS)                                                                                               \
    STATUS(OK, "success")                                                                                              \
    STATUS(ERROR_INVALID_ARGUMENT, "an argument is NULL, empty or out of range")                                       \
    STATUS(ERROR_NOT_FOUND, "no set or statistic has that name")                                                       \
    STATUS(ERROR_NOT_STARTED, "what is to be stopped is not running")                                                  \
    STATUS(ERROR_NO_MEMORY, "there is not enough memory")                                                              \
    STATUS(ERROR_LIMIT, "a limit is reached; see LIMITS in stint(7)")                                                  \
    STATUS(ERROR_IO, "a file could not be written")                                                                    \
    STATUS(ERROR_BUSY, "called from a signal handler that interrupted stint")                                          \
    STATUS(ERROR_INCOMPLETE, "a round of the barrier is not finished")                                                 \
    STATUS(ERROR_UNAVAILABLE, "there is no CUDA runtime, driver or CUPTI, or no device")                               \
    STATUS(ERROR_CUDA, "a call to CUDA or CUPTI failed; stint_profiler_cuda_code() or stint_gpu_reason() says which")  \
    STATUS(ERROR_TAKEN, "another profiler or debugger uses CUPTI in this process")                                     \
    STATUS(ERROR_PERMISSION, "the driver allows only administrators to profile; see stint_gpu_reason()")

#define NAME(id, sentence)                                                                                             \
    case STINT_##id:                                                                                                   \
        return "STINT_" #id;
#define SENTENCE(id, sentence)                                                                                         \
    case STINT_##id:                                                                                                   \
        return sentence;

const char *stint_status_name(enum stint_status status)
{
    switch (status) {
        STATUSES(NAME)
    }
    return "STINT_ERROR_UNKNOWN";
}

const char *stint_status_string(enum stint_status status)
{
    switch (status) {
        STATUSES(SENTENCE)
    }
    return "not a status of this version of stint";
}
