/* Environment variables, read once at start. An invalid value is reported in one log line and replaced by the
 * default. */
#ifndef STINT_BASE_ENV_H
#define STINT_BASE_ENV_H

#include <stddef.h>
#include <stdint.h>

/* Returns the variable's text, or NULL if it is unset or empty, or the program runs with raised privileges. */
const char *stint_env_text(const char *name);

/* Returns 1 for on, 1, true and yes; 0 for off, 0, false and no. */
int stint_env_switch(const char *name, int otherwise);

/* Returns a decimal number from `least` to `most`. */
uint64_t stint_env_number(const char *name, uint64_t otherwise, uint64_t least, uint64_t most);

/* Expects one of the words, "auto|on|off", and returns its position. */
size_t stint_env_choice(const char *name, const char *words, size_t otherwise);

#endif
