/* From the attributes of an NVTX event, in whatever form its text has, to the id of its statistic. Structures of older
 * and newer programs are read as far as they reach. */
#include "nvtx/string.h"

#include <string.h>

#include "nvtx/payload.h"

/* Not inlined, like every function that needs room for a name: the stack of a signal handler may be too small for
 * it. */
__attribute__((noinline)) uint32_t stint_nvtx_event_id_wide(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind,
                                                            const wchar_t *text)
{
    char narrow[STINT_MAX_NAME + 1];

    stint_nvtx_narrow(narrow, sizeof narrow, text);
    return stint_nvtx_text_id(domain, kind, narrow);
}

/* A string that was registered in another domain is treated as a text. */
static uint32_t id_of_string(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind,
                             struct stint_nvtx_string *string)
{
    if (string && string->domain == domain)
        return stint_nvtx_string_id(string, kind);
    return stint_nvtx_text_id(domain, kind, string ? string->text : NULL);
}

uint32_t stint_nvtx_event_id(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind,
                             const struct stint_nvtx_attributes *attributes)
{
    switch (attributes->text_type) {
    case STINT_NVTX_TEXT_REGISTERED:
        return id_of_string(domain, kind, stint_nvtx_string_of(attributes->text.registered));
    case STINT_NVTX_TEXT_ASCII:
        return stint_nvtx_text_id(domain, kind, attributes->text.ascii);
    case STINT_NVTX_TEXT_WIDE:
        return stint_nvtx_event_id_wide(domain, kind, attributes->text.wide);
    default:
        return stint_nvtx_text_id(domain, kind, NULL);
    }
}

__attribute__((noinline)) static uint32_t id_of_part(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind,
                                                     const struct stint_nvtx_message *message)
{
    char text[STINT_MAX_NAME + 2]; /* one byte more than a name has, so that it is counted as cut */
    size_t length = strnlen(message->text, message->length);

    memcpy(text, message->text, length);
    text[length] = '\0';
    return stint_nvtx_text_id(domain, kind, text);
}

uint32_t stint_nvtx_event_id_payload(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind,
                                     const struct stint_nvtx_data *data, size_t count)
{
    struct stint_nvtx_message message = stint_nvtx_payload_message(domain, data, count);

    if (message.length > STINT_MAX_NAME + 1)
        message.length = STINT_MAX_NAME + 1;
    return message.text ? id_of_part(domain, kind, &message) : id_of_string(domain, kind, message.string);
}

void stint_nvtx_event_read(struct stint_nvtx_attributes *whole, const struct stint_nvtx_attributes *attributes)
{
    *whole = (struct stint_nvtx_attributes){0};
    if (attributes)
        memcpy(whole, attributes, attributes->size < sizeof *whole ? attributes->size : sizeof *whole);
}

const char *stint_nvtx_event_text(const struct stint_nvtx_attributes *whole)
{
    const struct stint_nvtx_string *string = NULL;

    if (whole->text_type == STINT_NVTX_TEXT_REGISTERED)
        string = stint_nvtx_string_of(whole->text.registered);
    return whole->text_type == STINT_NVTX_TEXT_ASCII ? whole->text.ascii : string ? string->text : NULL;
}

__attribute__((noinline)) static int
with_narrow_text(struct stint_nvtx_domain *domain, struct stint_nvtx_attributes *whole,
                 int (*use)(struct stint_nvtx_domain *, const struct stint_nvtx_attributes *))
{
    char narrow[STINT_MAX_NAME + 1];

    stint_nvtx_narrow(narrow, sizeof narrow, whole->text.wide);
    whole->text_type = STINT_NVTX_TEXT_ASCII;
    whole->text.ascii = narrow;
    return use(domain, whole);
}

int stint_nvtx_event_with_text(struct stint_nvtx_domain *domain, const struct stint_nvtx_attributes *attributes,
                               int (*use)(struct stint_nvtx_domain *, const struct stint_nvtx_attributes *))
{
    struct stint_nvtx_attributes whole;

    stint_nvtx_event_read(&whole, attributes);
    return whole.text_type == STINT_NVTX_TEXT_WIDE ? with_narrow_text(domain, &whole, use) : use(domain, &whole);
}
