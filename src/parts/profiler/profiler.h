/* Activations of the GPU profiler: what the functions of profiler.h do after starting the library. profiler.c
 * implements them; off.c, in a library configured without the profiler, does nothing. */
#ifndef STINT_PROFILER_PROFILER_H
#define STINT_PROFILER_PROFILER_H

#include <stdint.h>

#include "record/suspend.h"
#include "stint/detail/profiler.h"
#include "stint/profiler.h"

/* The call that begins an activation, for the log. */
struct stint_activation {
    const char *file;
    int line;
    const char *name;
    const char *arguments; /* a macro's, as text, which contain the info; NULL: see `info` */
    const char *info;
};

/* Begins and ends an activation. Only STINT_ERROR_BUSY means that it does not count; see stint_profiler_start. */
enum stint_status stint_activation_begin(const struct stint_activation *activation);
enum stint_status stint_activation_end(void);
enum stint_status stint_activation_step(void);

void stint_activation_set_window(uint64_t first, uint64_t count);

struct stint_window;

/* Holds recording back in all iterations outside of the window (record/suspend.h), and outside of activations. To be
 * called once, at start. */
void stint_activation_record_window(const struct stint_window *window);

/* Returns the status of the last transition. */
enum stint_status stint_activation_status(void);
int stint_activation_cuda_code(void);

/* Returns what follows the first comma that separates arguments in the text of a macro's arguments; "" if there is
 * none. */
const char *stint_activation_info(const char *arguments);

/* The window of iterations that are profiled. */

struct stint_window {
    uint64_t first; /* how many iterations warm up before the window */
    uint64_t count; /* 0: to the end */
};

/* Returns whether the iteration, counted from 0, is in the window. */
int stint_window_has(const struct stint_window *window, uint64_t iteration);

/* Reads "first" or "first:count", decimal. Returns 0, or -1 for anything else; `window` is then unchanged. */
int stint_window_parse(struct stint_window *window, const char *text);

/* ----------------------------------------------------------------------------------------------------------- cuda.c */

/* The program's own CUDA: looked up, never linked, loaded or closed. */

/* Codes that mean that there is no driver or no device, rather than a failure. cudaError_t and CUresult have the same
 * values for them. */
enum { STINT_CUDA_STUB_LIBRARY = 34, STINT_CUDA_INSUFFICIENT_DRIVER = 35, STINT_CUDA_NO_DEVICE = 100 };

/* Fills in the functions to call now; `peek` and `clear` are NULL where errors are not remembered. Returns 0, or -1 if
 * the program has no CUDA loaded. The result must not be kept, because what was loaded may be unloaded. */
int stint_cuda_find(struct stint_i_cuda_runtime *runtime);

#endif
