/* What is known of devices. Under the ledger's lock. */
#ifndef STINT_GPU_DEVICES_H
#define STINT_GPU_DEVICES_H

#include <stddef.h>

#include "stint/gpu_stats.h"

/* Notes a device; members that are 0 or "" (or, for the name, NULL) leave what is already known. */
void stint_devices_note(const struct stint_gpu_device *said);

/* Returns the next device; NULL after the last. */
const struct stint_gpu_device *stint_devices_at(size_t position);

void stint_devices_forget(void);

#endif
