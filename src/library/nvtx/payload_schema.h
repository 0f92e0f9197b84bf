/* Schemas: how the bytes of payloads are laid out, as far as they are numbers. */
#ifndef STINT_NVTX_PAYLOAD_SCHEMA_H
#define STINT_NVTX_PAYLOAD_SCHEMA_H

#include <stddef.h>
#include <stdint.h>

#include "nvtx/abi.h"
#include "nvtx/domain.h"

enum stint_nvtx_number_kind { STINT_NVTX_NO_NUMBER, STINT_NVTX_SIGNED, STINT_NVTX_UNSIGNED, STINT_NVTX_FLOATING };

/* A type of fixed size. */
struct stint_nvtx_type {
    uint32_t size; /* 0: unknown */
    uint32_t align;
    enum stint_nvtx_number_kind kind;
};

struct stint_nvtx_field {
    uint32_t name; /* stint_nvtx_keep_number */
    struct stint_nvtx_type type;
    size_t offset;
};

enum { STINT_NVTX_MAX_FIELDS = 64 }; /* of a schema; what is beyond is rest */

struct stint_nvtx_schema {
    uint64_t key;
    const char *name;
    size_t size; /* bytes, 0: unknown */
    size_t align;
    uint32_t field_count;
    uint32_t rest;         /* entries that are no fields */
    uint32_t message_type; /* of the entry that has the event's text; 0: none */
    size_t message_offset;
    size_t message_length; /* 0: a pointer to the text, or a handle; else the text itself, of that many bytes */
    const struct stint_nvtx_field *fields; /* set last; NULL: not yet */
};

/* Makes room. Returns 0, or -1 if there is no memory. Under the lock. */
int stint_nvtx_schemas_start(void);

/* Returns the id by which what the program registered is known: its own choice, or a new one; 0 beyond a limit, which
 * is counted, and for what is not valid. */
uint64_t stint_nvtx_schema_register(const struct stint_nvtx_domain *domain,
                                    const struct stint_nvtx_schema_attributes *attributes);
uint64_t stint_nvtx_enum_register(const struct stint_nvtx_domain *domain,
                                  const struct stint_nvtx_enum_attributes *attributes);

/* Returns the schema, or NULL. */
const struct stint_nvtx_schema *stint_nvtx_schema_of(const struct stint_nvtx_domain *domain, uint64_t id);

/* Returns what a predefined type is; of size 0 if it is none, or has no fixed size. */
struct stint_nvtx_type stint_nvtx_type_of(uint64_t type);

/* Returns the number of that type, which is one, at `bytes`. */
double stint_nvtx_number_at(const struct stint_nvtx_type *type, const void *bytes);

/* Returns a new id, and the key by which an id, of the domain if the program chose it, is found. */
uint64_t stint_nvtx_new_id(void);
uint64_t stint_nvtx_id_key(const struct stint_nvtx_domain *domain, uint64_t id);

#endif
