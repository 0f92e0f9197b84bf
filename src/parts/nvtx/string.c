/* Keeps each text once, found by its hash, and remembers the statistic that it names, so that an event with a
 * registered string costs one comparison. Data that a text carries is split off: the name alone is a statistic. Wide
 * characters become UTF-8. */
#include "nvtx/string.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "notes/note.h"
#include "nvtx/payload.h"
#include "record/registry.h"
#include "support/annotation.h"

struct stint_nvtx_string *stint_nvtx_strings;

/* Under the registry's lock. */
static struct {
    struct stint_index index;
    uint32_t count;
    size_t bytes;
} s_strings;

int stint_nvtx_strings_start(void)
{
    stint_nvtx_strings =
        stint_arena_alloc(&stint_nvtx_arena, STINT_NVTX_MAX_STRINGS * sizeof(struct stint_nvtx_string));
    return stint_nvtx_strings ? 0 : -1;
}

/* ---------------------------------------------------------------------------------------------------------- keeping */

struct key {
    const struct stint_nvtx_domain *domain;
    const char *text;
    size_t length;
};

static int is_same(const void *array, size_t position, const void *key)
{
    const struct stint_nvtx_string *string = (const struct stint_nvtx_string *)array + position;
    const struct key *like = key;
    return string->domain == like->domain && strncmp(string->text, like->text, like->length) == 0 &&
           !string->text[like->length];
}

static struct stint_nvtx_string *add(struct stint_nvtx_domain *domain, const struct key *key, uint64_t hash)
{
    struct stint_nvtx_string *string = &stint_nvtx_strings[s_strings.count];
    if (s_strings.count == STINT_NVTX_MAX_STRINGS || s_strings.bytes + key->length > STINT_NVTX_MAX_TEXT)
        return NULL;
    string->text = stint_arena_copy(&stint_nvtx_arena, key->text, key->length);
    if (!string->text || stint_index_add(&s_strings.index, &stint_nvtx_arena, hash, s_strings.count))
        return NULL;
    string->domain = domain;
    string->number = ++s_strings.count;
    s_strings.bytes += key->length;
    return string;
}

static struct stint_nvtx_string *find_or_add(struct stint_nvtx_domain *domain, const struct key *key)
{
    uint64_t hash = stint_hash(key->text, key->length, (uintptr_t)domain);
    stint_registry_lock();
    size_t position = stint_index_find(&s_strings.index, hash, is_same, stint_nvtx_strings, key);
    struct stint_nvtx_string *string =
        position == STINT_INDEX_NONE ? add(domain, key, hash) : &stint_nvtx_strings[position];
    stint_registry_unlock();
    return string;
}

static struct stint_nvtx_string *keep(struct stint_nvtx_domain *domain, const char *text, size_t length)
{
    struct key key = {domain, text, length};
    struct stint_nvtx_string *string = NULL;
    int error;
    if (stint_nvtx_begin(&error)) {
        string = find_or_add(domain, &key);
        stint_nvtx_end(error);
    }
    if (!string)
        stint_nvtx_count(&stint_dropped.nvtx_strings, 1);
    return string;
}

/* Not inlined, like every function that needs room for a name. */
__attribute__((noinline)) static struct stint_nvtx_string *keep_name(struct stint_nvtx_domain *domain,
                                                                     const struct stint_annotation *annotation)
{
    char text[STINT_MAX_NAME + 2];
    stint_annotation_name(annotation, text, sizeof text);
    struct stint_name name = stint_registry_name(NULL, text);
    return keep(domain, name.text, name.length);
}

/* A text that carries data is needed for a trace only. Else it is as good as its name, of which there is one for
 * thousands of them. */
static struct stint_nvtx_string *keep_annotated(struct stint_nvtx_domain *domain,
                                                const struct stint_annotation *annotation, const char *text,
                                                size_t length)
{
    struct stint_nvtx_string *string = NULL;
    if (stint_notes_are_on && length <= STINT_MAX_NAME)
        string = keep(NULL, text, length);
    else if (stint_notes_are_on)
        stint_count_dropped(&stint_dropped.truncated);
    return string ? string : keep_name(domain, annotation);
}

/* A registered text that is too long is cut, and counted, like the names of statistics. */
struct stint_nvtx_string *stint_nvtx_string_add(struct stint_nvtx_domain *domain, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    struct stint_annotation annotation;
    if (stint_annotation_read(&annotation, text, length))
        return keep_annotated(domain, &annotation, text, length);
    struct stint_name name = stint_registry_name(NULL, text);
    return keep(domain, name.text, name.length);
}

static struct stint_nvtx_string *keep_text(const char *text)
{
    size_t length = strnlen(text, STINT_MAX_NAME + 1);
    if (length > STINT_MAX_NAME) {
        stint_count_dropped(&stint_dropped.truncated);
        length = STINT_MAX_NAME;
    }
    return keep(NULL, text, length);
}

const char *stint_nvtx_keep(const char *text)
{
    if (!text || !*text)
        return "";
    const struct stint_nvtx_string *string = keep_text(text);
    return string ? string->text : NULL;
}

uint32_t stint_nvtx_keep_number(const char *text)
{
    const struct stint_nvtx_string *string = text && *text ? keep_text(text) : NULL;
    return string ? string->number : 0;
}

const char *stint_nvtx_kept(uint32_t number)
{
    return number ? stint_nvtx_strings[number - 1].text : "";
}

/* -------------------------------------------------------------------------------------------------------------- ids */

typedef uint32_t id_fn(const struct stint_name *name);

static uint32_t make_id(const struct stint_name *name)
{
    int error;
    if (!stint_nvtx_begin(&error))
        return 0;
    uint32_t id = stint_registry_id(name, NULL);
    stint_nvtx_end(error);
    return id;
}

static uint32_t find_id(const struct stint_name *name)
{
    uint32_t id = 0;
    int error;
    if (!stint_nvtx_begin(&error))
        return 0;
    struct stint_thread_record *record = stint_thread_acquire();
    if (record)
        id = stint_thread_id_of(record, name, NULL);
    stint_nvtx_end(error);
    return id;
}

/* A name that is too long is cut, and counted, by stint_registry_name. */
__attribute__((noinline)) static uint32_t id_of_annotated(const struct stint_statset *set,
                                                          const struct stint_annotation *annotation, id_fn *id_of)
{
    char text[STINT_MAX_NAME + 2];
    stint_annotation_name(annotation, text, sizeof text);
    struct stint_name name = stint_registry_name(set, text);
    return id_of(&name);
}

/* Of a text that carries data only the name becomes a statistic, since data are hardly ever the same twice. */
static uint32_t id_of_text(const struct stint_statset *set, const char *text, size_t length, id_fn *id_of)
{
    struct stint_annotation annotation;
    if (stint_annotation_read(&annotation, text, length))
        return id_of_annotated(set, &annotation, id_of);
    if (stint_annotation_is_broken(text, length))
        stint_count_dropped(&stint_dropped.nvtx_unparsed);
    struct stint_name name = stint_registry_name(set, text);
    return id_of(&name);
}

uint32_t stint_nvtx_string_id(struct stint_nvtx_string *string, enum stint_nvtx_kind kind)
{
    uint32_t id = __atomic_load_n(&string->ids[kind], __ATOMIC_ACQUIRE);
    if (STINT_I_LIKELY(id != 0))
        return id;
    const struct stint_statset *set = stint_nvtx_domain_set(string->domain, kind);
    if (set) {
        id = id_of_text(set, string->text, strlen(string->text), make_id);
        __atomic_store_n(&string->ids[kind], id, __ATOMIC_RELEASE);
    }
    return id;
}

uint32_t stint_nvtx_text_id(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind, const char *text)
{
    uint32_t id = stint_nvtx_cached_id(domain, kind, text);
    const struct stint_statset *set = id ? NULL : stint_nvtx_domain_set(domain, kind);
    return set ? id_of_text(set, text, text ? strlen(text) : 0, find_id) : id;
}

void stint_nvtx_narrow(char *out, size_t size, const wchar_t *wide)
{
    for (; wide && *wide; wide++) {
        char character[STINT_UTF8_LONGEST];
        size_t length = stint_utf8_write(character, (uint32_t)*wide);
        if (length >= size) {
            stint_count_dropped(&stint_dropped.truncated);
            break;
        }
        memcpy(out, character, length);
        out += length;
        size -= length;
    }
    *out = '\0';
}

/* From the attributes of an NVTX event, in whatever form its text has, to the id of its statistic. Structures of older
 * and newer programs are read as far as they reach. */

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
