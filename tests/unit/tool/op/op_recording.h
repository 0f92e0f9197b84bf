/* Recordings for tests, written event by event, and what becomes of them. */
#ifndef STINT_TESTS_OP_RECORDING_H
#define STINT_TESTS_OP_RECORDING_H

#include "op/op_sum.h"

extern struct stint_op_join op_join;
extern struct stint_op_rows op_rows;
extern struct stint_snapshot op_snapshot;

/* A range, and a call that launches what has the number `correlation`, of a thread. */
void op_range(int64_t tid, uint64_t start, uint64_t end, const char *text);
void op_call(int64_t tid, uint64_t at, uint64_t correlation);

/* A kernel on device 0. Returns its event. */
struct stint_event *op_kernel(uint64_t start, uint64_t ns, uint64_t correlation, const char *name);

/* What is known of the last event. */
struct stint_gpu_event *op_last_gpu(void);

/* Gives op_snapshot the context layer:x, and 1, aten::mm in it. */
void op_scopes(void);

/* Makes op_join and op_rows of all these events, which succeeds; or returns 0 or -1. */
void op_joined(void);
int op_join_again(void);

/* A forward pass of two layers and a loss, on a device like a V100, with nasty names, and op_joined: kernels of 3200,
 * 800, 700, 1300, 100 and 30 ns. */
void op_example(void);

/* Return the name of a row's operation, and of its layer; "" if there is none. */
const char *op_name_of(size_t row);
const char *op_layer_of(size_t row);

/* Forgets all of them; as a teardown, and otherwise with NULL. */
int op_forget(void **state);

#endif
