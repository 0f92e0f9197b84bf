/* Takes any bytes as the packets of a recording. Either they are refused with a reason, or they are a recording whose
 * events are in order and from which every report can be written. The second time, each packet's sum and number are
 * made right, so that damage gets past these checks. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctf/ctf.h"
#include "ctf/ctf_packet.h"
#include "replay/subset.h"
#include "stint/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char s_folder[] = "/tmp/stint_fuzz_XXXXXX";
static char s_metadata[64], s_stream[64];
static const unsigned char s_uuid[16];

static void require(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "fuzz_ctf: %s\n", what);
    abort();
}

/* ------------------------------------------------------------------------------------------------------------ files */

static void remove_folder(void)
{
    unlink(s_metadata);
    unlink(s_stream);
    rmdir(s_folder);
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    require(file >= 0 && write(file, bytes, size) == (ssize_t)size, "a file cannot be written");
    close(file);
}

static void make_folder(void)
{
    char text[8192];
    if (s_stream[0])
        return;
    require(mkdtemp(s_folder) != NULL, "the folder cannot be made");
    (void)snprintf(s_metadata, sizeof s_metadata, "%s/metadata", s_folder);
    (void)snprintf(s_stream, sizeof s_stream, "%s/stream", s_folder);
    atexit(remove_folder);
    write_file(s_metadata, text, stint_ctf_describe(text, sizeof text, s_uuid, 0));
}

/* Makes the packets that can be recognised sound, one behind the other. */
static void repair(unsigned char *bytes, size_t size)
{
    struct stint_ctf_head head;
    uint64_t number = 0, events = 0;
    for (size_t at = 0; size - at >= STINT_CTF_HEAD_SIZE; at += (size_t)(head.packet_bits / 8)) {
        memcpy(bytes + at + 4, s_uuid, sizeof s_uuid);
        if (stint_ctf_read_head(bytes + at, s_uuid, &head) || head.packet_bits / 8 > size - at)
            return;
        stint_ctf_put_u64(bytes + at + STINT_CTF_NUMBER_AT, number++);
        stint_ctf_put_u64(bytes + at + STINT_CTF_BEFORE_AT, events);
        stint_ctf_put_u64(bytes + at + STINT_CTF_SUM_AT, 0);
        stint_ctf_put_u64(bytes + at + STINT_CTF_SUM_AT, stint_ctf_sum(bytes + at, (size_t)(head.packet_bits / 8)));
        events += head.events;
    }
}

/* ---------------------------------------------------------------------------------------------------------- reading */

static int discard(void *context, const char *text, size_t length)
{
    (void)context;
    (void)text;
    (void)length;
    return 0;
}

static void check_events(struct stint_event_source *source)
{
    struct stint_event event;
    uint64_t last = 0;
    int more = source->begin(source) ? -1 : 1;
    while (more > 0 && (more = source->next(source, &event)) > 0) {
        require(event.start_ns >= last && event.end_ns >= event.start_ns, "events are not in order");
        require(event.name && event.set, "an event has no name");
        last = event.start_ns;
    }
    require(more == 0 || source->reason[0], "a failure has no reason");
}

static void check_recording(void)
{
    const struct stint_subset subset = {.to_ns = UINT64_MAX, .counts = 1, .trace = 1000};
    struct stint_subset_seen seen;
    char reason[256] = "";
    struct stint_ctf *ctf = stint_ctf_open(s_folder, reason, sizeof reason);
    if (!ctf) {
        require(reason[0], "a refusal has no reason");
        return;
    }
    check_events(stint_ctf_events(ctf));
    struct stint_snapshot *part = stint_subset_take(stint_ctf_snapshot(ctf), stint_ctf_events(ctf), &subset, &seen);
    if (part)
        (void)stint_report_write(part, STINT_FORMAT_JSON, NULL, discard, NULL);
    stint_snapshot_free(part);
    (void)stint_report_write(stint_ctf_snapshot(ctf), STINT_FORMAT_TABLE, NULL, discard, NULL);
    stint_ctf_close(ctf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *bytes = malloc(size + 1);
    require(bytes != NULL, "there is no memory");
    memcpy(bytes, data, size);
    make_folder();
    write_file(s_stream, bytes, size);
    check_recording();
    repair(bytes, size);
    write_file(s_stream, bytes, size);
    check_recording();
    free(bytes);
    return 0;
}
