/* A program's side of NVTX, written by hand. Like NVTX's headers, it loads the tool that NVTX_INJECTION64_PATH names,
 * and calls the functions that the tool puts into its slots. Each program or library that nvtx_client.c is compiled
 * into has slots of its own. The only declarations of NVTX that it uses are those of nvtx/abi.h. */
#ifndef STINT_TESTS_INJECT_NVTX_CLIENT_H
#define STINT_TESTS_INJECT_NVTX_CLIENT_H

#include <stdint.h>

/* Returns whether there is a tool; without one, the other functions need not be called. */
int nvtx_load(void);

void nvtx_sync(void); /* of a module that stint does not handle */

int nvtx_push(const char *text); /* -2 without a tool, as in NVTX */
int nvtx_pop(void);
void nvtx_mark(const char *text);
uint64_t nvtx_begin(const char *text);
void nvtx_end(uint64_t range);

const void *nvtx_domain(const char *name);
const void *nvtx_text(const void *domain, const char *text);
int nvtx_push_in(const void *domain, const void *text);
int nvtx_pop_in(const void *domain);
uint64_t nvtx_begin_in(const void *domain, const void *text);
void nvtx_end_in(const void *domain, uint64_t range);
void nvtx_mark_in(const void *domain, const void *text);

#endif
