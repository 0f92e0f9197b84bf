/* Packets of a recording: writes events into one, and reads them from one. */
#ifndef STINT_CTF_WRITER_CTF_PACKET_H
#define STINT_CTF_WRITER_CTF_PACKET_H

#include "base/arena.h"
#include "ctf_writer/ctf_format.h"

/* A packet that is being filled. */
struct stint_ctf_packet {
    struct stint_ctf_head head;
    uint64_t time; /* of the last event of the stream */
    unsigned char *bytes;
    size_t used, size;
};

/* Begins a packet of a stream whose last event was at `time`. The caller fills in the rest of the head. */
void stint_ctf_packet_begin(struct stint_ctf_packet *packet, enum stint_ctf_stream stream, uint64_t time);

/* Makes room for `size` more bytes. Returns 0, or -1 without memory. */
int stint_ctf_packet_grow(struct stint_ctf_packet *packet, struct stint_arena *arena, size_t size);

/* Adds an event, for which there has to be room: stint_ctf_event_size. Its time in the stream is `time`, or that of the
 * event before if that is later. `start` is when what it tells of began. */
void stint_ctf_packet_add(struct stint_ctf_packet *packet, enum stint_ctf_id id, uint64_t time, uint64_t start,
                          const void *row);
size_t stint_ctf_event_size(enum stint_ctf_id id, const void *row);

/* Writes the head. The bytes are then complete. */
void stint_ctf_packet_end(struct stint_ctf_packet *packet);

enum { STINT_CTF_SCOPE_SIZE = 12, STINT_CTF_AT_SIZE = 13 + 20 };

/* Adds the end of a scope. There has to be room for STINT_CTF_AT_SIZE. */
static inline void stint_ctf_packet_scope(struct stint_ctf_packet *packet, uint32_t path, uint64_t start, uint64_t end)
{
    unsigned char *at = packet->bytes + packet->used;
    if (!packet->head.events || end < packet->time || (end - packet->time) >> STINT_CTF_TIME_BITS ||
        end - start > UINT32_MAX) {
        int is_short = end >= packet->time && end - start <= UINT32_MAX;
        struct stint_ctf_activation row = {
            .path = path, .duration = (uint32_t)(end - start), .start = start, .end = end};
        stint_ctf_packet_add(packet, is_short ? STINT_CTF_SCOPE : STINT_CTF_SCOPE_AT, end, start, &row);
        return;
    }
    stint_ctf_put_u32(at, (uint32_t)end << STINT_CTF_ID_BITS | STINT_CTF_SCOPE);
    stint_ctf_put_u32(at + 4, path);
    stint_ctf_put_u32(at + 8, (uint32_t)(end - start));
    packet->used += STINT_CTF_SCOPE_SIZE;
    packet->time = end;
    packet->head.events++;
    if (start < packet->head.first_start)
        packet->head.first_start = start;
}

static inline size_t stint_ctf_content_size(const struct stint_ctf_head *head)
{
    return (size_t)(head->content_bits / 8);
}

/* Reads a head. Returns 0, or -1 if it cannot be one of this recording. */
int stint_ctf_read_head(const unsigned char *bytes, const unsigned char uuid[16], struct stint_ctf_head *head);

/* The events of a packet that are being read. */
struct stint_ctf_reader {
    const unsigned char *at, *end;
    uint64_t time; /* of the last event */
};

/* Reads a packet's content, and changes its bytes meanwhile. Returns 0, or -1 if it is damaged. */
int stint_ctf_reader_begin(struct stint_ctf_reader *reader, unsigned char *bytes, const struct stint_ctf_head *head);

/* Reads the beginning of the next event. Returns its id, or -1 if there is none. */
static inline int stint_ctf_read_id(struct stint_ctf_reader *reader)
{
    enum { LONG = 13, MASK = (1 << STINT_CTF_TIME_BITS) - 1 };
    if (reader->end - reader->at < 4)
        return -1;
    uint32_t word = stint_ctf_get_u32(reader->at), id = word & STINT_CTF_LONG_ID;
    if (id != STINT_CTF_LONG_ID) {
        reader->time += ((word >> STINT_CTF_ID_BITS) - (uint32_t)reader->time) & MASK;
        reader->at += 4;
        return id < STINT_CTF_IDS ? (int)id : -1;
    }
    if (reader->end - reader->at < LONG)
        return -1;
    id = stint_ctf_get_u32(reader->at + 1);
    reader->time = stint_ctf_get_u64(reader->at + 5);
    reader->at += LONG;
    return id < STINT_CTF_IDS ? (int)id : -1;
}

/* Reads the event's fields into the struct that has them; texts are in the packet. Returns 0, or -1 if they are not
 * all there. */
int stint_ctf_read_fields(struct stint_ctf_reader *reader, enum stint_ctf_id id, void *row);

/* The file "report" of a recording. */

/* Writes the report, JSON, in place of the one that is there; a reader finds the earlier one or the new one. `packet`
 * is used for it. Returns 0, or -1: errno says why. */
int stint_ctf_report_put(const char *folder, const unsigned char uuid[16], uint64_t time, const char *report,
                         struct stint_ctf_packet *packet, struct stint_arena *arena);

/* Does so in a recording that has ended. */
int stint_ctf_report_replace(const char *folder, const char *report);

#endif
