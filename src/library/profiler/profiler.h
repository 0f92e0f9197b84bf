/* Activations of the GPU profiler: the functions of profiler.h, for whom the library has been started. profiler.c does
 * it; off.c, in a library configured without, does not. */
#ifndef STINT_PROFILER_PROFILER_H
#define STINT_PROFILER_PROFILER_H

#include "record/hold.h"
#include "stint/profiler.h"

/* Who begins an activation, for the log. */
struct stint_activation {
    const char *file;
    int line;
    const char *name;
    const char *arguments; /* a macro's, as text, that hold the info; NULL: `info` is it */
    const char *info;
};

/* Begins and ends an activation. Only STINT_ERROR_BUSY means that it does not count; see stint_profiler_start. */
enum stint_status stint_activation_begin(const struct stint_activation *activation);
enum stint_status stint_activation_end(void);
enum stint_status stint_activation_step(void);

void stint_activation_set_window(uint64_t first, uint64_t count);

struct stint_window;

enum { STINT_HOLD_ITERATION = STINT_HOLD_OTHERS }; /* outside of the iterations that STINT_WINDOW gives */

/* Has recording be held back in all other iterations (record/hold.h), and outside of activations. At start, once. */
void stint_activation_record_window(const struct stint_window *window);

/* Of the last transition. */
enum stint_status stint_activation_status(void);
int stint_activation_cuda_code(void);

/* Returns what follows the first comma that separates arguments in the text of a macro's arguments; "" if there is
 * none. */
const char *stint_activation_info(const char *arguments);

#endif
