/* Adds up the values in events' payloads. */
#ifndef STINT_NVTX_PAYLOAD_H
#define STINT_NVTX_PAYLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "nvtx/abi.h"
#include "nvtx/domain.h"
#include "stint/nvtx_stats.h"

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

/* ------------------------------------------------------------------------------------------------- payload_schema.c */

/* Schemas: where payloads contain numbers. */

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

/* ---------------------------------------------------------------------------------------------------------- value.c */

/* Numbers in events and in samples of counters, added up by (statistic, field): any thread may add without a lock. */

/* Makes room. Returns 0, or -1 if there is no memory. Under the lock. */
int stint_nvtx_values_start(void);

/* Adds a number to the field of the statistic (id 0: does nothing). The field is 0, or the number of its name
 * (stint_nvtx_keep_number). A number that is not finite counts as rest. A number that is added during a reset may be
 * lost. */
void stint_nvtx_value_add(uint32_t id, uint32_t field, double number);

/* Fills a row with the value at a position, counted from 0. Returns 1; 0 if there is nothing to show; -1 after the last
 * position. Needs no lock; the texts live until the process ends. */
int stint_nvtx_value_at(size_t position, struct stint_nvtx_value *row);

/* Counters: the samples of a program's counter are added up under its name. */

/* Makes room. Returns 0, or -1 if there is no memory. Under the lock. */
int stint_nvtx_counters_start(void);

/* Returns the counter's id: the program's choice, or a new one; 0 beyond a limit, which is counted. */
uint64_t stint_nvtx_counter_register(struct stint_nvtx_domain *domain,
                                     const struct stint_nvtx_counter_attributes *attributes);

/* Adds a sample. A sample of an unknown counter is counted as such. */
void stint_nvtx_counter_sample(const struct stint_nvtx_domain *domain, uint64_t number, double value);

/* As stint_nvtx_counter_sample, for a sample whose layout the counter's schema describes, and for several of them. */
void stint_nvtx_counter_sample_bytes(const struct stint_nvtx_domain *domain, uint64_t number, const void *bytes,
                                     size_t size);
void stint_nvtx_counter_sample_batch(const struct stint_nvtx_domain *domain,
                                     const struct stint_nvtx_counter_batch *batch);

#endif
