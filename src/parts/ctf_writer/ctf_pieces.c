/* Makes complete recordings of one that goes on: files of streams are shared, definitions are copied, and the folder is
 * renamed when all of it is there. */
#include "ctf_writer/ctf_writer.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"

static struct stint_ctf_output *output_at(const struct stint_ctf_live *live, size_t position)
{
    if (position < live->threads->count)
        return (struct stint_ctf_output *)live->threads->items + position;
    return position == live->threads->count ? live->devices : live->samples;
}

static size_t output_count(const struct stint_ctf_live *live)
{
    return live->threads->count + 2;
}

uint64_t stint_ctf_piece_events(const struct stint_ctf_live *live, uint64_t since_ns)
{
    uint64_t events = 0;
    for (size_t i = 0; i < output_count(live); i++)
        if (stint_ctf_output_has(output_at(live, i), since_ns))
            events += output_at(live, i)->events;
    return events;
}

uint64_t stint_ctf_piece_end(const struct stint_ctf_live *live)
{
    uint64_t end_ns = 0;
    for (size_t i = 0; i < output_count(live); i++)
        if (end_ns < output_at(live, i)->time)
            end_ns = output_at(live, i)->time;
    return end_ns;
}

/* Returns 0, or -1 if the name is too long. */
static int name_piece(const char *path, const char *kind, uint64_t number, char *out)
{
    const char *folder = stint_env_text("STINT_DUMP_FOLDER"), *slash = strrchr(path, '/');
    size_t length = strlen(path), ending = sizeof STINT_CTF_ENDING - 1;
    if (length > ending && strcmp(path + length - ending, STINT_CTF_ENDING) == 0)
        length -= ending;
    if (folder && slash) {
        length -= (size_t)(slash + 1 - path);
        path = slash + 1;
    }
    int used = snprintf(out, PATH_MAX, "%s%s%.*s.%s%llu" STINT_CTF_ENDING, folder ? folder : "", folder ? "/" : "",
                        (int)length, path, kind, (unsigned long long)number);
    errno = ENAMETOOLONG;
    return used < PATH_MAX ? 0 : -1;
}

/* The recording goes on, but what is made of it ends here. */
static int put_end(struct stint_ctf_output *definitions, const struct stint_ctf_live *live, uint64_t events,
                   const char *to)
{
    static const struct stint_ctf_limits none = {0};
    struct stint_arena arena = {0};
    struct stint_ctf_packet packet = {0};
    struct stint_ctf_end end = {events};
    stint_ctf_packet_begin(&packet, STINT_CTF_DEFINITIONS, definitions->time);
    int failed = stint_ctf_packet_grow(&packet, &arena, stint_ctf_event_size(STINT_CTF_END, &end));
    if (failed) {
        errno = ENOMEM;
    } else {
        stint_ctf_packet_add(&packet, STINT_CTF_END, definitions->time, 0, &end);
        failed = stint_ctf_output_put(definitions, to, live->uuid, &none, &packet);
    }
    stint_arena_free(&arena);
    return failed;
}

static struct stint_ctf_file file_of(enum stint_ctf_stream stream)
{
    struct stint_ctf_file file = {.size = 0};
    strcpy(file.name, stint_ctf_stream_names[stream]);
    return file;
}

static int copy_definitions(const struct stint_ctf_live *live, uint64_t events, const char *to)
{
    struct stint_ctf_output copy = *live->definitions;
    stint_ctf_output_end(live->definitions, live->path);
    copy.file = file_of(STINT_CTF_DEFINITIONS);
    if (stint_ctf_file_copy(live->path, copy.file.name, to, &copy.file))
        return -1;
    copy.reserved = copy.file.size;
    int failed = put_end(&copy, live, events, to);
    stint_ctf_output_end(&copy, to);
    return failed;
}

static int fill(const struct stint_ctf_live *live, uint64_t since_ns, const char *to)
{
    struct stint_ctf_file metadata = {.name = STINT_CTF_METADATA}, report = file_of(STINT_CTF_REPORTS);
    uint64_t events = stint_ctf_piece_events(live, since_ns);
    if (stint_ctf_file_copy(live->path, metadata.name, to, &metadata) ||
        stint_ctf_file_copy(live->path, report.name, to, &report) || copy_definitions(live, events, to))
        return -1;
    for (size_t i = 0; i < output_count(live); i++)
        if (stint_ctf_output_share(output_at(live, i), live->path, to, since_ns))
            return -1;
    return 0;
}

static int make(const struct stint_ctf_live *live, uint64_t since_ns, const char *path)
{
    char beside[PATH_MAX];
    if (snprintf(beside, sizeof beside, "%s.tmp", path) >= (int)sizeof beside) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (stint_ctf_folder_make(beside))
        return -1;
    if (fill(live, since_ns, beside) == 0 && rename(beside, path) == 0)
        return 0;
    int error = errno;
    stint_ctf_remove(beside);
    errno = error;
    return -1;
}

int stint_ctf_pieces_dump(struct stint_ctf_pieces *pieces, const struct stint_ctf_live *live,
                          const struct stint_ctf_limits *limits, char *out)
{
    uint64_t end_ns = stint_ctf_piece_end(live);
    do {
        if (name_piece(live->path, "dump", ++pieces->dumps, out))
            return -1;
    } while (access(out, F_OK) == 0);
    return make(live, limits->ring_ns && limits->ring_ns < end_ns ? end_ns - limits->ring_ns : 0, out);
}

int stint_ctf_pieces_is_due(const struct stint_ctf_pieces *pieces, const struct stint_ctf_limits *limits,
                            uint64_t bytes, uint64_t ns)
{
    return (limits->piece_bytes && bytes - pieces->bytes >= limits->piece_bytes) ||
           (limits->piece_ns && ns >= pieces->ns + limits->piece_ns);
}

int stint_ctf_pieces_next(struct stint_ctf_pieces *pieces, const struct stint_ctf_live *live,
                          const struct stint_ctf_limits *limits, uint64_t bytes, uint64_t ns)
{
    char path[PATH_MAX];
    pieces->bytes = bytes;
    pieces->ns = ns;
    if (name_piece(live->path, "part", ++pieces->parts, path))
        return -1;
    stint_ctf_remove(path); /* of an earlier run */
    if (make(live, 0, path))
        return -1;
    for (size_t i = 0; i < output_count(live); i++)
        stint_ctf_output_drop(output_at(live, i), live->path);
    if (limits->pieces && pieces->parts > limits->pieces &&
        name_piece(live->path, "part", pieces->parts - limits->pieces, path) == 0)
        stint_ctf_remove(path);
    return 0;
}
