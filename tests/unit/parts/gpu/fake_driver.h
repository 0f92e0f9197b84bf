/* A driver of CUDA for tests: contexts, streams that come to what they were given when the test says so, events. It
 * fails the test where a driver would crash or misbehave: events of contexts that are gone, calls in the way of a
 * capture, calls without stint's mark. A stream may be used by one thread, whatever stint does on others. Link with
 * WRAP stint_driver_find. */
#ifndef STINT_TESTS_FAKE_DRIVER_H
#define STINT_TESTS_FAKE_DRIVER_H

#include <stdint.h>

#include "gpu/callback.h"

struct fake_context {
    unsigned long long id;
    int device;
    int primary;
    int dead;
    unsigned events; /* made in it */
};

struct fake_stream {
    struct fake_context *context;
    unsigned long long id;
    uint64_t ns;       /* when what is given to it now will happen */
    uint64_t given;    /* events recorded so far */
    uint64_t happened; /* of these */
    int capturing;
    unsigned asked; /* for its id */
};

struct fake_driver {
    int loaded;
    int fails_record;      /* the error of these calls from now on, 0: none */
    unsigned creates_left; /* before they fail */
    int fails_device;
    int fails_elapsed;
    int fails_capturing;
    int knows_ids; /* CUDA 12: cuCtxGetId, cuStreamGetId */
    int knows_modes;
    float ms; /* what elapsed says instead of the truth; 0: the truth */
    unsigned records;
    unsigned elapsed; /* calls of it */
    unsigned finds;
    int pushed;
};

extern struct fake_driver fake;

/* Test setup: everything as it is before a program uses CUDA, but that the driver is loaded. */
void fake_reset(void);

/* A context, new in every test, and current on this thread; a stream in it. */
struct fake_context *fake_context_new(int primary);
struct fake_stream *fake_stream_new(struct fake_context *context);

/* NULL: none. */
void fake_set_current(struct fake_context *context);
struct fake_context *fake_current(void);

/* Another context takes the place of this one, as after a reset of the device. */
void fake_context_renew(struct fake_context *context);

/* The device comes to all that the stream was given. */
void fake_finish(struct fake_stream *stream);

/* The calling thread's mode. */
int fake_mode(void);

#endif
