/* Takes any bytes as the message of a rank. What can be read can be added up; the sum, packed, can be read again. */
#include <stdint.h>
#include <stdio.h>

#include "fuzz.h"
#include "ranks/ranks.h"

static void check_sum(const struct stint_snapshot *sum)
{
    struct stint_packed packed = {.size = 0};
    struct stint_unpacked again = {.arena = {0}};
    require(stint_pack(&packed, sum) == 0, "no memory");
    require(stint_unpack(&again, packed.bytes, packed.size) == 0, "what was packed cannot be read");
    require(again.snapshot.stat_count == sum->stat_count, "statistics are lost");
    require(again.snapshot.context_count == sum->context_count, "calling contexts are lost");
    stint_unpacked_free(&again);
    stint_packed_free(&packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct stint_unpacked unpacked = {.arena = {0}};
    struct stint_reduction sum;
    stint_reduction_begin(&sum, NULL);
    int is_read = stint_unpack(&unpacked, data, size) == 0;
    for (int i = 0; i < 2 && is_read; i++)
        stint_reduction_add_ranks(&sum, &unpacked.snapshot);
    struct stint_snapshot *snapshot = stint_reduction_end(&sum);
    if (snapshot && is_read)
        check_sum(snapshot);
    stint_snapshot_free(snapshot);
    stint_unpacked_free(&unpacked);
    return 0;
}
