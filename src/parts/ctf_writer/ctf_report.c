/* Replaces the report within a recording, as a packet in a file of its own that is renamed over the old one. */
#include "ctf_writer/ctf_report.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "ctf_writer/ctf_file.h"

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
