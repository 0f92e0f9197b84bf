#include "ctf_writer/ctf_packet.h"

#include <string.h>

#include "stint_test.h"

static struct stint_arena s_arena;
static const unsigned char s_uuid[16] = "0123456789abcde";

static int clean_up(void **state)
{
    stint_arena_free(&s_arena);
    s_arena = (struct stint_arena){0};
    return 0;
}

static struct stint_ctf_packet packet_of(enum stint_ctf_stream stream)
{
    struct stint_ctf_packet packet = {.bytes = NULL};
    stint_ctf_packet_begin(&packet, stream, 0);
    assert_int_equal(stint_ctf_packet_grow(&packet, &s_arena, 4096), 0);
    return packet;
}

static struct stint_ctf_reader read_back(struct stint_ctf_packet *packet)
{
    struct stint_ctf_reader reader;
    struct stint_ctf_head head;
    memcpy(packet->head.uuid, s_uuid, sizeof s_uuid);
    stint_ctf_packet_end(packet);
    assert_int_equal(stint_ctf_read_head(packet->bytes, s_uuid, &head), 0);
    assert_int_equal(head.events, packet->head.events);
    assert_int_equal(stint_ctf_reader_begin(&reader, packet->bytes, &head), 0);
    return reader;
}

static void check_scope(struct stint_ctf_reader *reader, uint32_t path, uint64_t start, uint64_t end)
{
    struct stint_ctf_activation row = {0};
    int id = stint_ctf_read_id(reader);
    assert_true(id == STINT_CTF_SCOPE || id == STINT_CTF_SCOPE_AT);
    assert_int_equal(stint_ctf_read_fields(reader, (enum stint_ctf_id)id, &row), 0);
    assert_int_equal(row.path, path);
    assert_int_equal(id == STINT_CTF_SCOPE ? reader->time - row.duration : row.start, start);
    assert_int_equal(reader->time, end);
}

TEST_EACH(NULL, clean_up)

TEST(scopes_are_read_as_they_were_written)
{
    static const struct {
        uint32_t path;
        uint64_t start, end;
    } scopes[] = {
        {2, 100, 200},
        {3, 150, 250},
        {3, 250, 250},
        {2, 0, UINT64_C(1) << 29},                                  /* far behind the one before */
        {4, 1, UINT64_C(9000000000)},                               /* longer than 32 bits of ns */
        {5, UINT64_C(9000000000), UINT64_C(9000000000) + (1 << 20)} /* soon after it */
    };
    struct stint_ctf_packet packet = packet_of(STINT_CTF_THREADS);
    for (size_t i = 0; i < TEST_COUNT(scopes); i++)
        stint_ctf_packet_scope(&packet, scopes[i].path, scopes[i].start, scopes[i].end);
    assert_int_equal(packet.head.events, TEST_COUNT(scopes));
    assert_int_equal(packet.head.first_start, 0);
    struct stint_ctf_reader reader = read_back(&packet);
    for (size_t i = 0; i < TEST_COUNT(scopes); i++)
        check_scope(&reader, scopes[i].path, scopes[i].start, scopes[i].end);
    assert_int_equal(stint_ctf_read_id(&reader), -1);
}

TEST(texts_are_in_the_packet)
{
    struct stint_ctf_context row = {7, 2, 31, "GlobalStatInfo", "a \"name\"\n", "main.c"}, found;
    struct stint_ctf_packet packet = packet_of(STINT_CTF_DEFINITIONS);
    assert_true(stint_ctf_event_size(STINT_CTF_CONTEXT, &row) <= packet.size - packet.used);
    stint_ctf_packet_add(&packet, STINT_CTF_CONTEXT, 5, 0, &row);
    struct stint_ctf_reader reader = read_back(&packet);
    assert_int_equal(stint_ctf_read_id(&reader), STINT_CTF_CONTEXT);
    assert_int_equal(stint_ctf_read_fields(&reader, STINT_CTF_CONTEXT, &found), 0);
    assert_true(found.path == 7 && found.parent == 2 && found.line == 31);
    assert_string_equal(found.set, row.set);
    assert_string_equal(found.name, row.name);
    assert_string_equal(found.file, row.file);
}

TEST(the_size_of_an_event_is_what_it_takes)
{
    struct stint_ctf_name row = {1, "kernel"};
    struct stint_ctf_packet packet = packet_of(STINT_CTF_DEFINITIONS);
    stint_ctf_packet_add(&packet, STINT_CTF_NAME, 5, 0, &row);
    size_t before = packet.used;
    stint_ctf_packet_add(&packet, STINT_CTF_NAME, 6, 0, &row);
    assert_true(packet.used - before <= stint_ctf_event_size(STINT_CTF_NAME, &row));
}

TEST(a_packet_of_another_recording_is_refused)
{
    struct stint_ctf_packet packet = packet_of(STINT_CTF_THREADS);
    struct stint_ctf_head head;
    stint_ctf_packet_scope(&packet, 2, 1, 2);
    (void)read_back(&packet);
    unsigned char other[16] = {1};
    assert_int_equal(stint_ctf_read_head(packet.bytes, other, &head), -1);
    packet.bytes[0] ^= 1;
    assert_int_equal(stint_ctf_read_head(packet.bytes, s_uuid, &head), -1);
}

/* Whatever the bytes are, a reader ends. */
TEST(damaged_packets_are_read_to_some_end)
{
    uint64_t random = 5;
    for (int i = 0; i < TEST_MANY(2000); i++) {
        struct stint_ctf_packet packet = packet_of(STINT_CTF_THREADS);
        struct stint_ctf_value found;
        for (int k = 0; k < 20; k++)
            stint_ctf_packet_scope(&packet, 2, (uint64_t)k, (uint64_t)k * 1000);
        struct stint_ctf_reader reader = read_back(&packet);
        for (unsigned char *at = (unsigned char *)reader.at; at < reader.end; at++)
            *at = test_random(&random) % 8 ? *at : (unsigned char)test_random(&random);
        while (stint_ctf_read_id(&reader) == STINT_CTF_VALUE &&
               stint_ctf_read_fields(&reader, STINT_CTF_VALUE, &found) == 0)
            continue;
        assert_true(reader.at <= reader.end);
        (void)clean_up(NULL);
    }
}
