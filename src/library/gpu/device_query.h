/* What devices there are, from the driver and the system: CUPTI tells it only where it was started before the
 * driver. */
#ifndef STINT_GPU_DEVICE_QUERY_H
#define STINT_GPU_DEVICE_QUERY_H

/* Tells the ledger of all devices, once the driver has been started; nothing after the first time that worked. Not
 * under the ledger's lock, and not in a process that crashes. */
void stint_ask_for_devices(void);

/* Parses what the system says of a PCI link, "32.0 GT/s PCIe" and its width in lanes, to bytes per second in one
 * direction; 0 if it does not say. */
unsigned long long stint_ask_link_bytes_per_s(const char *speed, unsigned width);

#endif
