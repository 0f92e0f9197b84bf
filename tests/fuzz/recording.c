#include "recording.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctf_writer/ctf_packet.h"
#include "fuzz.h"

static const char *s_folder;
static char s_metadata[64], s_stream[64];
static const unsigned char s_uuid[16];

/* In a head (struct stint_ctf_head). */
enum { STREAM_AT = STINT_CTF_UUID_AT + 16, CONTENT_SIZE_AT = STINT_CTF_PACKET_SIZE_AT - 8 };

static void remove_files(void)
{
    unlink(s_metadata);
    unlink(s_stream);
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    require(file >= 0 && write(file, bytes, size) == (ssize_t)size, "a file cannot be written");
    close(file);
}

static void begin(void)
{
    char text[16384], reason[128];
    if (s_folder)
        return;
    size_t length = stint_ctf_describe(text, sizeof text, s_uuid, 0);
    require(length < sizeof text - 1 &&
                !stint_ctf_read_description(text, (unsigned char[16]){0}, reason, sizeof reason),
            "it is not described");
    s_folder = make_folder(remove_files);
    (void)snprintf(s_metadata, sizeof s_metadata, "%s/metadata", s_folder);
    (void)snprintf(s_stream, sizeof s_stream, "%s/stream", s_folder);
    write_file(s_metadata, text, length);
}

/* Returns where the packet ends that begins here: where another one seems to begin, or all ends. */
static size_t end_of(const unsigned char *bytes, size_t at, size_t size)
{
    unsigned char magic[4];
    stint_ctf_put_u32(magic, STINT_CTF_MAGIC);
    const unsigned char *next =
        size - at > sizeof magic ? memmem(bytes + at + 1, size - at - 1, magic, sizeof magic) : NULL;
    return next ? (size_t)(next - bytes) : size;
}

/* Gives a packet a head that is sound and says what the packet is; stream and times stay as they are. */
static void repair_head(unsigned char *bytes, size_t size, uint64_t number, uint64_t before)
{
    stint_ctf_put_u32(bytes, STINT_CTF_MAGIC);
    memcpy(bytes + STINT_CTF_UUID_AT, s_uuid, sizeof s_uuid);
    bytes[STREAM_AT] %= STINT_CTF_STREAMS;
    memset(bytes + STREAM_AT + 1, 0, 3);
    stint_ctf_put_u64(bytes + CONTENT_SIZE_AT, size * 8);
    stint_ctf_put_u64(bytes + STINT_CTF_PACKET_SIZE_AT, size * 8);
    stint_ctf_put_u64(bytes + STINT_CTF_NUMBER_AT, number);
    stint_ctf_put_u64(bytes + STINT_CTF_BEFORE_AT, before);
    stint_ctf_put_u64(bytes + STINT_CTF_SUM_AT, 0);
    stint_ctf_put_u64(bytes + STINT_CTF_SUM_AT, stint_ctf_sum(bytes, size));
}

const char *recording_write(const uint8_t *data, size_t size)
{
    begin();
    write_file(s_stream, data, size);
    return s_folder;
}

const char *recording_write_repaired(const uint8_t *data, size_t size)
{
    struct output sound = {0};
    uint64_t number = 0, before = 0;
    for (size_t at = 0, end; at < size; at = end) {
        static const char none[STINT_CTF_HEAD_SIZE];
        size_t from = sound.used;
        struct stint_ctf_head head;
        end = end_of(data, at, size);
        (void)keep(&sound, (const char *)data + at, end - at);
        if (end - at < sizeof none)
            (void)keep(&sound, none, sizeof none - (end - at));
        unsigned char *packet = (unsigned char *)sound.text + from;
        repair_head(packet, sound.used - from, number++, before);
        require(stint_ctf_read_head(packet, s_uuid, &head) == 0, "a packet is not sound");
        before += head.events;
    }
    begin();
    write_file(s_stream, sound.text, sound.used);
    free(sound.text);
    return s_folder;
}
