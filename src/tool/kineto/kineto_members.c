/* Reads what a trace of torch.profiler says about itself: its devices, its rank, and what its times are since. */
#include <stdio.h>
#include <string.h>

#include "kineto/kineto.h"

static void read_device(struct stint_kineto_tables *tables, struct stint_reader *reader)
{
    struct stint_kineto_device device = {.name = ""};
    const struct {
        const char *key;
        uint64_t *number;
    } numbers[] = {{"id", &device.id},
                   {"totalGlobalMem", &device.memory_bytes},
                   {"computeMajor", &device.compute_major},
                   {"computeMinor", &device.compute_minor},
                   {"numSms", &device.multiprocessors}};
    struct stint_reader_list list = stint_reader_open(reader, '{');
    while (stint_reader_next(reader, &list)) {
        uint64_t *number = NULL;
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
            if (stint_reader_is_key(&list, numbers[i].key))
                number = numbers[i].number;
        if (number)
            *number = stint_reader_u64(reader);
        else if (stint_reader_is_key(&list, "name"))
            device.name = stint_reader_text(reader);
        else
            stint_reader_skip(reader);
    }
    if (!reader->status)
        stint_kineto_add_device(tables, &device);
}

static void read_devices(struct stint_kineto_tables *tables, struct stint_reader *reader)
{
    struct stint_reader_list list = stint_reader_open(reader, '[');
    while (stint_reader_next(reader, &list))
        read_device(tables, reader);
}

static void read_distribution(struct stint_kineto_tables *tables, struct stint_reader *reader)
{
    struct stint_reader_list list = stint_reader_open(reader, '{');
    while (stint_reader_next(reader, &list)) {
        char rank[24];
        if (!stint_reader_is_key(&list, "rank")) {
            stint_reader_skip(reader);
            continue;
        }
        (void)snprintf(rank, sizeof rank, "%lld", (long long)stint_reader_i64(reader));
        stint_kineto_add_rank(tables, rank);
    }
}

void stint_kineto_read_member(struct stint_kineto_tables *tables, struct stint_reader *reader, const char *key)
{
    if (strcmp(key, "deviceProperties") == 0)
        read_devices(tables, reader);
    else if (strcmp(key, "distributedInfo") == 0)
        read_distribution(tables, reader);
    else if (strcmp(key, "baseTimeNanoseconds") == 0)
        tables->base_ns = (int64_t)stint_reader_at_most(reader, INT64_MAX / 2);
    else
        stint_reader_skip(reader);
}
