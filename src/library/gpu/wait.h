/* Waiting for devices, when the program ends without having done so. */
#ifndef STINT_GPU_WAIT_H
#define STINT_GPU_WAIT_H

#include <stdint.h>

/* Waits until the devices have done all that was launched, in the contexts that the runtime uses, or until `limit_ns`
 * has passed. Returns 0; -1 if they have not: some programs leave kernels behind that never end. The waiting is done by
 * a thread of its own, which then stays behind, too. */
int stint_wait_for_devices(uint64_t limit_ns);

/* Waits until another thread has set a flag, or the limit has passed: 0 or -1. Also in a signal handler. */
int stint_wait_for_flag(const int *flag, uint64_t limit_ns);

#endif
