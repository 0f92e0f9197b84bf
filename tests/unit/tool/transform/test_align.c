/* Clocks of hosts: ends of collective calls are the same moment. */
#include "transform/transform.h"

#include <stdio.h>
#include <string.h>

#include "listed_events.h"
#include "stint_test.h"

enum { CALLS = 20, US = 1000, OFFSET = 5000 * US };

static struct stint_event s_here[CALLS], s_there[CALLS];
static struct stint_snapshot s_snapshots[3];
static struct listed_events s_events[3];
static struct stint_recorded s_parts[3];
static char s_told[512];

static void tell(const struct stint_alignment *alignment)
{
    size_t used = strlen(s_told);
    (void)snprintf(s_told + used, sizeof s_told - used, "%s to %s by %s: %zu ends, %lld later, within %llu\n",
                   alignment->host, alignment->first, alignment->by ? alignment->by : "nothing", alignment->ends,
                   (long long)alignment->later_ns, (unsigned long long)alignment->within_ns);
}

/* One rank on a host, two on another, whose clock is ahead. A call ends there up to 2 us later than here. */
static void make(const char *name, const char *set, enum stint_event_kind kind)
{
    static const struct stint_gpu_event kernel = {.kind = STINT_GPU_KERNEL};
    s_told[0] = '\0';
    for (int i = 0; i < 3; i++) {
        s_snapshots[i] = (struct stint_snapshot){
            .process = {.host = i ? "there" : "here", .start_unix_ns = (uint64_t)(i ? 7000 * US + OFFSET : 7000 * US)}};
        s_events[i] = (struct listed_events)LISTED_EVENTS(i ? s_there : s_here, CALLS);
        s_parts[i] = (struct stint_recorded){&s_snapshots[i], &s_events[i].source};
    }
    for (uint64_t i = 0; i < CALLS; i++) {
        s_here[i] = (struct stint_event){
            .kind = kind, .name = name, .set = set, .gpu = &kernel, .start_ns = i * 100, .end_ns = i * 100 + 50};
        s_there[i] = s_here[i];
        s_there[i].end_ns += i % 3 * US;
    }
}

TEST(other_hosts_get_the_clock_of_the_first)
{
    make("MPI_Allreduce", STINT_MPI_SET, STINT_EVENT_SCOPE);
    stint_align(s_parts, 3, tell);
    assert_string_equal(s_told, "there to here by collective calls of MPI: 20 ends, 5001000 later, within 1000\n");
    assert_int_equal(s_snapshots[0].process.start_unix_ns, 7000 * US);
    assert_int_equal(s_snapshots[1].process.start_unix_ns, 7000 * US - US);
    assert_int_equal(s_snapshots[2].process.start_unix_ns, 7000 * US - US);
}

TEST(clocks_without_a_time_of_day_are_aligned_as_well)
{
    make("MPI_Allreduce", STINT_MPI_SET, STINT_EVENT_SCOPE);
    for (int i = 0; i < 3; i++)
        s_snapshots[i].process.start_unix_ns = 0;
    stint_align(s_parts, 3, tell);
    assert_string_equal(s_told, "there to here by collective calls of MPI: 20 ends, 1000 later, within 1000\n");
    assert_int_equal(s_snapshots[0].process.start_unix_ns, US);
    assert_int_equal(s_snapshots[1].process.start_unix_ns, 0);
    assert_int_equal(s_snapshots[2].process.start_unix_ns, 0);
}

TEST(kernels_of_nccl_serve_as_well)
{
    make("ncclDevKernel_AllReduce_Sum_f32_RING_LL", "", STINT_EVENT_DEVICE);
    stint_align(s_parts, 3, tell);
    assert_string_equal(s_told, "there to here by kernels of NCCL: 20 ends, 5001000 later, within 1000\n");
}

TEST(other_calls_leave_clocks_as_they_are)
{
    make("MPI_Send", STINT_MPI_SET, STINT_EVENT_SCOPE);
    stint_align(s_parts, 3, tell);
    assert_string_equal(s_told, "there to here by nothing: 0 ends, 0 later, within 0\n");
    assert_int_equal(s_snapshots[1].process.start_unix_ns, 7000 * US + OFFSET);
}

TEST(calls_in_another_order_leave_clocks_as_they_are)
{
    make("MPI_Allreduce", STINT_MPI_SET, STINT_EVENT_SCOPE);
    s_there[3].name = "MPI_Barrier";
    stint_align(s_parts, 3, tell);
    assert_non_null(strstr(s_told, "by nothing"));
}

TEST(one_host_and_recordings_without_events_are_no_matter)
{
    make("MPI_Allreduce", STINT_MPI_SET, STINT_EVENT_SCOPE);
    stint_align(s_parts + 1, 2, tell);
    s_parts[1].events = s_parts[2].events = NULL;
    stint_align(s_parts, 3, tell);
    assert_string_equal(s_told, "");
}

TEST(recordings_of_unknown_hosts_are_no_matter)
{
    make("other", STINT_MPI_SET, STINT_EVENT_SCOPE);
    s_snapshots[1].process.host = s_snapshots[2].process.host = "";
    stint_align(s_parts, 3, tell);
    stint_align(s_parts + 1, 2, tell);
    assert_string_equal(s_told, "");
}
