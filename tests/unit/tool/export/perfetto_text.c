#include "export/perfetto_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum kind { NUMBER, DOUBLE, TEXT, MESSAGE };

enum message {
    TRACE,
    PACKET,
    CLOCK_SNAPSHOT,
    CLOCK,
    DEFAULTS,
    INTERNED,
    ENTRY,
    PLACE,
    CONTEXT,
    SPECIFICATION,
    KERNEL,
    GPU_INFO,
    GPU,
    TRACK,
    PROCESS,
    THREAD,
    COUNTER,
    EVENT,
    ANNOTATION,
    CORRELATION,
    STAGE,
    LAUNCH,
    DIMENSIONS,
    ARGUMENT,
    SAMPLING,
    TIMEBASE,
    SAMPLE,
    MAPPING,
    FRAME,
    CHAIN
};

static const struct field {
    enum message in;
    uint32_t number;
    const char *name;
    enum kind kind;
    enum message message;
} s_fields[] = {
    {TRACE, 1, "packet", MESSAGE, PACKET},
    {PACKET, 6, "clock_snapshot", MESSAGE, CLOCK_SNAPSHOT},
    {PACKET, 8, "timestamp", NUMBER, 0},
    {PACKET, 10, "trusted_packet_sequence_id", NUMBER, 0},
    {PACKET, 11, "track_event", MESSAGE, EVENT},
    {PACKET, 12, "interned_data", MESSAGE, INTERNED},
    {PACKET, 13, "sequence_flags", NUMBER, 0},
    {PACKET, 53, "gpu_render_stage_event", MESSAGE, STAGE},
    {PACKET, 59, "trace_packet_defaults", MESSAGE, DEFAULTS},
    {PACKET, 60, "track_descriptor", MESSAGE, TRACK},
    {PACKET, 66, "perf_sample", MESSAGE, SAMPLE},
    {PACKET, 87, "first_packet_on_sequence", NUMBER, 0},
    {PACKET, 128, "gpu_info", MESSAGE, GPU_INFO},
    {CLOCK_SNAPSHOT, 1, "clocks", MESSAGE, CLOCK},
    {CLOCK_SNAPSHOT, 2, "primary_trace_clock", NUMBER, 0},
    {CLOCK, 1, "clock_id", NUMBER, 0},
    {CLOCK, 2, "timestamp", NUMBER, 0},
    {DEFAULTS, 58, "timestamp_clock_id", NUMBER, 0},
    {DEFAULTS, 12, "perf_sample_defaults", MESSAGE, SAMPLING},
    {SAMPLING, 1, "timebase", MESSAGE, TIMEBASE},
    {TIMEBASE, 2, "frequency", NUMBER, 0},
    {TIMEBASE, 4, "counter", NUMBER, 0},
    {TIMEBASE, 10, "name", TEXT, 0},
    {SAMPLE, 2, "pid", NUMBER, 0},
    {SAMPLE, 3, "tid", NUMBER, 0},
    {SAMPLE, 4, "callstack_iid", NUMBER, 0},
    {SAMPLE, 5, "cpu_mode", NUMBER, 0},
    {SAMPLE, 6, "timebase_count", NUMBER, 0},
    {INTERNED, 5, "function_names", MESSAGE, ENTRY},
    {INTERNED, 6, "frames", MESSAGE, FRAME},
    {INTERNED, 7, "callstacks", MESSAGE, CHAIN},
    {INTERNED, 16, "build_ids", MESSAGE, ENTRY},
    {INTERNED, 17, "mapping_paths", MESSAGE, ENTRY},
    {INTERNED, 18, "source_paths", MESSAGE, ENTRY},
    {INTERNED, 19, "mappings", MESSAGE, MAPPING},
    {MAPPING, 1, "iid", NUMBER, 0},
    {MAPPING, 2, "build_id", NUMBER, 0},
    {MAPPING, 4, "start", NUMBER, 0},
    {MAPPING, 5, "end", NUMBER, 0},
    {MAPPING, 7, "path_string_ids", NUMBER, 0},
    {FRAME, 1, "iid", NUMBER, 0},
    {FRAME, 2, "function_name_id", NUMBER, 0},
    {FRAME, 3, "mapping_id", NUMBER, 0},
    {FRAME, 4, "rel_pc", NUMBER, 0},
    {FRAME, 5, "source_path_iid", NUMBER, 0},
    {FRAME, 6, "line_number", NUMBER, 0},
    {CHAIN, 1, "iid", NUMBER, 0},
    {CHAIN, 2, "frame_ids", NUMBER, 0},
    {INTERNED, 1, "event_categories", MESSAGE, ENTRY},
    {INTERNED, 2, "event_names", MESSAGE, ENTRY},
    {INTERNED, 4, "source_locations", MESSAGE, PLACE},
    {INTERNED, 23, "graphics_contexts", MESSAGE, CONTEXT},
    {INTERNED, 24, "gpu_specifications", MESSAGE, SPECIFICATION},
    {INTERNED, 1000, "compute_kernels", MESSAGE, KERNEL},
    {INTERNED, 1001, "compute_arg_names", MESSAGE, ENTRY},
    {ENTRY, 1, "iid", NUMBER, 0},
    {ENTRY, 2, "name", TEXT, 0},
    {PLACE, 1, "iid", NUMBER, 0},
    {PLACE, 2, "file_name", TEXT, 0},
    {PLACE, 3, "function_name", TEXT, 0},
    {PLACE, 4, "line_number", NUMBER, 0},
    {CONTEXT, 1, "iid", NUMBER, 0},
    {CONTEXT, 2, "pid", NUMBER, 0},
    {CONTEXT, 3, "api", NUMBER, 0},
    {SPECIFICATION, 1, "iid", NUMBER, 0},
    {SPECIFICATION, 2, "name", TEXT, 0},
    {SPECIFICATION, 4, "category", NUMBER, 0},
    {KERNEL, 1, "iid", NUMBER, 0},
    {KERNEL, 2, "name", TEXT, 0},
    {KERNEL, 3, "demangled_name", TEXT, 0},
    {KERNEL, 4, "arch", TEXT, 0},
    {GPU_INFO, 1, "gpus", MESSAGE, GPU},
    {GPU, 1, "name", TEXT, 0},
    {GPU, 2, "vendor", TEXT, 0},
    {GPU, 3, "model", TEXT, 0},
    {GPU, 4, "architecture", TEXT, 0},
    {TRACK, 1, "uuid", NUMBER, 0},
    {TRACK, 2, "name", TEXT, 0},
    {TRACK, 3, "process", MESSAGE, PROCESS},
    {TRACK, 4, "thread", MESSAGE, THREAD},
    {TRACK, 5, "parent_uuid", NUMBER, 0},
    {TRACK, 8, "counter", MESSAGE, COUNTER},
    {PROCESS, 1, "pid", NUMBER, 0},
    {PROCESS, 2, "cmdline", TEXT, 0},
    {PROCESS, 6, "process_name", TEXT, 0},
    {THREAD, 1, "pid", NUMBER, 0},
    {THREAD, 2, "tid", NUMBER, 0},
    {THREAD, 5, "thread_name", TEXT, 0},
    {COUNTER, 6, "unit_name", TEXT, 0},
    {EVENT, 3, "category_iids", NUMBER, 0},
    {EVENT, 4, "debug_annotations", MESSAGE, ANNOTATION},
    {EVENT, 9, "type", NUMBER, 0},
    {EVENT, 10, "name_iid", NUMBER, 0},
    {EVENT, 11, "track_uuid", NUMBER, 0},
    {EVENT, 34, "source_location_iid", NUMBER, 0},
    {EVENT, 44, "double_counter_value", DOUBLE, 0},
    {EVENT, 3000, "gpu_correlation", MESSAGE, CORRELATION},
    {ANNOTATION, 6, "string_value", TEXT, 0},
    {ANNOTATION, 10, "name", TEXT, 0},
    {CORRELATION, 1, "render_stage_submission_event_ids", NUMBER, 0},
    {STAGE, 1, "event_id", NUMBER, 0},
    {STAGE, 2, "duration", NUMBER, 0},
    {STAGE, 5, "context", NUMBER, 0},
    {STAGE, 11, "gpu_id", NUMBER, 0},
    {STAGE, 13, "hw_queue_iid", NUMBER, 0},
    {STAGE, 14, "stage_iid", NUMBER, 0},
    {STAGE, 19, "kernel_iid", NUMBER, 0},
    {STAGE, 20, "name_iid", NUMBER, 0},
    {STAGE, 21, "launch", MESSAGE, LAUNCH},
    {LAUNCH, 1, "grid_size", MESSAGE, DIMENSIONS},
    {LAUNCH, 2, "workgroup_size", MESSAGE, DIMENSIONS},
    {LAUNCH, 3, "args", MESSAGE, ARGUMENT},
    {DIMENSIONS, 1, "x", NUMBER, 0},
    {DIMENSIONS, 2, "y", NUMBER, 0},
    {DIMENSIONS, 3, "z", NUMBER, 0},
    {ARGUMENT, 1, "name_iid", NUMBER, 0},
    {ARGUMENT, 4, "uint_value", NUMBER, 0},
    {ARGUMENT, 5, "double_value", DOUBLE, 0},
    {ARGUMENT, 6, "string_value", TEXT, 0},
};

static const struct field *find_field(enum message in, uint64_t number)
{
    for (size_t i = 0; i < sizeof s_fields / sizeof s_fields[0]; i++)
        if (s_fields[i].in == in && s_fields[i].number == number)
            return &s_fields[i];
    fail_msg("message %d has field %llu, which is not known", (int)in, (unsigned long long)number);
    return NULL;
}

struct reader {
    const unsigned char *at;
    const unsigned char *end;
};

static uint64_t read_varint(struct reader *reader)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        assert_true(reader->at < reader->end);
        unsigned char byte = *reader->at++;
        value |= (uint64_t)(byte & 0x7f) << (shift < 64 ? shift : 63);
        if (byte < 0x80)
            return value;
    }
    fail_msg("a number is longer than ten bytes");
    return 0;
}

__attribute__((format(printf, 3, 4))) static void add(struct capture *out, int depth, const char *format, ...)
{
    char line[8192];
    va_list arguments;
    int used = snprintf(line, sizeof line, "%*s", 2 * depth, "");
    va_start(arguments, format);
    used += vsnprintf(line + used, sizeof line - (size_t)used, format, arguments);
    va_end(arguments);
    assert_int_equal(capture_write(out, line, (size_t)used), 0);
}

static double read_double(struct reader *reader)
{
    uint64_t bits = 0;
    double value;
    assert_true(reader->end - reader->at >= 8);
    for (unsigned i = 0; i < 8; i++)
        bits |= (uint64_t)reader->at[i] << 8 * i;
    reader->at += 8;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void put_text(struct capture *out, int depth, const char *name, const unsigned char *text, size_t length)
{
    add(out, depth, "%s: \"", name);
    for (size_t i = 0; i < length; i++) {
        int plain = text[i] >= 0x20 && text[i] != 0x7f && text[i] != '"' && text[i] != '\\';
        add(out, 0, plain ? "%c" : "\\%03o", text[i]);
    }
    add(out, 0, "\"\n");
}

static void put_message(struct capture *out, int depth, enum message message, struct reader reader)
{
    static const unsigned types[] = {[NUMBER] = 0, [DOUBLE] = 1, [TEXT] = 2, [MESSAGE] = 2};
    while (reader.at < reader.end) {
        uint64_t tag = read_varint(&reader);
        const struct field *field = find_field(message, tag >> 3);
        assert_int_equal(tag & 7, types[field->kind]);
        if (field->kind == NUMBER) {
            add(out, depth, "%s: %llu\n", field->name, (unsigned long long)read_varint(&reader));
        } else if (field->kind == DOUBLE) {
            add(out, depth, "%s: %.3f\n", field->name, read_double(&reader));
        } else {
            uint64_t length = read_varint(&reader);
            assert_true(length <= (uint64_t)(reader.end - reader.at));
            struct reader inner = {reader.at, reader.at + length};
            reader.at = inner.end;
            if (field->kind == TEXT) {
                put_text(out, depth, field->name, inner.at, (size_t)length);
                continue;
            }
            add(out, depth, "%s {\n", field->name);
            put_message(out, depth + 1, field->message, inner);
            add(out, depth, "}\n");
        }
    }
}

struct capture perfetto_text(const struct capture *trace)
{
    const unsigned char *begin = (const unsigned char *)trace->text;
    struct capture out = {0};
    put_message(&out, 0, TRACE, (struct reader){begin, begin + trace->length});
    return out;
}
