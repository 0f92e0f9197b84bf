/* Tells from the names of CUDA's functions what these do. The names may be those of callbacks ("cuLaunchKernel_ptsz"),
 * of cuptiGetCallbackName ("cudaLaunchKernel_v7000"), or those that reports show. */
#ifndef STINT_MODEL_CALL_NAMES_H
#define STINT_MODEL_CALL_NAMES_H

/* What a call does, if it matters: calls that do nothing of this are queries, or set something up. */
enum stint_call_kind {
    STINT_CALL_OTHER,
    STINT_CALL_LAUNCH, /* a kernel */
    STINT_CALL_COPY,   /* also within unified memory */
    STINT_CALL_SET,
    STINT_CALL_ALLOCATE, /* or free, map, register memory */
    STINT_CALL_WAIT,
    STINT_CALL_LOAD,  /* code, or a context; or unload it */
    STINT_CALL_GRAPH, /* capture, instantiate or launch one */
    STINT_CALL_KINDS
};

enum stint_call_kind stint_call_kind(const char *name);

/* Whether a call of the function launches a kernel or a graph. */
int stint_call_is_launch(const char *name);

/* Whether it belongs to the driver's interface: cuLaunchKernel, not cudaLaunchKernel or __cudaLaunchKernel. */
int stint_call_is_driver(const char *name);

/* Whether it may put something on a device: a kernel, a graph, a copy, a set or a move of unified memory. */
int stint_call_is_work(const char *name);

#endif
