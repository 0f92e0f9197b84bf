/* Schemas: where payloads contain numbers. */
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
    uint32_t name; /* a number from stint_nvtx_keep_number */
    struct stint_nvtx_type type;
    size_t offset;
};

enum { STINT_NVTX_MAX_FIELDS = 64 }; /* of a schema; entries beyond count as rest */

struct stint_nvtx_schema {
    uint64_t key;
    const char *name;
    size_t size; /* bytes, 0: unknown */
    size_t align;
    uint32_t field_count;
    uint32_t rest;         /* number of entries that are not fields */
    uint32_t message_type; /* the type of the entry with the event's text; 0: none */
    size_t message_offset;
    size_t message_length; /* 0: the entry is a pointer or a handle; else it is the text, of that many bytes */
    const struct stint_nvtx_field *fields; /* stored last; NULL: not yet */
};

/* Makes room. Returns 0, or -1 if there is no memory. Under the lock. */
int stint_nvtx_schemas_start(void);

/* Returns the id of what the program registered: the id that the program chose, or a new one; 0 beyond a limit, which
 * is counted, or if the registration is not valid. */
uint64_t stint_nvtx_schema_register(const struct stint_nvtx_domain *domain,
                                    const struct stint_nvtx_schema_attributes *attributes);
uint64_t stint_nvtx_enum_register(const struct stint_nvtx_domain *domain,
                                  const struct stint_nvtx_enum_attributes *attributes);

/* Returns the schema, or NULL. */
const struct stint_nvtx_schema *stint_nvtx_schema_of(const struct stint_nvtx_domain *domain, uint64_t id);

/* Returns the description of a predefined type; its size is 0 if the type is unknown or has no fixed size. */
struct stint_nvtx_type stint_nvtx_type_of(uint64_t type);

/* Returns the number at `bytes`, which has that type. */
double stint_nvtx_number_at(const struct stint_nvtx_type *type, const void *bytes);

/* The first returns a new id; the second the key of an id, which is specific to the domain if the program chose the
 * id. */
uint64_t stint_nvtx_new_id(void);
uint64_t stint_nvtx_id_key(const struct stint_nvtx_domain *domain, uint64_t id);

#endif
