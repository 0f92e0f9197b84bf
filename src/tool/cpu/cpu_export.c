#include "cpu/cpu_export.h"

#include <stdlib.h>
#include <string.h>

#include "export/out.h"
#include "export/protobuf.h"

static const struct stint_symbol *symbol_at(const struct stint_cpu_profile *profile, size_t function)
{
    return &stint_cpu_function_at(profile, function)->symbol;
}

/* Calls `put` for each call chain with samples, the innermost function first. */
typedef void put_chain_fn(struct stint_out *out, const struct stint_cpu_profile *profile,
                          const struct stint_sample_count *count, const size_t *chain, size_t length);

static void each_chain(struct stint_out *out, const struct stint_cpu_profile *profile, put_chain_fn *put)
{
    size_t chain[STINT_CPU_DEEPEST];
    for (size_t i = 0; i < profile->snapshot->sample_count_count; i++) {
        const struct stint_sample_count *count = &profile->snapshot->sample_counts[i];
        if (stint_cpu_profile_wants(profile, count))
            put(out, profile, count, chain, stint_cpu_profile_chain(profile, count, chain));
    }
}

/* -------------------------------------------------------------------------------------------------------- collapsed */

static void put_line(struct stint_out *out, const struct stint_cpu_profile *profile,
                     const struct stint_sample_count *count, const size_t *chain, size_t length)
{
    if (!length)
        stint_out_string(out, "[no room for its calls]");
    for (size_t i = length; i--;) {
        stint_out_escaped(out, stint_out_escape_stack, symbol_at(profile, chain[i])->function);
        stint_out_put(out, ";", i ? 1 : 0);
    }
    stint_out_put(out, " ", 1);
    stint_out_u64(out, count->samples);
    stint_out_put(out, "\n", 1);
}

/* ------------------------------------------------------------------------------------------------------------ pprof */

/* Fields of profile.proto, and of the messages in it. */
enum { SAMPLE_TYPE = 1, SAMPLE = 2, LOCATION = 4, FUNCTION = 5, STRING = 6, PERIOD_TYPE = 11, PERIOD = 12 };
enum { TYPE_NAME = 1, TYPE_UNIT = 2 };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2 };
enum { LOCATION_ID = 1, LOCATION_LINE = 4, LINE_FUNCTION = 1, LINE_NUMBER = 2 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_FILE = 4 };

/* The string table: these, and then two of each function, its name and its file. */
static const char *const s_strings[] = {"", "samples", "count", "cpu", "nanoseconds"};
enum { NOTHING, SAMPLES, COUNT, CPU, NANOSECONDS, FIRST_OF_FUNCTIONS };

/* The one message that is being built: no chain needs more. */
static struct stint_proto *s_proto;

static void put_message(struct stint_out *out)
{
    stint_out_put(out, (const char *)s_proto->bytes, s_proto->used);
    s_proto->used = 0;
}

static void put_type(struct stint_out *out, uint32_t field, uint64_t name, uint64_t unit)
{
    size_t begin = stint_proto_begin(s_proto, field);
    stint_proto_u64(s_proto, TYPE_NAME, name);
    stint_proto_u64(s_proto, TYPE_UNIT, unit);
    stint_proto_end(s_proto, begin);
    put_message(out);
}

static void put_sample(struct stint_out *out, const struct stint_cpu_profile *profile,
                       const struct stint_sample_count *count, const size_t *chain, size_t length)
{
    size_t begin = stint_proto_begin(s_proto, SAMPLE);
    (void)profile;
    for (size_t i = 0; i < length; i++)
        stint_proto_u64(s_proto, SAMPLE_LOCATION, chain[i] + 1);
    stint_proto_u64(s_proto, SAMPLE_VALUE, count->samples);
    stint_proto_u64(s_proto, SAMPLE_VALUE, count->time_ns);
    stint_proto_end(s_proto, begin);
    put_message(out);
}

/* Each function, or line of one, is a place in the code as well. */
static void put_function(struct stint_out *out, const struct stint_cpu_profile *profile, size_t at)
{
    const struct stint_symbol *symbol = symbol_at(profile, at);
    size_t begin = stint_proto_begin(s_proto, LOCATION);
    stint_proto_u64(s_proto, LOCATION_ID, at + 1);
    size_t line = stint_proto_begin(s_proto, LOCATION_LINE);
    stint_proto_u64(s_proto, LINE_FUNCTION, at + 1);
    stint_proto_u64(s_proto, LINE_NUMBER, (uint64_t)symbol->line);
    stint_proto_end(s_proto, line);
    stint_proto_end(s_proto, begin);
    begin = stint_proto_begin(s_proto, FUNCTION);
    stint_proto_u64(s_proto, FUNCTION_ID, at + 1);
    stint_proto_u64(s_proto, FUNCTION_NAME, FIRST_OF_FUNCTIONS + 2 * at);
    stint_proto_u64(s_proto, FUNCTION_FILE, FIRST_OF_FUNCTIONS + 2 * at + 1);
    stint_proto_end(s_proto, begin);
    put_message(out);
}

static void put_string(struct stint_out *out, const char *text)
{
    stint_proto_string(s_proto, STRING, text);
    put_message(out);
}

static void put_pprof(struct stint_out *out, const struct stint_cpu_profile *profile)
{
    const struct stint_sample_info *info = &profile->snapshot->sampling;
    put_type(out, SAMPLE_TYPE, SAMPLES, COUNT);
    put_type(out, SAMPLE_TYPE, CPU, NANOSECONDS);
    put_type(out, PERIOD_TYPE, CPU, NANOSECONDS);
    stint_proto_u64(s_proto, PERIOD, info->hz ? 1000000000U / info->hz : 0);
    put_message(out);
    each_chain(out, profile, put_sample);
    for (size_t i = 0; i < profile->functions.count; i++)
        put_function(out, profile, i);
    for (size_t i = 0; i < FIRST_OF_FUNCTIONS; i++)
        put_string(out, s_strings[i]);
    for (size_t i = 0; i < profile->functions.count; i++) {
        const struct stint_symbol *symbol = symbol_at(profile, i);
        put_string(out, symbol->function);
        put_string(out, *symbol->file ? symbol->file : symbol->module);
    }
}

/* ----------------------------------------------------------------------------------------------------------- export */

int stint_cpu_export(const struct stint_cpu_profile *profile, enum stint_cpu_file file, stint_write_fn *write,
                     void *context)
{
    struct stint_out *out = malloc(sizeof *out);
    int failed = -1;
    s_proto = calloc(1, sizeof *s_proto);
    if (out && s_proto) {
        stint_out_begin(out, write, context);
        if (file == STINT_CPU_COLLAPSED)
            each_chain(out, profile, put_line);
        else
            put_pprof(out, profile);
        failed = stint_out_end(out);
    }
    free(s_proto);
    s_proto = NULL;
    free(out);
    return failed;
}
