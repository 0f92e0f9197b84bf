#include "recording.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctf/ctf.h"
#include "ctf_writer/ctf_packet.h"
#include "fuzz.h"

static const char *s_folder;
static char s_metadata[64], s_stream[64];
static const unsigned char s_uuid[16];

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
    char text[8192];
    if (s_folder)
        return;
    s_folder = make_folder(remove_files);
    (void)snprintf(s_metadata, sizeof s_metadata, "%s/metadata", s_folder);
    (void)snprintf(s_stream, sizeof s_stream, "%s/stream", s_folder);
    write_file(s_metadata, text, stint_ctf_describe(text, sizeof text, s_uuid, 0));
}

/* Makes the packets that can be recognised sound, one behind the other. */
static void repair(unsigned char *bytes, size_t size)
{
    struct stint_ctf_head head;
    uint64_t number = 0, events = 0;
    for (size_t at = 0; size - at >= STINT_CTF_HEAD_SIZE; at += stint_ctf_content_size(&head)) {
        memcpy(bytes + at + 4, s_uuid, sizeof s_uuid);
        if (stint_ctf_read_head(bytes + at, s_uuid, &head) || stint_ctf_content_size(&head) > size - at)
            return;
        stint_ctf_put_u64(bytes + at + STINT_CTF_NUMBER_AT, number++);
        stint_ctf_put_u64(bytes + at + STINT_CTF_BEFORE_AT, events);
        stint_ctf_put_u64(bytes + at + STINT_CTF_SUM_AT, 0);
        stint_ctf_put_u64(bytes + at + STINT_CTF_PACKET_SIZE_AT, head.content_bits);
        stint_ctf_put_u64(bytes + at + STINT_CTF_SUM_AT, stint_ctf_sum(bytes + at, stint_ctf_content_size(&head)));
        events += head.events;
    }
}

const char *recording_write(const uint8_t *data, size_t size)
{
    begin();
    write_file(s_stream, data, size);
    return s_folder;
}

const char *recording_write_repaired(const uint8_t *data, size_t size)
{
    char *bytes = copy_text(data, size);
    repair((unsigned char *)bytes, size);
    (void)recording_write((unsigned char *)bytes, size);
    free(bytes);
    return s_folder;
}
