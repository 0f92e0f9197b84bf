/* Waiting for devices when the program ends without having done so. */
#ifndef STINT_GPU_WAIT_H
#define STINT_GPU_WAIT_H

#include <stdint.h>

/* Waits until the devices have done all work launched in the contexts that the runtime uses, or until `limit_ns` has
 * passed. Returns 0, or -1 if they have not finished: some programs leave kernels running that never end. A separate
 * thread does the waiting, and stays behind if they have not finished. */
int stint_wait_for_devices(uint64_t limit_ns);

/* Waits until another thread has set a flag: returns 0, or -1 if the limit has passed. May be called in a signal
 * handler. */
int stint_wait_for_flag(const int *flag, uint64_t limit_ns);

#endif
