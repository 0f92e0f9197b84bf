/* Reads one event of a trace of torch.profiler. */
#include "kineto/kineto.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/model.h"

/* ------------------------------------------------------------------------------------------------------- categories */

/* Those of Kineto today, and those that it wrote up to PyTorch 1.12. */
static const struct {
    const char *category;
    enum stint_kineto_kind kind;
} s_kinds[] = {
    {"cpu_op", STINT_KINETO_RANGE},
    {"user_annotation", STINT_KINETO_RANGE},
    {"python_function", STINT_KINETO_PYTHON},
    {"cuda_runtime", STINT_KINETO_CALL},
    {"cuda_driver", STINT_KINETO_CALL},
    {"kernel", STINT_KINETO_KERNEL},
    {"gpu_memcpy", STINT_KINETO_COPY},
    {"gpu_memset", STINT_KINETO_SET},
    {"cuda_sync", STINT_KINETO_SYNC},
    {"gpu_user_annotation", STINT_KINETO_NOTHING},
    {"Trace", STINT_KINETO_NOTHING},
    {"Operator", STINT_KINETO_RANGE},
    {"Runtime", STINT_KINETO_CALL},
    {"Kernel", STINT_KINETO_KERNEL},
    {"Memcpy", STINT_KINETO_COPY},
    {"Memset", STINT_KINETO_SET},
};

static enum stint_kineto_kind kind_of_category(const char *category)
{
    for (size_t i = 0; i < sizeof s_kinds / sizeof s_kinds[0]; i++)
        if (strcmp(category, s_kinds[i].category) == 0)
            return s_kinds[i].kind;
    return STINT_KINETO_LEFT_OUT;
}

/* Events of other tools may have no category. */
static enum stint_kineto_kind kind_of_span(const struct stint_kineto_event *event)
{
    return *event->category ? kind_of_category(event->category) : STINT_KINETO_RANGE;
}

/* Marks without a category are the profiler's, and of arrows (s, t, f) the correlation says the same. */
static enum stint_kineto_kind kind_of(const struct stint_kineto_event *event)
{
    switch (event->phase) {
    case STINT_KINETO_WHOLE:
    case STINT_KINETO_BEGIN:
        return kind_of_span(event);
    case STINT_KINETO_END:
        return STINT_KINETO_NOTHING;
    case 'M':
        return !event->title                              ? STINT_KINETO_NOTHING
               : strcmp(event->name, "thread_name") == 0  ? STINT_KINETO_THREAD
               : strcmp(event->name, "process_name") == 0 ? STINT_KINETO_PROCESS
                                                          : STINT_KINETO_NOTHING;
    case 'i':
    case 'I':
    case 'R':
        return *event->category ? STINT_KINETO_LEFT_OUT : STINT_KINETO_NOTHING;
    default:
        return event->phase && strchr("stfc", event->phase) ? STINT_KINETO_NOTHING : STINT_KINETO_LEFT_OUT;
    }
}

/* ----------------------------------------------------------------------------------------------------------- values */

/* Reads any value as it is written. */
static struct stint_piece read_piece(struct stint_reader *reader)
{
    const char *begin = stint_reader_place(reader);
    stint_reader_skip(reader);
    return (struct stint_piece){begin, (size_t)(reader->at - begin)};
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads a decimal number, which may stand in a text, as a multiple of 10^-decimals, rounded. Returns 0, or -1 if it is
 * none or too large. A double could not hold all digits of a time. */
static int read_decimal(struct stint_piece piece, int decimals, int64_t *out)
{
    const char *at = piece.text, *end = piece.text + piece.length;
    uint64_t value = 0;
    int has_digits = 0, has_point = 0, next_digit = 0;
    if (piece.length > 2 && *at == '"') {
        at++;
        end--;
    }
    int is_negative = *at == '-';
    for (at += is_negative || *at == '+'; at < end && (is_digit(*at) || (*at == '.' && !has_point)); at++) {
        has_point |= *at == '.';
        if (*at == '.')
            continue;
        has_digits = 1;
        if (value <= (UINT64_MAX - 9) / 10) {
            value = value * 10 + (uint64_t)(*at - '0');
            decimals -= has_point;
        } else {
            decimals += !has_point;
        }
    }
    char *behind = (char *)at;
    if (has_digits && at + 1 < end && (*at == 'e' || *at == 'E')) {
        long exponent = strtol(at + 1, &behind, 10);
        decimals += exponent > 40 ? 40 : exponent < -40 ? -40 : (int)exponent;
    }
    if (!has_digits || behind != end)
        return -1;
    for (; decimals < 0 && value; decimals++) {
        next_digit = (int)(value % 10);
        value /= 10;
    }
    value += next_digit >= 5;
    for (; decimals > 0 && value; decimals--)
        if (__builtin_mul_overflow(value, 10, &value))
            return -1;
    if (value > INT64_MAX)
        return -1;
    *out = is_negative ? -(int64_t)value : (int64_t)value;
    return 0;
}

static int is_absent(struct stint_piece piece)
{
    return (piece.length == 4 && memcmp(piece.text, "null", 4) == 0) || piece.length == 2;
}

/* Returns a number; 0, which is counted, if it is none. */
static int64_t read_number(struct stint_kineto_event *event, struct stint_reader *reader)
{
    struct stint_piece piece = read_piece(reader);
    int64_t number = 0;
    event->odd_numbers += read_decimal(piece, 0, &number) && !is_absent(piece);
    return number;
}

/* Returns a number from `least`, 0 or -1, which says that there is none, to `most`. It may stand behind a word:
 * "stream 7". */
static uint64_t read_count(struct stint_kineto_event *event, struct stint_reader *reader, int64_t least, int64_t most)
{
    struct stint_piece piece = read_piece(reader);
    size_t word = *piece.text == '"' ? strcspn(piece.text + 1, "-0123456789\"") : 0;
    int64_t number = 0;
    struct stint_piece behind = word ? (struct stint_piece){piece.text + 1 + word, piece.length - 2 - word} : piece;
    int is_odd = (read_decimal(behind, 0, &number) && !is_absent(piece)) || number < least || number > most;
    event->odd_numbers += (unsigned)is_odd;
    return is_odd || number < 0 ? 0 : (uint64_t)number;
}

/* Returns the number of a process or a thread; one made of its text, negative, if that is no number. */
static int64_t read_id(struct stint_reader *reader)
{
    struct stint_piece piece = read_piece(reader);
    int64_t id;
    if (read_decimal(piece, 0, &id) == 0)
        return id;
    return is_absent(piece) ? 0 : -1 - (int64_t)(stint_hash(piece.text, piece.length, 0) >> 1);
}

static void read_three(struct stint_kineto_event *event, struct stint_reader *reader, uint64_t *out)
{
    if (*stint_reader_place(reader) != '[') {
        event->odd_numbers += !is_absent(read_piece(reader));
        return;
    }
    struct stint_reader_list list = stint_reader_open(reader, '[');
    for (size_t i = 0; stint_reader_next(reader, &list); i++) {
        uint64_t value = read_count(event, reader, 0, UINT32_MAX);
        if (i < 3)
            out[i] = value;
    }
}

/* -------------------------------------------------------------------------------------------------------- arguments */

static const struct {
    const char *key;
    enum stint_kineto_fact fact;
} s_facts[] = {
    {"Input Dims", STINT_KINETO_SIZES},
    {"Input dims", STINT_KINETO_SIZES},
    {"Input type", STINT_KINETO_TYPES},
    {"Input Strides", STINT_KINETO_STRIDES},
    {"Concrete Inputs", STINT_KINETO_INPUTS},
    {"Collective name", STINT_KINETO_COLLECTIVE},
    {"dtype", STINT_KINETO_TYPE},
    {"Group size", STINT_KINETO_GROUP_SIZE},
    {"In msg nelems", STINT_KINETO_IN_ELEMENTS},
    {"Out msg nelems", STINT_KINETO_OUT_ELEMENTS},
};

/* Reads the value if there is a number of that name. Returns whether there is. */
static int read_number_named(struct stint_kineto_event *event, struct stint_reader *reader,
                             const struct stint_reader_list *list)
{
    const struct {
        const char *key;
        uint64_t *number;
        int64_t least, most;
    } numbers[] = {{"External id", &event->id, -1, INT64_MAX},
                   {"external id", &event->id, -1, INT64_MAX},
                   {"correlation", &event->correlation, -1, INT64_MAX},
                   {"device", &event->device, -1, UINT32_MAX},
                   {"inDevice", &event->device, -1, UINT32_MAX},
                   {"context", &event->context, -1, UINT32_MAX},
                   {"inContext", &event->context, -1, UINT32_MAX},
                   {"stream", &event->stream, -1, UINT32_MAX},
                   {"bytes", &event->bytes, 0, INT64_MAX},
                   {"registers per thread", &event->registers, 0, UINT32_MAX},
                   {"shared memory", &event->shared, 0, UINT32_MAX}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (stint_reader_is_key(list, numbers[i].key)) {
            *numbers[i].number = read_count(event, reader, numbers[i].least, numbers[i].most);
            return 1;
        }
    return 0;
}

static void read_argument(struct stint_kineto_event *event, struct stint_reader *reader,
                          const struct stint_reader_list *list)
{
    if (read_number_named(event, reader, list))
        return;
    if (stint_reader_is_key(list, "grid"))
        read_three(event, reader, event->grid);
    else if (stint_reader_is_key(list, "block"))
        read_three(event, reader, event->block);
    else if (stint_reader_is_key(list, "Sequence number"))
        event->sequence = read_number(event, reader);
    else if (stint_reader_is_key(list, "Fwd thread id"))
        event->forward_tid = read_number(event, reader);
    else if (stint_reader_is_key(list, "name") && stint_reader_is_text(reader))
        event->title = stint_reader_text(reader);
    else {
        struct stint_piece piece = read_piece(reader);
        for (size_t i = 0; i < sizeof s_facts / sizeof s_facts[0]; i++)
            if (stint_reader_is_key(list, s_facts[i].key))
                event->facts[s_facts[i].fact] = piece;
    }
}

/* What is no object says nothing that is known here. */
static void read_arguments(struct stint_kineto_event *event, struct stint_reader *reader)
{
    if (*stint_reader_place(reader) != '{') {
        stint_reader_skip(reader);
        return;
    }
    struct stint_reader_list list = stint_reader_open(reader, '{');
    while (stint_reader_next(reader, &list))
        read_argument(event, reader, &list);
}

/* ------------------------------------------------------------------------------------------------------------- read */

static const char *read_text(struct stint_reader *reader)
{
    if (stint_reader_is_text(reader))
        return stint_reader_text(reader);
    stint_reader_skip(reader);
    return "";
}

/* Returns 1 and a time in nanoseconds, or 0 if it is none. They are microseconds with decimals. */
static int read_time(struct stint_reader *reader, int64_t *ns)
{
    return read_decimal(read_piece(reader), 3, ns) == 0;
}

/* The same of a duration. What has none has not ended. */
static int read_duration(struct stint_kineto_event *event, struct stint_reader *reader, int64_t *ns)
{
    struct stint_piece piece = read_piece(reader);
    int has_time = read_decimal(piece, 3, ns) == 0;
    event->odd_numbers += !has_time && !is_absent(piece);
    return has_time;
}

/* Operations that had not ended when the profiler stopped last -1 µs. */
static void find_end(struct stint_kineto_event *event, int64_t duration_ns)
{
    enum { UNFINISHED_NS = -1000 };
    event->has_end = event->phase == STINT_KINETO_WHOLE && event->has_end && duration_ns != UNFINISHED_NS &&
                     !__builtin_add_overflow(event->start_ns, duration_ns, &event->end_ns);
}

void stint_kineto_read(struct stint_kineto_event *event, struct stint_reader *reader)
{
    int64_t duration_ns = 0;
    *event = (struct stint_kineto_event){.category = "", .name = "", .sequence = -1};
    struct stint_reader_list list = stint_reader_open(reader, '{');
    while (stint_reader_next(reader, &list)) {
        if (stint_reader_is_key(&list, "ph"))
            event->phase = *read_text(reader);
        else if (stint_reader_is_key(&list, "cat"))
            event->category = read_text(reader);
        else if (stint_reader_is_key(&list, "name"))
            event->name = read_text(reader);
        else if (stint_reader_is_key(&list, "pid"))
            event->pid = read_id(reader);
        else if (stint_reader_is_key(&list, "tid"))
            event->tid = read_id(reader);
        else if (stint_reader_is_key(&list, "ts"))
            event->has_start = read_time(reader, &event->start_ns);
        else if (stint_reader_is_key(&list, "dur"))
            event->has_end = read_duration(event, reader, &duration_ns);
        else if (stint_reader_is_key(&list, "args"))
            read_arguments(event, reader);
        else
            stint_reader_skip(reader);
    }
    find_end(event, duration_ns);
    event->kind = kind_of(event);
}

/* ------------------------------------------------------------------------------------------------------------ texts */

struct out {
    char *text;
    size_t size, length;
};

__attribute__((format(printf, 2, 3))) static void add(struct out *out, const char *format, ...)
{
    size_t room = out->length < out->size ? out->size - out->length : 0;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(room ? out->text + out->length : NULL, room, format, arguments);
    va_end(arguments);
    out->length += length > 0 ? (size_t)length : 0;
}

static void add_facts(struct out *out, const struct stint_kineto_event *event)
{
    static const char *const keys[STINT_KINETO_FACTS] = {[STINT_KINETO_COLLECTIVE] = "collective",
                                                         [STINT_KINETO_TYPE] = "dtype",
                                                         [STINT_KINETO_GROUP_SIZE] = "group_size",
                                                         [STINT_KINETO_IN_ELEMENTS] = "in_elements",
                                                         [STINT_KINETO_OUT_ELEMENTS] = "out_elements",
                                                         [STINT_KINETO_SIZES] = "sizes",
                                                         [STINT_KINETO_TYPES] = "types",
                                                         [STINT_KINETO_STRIDES] = "strides",
                                                         [STINT_KINETO_INPUTS] = "inputs"};
    for (int i = 0; i < STINT_KINETO_FACTS; i++)
        if (event->facts[i].length)
            add(out, ", %s = %.*s", keys[i], (int)event->facts[i].length, event->facts[i].text);
}

/* Steps are told apart by a number behind their name: "ProfilerStep#12". */
static int add_step(struct out *out, const char *name)
{
    static const char step[] = "ProfilerStep#";
    size_t length = sizeof step - 1;
    if (strncmp(name, step, length) != 0 || !name[length] ||
        strspn(name + length, "0123456789") != strlen(name + length))
        return 0;
    add(out, "ProfilerStep#step=%s#", name + length);
    return 1;
}

size_t stint_kineto_text(const struct stint_kineto_event *event, char *out, size_t size)
{
    struct out text = {out, size, 0};
    if (event->kind == STINT_KINETO_RANGE && add_step(&text, event->name))
        return text.length;
    add(&text, "%s", event->name);
    if (event->kind != STINT_KINETO_RANGE || strcmp(event->category, "user_annotation") == 0)
        return text.length;
    if (event->sequence >= 0)
        add(&text, ", seq = %lld", (long long)event->sequence);
    add(&text, ", op_id = %llu", (unsigned long long)event->id);
    if (event->forward_tid)
        add(&text, ", forward_thread = %lld", (long long)event->forward_tid);
    add_facts(&text, event);
    return text.length;
}

enum stint_gpu_direction stint_kineto_direction(const char *name)
{
    for (int i = STINT_GPU_DIRECTIONS - 1; i > 0; i--)
        if (stint_begins_with(name, stint_gpu_direction_words[i].timeline))
            return (enum stint_gpu_direction)i;
    return STINT_GPU_DIRECTION_UNKNOWN;
}

enum stint_gpu_wait stint_kineto_wait(const char *name)
{
    for (int i = 1; i < STINT_GPU_WAITS; i++)
        if (strcmp(name, stint_gpu_wait_words[i].timeline) == 0)
            return (enum stint_gpu_wait)i;
    return STINT_GPU_WAIT_UNKNOWN;
}
