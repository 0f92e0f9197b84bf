/* A program that uses NVTX, as a tool sees it: a table of slots that stint fills in, called as NVTX's macros would. It
 * needs none of NVTX's headers; what it knows of NVTX is nvtx/abi.h, which abi_check.c compares with them.
 *
 * With the recorder's fixture: the clock is the test's own (record/fixture.h), every test begins with nothing open. */
#ifndef STINT_TESTS_NVTX_CLIENT_H
#define STINT_TESTS_NVTX_CLIENT_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "nvtx/abi.h"
#include "stint/nvtx_stats.h"
#include "stint/statset.h"

/* Group setup and test setup: the recorder's, and the client attached. */
int client_start(void **state);
int client_reset(void **state);

/* Forgets what is open on the calling thread. */
void client_forget(void);

/* The export table, of a client whose core modules have `callbacks` callbacks each, at most. */
const void *client_table(uint32_t table);
void client_limit(unsigned callbacks);

/* Returns what is in a slot; NULL: stint left it alone. */
stint_nvtx_any_fn *client_slot(int module, unsigned callback);

/* Empties all slots. */
void client_clear(void);

/* The version that stint said it is for. */
extern uint32_t client_version;

/* An extension's module, empty. */
struct stint_nvtx_module *client_module(uint16_t id, uint16_t compatibility);
intptr_t client_extension_slot(uint16_t id, unsigned callback);

/* ------------------------------------------------------------------------------------------------------------ calls */

typedef const void *nvtx_handle; /* of a domain, a string, a resource; NULL is the default domain */

struct stint_nvtx_attributes text(const char *text);
struct stint_nvtx_attributes wide(const wchar_t *text);
struct stint_nvtx_attributes registered(nvtx_handle string);

nvtx_handle create(const char *name);
nvtx_handle register_text(nvtx_handle domain, const char *text);

int push_in(nvtx_handle domain, const char *text);
int push(const char *text);
int push_registered(nvtx_handle domain, nvtx_handle string);
int push_attributes(nvtx_handle domain, const struct stint_nvtx_attributes *attributes);
int pop_in(nvtx_handle domain);
int pop(void);

uint64_t start(const char *text);
uint64_t start_in(nvtx_handle domain, const char *text);
void end(uint64_t range);

void mark(const char *text);
void mark_in(nvtx_handle domain, const char *text);

/* Pushes, lets `ns` pass, and pops. */
void range(const char *text, uint64_t ns);

/* Calls the function in a slot: call(STINT_NVTX_CORE, STINT_NVTX_MARK_A, void, (const char *), ("text")). */
#define call(module, callback, result, parameters, arguments)                                                          \
    (((result(*) parameters)client_slot((module), (callback)))arguments)
#define call_extension(module, callback, result, parameters, arguments)                                                \
    (((result(*) parameters)client_extension_slot((module), (callback)))arguments)

/* ---------------------------------------------------------------------------------------------------------- results */

/* Takes a snapshot, and returns the numbers of the statistic, without bins; zero if there is none. */
struct stint_numbers of(const char *set, const char *name);

/* Fails unless the statistic has that many samples, none of them recursive, of that total. */
void check_range(const char *set, const char *name, uint64_t count, uint64_t total);

/* Fails unless the self times of everything add up to the time since then, in flat rows and in contexts: no moment is
 * charged twice or to nobody. */
void check_self_times(uint64_t began);

/* Returns the row of (set, name, field); of count 0 if there is none. */
struct stint_nvtx_value value_of(const char *set, const char *name, const char *field);

#endif
