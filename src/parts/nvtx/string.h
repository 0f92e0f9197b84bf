/* Texts that live until the process ends, each kept once: registered strings, whose handle is their address, and
 * names. */
#ifndef STINT_NVTX_STRING_H
#define STINT_NVTX_STRING_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "nvtx/abi.h"
#include "nvtx/domain.h"
#include "stint/nvtx_stats.h"

struct stint_nvtx_string {
    const char *text;
    struct stint_nvtx_domain *domain; /* NULL: a text whose data go into the trace, or that is kept for another purpose;
                                         it is looked up each time */
    uint32_t ids[STINT_NVTX_COUNTED]; /* of the statistics with that name in the domain; 0 until there is one */
    uint32_t number;                  /* counted from 1 */
};

/* STINT_NVTX_MAX_STRINGS elements; NULL until started */
extern struct stint_nvtx_string *stint_nvtx_strings;

/* Makes room. Returns 0, or -1 if there is no memory. Under the lock. */
int stint_nvtx_strings_start(void);

/* Returns the registered string, or NULL if the handle is not one of stint's. */
static inline struct stint_nvtx_string *stint_nvtx_string_of(const void *handle)
{
    uintptr_t offset = (uintptr_t)handle - (uintptr_t)stint_nvtx_strings;
    return STINT_I_LIKELY(offset < STINT_NVTX_MAX_STRINGS * sizeof(struct stint_nvtx_string))
               ? stint_nvtx_strings + offset / sizeof(struct stint_nvtx_string)
               : NULL;
}

/* Returns the text registered in the domain, added if missing; NULL beyond a limit, which is counted. */
struct stint_nvtx_string *stint_nvtx_string_add(struct stint_nvtx_domain *domain, const char *text);

/* Returns the id of the statistic with that name in the domain of the string; 0 beyond a limit, which is counted. */
uint32_t stint_nvtx_string_id(struct stint_nvtx_string *string, enum stint_nvtx_kind kind);

/* As stint_nvtx_string_id, for a text, which need not outlive the call. NULL and "" become "(unnamed)". */
uint32_t stint_nvtx_text_id(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind, const char *text);

/* As stint_nvtx_text_id, but returns 0 if the calling thread's cache does not have it. The whole text is looked up; if
 * it carries data, it is never found, so texts without data pay nothing. */
static inline uint32_t stint_nvtx_cached_id(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind,
                                            const char *text)
{
    const struct stint_statset *set = stint_nvtx_domain_set(domain, kind);
    const struct stint_thread_record *record = stint_thread_self();
    if (STINT_I_UNLIKELY(!set || !record || !text))
        return 0;
    struct stint_name name = stint_registry_read_name(set, text, SIZE_MAX);
    return stint_thread_cached_id(record, &name);
}

/* Returns a copy of the text; NULL beyond a limit, which is counted. NULL is treated as "". */
const char *stint_nvtx_keep(const char *text);

/* As stint_nvtx_keep, but returns the number that stint_nvtx_kept takes; 0 beyond a limit, and for "". */
uint32_t stint_nvtx_keep_number(const char *text);
const char *stint_nvtx_kept(uint32_t number);

/* Wide characters to UTF-8. */

/* Writes `wide` (NULL is L"") to `out`, NUL-terminated, cut to `size` but not inside a character. Invalid characters
 * become U+FFFD. */
void stint_nvtx_narrow(char *out, size_t size, const wchar_t *wide);

/* Finds the statistic of an event, which is named by a text, a registered string or a payload. */

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

/* ----------------------------------------------------------------------------------------------------------- name.c */

/* The names that a program gives to threads, CUDA's objects, categories and resources. */

/* Makes room. Returns 0, or -1 if there is no memory. Under the lock. */
int stint_nvtx_names_start(void);

/* Returns the name, or NULL. Needs no lock. */
const char *stint_nvtx_name_of(enum stint_nvtx_named what, const struct stint_nvtx_domain *domain, uint64_t handle);

/* Fills a row with the name at a position, counted from 0. Returns 1; 0 if there is nothing to show; -1 after the last
 * position. Needs no lock; the texts live until the process ends. */
int stint_nvtx_name_at(size_t position, struct stint_nvtx_name *row);

/* ------------------------------------------------------------------------------------------------------------ map.c */

/* A map from keys to items that any thread uses without a lock: memory for all items is reserved at the beginning;
 * items are never moved or removed, and the first thread that needs an item adds it. */

struct stint_nvtx_map {
    char *items; /* each begins with its key, a uint64_t; 0: a free place */
    size_t item_size;
    uint32_t mask;
    uint32_t limit;
    uint32_t used;
};

/* Makes room for `limit` items of `item_size` bytes; parts that are never touched use no memory. Returns 0, or -1 if
 * there is no memory. */
int stint_nvtx_map_begin(struct stint_nvtx_map *map, struct stint_arena *arena, size_t item_size, uint32_t limit);

/* Returns the item with that key, which is not 0, or NULL. */
void *stint_nvtx_map_find(const struct stint_nvtx_map *map, uint64_t key);

/* As stint_nvtx_map_find, but adds the item if it is missing, zeroed but for its key; NULL beyond the limit. */
void *stint_nvtx_map_add(struct stint_nvtx_map *map, uint64_t key);

/* Returns the item at a position, counted from 0; its key is 0 if the place is free. NULL after the last position, or
 * if there are no items. */
void *stint_nvtx_map_at(const struct stint_nvtx_map *map, size_t position);

#endif
