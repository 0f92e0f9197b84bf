/* Reads names and parameters of calls as CUPTI's callbacks give them. */
#include "gpu/told_call.h"

#include <string.h>

#include "gpu/driver.h"

int stint_told_is(const char *name, const char *call)
{
    size_t length = strlen(call);
    if (strncmp(name, call, length) != 0)
        return 0;
    name += length;
    if (strncmp(name, "_ptsz", 5) == 0)
        name += 5;
    return *name == '\0' || (strncmp(call, "cuda", 4) == 0 && strncmp(name, "_v", 2) == 0) || strcmp(name, "_v2") == 0;
}

uint64_t stint_told_word(const void *parameters, size_t number)
{
    uint64_t word;
    memcpy(&word, (const char *)parameters + number * sizeof word, sizeof word);
    return word;
}

uint32_t stint_told_device(void)
{
    const struct stint_driver *driver = stint_driver_find();
    int device = 0;
    stint_driver_own++;
    if (!driver || driver->device(&device) || device < 0)
        device = 0;
    stint_driver_own--;
    return (uint32_t)device;
}
