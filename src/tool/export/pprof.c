/* pprof's profile.proto, not compressed: samples with their number and time, then the functions that they were in, each
 * of which, or each line of one, is a place in the code as well. */
#include "export/encoder.h"
#include "export/out.h"

/* Fields of the profile, and of the messages in it. */
enum { SAMPLE_TYPE = 1, SAMPLE = 2, LOCATION = 4, FUNCTION = 5, STRING = 6, PERIOD_TYPE = 11, PERIOD = 12 };
enum { TYPE_NAME = 1, TYPE_UNIT = 2 };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2 };
enum { LOCATION_ID = 1, LOCATION_LINE = 4, LINE_FUNCTION = 1, LINE_NUMBER = 2 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_FILE = 4 };

/* The string table: these, and then two of each function, its name and its file. */
static const char *const s_strings[] = {"", "samples", "count", "cpu", "nanoseconds"};
enum { NOTHING, SAMPLES, COUNT, CPU, NANOSECONDS, FIRST_OF_FUNCTIONS };

struct pprof {
    struct stint_walk walk;     /* has to be the first member */
    struct stint_proto message; /* that is being built: no stack needs more */
};

static struct stint_proto *message_of(struct stint_walk *walk)
{
    return &((struct pprof *)walk)->message;
}

static void put_message(struct stint_walk *walk)
{
    struct stint_proto *message = message_of(walk);
    stint_out_put(walk->out, (const char *)message->bytes, message->used);
    message->used = 0;
}

static void put_type(struct stint_walk *walk, uint32_t field, uint64_t name, uint64_t unit)
{
    struct stint_proto *message = message_of(walk);
    STINT_PROTO_MESSAGE(message, field, {TYPE_NAME, .value = name}, {TYPE_UNIT, .value = unit});
    put_message(walk);
}

static int begin_profile(struct stint_walk *walk)
{
    put_type(walk, SAMPLE_TYPE, SAMPLES, COUNT);
    put_type(walk, SAMPLE_TYPE, CPU, NANOSECONDS);
    put_type(walk, PERIOD_TYPE, CPU, NANOSECONDS);
    stint_proto_u64(message_of(walk), PERIOD, walk->stacks->period_ns);
    put_message(walk);
    return 0;
}

static void put_sample(struct stint_walk *walk, const struct stint_stack *stack)
{
    struct stint_proto *message = message_of(walk);
    size_t sample = stint_proto_begin(message, SAMPLE);
    for (size_t i = 0; i < stack->count; i++)
        stint_proto_u64(message, SAMPLE_LOCATION, stack->frames[i] + 1);
    stint_proto_u64(message, SAMPLE_VALUE, stack->weight);
    stint_proto_u64(message, SAMPLE_VALUE, stack->ns);
    stint_proto_end(message, sample);
    put_message(walk);
}

static void put_function(struct stint_walk *walk, size_t at)
{
    struct stint_proto *message = message_of(walk);
    size_t outer = stint_proto_begin(message, LOCATION);
    stint_proto_u64(message, LOCATION_ID, at + 1);
    STINT_PROTO_MESSAGE(message, LOCATION_LINE, {LINE_FUNCTION, .value = at + 1},
                        {LINE_NUMBER, .value = walk->stacks->frame(walk->stacks, at).line});
    stint_proto_end(message, outer);
    STINT_PROTO_MESSAGE(message, FUNCTION, {FUNCTION_ID, .value = at + 1},
                        {FUNCTION_NAME, .value = FIRST_OF_FUNCTIONS + 2 * at},
                        {FUNCTION_FILE, .value = FIRST_OF_FUNCTIONS + 2 * at + 1});
    put_message(walk);
}

static void put_string(struct stint_walk *walk, const char *text)
{
    stint_proto_string(message_of(walk), STRING, text);
    put_message(walk);
}

static void put_functions(struct stint_walk *walk)
{
    const struct stint_stacks *stacks = walk->stacks;
    for (size_t i = 0; i < stacks->frame_count; i++)
        put_function(walk, i);
    for (size_t i = 0; i < FIRST_OF_FUNCTIONS; i++)
        put_string(walk, s_strings[i]);
    for (size_t i = 0; i < stacks->frame_count; i++) {
        put_string(walk, stacks->frame(stacks, i).name);
        put_string(walk, stacks->frame(stacks, i).file);
    }
}

const struct stint_encoder stint_encoder_pprof = {
    .size = sizeof(struct pprof), .begin = begin_profile, .stack = put_sample, .end = put_functions};
