/* What scopes say about operations, as payloads for a tool that listens to NVTX and knows its payload extension. */
#ifndef STINT_NVTX_OUTGOING_PAYLOAD_H
#define STINT_NVTX_OUTGOING_PAYLOAD_H

#include <stdint.h>

#include "nvtx/abi.h"
#include "record/operation_note.h"

/* The fields of the schema "stint::op". */
struct stint_nvtx_operation_payload {
    uint64_t sequence;
    const char *pass; /* "fprop", "bprop", "optim" */
    const char *layer;
    const char *operands; /* sizes, types and inputs, as in the text of the operation */
    char text[STINT_OPERATION_TEXT];
};

/* Asks the tool for the extension; `tool` is the handle of its library. */
void stint_nvtx_payload_attach(void *tool);

/* Fills in the operation's payload, and `data`, which names it. Returns 0 if the tool does not know payloads. */
int stint_nvtx_payload_of(const void *domain, const struct stint_i_op *operation,
                          struct stint_nvtx_operation_payload *payload, struct stint_nvtx_data *data);

#endif
