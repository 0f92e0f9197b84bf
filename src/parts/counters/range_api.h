/* CUPTI's functions for hardware counters, looked up in the CUPTI that is open. */
#ifndef STINT_COUNTERS_RANGE_API_H
#define STINT_COUNTERS_RANGE_API_H

#include "counters/range_abi.h"

enum stint_range_function {
    STINT_RANGE_INITIALIZE,
    STINT_RANGE_SUPPORTED,
    STINT_RANGE_CHIP,
    STINT_RANGE_HOST_INITIALIZE,
    STINT_RANGE_HOST_END,
    STINT_RANGE_BASE_METRICS,
    STINT_RANGE_PROPERTIES,
    STINT_RANGE_ADD_METRICS,
    STINT_RANGE_IMAGE_SIZE,
    STINT_RANGE_IMAGE,
    STINT_RANGE_PASSES,
    STINT_RANGE_EVALUATE,
    STINT_RANGE_ENABLE,
    STINT_RANGE_DISABLE,
    STINT_RANGE_START,
    STINT_RANGE_PUSH,
    STINT_RANGE_POP,
    STINT_RANGE_STOP,
    STINT_RANGE_DATA_SIZE,
    STINT_RANGE_DATA_INITIALIZE,
    STINT_RANGE_DATA_INFO,
    STINT_RANGE_CONFIG,
    STINT_RANGE_DECODE,
    STINT_RANGE_FUNCTIONS
};

struct stint_range_api {
    int (*functions[STINT_RANGE_FUNCTIONS])(void *parameters);
    int (*result_string)(int result, const char **string);
    int result; /* of the last call */
    enum stint_range_function last_call;
};

/* Looks the functions up. Returns NULL, or the name of one that this CUPTI, which is then older than 12.6, lacks. */
const char *stint_range_open(struct stint_range_api *api, void *cupti);

/* Calls a function with its structure, whose size has been set. Returns 0, or -1 if it failed. */
int stint_range_call(struct stint_range_api *api, enum stint_range_function function, void *parameters);

/* Says which function failed, and what that means. */
void stint_range_explain(const struct stint_range_api *api, char *text, size_t size);

/* Functions of the CUDA driver that the program has loaded. */

/* Writes the function's address into a pointer to such functions, or NULL if there is none. */
void stint_driver_function(const char *name, void *pointer);

#endif
