/* The events of a recording as tables: for each its name, its stream and its fields, with the place of each in the
 * struct that is written from it. The text of `metadata` is generated from the same tables. */
#include "ctf_writer/ctf_format.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/event_writer.h"

/* NOLINTBEGIN(bugprone-macro-parentheses): the arguments are names of members */
#define AS(name, type, member)                                                                                         \
    {                                                                                                                  \
        name, STINT_CTF_##type, 0, offsetof(ROW, member)                                                               \
    }
#define FIELD(type, member) AS(#member, type, member)
#define TIME(name, member)                                                                                             \
    {                                                                                                                  \
        name, STINT_CTF_U64, 1, offsetof(ROW, member)                                                                  \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
#define FIELDS(list)                                                                                                   \
    {                                                                                                                  \
        list, sizeof(list) / sizeof *(list)                                                                            \
    }

/* ----------------------------------------------------------------------------------------------------------- tables */

#define ROW struct stint_ctf_activation
static const struct stint_ctf_field s_scope[] = {FIELD(U32, path), FIELD(U32, duration)};
static const struct stint_ctf_field s_at[] = {FIELD(U32, path), AS("begin", U64, start), AS("end", U64, end)};
#define ANNOTATED FIELD(U32, path), AS("begin", U64, start), AS("end", U64, end), FIELD(U8, kind), FIELD(TEXT, text)
static const struct stint_ctf_field s_annotated[] = {ANNOTATED};
static const struct stint_ctf_field s_styled[] = {ANNOTATED, FIELD(U32, color), FIELD(U32, category)};
#undef ROW

#define ROW struct stint_ctf_operation
static const struct stint_ctf_field s_operation[] = {
    FIELD(U32, path), AS("begin", U64, start), AS("end", U64, end), FIELD(U8, kind),
    FIELD(I64, seq),  FIELD(U64, op_id),       FIELD(U32, data),
};
#undef ROW

#define ROW struct stint_ctf_data
static const struct stint_ctf_field s_data[] = {FIELD(U32, id), FIELD(TEXT, text)};
#undef ROW

#define ROW struct stint_ctf_counter
static const struct stint_ctf_field s_counter[] = {FIELD(U32, id), FIELD(TEXT, set), FIELD(TEXT, name),
                                                   FIELD(TEXT, field)};
#undef ROW

#define ROW struct stint_ctf_value
static const struct stint_ctf_field s_value[] = {FIELD(U32, counter), AS("begin", U64, start), FIELD(F64, value)};
#undef ROW

#define ROW struct stint_ctf_ring
static const struct stint_ctf_field s_ring[] = {FIELD(U64, bytes)};
#undef ROW

#define ROW struct stint_ctf_thread
static const struct stint_ctf_field s_thread[] = {FIELD(I64, tid), FIELD(TEXT, name)};
#undef ROW

#define ROW struct stint_ctf_clock
static const struct stint_ctf_field s_clock[] = {FIELD(U64, time), FIELD(U64, monotonic_ns), FIELD(U64, unix_ns),
                                                 FIELD(U64, cupti_ns)};
#undef ROW

#define ROW struct stint_ctf_process
static const struct stint_ctf_field s_process[] = {FIELD(I64, pid), FIELD(U64, start_unix_ns), FIELD(TEXT, command),
                                                   FIELD(TEXT, host)};
#undef ROW

#define ROW struct stint_ctf_context
static const struct stint_ctf_field s_context[] = {FIELD(U32, path),  FIELD(U32, parent), FIELD(TEXT, set),
                                                   FIELD(TEXT, name), FIELD(TEXT, file),  FIELD(U32, line)};
#undef ROW

#define ROW struct stint_ctf_name
static const struct stint_ctf_field s_name[] = {FIELD(U32, id), FIELD(TEXT, text)};
#undef ROW

#define ROW struct stint_ctf_end
static const struct stint_ctf_field s_end[] = {FIELD(U64, events)};
#undef ROW

#define ROW struct stint_ctf_gpu
#define EVENT(type, member) AS(#member, type, event.member)
#define COMMON                                                                                                         \
    FIELD(U32, name), FIELD(U32, path), AS("begin", U64, event.start_ns), AS("end", U64, event.end_ns),                \
        EVENT(U64, correlation), EVENT(I64, tid)
#define DEVICE                                                                                                         \
    COMMON, EVENT(U8, kind), EVENT(U32, device), EVENT(U32, device_context), EVENT(U32, stream), EVENT(U32, graph),    \
        EVENT(U64, graph_node)
static const struct stint_ctf_field s_call[] = {COMMON};
#define KERNEL                                                                                                         \
    DEVICE, AS("grid_x", U32, event.grid[0]), AS("grid_y", U32, event.grid[1]), AS("grid_z", U32, event.grid[2]),      \
        AS("block_x", U32, event.block[0]), AS("block_y", U32, event.block[1]), AS("block_z", U32, event.block[2]),    \
        EVENT(U32, registers), EVENT(U32, static_shared), EVENT(U32, dynamic_shared)
static const struct stint_ctf_field s_kernel[] = {KERNEL};
static const struct stint_ctf_field s_captured[] = {KERNEL, EVENT(U64, captured)};
static const struct stint_ctf_field s_memory[] = {
    DEVICE,          EVENT(U64, bytes),       EVENT(U8, direction),     EVENT(U8, source), EVENT(U8, destination),
    EVENT(U8, peer), EVENT(U32, peer_device), EVENT(U32, peer_context),
};
static const struct stint_ctf_field s_unified[] = {
    DEVICE, EVENT(U64, bytes), EVENT(U64, address), EVENT(U8, direction), EVENT(U8, peer), EVENT(U32, peer_device),
};
static const struct stint_ctf_field s_other[] = {DEVICE, EVENT(U8, wait), EVENT(U64, bytes)};
#define MEMORY(type, member) AS(#member, type, memory.member)
static const struct stint_ctf_field s_allocation[] = {
    FIELD(U32, path),    AS("begin", U64, event.start_ns),
    EVENT(I64, tid),     MEMORY(U64, address),
    MEMORY(U64, bytes),  MEMORY(U64, current_bytes),
    MEMORY(U32, device), MEMORY(U8, kind),
    MEMORY(U8, pool),    MEMORY(U8, freed),
};
#undef ROW

#define ROW struct stint_ctf_sampling
static const struct stint_ctf_field s_sampling[] = {FIELD(U8, wall), FIELD(U32, hz)};
#undef ROW

#define ROW struct stint_ctf_module
static const struct stint_ctf_field s_module[] = {
    FIELD(U32, id),
    AS("begin", U64, module.begin),
    AS("end", U64, module.end),
    AS("bias", U64, module.bias),
    AS("file", TEXT, module.path),
    AS("build_id", TEXT, module.build_id),
};
#undef ROW

#define ROW struct stint_event_chain
static const struct stint_ctf_field s_chain[] = {AS("id", U32, chain), FIELD(U32, parent), FIELD(U32, module),
                                                 FIELD(U64, address)};
#undef ROW

#define ROW struct stint_ctf_sample
static const struct stint_ctf_field s_sample[] = {FIELD(U32, path), FIELD(U32, chain), AS("begin", U64, start),
                                                  AS("duration", U64, time_ns), FIELD(I64, tid)};
#undef ROW

#define ROW struct stint_ctf_report
static const struct stint_ctf_field s_report[] = {FIELD(TEXT, json)};
#undef ROW

const char *const stint_ctf_stream_names[STINT_CTF_STREAMS] = {
    [STINT_CTF_THREADS] = "thread-", [STINT_CTF_DEFINITIONS] = "definitions", [STINT_CTF_DEVICES] = "devices",
    [STINT_CTF_REPORTS] = "report",  [STINT_CTF_SAMPLES] = "samples",
};

const struct stint_ctf_event stint_ctf_event_table[STINT_CTF_IDS] = {
    [STINT_CTF_SCOPE] = {"scope", STINT_CTF_THREADS, FIELDS(s_scope)},
    [STINT_CTF_SCOPE_AT] = {"scope_at", STINT_CTF_THREADS, FIELDS(s_at)},
    [STINT_CTF_RANGE] = {"range", STINT_CTF_THREADS, FIELDS(s_at)},
    [STINT_CTF_MARK] = {"mark", STINT_CTF_THREADS, FIELDS(s_at)},
    [STINT_CTF_ANNOTATED] = {"annotated", STINT_CTF_THREADS, FIELDS(s_annotated)},
    [STINT_CTF_PROCESS] = {"process", STINT_CTF_DEFINITIONS, FIELDS(s_process)},
    [STINT_CTF_CONTEXT] = {"context", STINT_CTF_DEFINITIONS, FIELDS(s_context)},
    [STINT_CTF_NAME] = {"name", STINT_CTF_DEFINITIONS, FIELDS(s_name)},
    [STINT_CTF_END] = {"end", STINT_CTF_DEFINITIONS, FIELDS(s_end)},
    [STINT_CTF_CALL] = {"call", STINT_CTF_DEVICES, FIELDS(s_call)},
    [STINT_CTF_KERNEL] = {"kernel", STINT_CTF_DEVICES, FIELDS(s_kernel)},
    [STINT_CTF_MEMORY] = {"memory", STINT_CTF_DEVICES, FIELDS(s_memory)},
    [STINT_CTF_OTHER] = {"other", STINT_CTF_DEVICES, FIELDS(s_other)},
    [STINT_CTF_REPORT] = {"report", STINT_CTF_REPORTS, FIELDS(s_report)},
    [STINT_CTF_STYLED] = {"styled", STINT_CTF_THREADS, FIELDS(s_styled)},
    [STINT_CTF_COUNTER] = {"counter", STINT_CTF_DEFINITIONS, FIELDS(s_counter)},
    [STINT_CTF_VALUE] = {"value", STINT_CTF_THREADS, FIELDS(s_value)},
    [STINT_CTF_ALLOCATION] = {"allocation", STINT_CTF_DEVICES, FIELDS(s_allocation)},
    [STINT_CTF_CLOCK] = {"clock", STINT_CTF_DEFINITIONS, FIELDS(s_clock)},
    [STINT_CTF_RING] = {"ring", STINT_CTF_DEFINITIONS, FIELDS(s_ring)},
    [STINT_CTF_OPERATION] = {"operation", STINT_CTF_THREADS, FIELDS(s_operation)},
    [STINT_CTF_DATA] = {"data", STINT_CTF_DEFINITIONS, FIELDS(s_data)},
    [STINT_CTF_CAPTURED] = {"captured_kernel", STINT_CTF_DEVICES, FIELDS(s_captured)},
    [STINT_CTF_UNIFIED] = {"unified_memory", STINT_CTF_DEVICES, FIELDS(s_unified)},
    [STINT_CTF_SAMPLING] = {"sampling", STINT_CTF_DEFINITIONS, FIELDS(s_sampling)},
    [STINT_CTF_MODULE] = {"module", STINT_CTF_DEFINITIONS, FIELDS(s_module)},
    [STINT_CTF_CHAIN] = {"chain", STINT_CTF_DEFINITIONS, FIELDS(s_chain)},
    [STINT_CTF_SAMPLE] = {"sample", STINT_CTF_SAMPLES, FIELDS(s_sample)},
    [STINT_CTF_THREAD] = {"thread", STINT_CTF_DEFINITIONS, FIELDS(s_thread)},
};

#define ROW struct stint_ctf_head
static const struct stint_ctf_field s_head[] = {
    FIELD(U32, magic),
    FIELD(BYTES, uuid),
    AS("stream_id", U32, stream),
    AS("content_size", U64, content_bits),
    AS("packet_size", U64, packet_bits),
    TIME("timestamp_begin", begin_ns),
    TIME("timestamp_end", end_ns),
    AS("events_discarded", U64, discarded),
    AS("packet_seq_num", U64, number),
    FIELD(U64, sum),
    FIELD(I64, tid),
    AS("events_before", U64, before),
    AS("first_begin", U64, first_start),
    FIELD(U32, events),
};
#undef ROW

const struct stint_ctf_fields stint_ctf_head = FIELDS(s_head);

/* ------------------------------------------------------------------------------------------------------ description */

struct out {
    char *text;
    size_t size;
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void put(struct out *out, const char *format, ...)
{
    va_list arguments;
    size_t room = out->used < out->size ? out->size - out->used : 0;
    va_start(arguments, format);
    int length = vsnprintf(room ? out->text + out->used : NULL, room, format, arguments);
    va_end(arguments);
    out->used += (size_t)length;
}

/* The names of events' fields begin with an underscore, which is not part of them, so that they may be words of CTF's
 * language. */
static void put_fields(struct out *out, const struct stint_ctf_field *fields, size_t count)
{
    static const char *const types[] = {
        [STINT_CTF_U8] = "uint8_t",    [STINT_CTF_U32] = "uint32_t",  [STINT_CTF_U64] = "uint64_t",
        [STINT_CTF_I64] = "int64_t",   [STINT_CTF_F64] = "float64_t", [STINT_CTF_TEXT] = "string",
        [STINT_CTF_BYTES] = "uint8_t",
    };
    const char *prefix = fields >= s_head && fields < s_head + stint_ctf_head.count ? "" : "_";
    put(out, "struct {\n");
    for (size_t i = 0; i < count; i++)
        put(out, "\t\t%s %s%s%s;\n", fields[i].is_clock ? "time_t" : types[fields[i].type], prefix, fields[i].name,
            fields[i].type == STINT_CTF_BYTES ? "[16]" : "");
    put(out, "\t};\n");
}

static void put_uuid(struct out *out, const unsigned char uuid[16])
{
    put(out, "\tuuid = \"");
    for (int i = 0; i < 16; i++)
        put(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
    put(out, "\";\n");
}

static void put_types(struct out *out)
{
    static const struct {
        const char *name;
        int size;
        int is_signed;
    } types[] = {{"uint8_t", 8, 0}, {"uint32_t", 32, 0}, {"uint64_t", 64, 0}, {"int64_t", 64, 1}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        put(out, "typealias integer { size = %d; align = 8; signed = %s; } := %s;\n", types[i].size,
            types[i].is_signed ? "true" : "false", types[i].name);
    put(out, "typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } := float64_t;\n");
}

static void put_clock(struct out *out, uint64_t start_unix_ns)
{
    static const uint64_t ns_per_s = 1000000000;
    put(out,
        "clock {\n\tname = stint;\n\tdescription = \"since stint was first used in the process\";\n"
        "\tfreq = 1000000000;\n\toffset_s = %llu;\n\toffset = %llu;\n\tabsolute = true;\n};\n\n",
        (unsigned long long)(start_unix_ns / ns_per_s), (unsigned long long)(start_unix_ns % ns_per_s));
    put(out, "typealias integer { size = 64; align = 8; signed = false; map = clock.stint.value; } := time_t;\n"
             "typealias integer { size = 27; align = 1; signed = false; map = clock.stint.value; } := low_time_t;\n\n"
             "struct event_header {\n\tenum : integer { size = 5; align = 1; signed = false; } "
             "{ compact = 0 ... 30, extended = 31 } id;\n"
             "\tvariant <id> {\n\t\tstruct { low_time_t timestamp; } compact;\n"
             "\t\tstruct { uint32_t id; time_t timestamp; } extended;\n\t} v;\n} align(8);\n\n");
}

size_t stint_ctf_describe(char *text, size_t size, const unsigned char uuid[16], uint64_t start_unix_ns)
{
    struct out out = {text, size, 0};
    put(&out, STINT_CTF_FIRST_LINE "\n");
    put_types(&out);
    put(&out, "\ntrace {\n\tmajor = 1;\n\tminor = 8;\n");
    put_uuid(&out, uuid);
    put(&out, "\tbyte_order = le;\n\tpacket.header := ");
    put_fields(&out, s_head, STINT_CTF_HEADER_FIELDS);
    put(&out, "};\n\nenv {\n\ttracer_name = \"stint\";\n\tstint_version = %d;\n};\n\n", STINT_CTF_VERSION);
    put_clock(&out, start_unix_ns);
    for (int i = 0; i < STINT_CTF_STREAMS; i++) {
        put(&out, "stream {\n\tid = %d;\n\tevent.header := struct event_header;\n\tpacket.context := ", i);
        put_fields(&out, s_head + STINT_CTF_HEADER_FIELDS, stint_ctf_head.count - STINT_CTF_HEADER_FIELDS);
        put(&out, "};\n\n");
    }
    for (int i = 0; i < STINT_CTF_IDS; i++) {
        const struct stint_ctf_event *event = &stint_ctf_event_table[i];
        put(&out, "event {\n\tname = \"%s\";\n\tid = %d;\n\tstream_id = %d;\n\tfields := ", event->name, i,
            (int)event->stream);
        put_fields(&out, event->fields.all, event->fields.count);
        put(&out, "};\n\n");
    }
    return out.used < size ? out.used : 0;
}

static int read_uuid(const char *text, unsigned char uuid[16])
{
    for (int i = 0; i < 16; i++) {
        char digits[3] = "";
        char *end;
        text += *text == '-';
        memcpy(digits, text, strnlen(text, 2));
        uuid[i] = (unsigned char)strtoul(digits, &end, 16);
        if (end != digits + 2)
            return -1;
        text += 2;
    }
    return 0;
}

int stint_ctf_read_description(const char *text, unsigned char uuid[16], char *reason, size_t size)
{
    static const char version_key[] = "\n\tstint_version = ", uuid_key[] = "\n\tuuid = \"";
    const char *version = strstr(text, version_key), *at = strstr(text, uuid_key);
    unsigned long number = version ? strtoul(version + sizeof version_key - 1, NULL, 10) : 0;
    if (strncmp(text, STINT_CTF_FIRST_LINE, sizeof STINT_CTF_FIRST_LINE - 1) != 0 || !version || !at)
        (void)snprintf(reason, size, "this is not a recording of stint");
    else if (number > STINT_CTF_VERSION)
        (void)snprintf(reason, size, "it has version %lu, but this stint reads 1 to %d: use a later stint", number,
                       STINT_CTF_VERSION);
    else if (read_uuid(at + sizeof uuid_key - 1, uuid))
        (void)snprintf(reason, size, "its metadata is damaged");
    else
        return 0;
    return -1;
}

/* -------------------------------------------------------------------------------------------------------------- sum */

uint64_t stint_ctf_sum(const unsigned char *bytes, size_t size)
{
    uint64_t words = 0, sums = 0;
    size_t at = 0;
    for (; size - at >= 4; at += 4) {
        words += stint_ctf_get_u32(bytes + at);
        sums += words;
    }
    for (; at < size; at++) {
        words += bytes[at];
        sums += words;
    }
    return sums << 32 ^ sums >> 32 ^ words << 16 ^ words;
}
