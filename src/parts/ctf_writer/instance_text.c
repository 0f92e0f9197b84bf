/* Takes the numbers out of an operation's text, and puts them in again. A text that would not come out byte by byte as
 * it was is left whole. */
#include "ctf_writer/ctf_writer.h"

#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------------- numbers */

enum { MOST_DIGITS = 18 }; /* a number of that many has room in 63 bits */

/* Reads digits as they are written by programs: without zeroes in front. Returns how many there are; 0: none. */
static size_t read_digits(const char *at, uint64_t *number)
{
    size_t length = 0;
    *number = 0;
    for (; at[length] >= '0' && at[length] <= '9'; length++) {
        if (length == MOST_DIGITS || (length && !*number))
            return 0;
        *number = *number * 10 + (uint64_t)(at[length] - '0');
    }
    return length;
}

/* Takes "KEYnumber". Returns 0, and takes nothing, if it is not next. */
static int take_number(const char **at, const char *key, uint64_t *number)
{
    size_t length = strlen(key);
    if (strncmp(*at, key, length) != 0)
        return 0;
    size_t digits = read_digits(*at + length, number);
    *at += digits ? length + digits : 0;
    return digits != 0;
}

/* ------------------------------------------------------------------------------------------------------------- data */

struct out {
    char *text;
    size_t size, used; /* one byte is left for the NUL */
    int is_full;
};

static void put(struct out *out, const char *bytes, size_t length)
{
    if (out->is_full || length >= out->size - out->used) {
        out->is_full = 1;
        return;
    }
    memcpy(out->text + out->used, bytes, length);
    out->used += length;
    out->text[out->used] = '\0';
}

static void put_number(struct out *out, const char *before, uint64_t number)
{
    char digits[24];
    put(out, before, strlen(before));
    put(out, digits, (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)number));
}

/* Where the numbers of operations that made the inputs begin; NULL if there are none. */
static const char *inputs_of(const char *data)
{
    static const char key[] = ", input_op_ids = [";
    const char *found = strstr(data, key);
    return found ? found + sizeof key - 1 : NULL;
}

typedef void put_input_fn(struct out *out, const char **at, uint64_t op_id);

/* Copies the data, and each number behind a parenthesis among the inputs as the function writes it. */
static void put_data(struct out *out, const char *data, uint64_t op_id, put_input_fn *put_input)
{
    const char *at = inputs_of(data);
    if (!at || !op_id) {
        put(out, data, strlen(data));
        return;
    }
    put(out, data, (size_t)(at - data));
    for (const char *from = at; *at && *at != ']'; from = at) {
        at += strcspn(at, "(]");
        at += *at == '(';
        put(out, from, (size_t)(at - from));
        if (*at && *at != ']')
            put_input(out, &at, op_id);
    }
    put(out, at, strlen(at));
}

/* 0 is no operation. */
static void put_distance(struct out *out, const char **at, uint64_t op_id)
{
    uint64_t number;
    size_t digits = read_digits(*at, &number);
    if (!digits || !number)
        return;
    put_number(out, number <= op_id ? "+" : "-", number <= op_id ? op_id - number : number - op_id);
    *at += digits;
}

static void put_producer(struct out *out, const char **at, uint64_t op_id)
{
    uint64_t number;
    char sign = **at;
    size_t digits = sign == '+' || sign == '-' ? read_digits(*at + 1, &number) : 0;
    if (!digits)
        return;
    put_number(out, "", sign == '+' ? op_id - number : op_id + number);
    *at += 1 + digits;
}

/* --------------------------------------------------------------------------------------------------- split and join */

size_t stint_instance_join(char *text, size_t size, const char *name, const struct stint_instance *instance)
{
    struct out out = {.text = text, .size = size};
    if (instance->has_seq || instance->op_id || *instance->data != '{')
        put(&out, name, strlen(name));
    if (instance->has_seq)
        put_number(&out, ", seq = ", instance->seq);
    if (instance->op_id)
        put_number(&out, ", op_id = ", instance->op_id);
    put_data(&out, instance->data, instance->op_id, put_producer);
    return out.is_full ? 0 : out.used;
}

/* Returns where the text's data begins; NULL if it is not that of an operation. */
static const char *read_numbers(struct stint_instance *instance, const char *name, const char *text)
{
    static const char sizes[] = ", sizes = [";
    size_t length = strlen(name);
    if (*text == '{')
        return text;
    if (strncmp(text, name, length) != 0)
        return NULL;
    const char *at = text + length;
    instance->has_seq = take_number(&at, ", seq = ", &instance->seq);
    int has_op_id = take_number(&at, ", op_id = ", &instance->op_id);
    return instance->has_seq || has_op_id || strncmp(at, sizes, sizeof sizes - 1) == 0 ? at : NULL;
}

int stint_instance_split(struct stint_instance *instance, struct stint_instance_room *room, const char *name,
                         const char *text)
{
    struct out out = {.text = room->data, .size = sizeof room->data};
    *instance = (struct stint_instance){.data = room->data};
    const char *at = read_numbers(instance, name, text);
    if (!at)
        return 0;
    room->data[0] = '\0';
    put_data(&out, at, instance->op_id, put_distance);
    instance->length = out.used;
    return !out.is_full && stint_instance_join(room->again, sizeof room->again, name, instance) &&
           strcmp(room->again, text) == 0;
}

/* ------------------------------------------------------------------------------------------------------------ table */

uint32_t stint_instance_number(struct stint_instance_table *table, const struct stint_instance *instance, int *is_new)
{
    static const struct stint_table_key key = STINT_TABLE_KEY_WHOLE_COPYING(struct stint_piece);
    size_t count = table->rows.count;
    struct stint_piece like = {instance->data, instance->length};
    int has_room = count < STINT_INSTANCE_MOST && instance->length <= STINT_INSTANCE_MOST_BYTES - table->bytes;
    const void *row = has_room ? stint_table_take(&table->rows, &key, &table->arena, &like)
                               : stint_table_find(&table->rows, &key, &like);
    *is_new = !row || table->rows.count > count;
    table->bytes += table->rows.count > count ? instance->length : 0;
    return (uint32_t)stint_table_position(&table->rows, &key, row) + 1;
}

/* Turns the activation of an operation into its numbers and the number of its text, which is defined when it is new. */

int stint_ctf_operation_of(struct stint_ctf_operations *operations, const struct stint_event *event,
                           struct stint_ctf_operation *row, struct stint_ctf_data *data)
{
    struct stint_instance instance;
    int is_new = 0;
    if (!event->text || event->color || event->category ||
        !stint_instance_split(&instance, &operations->room, event->name, event->text))
        return 0;
    *row = (struct stint_ctf_operation){.path = (uint32_t)event->context,
                                        .start = event->start_ns,
                                        .end = event->end_ns,
                                        .kind = (int)event->kind,
                                        .seq = instance.has_seq ? (int64_t)instance.seq : -1,
                                        .op_id = instance.op_id};
    if (instance.length)
        row->data = stint_instance_number(&operations->table, &instance, &is_new);
    *data = (struct stint_ctf_data){is_new ? row->data : 0, instance.data};
    return row->data || !instance.length;
}
