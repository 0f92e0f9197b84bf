/* What PyProf prints of a kernel where stint prints something else: docs/operations.md has the differences. */
#ifndef STINT_OP_OP_PYPROF_H
#define STINT_OP_OP_PYPROF_H

#include "base/text.h"
#include "op/op_row.h"

/* A kernel, and the call that pyprof.init() described. */
struct stint_op_pyprof_ask {
    const struct stint_operation *operation; /* with its arguments */
    const char *kernel;                      /* short name */
    const uint32_t *grid;
    int is_backward;
    uint32_t sub; /* how many kernels the call has launched before */
};

struct stint_op_pyprof {
    const char *op; /* NULL: the name of the call */
    const char *tc;
    struct stint_op_amount flops, bytes;
    int is_float; /* both are written with a decimal */
};

/* Finds what PyProf's rules make of it, and writes the parameters. Returns 0, or -1 if its rules refuse the call or the
 * kernel, so that its report ends there. */
int stint_op_pyprof_apply(const struct stint_op_pyprof_ask *ask, struct stint_op_pyprof *found,
                          struct stint_text *text);

/* Returns "1" if PyProf takes the kernel for one with Tensor Cores, else the word. */
const char *stint_op_pyprof_cores(const char *kernel, const char *otherwise);

/* What it prints of one row. Zero it to begin. */
struct stint_op_pyprof_cells {
    struct stint_piece name, module; /* the former may be empty, as it prints it */
    struct stint_op_buffer params;
    struct stint_op_pyprof found;
    int is_backward;
    int is_refused; /* its report ends at this row */

    /* Internal state. */
    size_t row; /* plus 1 */
    struct stint_operation operation;
    struct stint_arena arena;
};

/* Reads row `at`. Returns 0, or -1 without memory. */
int stint_op_pyprof_read(struct stint_op_pyprof_cells *cells, const struct stint_op_rows *rows, size_t at);

void stint_op_pyprof_free(struct stint_op_pyprof_cells *cells);

#endif
