/* Adds up the values in events' payloads. */
#ifndef STINT_NVTX_PAYLOAD_H
#define STINT_NVTX_PAYLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "nvtx/abi.h"
#include "nvtx/domain.h"

struct stint_nvtx_string;

/* Adds the payload in the attributes to the statistic; id 0: does nothing. */
void stint_nvtx_payload_add_plain(const struct stint_nvtx_domain *domain, uint32_t id,
                                  const struct stint_nvtx_attributes *attributes);

/* Adds the numbers in `count` payloads to the statistic; id 0: does nothing. */
void stint_nvtx_payload_add(const struct stint_nvtx_domain *domain, uint32_t id, const struct stint_nvtx_data *data,
                            size_t count);

/* Returns the size of what the schema or predefined type describes; 0 if it is unknown. */
size_t stint_nvtx_payload_size(const struct stint_nvtx_domain *domain, uint64_t schema);

/* The text of an event that consists of payloads only: one of the two members, or neither. `text` lives as long as the
 * payloads, and may have no NUL within `length` bytes. */
struct stint_nvtx_message {
    struct stint_nvtx_string *string;
    const char *text;
    size_t length;
};

struct stint_nvtx_message stint_nvtx_payload_message(const struct stint_nvtx_domain *domain,
                                                     const struct stint_nvtx_data *data, size_t count);

#endif
