/* Samples in speedscope's format: a profile for each thread, whose samples weigh the time that they stand for. Where
 * that leaves out some time, an empty call chain stands for it, so that the profile is as long as the recording. */
#include <errno.h>

#include "export/protobuf.h"
#include "export/speedscope.h"

static struct stint_speedscope_profile *profile_of(struct stint_speedscope_samples *samples,
                                                   const struct stint_event *event)
{
    struct stint_arena *arena = &samples->functions.arena;
    size_t place = stint_thread_place(&samples->places, arena, event->pid, event->tid);
    if (place < samples->profiles.count)
        return (struct stint_speedscope_profile *)samples->profiles.items + place;
    struct stint_speedscope_profile *profile =
        place == STINT_INDEX_NONE ? NULL : stint_array_add(&samples->profiles, arena, sizeof *profile);
    if (!profile)
        return NULL;
    *profile = (struct stint_speedscope_profile){
        .pid = event->pid, .tid = event->tid, .rows = stint_spool_add(samples->spool, arena)};
    return profile->rows ? profile : NULL;
}

int stint_speedscope_sample(struct stint_speedscope_samples *samples, const struct stint_event *event)
{
    uint8_t record[3 * STINT_PROTO_VARINT];
    struct stint_speedscope_profile *profile = profile_of(samples, event);
    if (!profile)
        return -1;
    struct stint_sample_span span = stint_sample_span(event, profile->end_ns);
    size_t length = stint_proto_varint(record, (uint64_t)(event->sample.stack + 1)); /* 0: not known */
    length += stint_proto_varint(record + length, span.begin_ns - profile->end_ns);
    length += stint_proto_varint(record + length, span.end_ns - span.begin_ns);
    profile->end_ns = span.end_ns;
    if (!samples->failed && stint_spool_put(samples->spool, profile->rows, record, length))
        samples->failed = errno;
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------- writing */

static void begin_item(struct stint_speedscope_samples *samples, const char *text)
{
    stint_out_string(samples->functions.job->out, samples->items ? ",\n" : "");
    samples->items = 1;
    stint_out_string(samples->functions.job->out, text);
}

/* Without memory the chain ends early, which is noted. */
static void put_chain(struct stint_speedscope_samples *samples, uint64_t chain)
{
    struct stint_functions *functions = &samples->functions;
    size_t count = stint_functions_chain(functions, (size_t)chain - 1);
    if (count == SIZE_MAX)
        samples->failed = ENOMEM;
    for (size_t i = 0; i < count && !samples->failed; i++) {
        struct stint_function_place place = stint_functions_place(functions, functions->chain[i]);
        const struct stint_function *function = stint_functions_at(functions, place.function);
        size_t number =
            stint_frames_find(samples->frames, &(struct stint_frame){"", function->name, function->file, 0});
        if (number == STINT_INDEX_NONE)
            samples->failed = ENOMEM;
        stint_out_string(functions->job->out, i ? "," : "");
        stint_out_u64(functions->job->out, number);
    }
}

static void put_chains(void *context, const uint8_t *bytes, size_t length)
{
    struct stint_speedscope_samples *samples = context;
    for (const uint8_t *at = bytes; at < bytes + length;) {
        uint64_t chain = stint_proto_read_varint(&at);
        if (stint_proto_read_varint(&at))
            begin_item(samples, "[]");
        (void)stint_proto_read_varint(&at);
        begin_item(samples, "[");
        put_chain(samples, chain);
        stint_out_string(samples->functions.job->out, "]");
    }
}

static void put_weight(struct stint_speedscope_samples *samples, uint64_t ns)
{
    begin_item(samples, "");
    stint_out_u64(samples->functions.job->out, ns);
}

static void put_weights(void *context, const uint8_t *bytes, size_t length)
{
    struct stint_speedscope_samples *samples = context;
    for (const uint8_t *at = bytes; at < bytes + length;) {
        (void)stint_proto_read_varint(&at);
        uint64_t gap_ns = stint_proto_read_varint(&at);
        if (gap_ns)
            put_weight(samples, gap_ns);
        put_weight(samples, stint_proto_read_varint(&at));
    }
}

int stint_speedscope_put_samples(struct stint_speedscope_samples *samples,
                                 const struct stint_speedscope_profile *profile)
{
    struct stint_out *out = samples->functions.job->out;
    samples->items = 0;
    stint_out_string(out, ", \"samples\": [");
    if (stint_spool_read(samples->spool, profile->rows, put_chains, samples))
        return -1;
    stint_out_string(out, "],\n\"weights\": [");
    samples->items = 0;
    if (stint_spool_read(samples->spool, profile->rows, put_weights, samples))
        return -1;
    stint_out_string(out, "]}");
    errno = samples->failed;
    return samples->failed ? -1 : 0;
}
