/* One row for each device, filled from several sources, none of which knows everything: a later one adds what earlier
 * ones did not say. */
#include "gpu/devices.h"

#include <stdio.h>

#include "record/registry.h"

enum { DEVICES = 256, NAME_SIZE = 128 };

static struct {
    struct stint_gpu_device devices[DEVICES];
    char names[DEVICES][NAME_SIZE];
    size_t count;
} s_devices;

static struct stint_gpu_device *device_of(uint32_t id)
{
    struct stint_gpu_device *device = s_devices.devices;

    for (; device < s_devices.devices + s_devices.count; device++)
        if (device->id == id)
            return device;
    if (s_devices.count == DEVICES)
        return NULL;
    device->id = id;
    device->name = s_devices.names[s_devices.count++];
    return device;
}

static void take(uint32_t *known, uint32_t said)
{
    if (said)
        *known = said;
}

static void take64(uint64_t *known, uint64_t said)
{
    if (said)
        *known = said;
}

void stint_devices_note(const struct stint_gpu_device *said)
{
    struct stint_gpu_device *device = device_of(said->id);

    if (!device) {
        stint_count_dropped(&stint_dropped.gpu_activities);
        return;
    }
    if (said->name && said->name[0])
        snprintf(s_devices.names[device - s_devices.devices], NAME_SIZE, "%s", said->name);
    take(&device->compute_major, said->compute_major);
    if (said->compute_major)
        device->compute_minor = said->compute_minor; /* may be 0 */
    take(&device->multiprocessors, said->multiprocessors);
    take(&device->core_clock_khz, said->core_clock_khz);
    take64(&device->memory_bytes, said->memory_bytes);
    take64(&device->memory_bytes_per_s, said->memory_bytes_per_s);
    take64(&device->link_bytes_per_s, said->link_bytes_per_s);
}

const struct stint_gpu_device *stint_devices_at(size_t position)
{
    return position < s_devices.count ? &s_devices.devices[position] : NULL;
}

void stint_devices_forget(void)
{
    for (size_t i = 0; i < s_devices.count; i++) {
        s_devices.devices[i] = (struct stint_gpu_device){0};
        s_devices.names[i][0] = '\0';
    }
    s_devices.count = 0;
}
