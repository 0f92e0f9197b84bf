/* Streams of a recording in a folder of the test's. */
#include "ctf_writer/ctf_output.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stint_test.h"

static char s_folder[64], s_other[80];
static struct stint_arena s_arena;
static const unsigned char s_uuid[16] = "0123456789abcde";
static const struct stint_ctf_limits s_none = {0};

static int begin(void **state)
{
    strcpy(s_folder, "/tmp/stint_ctf_output_XXXXXX");
    if (!mkdtemp(s_folder))
        return -1;
    (void)snprintf(s_other, sizeof s_other, "%s/other", s_folder);
    return stint_ctf_folder_make(s_other);
}

static int end(void **state)
{
    char command[96];
    stint_arena_free(&s_arena);
    s_arena = (struct stint_arena){0};
    (void)snprintf(command, sizeof command, "rm -rf %s", s_folder);
    return system(command);
}

/* A packet with one scope that ends at that time. */
static void put(struct stint_ctf_output *output, const struct stint_ctf_limits *limits, uint64_t end_ns)
{
    struct stint_ctf_packet packet = {.bytes = NULL};
    stint_ctf_packet_begin(&packet, STINT_CTF_THREADS, output->time);
    assert_int_equal(stint_ctf_packet_grow(&packet, &s_arena, 4096), 0);
    stint_ctf_packet_scope(&packet, 2, end_ns - 10, end_ns);
    assert_int_equal(stint_ctf_output_put(output, s_folder, s_uuid, limits, &packet), 0);
}

/* Reads all packets of a file. Returns how many there are; every byte of the file belongs to one. */
static int packets_in(const char *folder, const char *name)
{
    static unsigned char s_bytes[1 << 20];
    char path[128];
    int count = 0;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_RDONLY);
    ssize_t size = file < 0 ? -1 : read(file, s_bytes, sizeof s_bytes);
    if (file < 0)
        return -1;
    (void)close(file);
    for (size_t at = 0; at < (size_t)size; count++) {
        struct stint_ctf_head head;
        assert_int_equal(stint_ctf_read_head(s_bytes + at, s_uuid, &head), 0);
        assert_int_equal(head.number, count);
        at += (size_t)(head.packet_bits / 8);
        assert_true(at <= (size_t)size);
    }
    return count;
}

TEST_EACH(begin, end)

TEST(a_file_has_whole_packets_at_every_moment)
{
    struct stint_ctf_output output = {.name = "thread-1", .tid = 77};
    for (int i = 1; i <= 100; i++) {
        put(&output, &s_none, (uint64_t)i * 1000);
        assert_int_equal(packets_in(s_folder, "thread-1"), i);
    }
    stint_ctf_output_end(&output, s_folder);
    assert_int_equal(packets_in(s_folder, "thread-1"), 100);
    assert_true(output.events == 100 && output.time == 100000);
}

TEST(a_ring_has_the_last_files)
{
    struct stint_ctf_output output = {.name = "thread-1"};
    struct stint_ctf_limits ring = {.ring_ns = 7000}; /* a file each 1000 ns */
    for (uint64_t i = 1; i <= 20; i++)
        put(&output, &ring, i * 1000);
    assert_int_equal(output.part, 19);
    assert_int_equal(output.oldest, 19 - STINT_CTF_RING_FILES + 1);
    assert_int_equal(packets_in(s_folder, "thread-1"), -1);
    assert_int_equal(packets_in(s_folder, "thread-1.11"), -1);
    assert_true(stint_ctf_output_has(&output, 19000));
    assert_false(stint_ctf_output_has(&output, 30000));
}

TEST(a_share_is_what_there_is_and_no_more)
{
    struct stint_ctf_output output = {.name = "thread-1"};
    put(&output, &s_none, 1000);
    put(&output, &s_none, 2000);
    assert_int_equal(stint_ctf_output_share(&output, s_folder, s_other, 0), 0);
    stint_ctf_output_drop(&output, s_folder);
    put(&output, &s_none, 3000);
    assert_int_equal(output.part, 1);
    assert_string_equal(output.file.name, "thread-1.1");
    assert_int_equal(packets_in(s_folder, "thread-1"), -1);
    assert_int_equal(packets_in(s_other, "thread-1"), 2);
}

TEST(each_thread_has_a_stream)
{
    struct stint_ctf_threads threads = {.current = 0};
    assert_null(stint_ctf_threads_current(&threads));
    assert_int_equal(stint_ctf_threads_change(&threads, &s_arena, 5), 0);
    assert_string_equal(stint_ctf_threads_current(&threads)->name, "thread-1");
    assert_int_equal(stint_ctf_threads_change(&threads, &s_arena, 6), 0);
    assert_string_equal(stint_ctf_threads_current(&threads)->name, "thread-2");
    assert_int_equal(stint_ctf_threads_change(&threads, &s_arena, 5), 0);
    assert_string_equal(stint_ctf_threads_current(&threads)->name, "thread-1");
    assert_int_equal(threads.outputs.count, 2);
    stint_ctf_threads_end(&threads, s_folder);
}

/* Of threads that have ended, numbers of processes that cannot be. */
TEST(streams_of_ended_threads_are_used_again)
{
    struct stint_ctf_threads threads = {.current = 0};
    for (int64_t tid = 1; tid <= 1000; tid++)
        assert_int_equal(stint_ctf_threads_change(&threads, &s_arena, INT64_C(1) << 30 | tid), 0);
    assert_in_range(threads.outputs.count, 1, 70);
}
