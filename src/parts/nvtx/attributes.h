/* Finds the statistic of an event, which is named by a text, a registered string or a payload. */
#ifndef STINT_NVTX_ATTRIBUTES_H
#define STINT_NVTX_ATTRIBUTES_H

#include <stddef.h>
#include <stdint.h>

#include "nvtx/abi.h"
#include "nvtx/domain.h"

/* Each returns the id of the event's statistic; 0 beyond a limit, which is counted. */
uint32_t stint_nvtx_event_id(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind,
                             const struct stint_nvtx_attributes *attributes);
uint32_t stint_nvtx_event_id_wide(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind, const wchar_t *text);
uint32_t stint_nvtx_event_id_payload(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind,
                                     const struct stint_nvtx_data *data, size_t count);

/* Returns the event's text if it is in bytes; NULL if it is wide or there is none. */
const char *stint_nvtx_event_text(const struct stint_nvtx_attributes *whole);

/* Calls the function with the event's attributes, as stint_nvtx_event_read gives them, but with a wide text in bytes.
 * Returns what the function returns. */
int stint_nvtx_event_with_text(struct stint_nvtx_domain *domain, const struct stint_nvtx_attributes *attributes,
                               int (*use)(struct stint_nvtx_domain *, const struct stint_nvtx_attributes *));

/* Fills `whole` with the caller's attributes, whose size may differ; missing members are 0. */
void stint_nvtx_event_read(struct stint_nvtx_attributes *whole, const struct stint_nvtx_attributes *attributes);

#endif
