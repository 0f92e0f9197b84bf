/* The scopes around a launch. */
#ifndef STINT_COUNTERS_SCOPE_PATH_H
#define STINT_COUNTERS_SCOPE_PATH_H

#include <stddef.h>
#include <stdint.h>

/* As in struct stint_counting_host. */
typedef const char *stint_scope_name_fn(uint32_t path, uint32_t *parent);

/* Writes "outer/inner". Returns its length, 0 outside of scopes. */
size_t stint_scope_path(char *out, size_t size, stint_scope_name_fn *scope, uint32_t path);

/* Whether the patterns choose one of the scopes; without patterns all are chosen. */
int stint_scope_is_among(const char *patterns, stint_scope_name_fn *scope, uint32_t path);

#endif
