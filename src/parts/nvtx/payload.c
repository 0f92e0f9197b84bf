/* Takes the numbers out of the payloads of events, as their schema or predefined type says, and the text that names an
 * event without another name. Payloads come from programs: nothing is read beyond their size. */
#include "nvtx/payload.h"

#include <string.h>

#include "nvtx/string.h"

static void count_rest(uint64_t entries)
{
    stint_nvtx_count(&stint_nvtx_counts.rest, entries);
}

static void count_unknown(void)
{
    stint_nvtx_count(&stint_dropped.nvtx_unknown, 1);
}

static size_t known_size(const struct stint_nvtx_data *data, size_t otherwise)
{
    return data->size == SIZE_MAX ? otherwise : data->size;
}

static int is_inside(size_t offset, size_t length, size_t size)
{
    return offset <= size && length <= size - offset;
}

static void add_type(uint32_t id, const struct stint_nvtx_data *data)
{
    struct stint_nvtx_type type = stint_nvtx_type_of(data->schema);
    if (type.kind == STINT_NVTX_NO_NUMBER || known_size(data, type.size) < type.size)
        count_rest(1);
    else
        stint_nvtx_value_add(id, 0, stint_nvtx_number_at(&type, data->bytes));
}

static void add_fields(uint32_t id, const struct stint_nvtx_schema *schema, const struct stint_nvtx_data *data)
{
    size_t size = known_size(data, schema->size);
    for (uint32_t i = 0; i < schema->field_count; i++) {
        const struct stint_nvtx_field *field = &schema->fields[i];
        if (is_inside(field->offset, field->type.size, size))
            stint_nvtx_value_add(id, field->name,
                                 stint_nvtx_number_at(&field->type, (const char *)data->bytes + field->offset));
        else
            count_rest(1);
    }
    count_rest(schema->rest);
}

void stint_nvtx_payload_add(const struct stint_nvtx_domain *domain, uint32_t id, const struct stint_nvtx_data *data,
                            size_t count)
{
    for (size_t i = 0; data && id && i < count; i++) {
        const struct stint_nvtx_schema *schema = NULL;
        if (data[i].schema >= STINT_NVTX_FIRST_STATIC_ID)
            schema = stint_nvtx_schema_of(domain, data[i].schema);
        if (!data[i].bytes)
            count_rest(1);
        else if (schema)
            add_fields(id, schema, &data[i]);
        else if (data[i].schema >= STINT_NVTX_FIRST_STATIC_ID)
            count_unknown();
        else
            add_type(id, &data[i]);
    }
}

void stint_nvtx_payload_add_plain(const struct stint_nvtx_domain *domain, uint32_t id,
                                  const struct stint_nvtx_attributes *attributes)
{
    union stint_nvtx_number number = attributes->payload;
    switch (attributes->payload_type) {
    case STINT_NVTX_PAYLOAD_NONE:
        break;
    case STINT_NVTX_PAYLOAD_U64:
        stint_nvtx_value_add(id, 0, (double)number.u64);
        break;
    case STINT_NVTX_PAYLOAD_I64:
        stint_nvtx_value_add(id, 0, (double)number.i64);
        break;
    case STINT_NVTX_PAYLOAD_F64:
        stint_nvtx_value_add(id, 0, number.f64);
        break;
    case STINT_NVTX_PAYLOAD_U32:
        stint_nvtx_value_add(id, 0, (double)number.u32);
        break;
    case STINT_NVTX_PAYLOAD_I32:
        stint_nvtx_value_add(id, 0, (double)number.i32);
        break;
    case STINT_NVTX_PAYLOAD_F32:
        stint_nvtx_value_add(id, 0, (double)number.f32);
        break;
    case STINT_NVTX_PAYLOAD_EXTENDED:
        stint_nvtx_payload_add(domain, id, number.pointer,
                               (size_t)(attributes->payload_count > 0 ? attributes->payload_count : 0));
        break;
    default:
        count_unknown();
    }
}

size_t stint_nvtx_payload_size(const struct stint_nvtx_domain *domain, uint64_t schema)
{
    if (schema < STINT_NVTX_FIRST_STATIC_ID)
        return stint_nvtx_type_of(schema).size;
    const struct stint_nvtx_schema *found = stint_nvtx_schema_of(domain, schema);
    return found ? found->size : 0;
}

/* --------------------------------------------------------------------------------------------------------- messages */

static struct stint_nvtx_message pointer_at(uint64_t type, const char *bytes)
{
    struct stint_nvtx_message message = {0};
    const void *pointer;
    memcpy(&pointer, bytes, sizeof pointer);
    if (type == STINT_NVTX_TYPE_REGISTERED) {
        message.string = pointer ? stint_nvtx_string_of(pointer) : NULL;
    } else {
        message.text = pointer;
        message.length = pointer ? STINT_MAX_NAME + 1 : 0;
    }
    return message;
}

static struct stint_nvtx_message text_at(const struct stint_nvtx_schema *schema, const struct stint_nvtx_data *data)
{
    size_t size = known_size(data, schema->size), offset = schema->message_offset;
    const char *bytes = data->bytes;
    if (!schema->message_length)
        return is_inside(offset, sizeof(void *), size) ? pointer_at(schema->message_type, bytes + offset)
                                                       : (struct stint_nvtx_message){0};
    if (offset >= size)
        return (struct stint_nvtx_message){0};
    return (struct stint_nvtx_message){
        .text = bytes + offset,
        .length = schema->message_length < size - offset ? schema->message_length : size - offset,
    };
}

struct stint_nvtx_message stint_nvtx_payload_message(const struct stint_nvtx_domain *domain,
                                                     const struct stint_nvtx_data *data, size_t count)
{
    struct stint_nvtx_message message = {0};
    const char *name = NULL;
    for (size_t i = 0; data && i < count; i++) {
        const struct stint_nvtx_schema *schema = NULL;
        if (data[i].schema >= STINT_NVTX_FIRST_STATIC_ID && data[i].bytes)
            schema = stint_nvtx_schema_of(domain, data[i].schema);
        if (schema && schema->message_type)
            message = text_at(schema, &data[i]);
        if (message.string || message.text)
            return message;
        if (schema && !name)
            name = schema->name;
    }
    message.text = name; /* the schema's name, used because the event has no text of its own */
    message.length = name ? STINT_MAX_NAME + 1 : 0;
    return message;
}
