/* Recordings made of any bytes, for targets that read them. */
#ifndef STINT_TESTS_FUZZ_RECORDING_H
#define STINT_TESTS_FUZZ_RECORDING_H

#include <stddef.h>
#include <stdint.h>

/* Makes a recording whose packets are these bytes, and returns its folder, which is the same each time and is removed
 * when the program ends. The second makes each packet's sum and number right, so that damage gets past these checks. */
const char *recording_write(const uint8_t *data, size_t size);
const char *recording_write_repaired(const uint8_t *data, size_t size);

#endif
