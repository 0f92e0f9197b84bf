/* Reads all files of a recording once, packet by packet, checks each, and looks for the next sound one where something
 * is broken. */
#include "ctf/ctf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---------------------------------------------------------------------------------------------------------- finding */

static int add_input(struct stint_array *inputs, struct stint_arena *arena, const char *folder, const char *name)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    struct stint_ctf_input *input = stint_array_add(inputs, arena, sizeof *input);
    char *copy = input ? stint_arena_copy(arena, path, (size_t)length) : NULL;
    if (!copy) {
        errno = ENOMEM;
        return -1;
    }
    *input = (struct stint_ctf_input){.name = copy + (size_t)length - strlen(name), .path = copy};
    return 0;
}

int stint_ctf_inputs_find(struct stint_array *inputs, struct stint_arena *arena, const char *folder)
{
    DIR *directory = opendir(folder);
    int failed = 0;
    if (!directory)
        return -1;
    for (struct dirent *entry; !failed && (entry = readdir(directory));)
        if (entry->d_name[0] != '.')
            failed = add_input(inputs, arena, folder, entry->d_name);
    int error = errno;
    (void)closedir(directory);
    errno = error;
    return failed;
}

static int by_name(const void *a, const void *b)
{
    return strverscmp(((const struct stint_ctf_input *)a)->name, ((const struct stint_ctf_input *)b)->name);
}

/* Sorts them by name, so that the same recording is read in the same order everywhere. */
static void sort_inputs(struct stint_array *inputs)
{
    if (inputs->count)
        qsort(inputs->items, inputs->count, sizeof(struct stint_ctf_input), by_name);
}

/* ---------------------------------------------------------------------------------------------------------- reading */

int stint_ctf_input_open(const struct stint_ctf_input *input, uint64_t *size)
{
    struct stat status;
    int file = open(input->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return -1;
    *size = fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
    return file;
}

int stint_ctf_input_read(int file, uint64_t at, unsigned char *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t count = pread(file, bytes + done, size - done, (off_t)(at + done));
        if (count == 0 || (count < 0 && errno != EINTR))
            return -1;
        done += count > 0 ? (size_t)count : 0;
    }
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------- packets */

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

static const struct stint_ctf_input *input_at(const struct stint_ctf_scan *scan, uint32_t number)
{
    return (const struct stint_ctf_input *)scan->files.items + number;
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
        if (stint_ctf_input_read(place->file, from, window, size))
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
    if (place->size - place->at < sizeof bytes || stint_ctf_input_read(place->file, place->at, bytes, sizeof bytes) ||
        stint_ctf_read_head(bytes, scan->uuid, head) || stint_ctf_content_size(head) > place->size - place->at)
        return 0;
    size_t size = stint_ctf_content_size(head);
    scan->buffer.used = 0;
    if (stint_ctf_packet_grow(&scan->buffer, &scan->arena, size))
        return -1;
    return stint_ctf_input_read(place->file, place->at, scan->buffer.bytes, size) == 0 &&
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
    if (head->stream != STINT_CTF_DEFINITIONS && head->stream != STINT_CTF_REPORTS)
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

/* ------------------------------------------------------------------------------------------------------------ files */

/* Whether the file goes on with the stream of the one before it: "thread-1.4" with that of "thread-1.3". */
static int goes_on(const struct stint_ctf_scan *scan, uint32_t number)
{
    const char *name = input_at(scan, number)->name, *before = number ? input_at(scan, number - 1)->name : "";
    size_t length = strcspn(name, ".");
    return strncmp(name, before, length) == 0 && (before[length] == '.' || before[length] == '\0');
}

static int scan_file(struct stint_ctf_scan *scan, uint32_t number, struct place *place)
{
    const struct stint_ctf_input *input = input_at(scan, number);
    int is_part = goes_on(scan, number);
    *place = (struct place){
        .number = number, .packets = is_part ? place->packets : 0, .events = is_part ? place->events : 0};
    if (strcmp(input->name, STINT_CTF_METADATA) == 0)
        return 0;
    place->file = stint_ctf_input_open(input, &place->size);
    if (place->file < 0)
        return fail(scan, input->path, strerror(errno));
    int failed = scan_packets(scan, place);
    scan->empty_files += !place->size;
    (void)close(place->file);
    return failed;
}

long stint_ctf_scan_metadata(const struct stint_ctf_input *metadata, char *text, size_t size)
{
    uint64_t length;
    int file = stint_ctf_input_open(metadata, &length);
    if (file < 0)
        return -1;
    if (length > size - 1)
        length = size - 1;
    int failed = stint_ctf_input_read(file, 0, (unsigned char *)text, (size_t)length);
    (void)close(file);
    text[failed ? 0 : length] = '\0';
    return failed ? -1 : (long)length;
}

static int read_metadata(struct stint_ctf_scan *scan)
{
    char text[16384], reason[128] = "it cannot be read";
    for (uint32_t i = 0; i < scan->files.count; i++) {
        if (strcmp(input_at(scan, i)->name, STINT_CTF_METADATA) != 0)
            continue;
        if (stint_ctf_scan_metadata(input_at(scan, i), text, sizeof text) < 0 ||
            stint_ctf_read_description(text, scan->uuid, reason, sizeof reason))
            return fail(scan, STINT_CTF_METADATA, reason);
        return 0;
    }
    return fail(scan, STINT_CTF_METADATA, strerror(ENOENT));
}

int stint_ctf_scan(struct stint_ctf_scan *scan)
{
    struct place place = {0};
    sort_inputs(&scan->files);
    if (read_metadata(scan))
        return -1;
    for (uint32_t i = 0; i < scan->files.count; i++)
        if (scan_file(scan, i, &place))
            return -1;
    return 0;
}
