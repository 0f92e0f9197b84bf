#include "ctf/ctf_scan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where in a file the scan is. */
struct place {
    int file;
    uint32_t number;
    uint64_t at;
    uint64_t size;
    uint64_t claimed; /* up to here the last sound packet claims the file, so that nothing needs to be there */
    uint64_t packets; /* of the stream so far, as the last sound one tells */
    uint64_t events;
};

static int fail(struct stint_ctf_scan *scan, const char *what, const char *why)
{
    (void)snprintf(scan->reason, sizeof scan->reason, "%.80s: %.70s", what, why);
    return -1;
}

static int read_bytes(int file, uint64_t at, unsigned char *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t count = pread(file, bytes + done, size - done, (off_t)(at + done));
        if (count == 0 || (count < 0 && errno != EINTR))
            return -1;
        done += count > 0 ? (size_t)count : 0;
    }
    return 0;
}

int stint_ctf_read_at(const char *path, uint64_t at, unsigned char *bytes, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    int failed = read_bytes(file, at, bytes, size);
    (void)close(file);
    return failed;
}

/* ----------------------------------------------------------------------------------------------------------- damage */

/* Returns where a packet may begin in the rest of the file, or its end. */
static uint64_t find_packet(const struct stint_ctf_scan *scan, const struct place *place, uint64_t from)
{
    enum { MARK = 20, WINDOW = 65536 };
    unsigned char mark[MARK], window[WINDOW];
    stint_ctf_put_u32(mark, STINT_CTF_MAGIC);
    memcpy(mark + 4, scan->uuid, sizeof scan->uuid);
    while (place->size - from >= MARK) {
        size_t size = place->size - from < WINDOW ? (size_t)(place->size - from) : WINDOW;
        if (read_bytes(place->file, from, window, size))
            break;
        const unsigned char *found = memmem(window, size, mark, MARK);
        if (found)
            return from + (uint64_t)(found - window);
        from += size - MARK + 1;
    }
    return place->size;
}

/* ---------------------------------------------------------------------------------------------------------- packets */

/* Reads the packet at the place. Returns 1; 0 if there is no sound one; -1 without memory. */
static int read_packet(struct stint_ctf_scan *scan, const struct place *place, struct stint_ctf_head *head,
                       struct stint_ctf_reader *reader)
{
    unsigned char bytes[STINT_CTF_HEAD_SIZE];
    if (place->size - place->at < sizeof bytes || read_bytes(place->file, place->at, bytes, sizeof bytes) ||
        stint_ctf_read_head(bytes, scan->uuid, head) || stint_ctf_content_size(head) > place->size - place->at)
        return 0;
    size_t size = stint_ctf_content_size(head);
    scan->buffer.used = 0;
    if (stint_ctf_packet_grow(&scan->buffer, &scan->arena, size))
        return -1;
    return read_bytes(place->file, place->at, scan->buffer.bytes, size) == 0 &&
           stint_ctf_reader_begin(reader, scan->buffer.bytes, head) == 0;
}

/* A packet that comes again, or too late, is as good as damaged. */
static int is_next(const struct place *place, const struct stint_ctf_head *head)
{
    return head->number >= place->packets && head->before >= place->events && head->events <= UINT64_MAX - head->before;
}

static int take(struct stint_ctf_scan *scan, struct place *place, const struct stint_ctf_head *head,
                struct stint_ctf_reader *reader)
{
    if (head->stream == STINT_CTF_THREADS || head->stream == STINT_CTF_DEVICES)
        *(place->packets ? &scan->missing_events : &scan->events_before) += head->before - place->events;
    place->packets = head->number + 1;
    place->events = head->before + head->events;
    return scan->packet(scan->context, place->number, place->at, head, reader);
}

/* Packets follow each other, since version 2 at multiples of 8, whatever they claim: one that is being written is
 * within what the one before it claims. */
static void pass(struct place *place, const struct stint_ctf_head *head)
{
    uint64_t bytes = head->packet_bits / 8, left = place->size - place->at;
    place->claimed = place->at + (bytes < left ? bytes : left);
    place->at += stint_ctf_content_size(head);
    if (place->at < place->claimed)
        place->at = (place->at + 7) & ~UINT64_C(7);
}

static void skip(struct stint_ctf_scan *scan, struct place *place)
{
    uint64_t next = find_packet(scan, place, place->at + 1);
    uint64_t from = place->at > place->claimed ? place->at : place->claimed;
    scan->damaged_bytes += next > from ? next - from : 0;
    place->at = next;
}

static int scan_packets(struct stint_ctf_scan *scan, struct place *place)
{
    while (place->at < place->size) {
        struct stint_ctf_head head;
        struct stint_ctf_reader reader;
        int got = read_packet(scan, place, &head, &reader);
        if (got < 0)
            return fail(scan, "memory", strerror(ENOMEM));
        if (!got || !is_next(place, &head)) {
            skip(scan, place);
            continue;
        }
        if (take(scan, place, &head, &reader))
            return -1;
        pass(place, &head);
    }
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- folder */

static const char *path_at(const struct stint_ctf_scan *scan, uint32_t number)
{
    return ((const char *const *)scan->files.items)[number];
}

/* Whether the file goes on with the stream of the one before it: "thread-1.4" with that of "thread-1.3". */
static int goes_on(const struct stint_ctf_scan *scan, uint32_t number)
{
    const char *name = strrchr(path_at(scan, number), '/'), *before = number ? path_at(scan, number - 1) : "";
    size_t length = strcspn(name, ".") + (size_t)(name - path_at(scan, number));
    return strncmp(path_at(scan, number), before, length) == 0 && (before[length] == '.' || before[length] == '\0');
}

static int scan_file(struct stint_ctf_scan *scan, uint32_t number, struct place *place)
{
    struct stat status;
    int is_part = goes_on(scan, number);
    *place = (struct place){
        .number = number, .packets = is_part ? place->packets : 0, .events = is_part ? place->events : 0};
    place->file = open(path_at(scan, number), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (place->file < 0)
        return fail(scan, path_at(scan, number), strerror(errno));
    int failed = fstat(place->file, &status);
    if (!failed && S_ISREG(status.st_mode)) {
        place->size = (uint64_t)status.st_size;
        failed = scan_packets(scan, place);
    }
    (void)close(place->file);
    return failed;
}

static int add_file(struct stint_ctf_scan *scan, const char *folder, const char *name)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    const char **row = stint_array_add(&scan->files, &scan->arena, sizeof *row);
    if (row && length < (int)sizeof path)
        *row = stint_arena_copy(&scan->arena, path, (size_t)length);
    if (!row || length >= (int)sizeof path || !*row)
        return fail(scan, name, "there is not enough memory");
    return 0;
}

static int is_stream(const char *name)
{
    return name[0] != '.' && strcmp(name, "metadata") != 0;
}

/* Finds the files, sorted by name, so that the same recording is read in the same order everywhere. */
static int find_files(struct stint_ctf_scan *scan, const char *folder)
{
    struct dirent **names = NULL;
    int failed = 0, count = scandir(folder, &names, NULL, versionsort);
    for (int i = 0; i < count; i++) {
        if (!failed && is_stream(names[i]->d_name))
            failed = add_file(scan, folder, names[i]->d_name);
        free(names[i]);
    }
    free(names);
    return count < 0 ? fail(scan, folder, strerror(errno)) : failed;
}

static int read_metadata(struct stint_ctf_scan *scan, const char *folder)
{
    char path[PATH_MAX], text[16384] = "";
    (void)snprintf(path, sizeof path, "%s/metadata", folder);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return fail(scan, "metadata", strerror(errno));
    ssize_t length = pread(file, text, sizeof text - 1, 0);
    (void)close(file);
    const char *why = length < 0 ? "it cannot be read" : stint_ctf_read_description(text, scan->uuid);
    return why ? fail(scan, "metadata", why) : 0;
}

int stint_ctf_scan(struct stint_ctf_scan *scan, const char *folder)
{
    if (read_metadata(scan, folder) || find_files(scan, folder))
        return -1;
    struct place place = {0};
    for (uint32_t i = 0; i < scan->files.count; i++)
        if (scan_file(scan, i, &place))
            return -1;
    return 0;
}
