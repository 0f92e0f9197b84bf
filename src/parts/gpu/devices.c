/* One row for each device, filled from several sources, none of which knows everything: a later one adds what earlier
 * ones did not say. One of them is the driver, which is asked for the properties of its devices, and the system, for
 * the speed of their PCI links: only functions that the program has loaded already are called, and only after it has
 * started the driver itself. */
#include "gpu/callback.h"

#include <ctype.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/activity_table.h"
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

/* CUdevice_attribute */
enum { CLOCK_KHZ = 13, MULTIPROCESSORS = 16, MEMORY_CLOCK_KHZ = 36, MEMORY_BUS_BITS = 37, MAJOR = 75, MINOR = 76 };

enum { TEXT_SIZE = 128, BUS_ID_SIZE = 64 };

struct functions {
    int (*count)(int *count);
    int (*name)(char *name, int size, int device);
    int (*total)(size_t *bytes, int device);
    int (*attribute)(int *value, int attribute, int device);
    int (*bus_id)(char *id, int size, int device);
};

static int find(struct functions *functions)
{
    static const char names[][21] = {"cuDeviceGetCount", "cuDeviceGetName", "cuDeviceTotalMem_v2",
                                     "cuDeviceGetAttribute", "cuDeviceGetPCIBusId"};
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD); /* never closed, as in gpu/driver.c */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *function = driver ? dlsym(driver, names[i]) : NULL;
        if (!function)
            return -1;
        memcpy((char *)functions + i * sizeof function, &function, sizeof function); /* ISO C has no such conversion */
    }
    return 0;
}

static uint32_t number(const struct functions *functions, int attribute, int device)
{
    int value = 0;
    return functions->attribute(&value, attribute, device) || value < 0 ? 0 : (uint32_t)value;
}

/* ------------------------------------------------------------------------------------------------------------- link */

/* Reads a line of a file in which the system describes the device; "" if there is none. */
static void read_fact(char *out, size_t size, const char *bus_id, const char *fact)
{
    char path[TEXT_SIZE + BUS_ID_SIZE];
    out[0] = '\0';
    snprintf(path, sizeof path, "/sys/bus/pci/devices/%.*s/%s", BUS_ID_SIZE, bus_id, fact);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    ssize_t length = read(file, out, size - 1);
    out[length > 0 ? length : 0] = '\0';
    (void)close(file);
}

/* Each transfer carries one bit per lane. The rate determines how many of the bits are data: PCI Express sends 8 of 10
 * at 2.5 and 5 GT/s (PCI Express Base Specification 2.0, 4.2.1), 128 of 130 from 8 GT/s on (3.0, 4.2.2), and 242 of 256
 * bytes at 64 GT/s (6.0, flit mode: 236 of data, 6 of the data link layer). Packet headers reduce this further, but
 * depend on the sizes of packets. */
static uint64_t link_bytes_per_s(uint64_t megatransfers_per_s, unsigned lanes)
{
    uint64_t bits = megatransfers_per_s * 1000000 * lanes;
    if (megatransfers_per_s <= 5000)
        return bits / 10 * 8 / 8;
    if (megatransfers_per_s < 64000)
        return bits / 130 * 128 / 8;
    return bits / 256 * 242 / 8;
}

unsigned long long stint_ask_link_bytes_per_s(const char *speed, unsigned width)
{
    char *end;
    double transfers = strtod(speed, &end);
    if (end == speed || strncmp(end, " GT/s", 5) != 0 || !(transfers >= 1) || transfers > 1000 || width > 64)
        return 0;
    return link_bytes_per_s((uint64_t)(transfers * 1000), width);
}

/* The driver writes the id in upper case, the system in lower case. */
static uint64_t link_of(const struct functions *functions, int device)
{
    char id[BUS_ID_SIZE] = "", speed[TEXT_SIZE], width[TEXT_SIZE];
    if (functions->bus_id(id, sizeof id, device))
        return 0;
    for (char *at = id; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    read_fact(speed, sizeof speed, id, "max_link_speed");
    read_fact(width, sizeof width, id, "max_link_width");
    return stint_ask_link_bytes_per_s(speed, (unsigned)strtoul(width, NULL, 10));
}

/* ---------------------------------------------------------------------------------------------------------- devices */

static void tell(const struct functions *functions, int device)
{
    char name[TEXT_SIZE] = "";
    size_t bytes = 0;
    uint64_t memory_hz = UINT64_C(1000) * number(functions, MEMORY_CLOCK_KHZ, device);
    struct stint_gpu_device fact = {
        .id = (uint32_t)device,
        .name = name,
        .compute_major = number(functions, MAJOR, device),
        .compute_minor = number(functions, MINOR, device),
        .multiprocessors = number(functions, MULTIPROCESSORS, device),
        .core_clock_khz = number(functions, CLOCK_KHZ, device),
        .memory_bytes_per_s = 2 * memory_hz * (number(functions, MEMORY_BUS_BITS, device) / 8), /* at both edges */
        .link_bytes_per_s = link_of(functions, device),
    };
    if (functions->name(name, sizeof name, device))
        name[0] = '\0';
    if (!functions->total(&bytes, device))
        fact.memory_bytes = bytes;
    stint_ledger_lock();
    stint_ledger_device(&fact);
    stint_ledger_unlock();
}

void stint_ask_for_devices(void)
{
    static int s_answered;
    struct functions functions;
    int count = 0;
    if (__atomic_load_n(&s_answered, __ATOMIC_RELAXED) || find(&functions))
        return;
    stint_driver_own++;
    if (!functions.count(&count) && count > 0) { /* otherwise the driver has not been started */
        for (int device = 0; device < count; device++)
            tell(&functions, device);
        __atomic_store_n(&s_answered, 1, __ATOMIC_RELAXED);
    }
    stint_driver_own--;
}
