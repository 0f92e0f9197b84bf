/* Recordings that are cut or damaged. */
#include "ctf/ctf.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "ctf/ctf_fixture.h"
#include "ctf_writer/ctf_packet.h"
#include "stint_test.h"

/* Fails unless the file consists of whole packets. */
static void check_packets(const char *path)
{
    size_t size = ctf_read_file(path), at = 0;
    while (at < size) {
        struct stint_ctf_head head;
        assert_true(size - at >= STINT_CTF_HEAD_SIZE);
        assert_int_equal(stint_ctf_read_head(ctf_bytes + at, ctf_bytes + 4, &head), 0);
        assert_true(head.packet_bits / 8 <= size - at);
        at += (size_t)(head.packet_bits / 8);
    }
}

TEST(files_have_whole_packets_only)
{
    static const char *const files[] = {"thread-1", "thread-2", "devices", "definitions"};
    struct stint_event_writer *writer = ctf_write_events(ctf_scratch("whole.stint"));
    for (int i = 0; i < CTF_EVENTS; i++) {
        (void)writer->event(writer, &ctf_events[i]);
        (void)writer->flush(writer);
        for (size_t file = 0; file < TEST_COUNT(files); file++) {
            char name[64];
            (void)snprintf(name, sizeof name, "whole.stint/%s", files[file]);
            check_packets(ctf_scratch(name));
        }
    }
    (void)writer->finish(writer, "{}", 2);
    struct stint_ctf *ctf = ctf_open(ctf_scratch("whole.stint"));
    assert_int_equal(stint_ctf_state(ctf).events, 2 * CTF_EVENTS);
    assert_int_equal(stint_ctf_state(ctf).missing_events + stint_ctf_state(ctf).damaged_bytes, 0);
    stint_ctf_close(ctf);
}

static const char *const s_files[] = {"thread-1", "thread-2", "devices", "definitions", "report", "metadata"};

/* Each event that is read is one that was written, and what is not read is stated. */
static void check_damaged(const char *path)
{
    char reason[256];
    struct stint_ctf *ctf = stint_ctf_open(path, reason, sizeof reason);
    struct stint_event event;
    if (!ctf) {
        assert_true(reason[0]);
        return;
    }
    struct stint_ctf_state got = stint_ctf_state(ctf);
    struct stint_event_source *source = stint_ctf_events(ctf);
    uint64_t read = 0;
    assert_int_equal(source->begin(source), 0);
    while (source->next(source, &event) > 0) {
        read++;
        if (!ctf_is_known(&event, got.damaged_bytes != 0 || !got.has_ended))
            fail_msg("an event that was not written: %s %llu %llu %d", event.name, (unsigned long long)event.start_ns,
                     (unsigned long long)event.end_ns, (int)event.tid);
    }
    if (got.has_ended)
        assert_int_equal(read + got.missing_events, CTF_EVENTS);
    if (read < CTF_EVENTS)
        assert_true(!got.has_ended || got.missing_events);
    stint_ctf_close(ctf);
}

TEST(cut_anywhere_it_has_all_up_to_there)
{
    enum { CUTS = 500 };
    const char *path = ctf_scratch("cut.stint");
    uint64_t random = 11;
    ctf_write(path);
    for (int i = 0; i < CUTS; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "cut.stint/%s", s_files[test_random(&random) % 5]);
        const char *file = ctf_scratch(name);
        size_t size = ctf_read_file(file);
        assert_int_equal(truncate(file, (off_t)(test_random(&random) % size)), 0);
        check_damaged(ctf_scratch("cut.stint"));
        ctf_write_file(file, size);
    }
}

TEST(empty_files_are_counted)
{
    ctf_write(ctf_scratch("empty.stint"));
    struct stint_ctf *ctf = ctf_open(ctf_scratch("empty.stint"));
    assert_int_equal(stint_ctf_state(ctf).empty_files, 0);
    stint_ctf_close(ctf);
    for (uint64_t i = 0; i < 5; i++) {
        char name[64], reason[256];
        (void)snprintf(name, sizeof name, "empty.stint/%s", s_files[i]);
        assert_int_equal(truncate(ctf_scratch(name), 0), 0);
        ctf = stint_ctf_open(ctf_scratch("empty.stint"), reason, sizeof reason);
        if (ctf)
            assert_int_equal(stint_ctf_state(ctf).empty_files, i + 1);
        else
            assert_int_equal(i, 4); /* without definitions and report, nobody knows whose it is */
        stint_ctf_close(ctf);
    }
}

static void check_flipped(int file, off_t at, unsigned char bit)
{
    unsigned char byte, flipped;
    assert_int_equal(pread(file, &byte, 1, at), 1);
    flipped = byte ^ bit;
    assert_int_equal(pwrite(file, &flipped, 1, at), 1);
    check_damaged(ctf_scratch("flip.stint"));
    assert_int_equal(pwrite(file, &byte, 1, at), 1);
}

TEST(flipped_bits_are_noticed)
{
    enum { FLIPS = 5000 };
    uint64_t random = 13;
    ctf_write(ctf_scratch("flip.stint"));
    for (int i = 0; i < FLIPS; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "flip.stint/%s", s_files[test_random(&random) % 6]);
        int file = open(ctf_scratch(name), O_RDWR);
        off_t at = (off_t)(test_random(&random) % (uint64_t)lseek(file, 0, SEEK_END));
        check_flipped(file, at, (unsigned char)(1 << test_random(&random) % 8));
        close(file);
    }
}
