/* The functions behind the macros of op.h. */
#ifndef STINT_RUNTIME_OP_CALLS_H
#define STINT_RUNTIME_OP_CALLS_H

/* To be called when it is known whether there is a trace, and a tool that listens. */
void stint_runtime_op_start(void);

#endif
