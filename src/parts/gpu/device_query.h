/* Asks the driver and the system which devices there are: CUPTI tells this only if it was started before the driver. */
#ifndef STINT_GPU_DEVICE_QUERY_H
#define STINT_GPU_DEVICE_QUERY_H

/* Tells the ledger about all devices once the driver has been started; does nothing after it has worked once. Not to be
 * called under the ledger's lock, or in a process that crashes. */
void stint_ask_for_devices(void);

/* Converts the system's description of a PCI link, "32.0 GT/s PCIe" and its width in lanes, to bytes per second in one
 * direction; 0 if the speed cannot be read. */
unsigned long long stint_ask_link_bytes_per_s(const char *speed, unsigned width);

#endif
