/* Texts that live until the process ends, each kept once: registered strings, whose handle is their address, and
 * names. */
#ifndef STINT_NVTX_STRING_H
#define STINT_NVTX_STRING_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "nvtx/domain.h"

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

#endif
