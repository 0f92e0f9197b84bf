/* What is known of devices: under the ledger's lock, but for asking. */
#ifndef STINT_GPU_DEVICES_H
#define STINT_GPU_DEVICES_H

#include <stddef.h>

#include "stint/gpu_stats.h"

/* Notes a device; members that are 0 or "" (or, for the name, NULL) leave what is already known. */
void stint_devices_note(const struct stint_gpu_device *said);

/* Returns the next device; NULL after the last. */
const struct stint_gpu_device *stint_devices_at(size_t position);

void stint_devices_forget(void);

/* Asks the driver and the system which devices there are: CUPTI tells this only if it was started before the driver. */

/* Tells the ledger about all devices once the driver has been started; does nothing after it has worked once. Not to be
 * called under the ledger's lock, or in a process that crashes. */
void stint_ask_for_devices(void);

/* Converts the system's description of a PCI link, "32.0 GT/s PCIe" and its width in lanes, to bytes per second in one
 * direction; 0 if the speed cannot be read. */
unsigned long long stint_ask_link_bytes_per_s(const char *speed, unsigned width);

#endif
