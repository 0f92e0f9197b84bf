/* What is sampled of GPUs, each with its unit: the fields of values in the set STINT_SYSTEM_SET. */
#ifndef STINT_MODEL_SYSTEM_WORDS_H
#define STINT_MODEL_SYSTEM_WORDS_H

/* ROW(constant, name): in the order of strcmp, which is that of a snapshot. */
#define STINT_SYSTEM_ROWS(ROW)                                                                                         \
    ROW(BUSY, "GPU busy (%)")                                                                                          \
    ROW(LINK_RECEIVED, "NVLink received (MB/s)")                                                                       \
    ROW(LINK_SENT, "NVLink sent (MB/s)")                                                                               \
    ROW(PCIE_RECEIVED, "PCIe received (MB/s)")                                                                         \
    ROW(PCIE_SENT, "PCIe sent (MB/s)")                                                                                 \
    ROW(CLOCK, "SM clock (MHz)")                                                                                       \
    ROW(FAN, "fan (%)")                                                                                                \
    ROW(MEMORY_BUSY, "memory busy (%)")                                                                                \
    ROW(MEMORY_CLOCK, "memory clock (MHz)")                                                                            \
    ROW(MEMORY, "memory used (MiB)")                                                                                   \
    ROW(POWER, "power (W)")                                                                                            \
    ROW(SLOWED_BY_HARDWARE, "slowed by hardware (%)")                                                                  \
    ROW(SLOWED_BY_HEAT, "slowed by heat (%)")                                                                          \
    ROW(SLOWED_BY_POWER, "slowed by power cap (%)")                                                                    \
    ROW(TEMPERATURE, "temperature (C)")

#define STINT_SYSTEM_ENUMERATOR(constant, name) STINT_SYSTEM_##constant,
#define STINT_SYSTEM_NAME(constant, name) [STINT_SYSTEM_##constant] = name,

enum stint_system_metric { STINT_SYSTEM_ROWS(STINT_SYSTEM_ENUMERATOR) STINT_SYSTEM_METRICS };

#endif
