/* Events: whatever says how it is called, by text, by registered string or by payload. */
#ifndef STINT_NVTX_ATTRIBUTES_H
#define STINT_NVTX_ATTRIBUTES_H

#include <stddef.h>
#include <stdint.h>

#include "nvtx/abi.h"
#include "nvtx/domain.h"

/* Each returns the id of the statistic that the event counts in; 0 beyond a limit, which is counted. */
uint32_t stint_nvtx_event_id(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind,
                             const struct stint_nvtx_attributes *attributes);
uint32_t stint_nvtx_event_id_wide(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind, const wchar_t *text);
uint32_t stint_nvtx_event_id_payload(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind,
                                     const struct stint_nvtx_data *data, size_t count);

/* Fills `whole` with the attributes that the caller has, of whatever size; the others are 0. */
void stint_nvtx_event_read(struct stint_nvtx_attributes *whole, const struct stint_nvtx_attributes *attributes);

#endif
