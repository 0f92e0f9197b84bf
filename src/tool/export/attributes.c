/* Numbers of payloads that only tell things apart, such as ranks and hashes of communicators: no curves are drawn of
 * them, since they are attributes of the ranges and marks whose payloads they are from. A program gives them to NVTX
 * just before the range begins, so that they come before it. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "export/tracks.h"
#include "stint/nvtx_stats.h"

/* ------------------------------------------------------------------------------------------------------ identifiers */

/* Numbers from here on are handles, addresses or hashes, unless they are bytes. */
#define LEAST_IDENTIFIER 0x1p48

static int is_word(const char *word, size_t length)
{
    static const char words[][13] = {"id",   "ids",    "uid",          "uuid", "guid",    "pid",    "tid",   "hash",
                                     "key",  "handle", "address",      "addr", "pointer", "ptr",    "rank",  "root",
                                     "peer", "comm",   "communicator", "tag",  "device",  "stream", "index", "idx"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == length && strncasecmp(words[i], word, length) == 0)
            return 1;
    return 0;
}

/* Where the text ends without the unit behind it: "size [bytes]". */
static size_t without_unit(const char *text)
{
    size_t length = strlen(text);
    if (length && (text[length - 1] == ']' || text[length - 1] == ')'))
        while (length && text[length] != '[' && text[length] != '(')
            length--;
    return length;
}

/* Whether the last word says so: that of "Communicator ID", "comm_hash" and "peerRank", not that of "number of
 * ranks". */
static int is_named_so(const char *text)
{
    size_t end = without_unit(text);
    while (end && !isalnum((unsigned char)text[end - 1]))
        end--;
    size_t begin = end;
    while (begin && isalnum((unsigned char)text[begin - 1])) {
        begin--;
        if (begin && isupper((unsigned char)text[begin]) && islower((unsigned char)text[begin - 1]))
            break;
    }
    return is_word(text + begin, end - begin);
}

static int is_large(double number, const char *text)
{
    return fabs(number) >= LEAST_IDENTIFIER && number == floor(number) && !strcasestr(text, "byte");
}

static int is_of_counter(const char *set)
{
    return strncmp(set, STINT_NVTX_COUNTER_SET, sizeof STINT_NVTX_COUNTER_SET - 1) == 0;
}

/* Whether each range has the number after that of the range before, in each of so many processes: there are as many as
 * from the least to the greatest, and their mean is in the middle. */
static int is_serial(const struct stint_nvtx_value *value, size_t processes)
{
    enum { LEAST_RANGES = 8 };
    double numbers = value->max - value->min + 1, count = (double)value->count;
    double rounds = count / numbers;
    return numbers >= LEAST_RANGES && rounds == floor(rounds) && rounds >= 1 && rounds <= (double)processes &&
           fabs(value->sum - count * (value->min + value->max) / 2) < 0.5;
}

/* The numbers of a payload or counter, by their name. */
struct stint_identifier {
    const char *set, *name, *field;
};

static const struct stint_table_key s_identifier = STINT_TABLE_KEY(struct stint_identifier, set, name, field);

int stint_attributes_learn(struct stint_attributes *attributes, const struct stint_snapshot *snapshot)
{
    size_t processes = snapshot->process_count ? snapshot->process_count : 1;
    for (size_t i = 0; i < snapshot->nvtx_value_count; i++) {
        const struct stint_nvtx_value *value = &snapshot->nvtx_values[i];
        struct stint_identifier like = {value->set, value->name, value->field};
        int is_one = is_large(value->max, *value->field ? value->field : value->name) ||
                     (!is_of_counter(value->set) && is_serial(value, processes));
        if (is_one && !stint_table_take(&attributes->identifiers, &s_identifier, &attributes->arena, &like))
            return -1;
    }
    return 0;
}

int stint_is_identifier(const struct stint_attributes *attributes, const struct stint_event *event)
{
    struct stint_identifier like = {event->set, event->name, event->field};
    if (event->kind != STINT_EVENT_VALUE || !isfinite(event->value))
        return 0;
    const char *text = *event->field ? event->field : event->name;
    return is_named_so(text) || is_large(event->value, text) ||
           (attributes->identifiers.count && stint_table_find(&attributes->identifiers, &s_identifier, &like));
}

/* ------------------------------------------------------------------------------------------------------- attributes */

/* What is known of the next range or mark of that name on the thread. */
struct stint_attribute_holder {
    int64_t pid, tid;
    const char *set, *name;
    uint64_t given_ns; /* when the last value was given */
    uint64_t end_ns;   /* of the one before */
    size_t count;
    struct stint_attribute all[STINT_ATTRIBUTES_MOST];
};

static const struct stint_table_key s_holder =
    STINT_TABLE_KEY_COPYING(struct stint_attribute_holder, pid, tid, set, name);
static const struct stint_table_key s_name = STINT_TABLE_KEY_WHOLE_COPYING(const char *);

static struct stint_attribute_holder like(const struct stint_event *event)
{
    return (struct stint_attribute_holder){
        .pid = event->pid, .tid = event->tid, .set = event->set, .name = event->name};
}

/* Those that were given before and belonged to no range are replaced. */
static void put(struct stint_attribute_holder *holder, const char *name, double value)
{
    size_t i = 0;
    while (i < holder->count && holder->all[i].name != name)
        i++;
    if (i == STINT_ATTRIBUTES_MOST)
        return;
    holder->all[i] = (struct stint_attribute){name, value};
    holder->count += i == holder->count;
}

int stint_attributes_hold(struct stint_attributes *attributes, const struct stint_event *event)
{
    struct stint_attribute_holder key = like(event);
    if (!stint_is_identifier(attributes, event) || is_of_counter(event->set))
        return 0;
    const char *field = *event->field ? event->field : "value";
    const char *const *name = stint_table_take(&attributes->names, &s_name, &attributes->arena, &field);
    struct stint_attribute_holder *holder =
        name ? stint_table_take(&attributes->holders, &s_holder, &attributes->arena, &key) : NULL;
    if (!holder)
        return -1;
    put(holder, *name, event->value);
    holder->given_ns = event->start_ns;
    return 1;
}

/* Payloads may also be given when a range ends: those are nearer to the end of the range before. */
static int is_of_next(const struct stint_attribute_holder *holder, uint64_t start_ns)
{
    return holder->given_ns <= start_ns && (!holder->end_ns || holder->given_ns < holder->end_ns ||
                                            start_ns - holder->given_ns <= holder->given_ns - holder->end_ns);
}

size_t stint_attributes_take(struct stint_attributes *attributes, const struct stint_event *event,
                             const struct stint_attribute **first)
{
    struct stint_attribute_holder key = like(event), *holder;
    *first = NULL;
    if (!attributes->holders.count || event->kind > STINT_EVENT_MARK)
        return 0;
    holder = stint_table_find(&attributes->holders, &s_holder, &key);
    if (!holder)
        return 0;
    size_t count = is_of_next(holder, event->start_ns) ? holder->count : 0;
    holder->count = 0;
    holder->end_ns = event->end_ns;
    *first = holder->all;
    return count;
}

void stint_attributes_free(struct stint_attributes *attributes)
{
    stint_arena_free(&attributes->arena);
}
