/* Writes packets to the files of one stream, and begins a new file when a ring's share or a part is full. The order of
 * writes keeps each file readable at every moment. */
#include "ctf_writer/ctf_output.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ctf_writer/ctf_format.h"

/* Packets begin at multiples of 8, so that the field with a packet's size is never in two pages: it is then changed as
 * a whole even if the process is killed meanwhile. */
enum { ALIGNMENT = 8, PAGE = 4096, RESERVED_LEAST = 1 << 16, RESERVED_MOST = 1 << 24 };

static uint64_t rounded(uint64_t bytes, uint64_t to)
{
    return (bytes + to - 1) / to * to;
}

static void set_name(struct stint_ctf_output *output, const char *prefix)
{
    if (output->part)
        (void)snprintf(output->file.name, sizeof output->file.name, "%s%s.%llu", prefix, output->name,
                       (unsigned long long)output->part);
    else
        (void)snprintf(output->file.name, sizeof output->file.name, "%s%s", prefix, output->name);
}

/* Sets the size of the packet that begins there: it reaches up to `end`. */
static int set_packet_size(int descriptor, uint64_t at, uint64_t end)
{
    unsigned char bits[8];
    stint_ctf_put_u64(bits, (end - at) * 8);
    return stint_ctf_file_write(descriptor, bits, sizeof bits, at + STINT_CTF_PACKET_SIZE_AT);
}

/* Makes the file larger. Between the two steps its end belongs to no packet; that is seldom, and lasts microseconds. */
static int reserve(struct stint_ctf_output *output, int descriptor, uint64_t needed)
{
    uint64_t more = needed < RESERVED_LEAST ? RESERVED_LEAST : needed > RESERVED_MOST ? RESERVED_MOST : needed;
    uint64_t size = rounded(needed + more, PAGE);
    if (ftruncate(descriptor, (off_t)size)) {
        size = needed; /* files may have a limit */
        if (ftruncate(descriptor, (off_t)size))
            return -1;
    }
    output->reserved = size;
    return output->file.size ? set_packet_size(descriptor, output->last_at, size) : 0;
}

static int write_packet(struct stint_ctf_output *output, int descriptor, const struct stint_ctf_packet *packet,
                        uint64_t at)
{
    if (at + packet->used > output->reserved && reserve(output, descriptor, at + packet->used))
        return -1;
    stint_ctf_put_u64(packet->bytes + STINT_CTF_PACKET_SIZE_AT, (output->reserved - at) * 8);
    if (stint_ctf_file_write(descriptor, packet->bytes, packet->used, at))
        return -1;
    return output->file.size ? set_packet_size(descriptor, output->last_at, at) : 0;
}

/* A new file appears under its name when it has its first packet. */
static int put(struct stint_ctf_output *output, const char *folder, const struct stint_ctf_packet *packet)
{
    uint64_t at = rounded(output->file.size, ALIGNMENT);
    int is_first = !output->file.size;
    if (is_first) {
        set_name(output, ".");
        stint_ctf_file_forget(&output->file, folder);
        output->reserved = 0;
    }
    int descriptor = stint_ctf_file_open(&output->file, folder);
    if (descriptor < 0)
        return -1;
    int failed = write_packet(output, descriptor, packet, at);
    stint_ctf_file_close(descriptor);
    if (failed)
        return -1;
    if (is_first) {
        char hidden[sizeof output->file.name];
        (void)memcpy(hidden, output->file.name, sizeof hidden);
        set_name(output, "");
        if (stint_ctf_file_rename(folder, hidden, output->file.name))
            return -1;
    }
    output->last_at = at;
    output->file.size = at + packet->used;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ parts */

static void remove_oldest(struct stint_ctf_output *output, const char *folder)
{
    struct stint_ctf_output oldest = {.part = output->oldest++};
    (void)memcpy(oldest.name, output->name, sizeof oldest.name);
    set_name(&oldest, "");
    stint_ctf_file_forget(&oldest.file, folder);
}

static void begin_part(struct stint_ctf_output *output, const char *folder)
{
    stint_ctf_output_end(output, folder);
    output->ended_ns[output->part % STINT_CTF_RING_FILES] = output->time;
    output->part++;
    output->file = (struct stint_ctf_file){0};
    output->last_at = 0;
}

/* Whether the file has its share of the ring. */
static int is_full(const struct stint_ctf_output *output, const struct stint_ctf_limits *limits, uint64_t now)
{
    if (!output->file.size)
        return 0;
    return (limits->ring_bytes && output->file.size >= limits->ring_bytes / STINT_CTF_RING_FILES) ||
           (limits->ring_ns &&
            now > output->begun_ns && /* all but the one that is being written have all of the time */
            now - output->begun_ns >= limits->ring_ns / (STINT_CTF_RING_FILES - 1));
}

int stint_ctf_output_put(struct stint_ctf_output *output, const char *folder, const unsigned char uuid[16],
                         const struct stint_ctf_limits *limits, struct stint_ctf_packet *packet)
{
    memcpy(packet->head.uuid, uuid, sizeof packet->head.uuid);
    packet->head.number = output->packets;
    packet->head.before = output->events;
    packet->head.tid = output->tid;
    stint_ctf_packet_end(packet);
    if (is_full(output, limits, packet->time))
        begin_part(output, folder);
    if (!output->file.size)
        output->begun_ns = packet->time;
    if (put(output, folder, packet))
        return -1;
    while (stint_ctf_limits_is_ring(limits) && output->part - output->oldest >= STINT_CTF_RING_FILES)
        remove_oldest(output, folder);
    output->packets++;
    output->events += packet->head.events;
    output->time = packet->time;
    return 0;
}

/* The last part may not have begun. */
static uint64_t parts_end(const struct stint_ctf_output *output)
{
    return output->part + (output->file.size ? 1 : 0);
}

static int is_wanted(const struct stint_ctf_output *output, uint64_t part, uint64_t since_ns)
{
    return !since_ns || part == output->part || output->ended_ns[part % STINT_CTF_RING_FILES] >= since_ns;
}

int stint_ctf_output_has(const struct stint_ctf_output *output, uint64_t since_ns)
{
    uint64_t end = parts_end(output);
    return output->oldest < end &&
           (output->file.size ? output->time >= since_ns : is_wanted(output, end - 1, since_ns));
}

int stint_ctf_output_share(struct stint_ctf_output *output, const char *folder, const char *to, uint64_t since_ns)
{
    if (!stint_ctf_output_has(output, since_ns))
        return 0;
    for (uint64_t part = output->oldest, end = parts_end(output); part < end; part++) {
        struct stint_ctf_output one = {.part = part};
        if (!is_wanted(output, part, since_ns))
            continue;
        (void)memcpy(one.name, output->name, sizeof one.name);
        set_name(&one, "");
        if (part == output->part)
            begin_part(output, folder);
        if (stint_ctf_file_share(folder, one.file.name, to))
            return -1;
    }
    return 0;
}

void stint_ctf_output_drop(struct stint_ctf_output *output, const char *folder)
{
    while (output->oldest < output->part)
        remove_oldest(output, folder);
}

void stint_ctf_output_end(struct stint_ctf_output *output, const char *folder)
{
    int descriptor = output->file.size ? stint_ctf_file_open(&output->file, folder) : -1;
    if (descriptor < 0)
        return;
    if (ftruncate(descriptor, (off_t)output->file.size) == 0)
        (void)set_packet_size(descriptor, output->last_at, output->file.size);
    output->reserved = output->file.size;
    stint_ctf_file_close(descriptor);
}

/* Finds the stream of a thread by its number, or gives it that of a thread that has ended. */

static struct stint_ctf_output *output_at(const struct stint_ctf_threads *threads, size_t position)
{
    return (struct stint_ctf_output *)threads->outputs.items + position;
}

/* Looking at two finds one soon, if there are any. */
static struct stint_ctf_output *output_of_ended(struct stint_ctf_threads *threads)
{
    enum { FEW = 64, LOOKS = 2 };
    for (int i = 0; i < LOOKS && threads->outputs.count >= FEW; i++) {
        struct stint_ctf_output *output = output_at(threads, threads->candidate++ % threads->outputs.count);
        if (syscall(SYS_tgkill, getpid(), output->tid, 0) < 0 && errno == ESRCH)
            return output;
    }
    return NULL;
}

static struct stint_ctf_output *add(struct stint_ctf_threads *threads, struct stint_arena *arena, int64_t tid)
{
    struct stint_ctf_output *output = output_of_ended(threads);
    if (!output) {
        output = stint_array_add(&threads->outputs, arena, sizeof *output);
        if (!output)
            return NULL;
        (void)snprintf(output->name, sizeof output->name, "%s%zu", stint_ctf_stream_names[STINT_CTF_THREADS],
                       threads->outputs.count);
    }
    output->tid = tid;
    return output;
}

struct stint_ctf_output *stint_ctf_threads_current(const struct stint_ctf_threads *threads)
{
    return threads->outputs.count ? output_at(threads, threads->current) : NULL;
}

int stint_ctf_threads_change(struct stint_ctf_threads *threads, struct stint_arena *arena, int64_t tid)
{
    size_t i = 0, count = threads->outputs.count;
    while (i < count && output_at(threads, i)->tid != tid)
        i++;
    struct stint_ctf_output *output = i < count ? output_at(threads, i) : add(threads, arena, tid);
    if (!output)
        return -1;
    threads->current = (size_t)(output - output_at(threads, 0));
    return 0;
}

void stint_ctf_threads_end(const struct stint_ctf_threads *threads, const char *folder)
{
    for (size_t i = 0; i < threads->outputs.count; i++)
        stint_ctf_output_end(output_at(threads, i), folder);
}
