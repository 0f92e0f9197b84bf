/* Between structs and bytes, in both directions: one loop over the fields that a table lists. Readers check sizes and
 * ends, since a recording may be damaged. */
#include "ctf_writer/ctf_packet.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "ctf_writer/ctf_output.h"

static size_t size_of(const struct stint_ctf_field *field, const void *row)
{
    static const size_t sizes[] = {[STINT_CTF_U8] = 1,  [STINT_CTF_U32] = 4, [STINT_CTF_U64] = 8,
                                   [STINT_CTF_I64] = 8, [STINT_CTF_F64] = 8, [STINT_CTF_BYTES] = 16};
    return field->type == STINT_CTF_TEXT ? strlen(*(const char *const *)row) + 1 : sizes[field->type];
}

/* ---------------------------------------------------------------------------------------------------------- writing */

static unsigned char *put_field(unsigned char *out, const struct stint_ctf_field *field, const void *at)
{
    size_t size = size_of(field, at);
    switch (field->type) {
    case STINT_CTF_U8:
        *out = (unsigned char)*(const int *)at;
        break;
    case STINT_CTF_U32:
        stint_ctf_put_u32(out, *(const uint32_t *)at);
        break;
    case STINT_CTF_TEXT:
        memcpy(out, *(const char *const *)at, size);
        break;
    case STINT_CTF_BYTES:
        memcpy(out, at, size);
        break;
    default:
        stint_ctf_put_u64(out, *(const uint64_t *)at);
    }
    return out + size;
}

static unsigned char *put_fields(unsigned char *out, const struct stint_ctf_fields *fields, const void *row)
{
    for (size_t i = 0; i < fields->count; i++)
        out = put_field(out, &fields->all[i], (const char *)row + fields->all[i].at);
    return out;
}

void stint_ctf_packet_begin(struct stint_ctf_packet *packet, enum stint_ctf_stream stream, uint64_t time)
{
    packet->head = (struct stint_ctf_head){.magic = STINT_CTF_MAGIC, .stream = stream, .first_start = UINT64_MAX};
    packet->time = time;
    packet->used = STINT_CTF_HEAD_SIZE;
}

int stint_ctf_packet_grow(struct stint_ctf_packet *packet, struct stint_arena *arena, size_t size)
{
    enum { LEAST = 65536 };
    size_t wanted = packet->size ? packet->size : LEAST;
    if (packet->size - packet->used >= size && packet->bytes)
        return 0;
    while (wanted - packet->used < size)
        wanted *= 2;
    unsigned char *bytes = stint_arena_alloc(arena, wanted);
    if (!bytes)
        return -1;
    if (packet->bytes)
        memcpy(bytes, packet->bytes, packet->used);
    packet->bytes = bytes;
    packet->size = wanted;
    return 0;
}

size_t stint_ctf_event_size(enum stint_ctf_id id, const void *row)
{
    const struct stint_ctf_fields *fields = &stint_ctf_event_table[id].fields;
    size_t size = 13;
    for (size_t i = 0; i < fields->count; i++)
        size += size_of(&fields->all[i], (const char *)row + fields->all[i].at);
    return size;
}

static unsigned char *put_id(struct stint_ctf_packet *packet, unsigned char *at, enum stint_ctf_id id, uint64_t time)
{
    if ((time - packet->time) >> STINT_CTF_TIME_BITS == 0) {
        stint_ctf_put_u32(at, (uint32_t)time << STINT_CTF_ID_BITS | (uint32_t)id);
        return at + 4;
    }
    at[0] = STINT_CTF_LONG_ID;
    stint_ctf_put_u32(at + 1, (uint32_t)id);
    stint_ctf_put_u64(at + 5, time);
    return at + 13;
}

/* The first event's time is that at which the packet begins. */
void stint_ctf_packet_add(struct stint_ctf_packet *packet, enum stint_ctf_id id, uint64_t time, uint64_t start,
                          const void *row)
{
    unsigned char *at = packet->bytes + packet->used;
    if (time < packet->time)
        time = packet->time;
    if (!packet->head.events)
        packet->time = packet->head.begin_ns = time;
    at = put_id(packet, at, id, time);
    at = put_fields(at, &stint_ctf_event_table[id].fields, row);
    packet->used = (size_t)(at - packet->bytes);
    packet->time = time;
    packet->head.events++;
    if (start < packet->head.first_start)
        packet->head.first_start = start;
}

void stint_ctf_packet_end(struct stint_ctf_packet *packet)
{
    packet->head.content_bits = packet->head.packet_bits = (uint64_t)packet->used * 8;
    packet->head.end_ns = packet->time;
    packet->head.sum = 0;
    (void)put_fields(packet->bytes, &stint_ctf_head, &packet->head);
    stint_ctf_put_u64(packet->bytes + STINT_CTF_SUM_AT, stint_ctf_sum(packet->bytes, packet->used));
}

/* ---------------------------------------------------------------------------------------------------------- reading */

/* Returns where the next field is, or NULL if this one is not all there. */
static const unsigned char *get_field(const unsigned char *in, const unsigned char *end,
                                      const struct stint_ctf_field *field, void *at)
{
    if (field->type == STINT_CTF_TEXT) {
        const char *text = (const char *)in;
        const unsigned char *last = memchr(in, '\0', (size_t)(end - in));
        memcpy(at, &text, sizeof text);
        return last ? last + 1 : NULL;
    }
    size_t size = size_of(field, NULL);
    if ((size_t)(end - in) < size)
        return NULL;
    if (field->type == STINT_CTF_U8)
        *(int *)at = *in;
    else if (field->type == STINT_CTF_U32)
        *(uint32_t *)at = stint_ctf_get_u32(in);
    else if (field->type == STINT_CTF_BYTES)
        memcpy(at, in, size);
    else
        *(uint64_t *)at = stint_ctf_get_u64(in);
    return in + size;
}

static const unsigned char *get_fields(const unsigned char *in, const unsigned char *end,
                                       const struct stint_ctf_fields *fields, void *row)
{
    for (size_t i = 0; in && i < fields->count; i++)
        in = get_field(in, end, &fields->all[i], (char *)row + fields->all[i].at);
    return in;
}

int stint_ctf_read_head(const unsigned char *bytes, const unsigned char uuid[16], struct stint_ctf_head *head)
{
    (void)get_fields(bytes, bytes + STINT_CTF_HEAD_SIZE, &stint_ctf_head, head);
    return head->magic == STINT_CTF_MAGIC && memcmp(head->uuid, uuid, sizeof head->uuid) == 0 &&
                   head->stream < STINT_CTF_STREAMS && head->packet_bits >= head->content_bits &&
                   head->content_bits % 8 == 0 && head->content_bits >= STINT_CTF_HEAD_SIZE * 8 &&
                   head->content_bits / 8 <= STINT_CTF_MOST_BYTES
               ? 0
               : -1;
}

int stint_ctf_reader_begin(struct stint_ctf_reader *reader, unsigned char *bytes, const struct stint_ctf_head *head)
{
    size_t size = stint_ctf_content_size(head);
    memset(bytes + STINT_CTF_SUM_AT, 0, sizeof head->sum);
    stint_ctf_put_u64(bytes + STINT_CTF_PACKET_SIZE_AT, head->content_bits);
    *reader = (struct stint_ctf_reader){bytes + STINT_CTF_HEAD_SIZE, bytes + size, head->begin_ns};
    return stint_ctf_sum(bytes, size) == head->sum ? 0 : -1;
}

int stint_ctf_read_fields(struct stint_ctf_reader *reader, enum stint_ctf_id id, void *row)
{
    const unsigned char *next = get_fields(reader->at, reader->end, &stint_ctf_event_table[id].fields, row);
    if (!next)
        return -1;
    reader->at = next;
    return 0;
}

/* Replaces the report within a recording, as a packet in a file of its own that is renamed over the old one. */

int stint_ctf_report_put(const char *folder, const unsigned char uuid[16], uint64_t time, const char *report,
                         struct stint_ctf_packet *packet, struct stint_arena *arena)
{
    struct stint_ctf_file file = {.name = ".report"};
    struct stint_ctf_report row = {report};
    stint_ctf_packet_begin(packet, STINT_CTF_REPORTS, time);
    if (stint_ctf_packet_grow(packet, arena, stint_ctf_event_size(STINT_CTF_REPORT, &row))) {
        errno = ENOMEM;
        return -1;
    }
    stint_ctf_packet_add(packet, STINT_CTF_REPORT, 0, 0, &row);
    memcpy(packet->head.uuid, uuid, sizeof packet->head.uuid);
    stint_ctf_packet_end(packet);
    stint_ctf_file_forget(&file, folder);
    if (stint_ctf_file_append(&file, folder, packet->bytes, packet->used) == 0 &&
        stint_ctf_file_rename(folder, file.name, stint_ctf_stream_names[STINT_CTF_REPORTS]) == 0)
        return 0;
    int error = errno;
    stint_ctf_file_forget(&file, folder); /* where the disk is full, this makes room for the end */
    errno = error;
    return -1;
}

/* Reads the head of the report that is there. */
static int read_head(const char *folder, struct stint_ctf_head *head)
{
    char path[PATH_MAX];
    unsigned char bytes[STINT_CTF_HEAD_SIZE];
    (void)snprintf(path, sizeof path, "%s/%s", folder, stint_ctf_stream_names[STINT_CTF_REPORTS]);
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        (void)fclose(file);
    else
        return -1;
    errno = EINVAL;
    return length == sizeof bytes ? stint_ctf_read_head(bytes, bytes + STINT_CTF_UUID_AT, head) : -1;
}

int stint_ctf_report_replace(const char *folder, const char *report)
{
    struct stint_ctf_packet packet = {0};
    struct stint_arena arena = {0};
    struct stint_ctf_head head;
    int failed =
        read_head(folder, &head) || stint_ctf_report_put(folder, head.uuid, head.end_ns, report, &packet, &arena);
    stint_arena_free(&arena);
    return failed ? -1 : 0;
}
