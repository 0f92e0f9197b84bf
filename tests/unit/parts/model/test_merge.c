/* Merging, as an algebra on random snapshots; and searching. */
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "model/model.h"
#include "stat/builder.h"
#include "stat/numbers.h"
#include "stint/detail/record.h"
#include "stint_test.h"

enum { ROUNDS = 60 };

/* ------------------------------------------------------------------------------------------------- random snapshots */

static struct stint_numbers random_numbers(uint64_t *seed, struct stint_bin *bins)
{
    struct stint_numbers numbers = {.running = test_random(seed) % 4 == 0};
    if (test_random(seed) % 5 == 0)
        return numbers;
    numbers.count = test_random(seed) % 1000 + 1;
    numbers.recursive = test_random(seed) % 3 ? 0 : test_random(seed) % (numbers.count + 1);
    numbers.self_ns = test_random(seed) % 1000000;
    numbers.running_ns = numbers.running ? test_random(seed) % 1000 : 0;
    if (numbers.count == numbers.recursive)
        return numbers;
    numbers.total_ns = test_random(seed) % 10 * 1000;
    numbers.min_ns = test_random(seed) % 100;
    numbers.max_ns = numbers.min_ns + test_random(seed) % 100;
    numbers.square_ns2 = (double)(test_random(seed) % 100000000);
    for (uint32_t i = 0; i < STINT_I_BUCKETS; i += 1 + (uint32_t)(test_random(seed) % 400))
        bins[numbers.bin_count++] = (struct stint_bin){(uint64_t)stint_bucket_middle(i), test_random(seed) % 50 + 1};
    numbers.bins = bins;
    return numbers;
}

static size_t random_stat(struct stint_builder *builder, uint64_t *seed)
{
    static const char *const sets[] = {"GlobalStatInfo", "A", "B", "Zoo"};
    static const char *const files[] = {"", "a.c", "b.c"};
    static const char *const functions[] = {"", "forward", "backward"};
    const uint64_t site = test_random(seed) % 3;
    char name[16];
    const struct stint_stat like = {
        .set = sets[test_random(seed) % TEST_COUNT(sets)],
        .name = name,
        .file = files[site],
        .function = functions[site],
        .line = site ? (uint32_t)(test_random(seed) % 4 + 1) : 0,
        .by_thread = test_random(seed) % 4 == 0,
    };
    (void)snprintf(name, sizeof name, "name %u", (unsigned)(test_random(seed) % 12));
    return stint_builder_stat(builder, &like);
}

static struct stint_dropped random_dropped(uint64_t *seed)
{
    struct stint_dropped dropped = {0};
    uint64_t *words = (uint64_t *)&dropped;
    for (size_t i = 0; i < offsetof(struct stint_dropped, spare) / sizeof *words; ++i)
        words[i] = test_random(seed) % 100;
    return dropped;
}

static void random_contexts(struct stint_builder *builder, uint64_t *seed)
{
    size_t contexts[40];
    for (size_t i = 0; i < TEST_COUNT(contexts); ++i) {
        struct stint_bin bins[STINT_I_BUCKETS];
        const struct stint_numbers numbers = random_numbers(seed, bins);
        const size_t stat = random_stat(builder, seed);
        const size_t parent = i && test_random(seed) % 4 ? contexts[test_random(seed) % i] : STINT_NO_PARENT;
        contexts[i] = stint_builder_context(builder, parent, stat);
        stint_builder_add_context(builder, contexts[i], &numbers);
        stint_builder_add_stat(builder, stat, &numbers);
    }
}

static void random_threads(struct stint_builder *builder, int64_t pid, uint64_t *seed)
{
    for (int i = 0; i < 4; ++i) {
        const struct stint_thread thread = {.pid = pid + i % 2, .tid = 100 - i, .name = "worker"};
        const size_t row = stint_builder_add(builder, STINT_ROWS_THREADS, &thread);
        for (size_t stat = 0; stat < builder->rows[STINT_ROWS_STATS].count; ++stat) {
            struct stint_bin bins[STINT_I_BUCKETS];
            const struct stint_numbers numbers = random_numbers(seed, bins);
            if (((struct stint_stat *)builder->rows[STINT_ROWS_STATS].items)[stat].numbers.count)
                stint_builder_thread_stat(builder, row, stat, &numbers);
        }
    }
}

/* Charges add up to their activity. */
static void random_activity(struct stint_builder *builder, uint64_t *seed)
{
    static const char *const names[] = {"forward", "backward", "[CUDA memset]"};
    const struct stint_gpu_activity like = {
        .kind = (enum stint_gpu_kind)(test_random(seed) % STINT_GPU_KINDS),
        .name = names[test_random(seed) % TEST_COUNT(names)],
        .mangled = "",
        .device = (uint32_t)(test_random(seed) % 2),
        .stream = (uint32_t)(test_random(seed) % 3),
    };
    const size_t activity = stint_builder_gpu_activity(builder, &like);
    for (uint64_t i = test_random(seed) % 8; i-- > 0;) {
        const uint64_t count = test_random(seed) % 5 + 1, ns = test_random(seed) % 1000, bytes = test_random(seed) % 99;
        const size_t contexts[] = {test_random(seed) % builder->rows[STINT_ROWS_CONTEXTS].count, STINT_GPU_NO_SCOPE,
                                   STINT_GPU_UNATTRIBUTED};
        const struct stint_bin bin = {ns, count};
        struct stint_gpu_activity part = like;
        const struct stint_gpu_charge charge = {
            activity, contexts[test_random(seed) % 3], count, count * ns, ns, ns, count * bytes};
        part.numbers = (struct stint_numbers){
            .count = count, .total_ns = count * ns, .min_ns = ns, .max_ns = ns, .bins = &bin, .bin_count = 1};
        part.bytes = count * bytes;
        part.min_bytes = part.max_bytes = bytes;
        part.square_bytes2 = (double)(count * bytes * bytes);
        stint_builder_add_gpu_activity(builder, activity, &part);
        stint_builder_add(builder, STINT_ROWS_GPU_CHARGES, &charge);
    }
}

static void random_gpu(struct stint_builder *builder, uint64_t *seed)
{
    const struct stint_gpu_info info = {.collected = 1,
                                        .reason = "",
                                        .what = (unsigned)(test_random(seed) % 64),
                                        .clock_error_ns = (double)(test_random(seed) % 100),
                                        .early = test_random(seed) % 10,
                                        .reading_ns = test_random(seed) % 100,
                                        .cupti_kernel_ns = (double)(test_random(seed) % 3000),
                                        .cupti_call_ns = (double)(test_random(seed) % 200)};
    stint_builder_add(builder, STINT_ROWS_GPU, &info);
    for (uint32_t i = 0; i < 20; ++i) {
        const uint64_t start = 1000000 + test_random(seed) % 20;
        const struct stint_gpu_event event = {
            .api = i % 2,
            .name = i % 2 ? "cudaLaunchKernel" : "forward",
            .start_ns = start,
            .end_ns = start + test_random(seed) % 20,
            .correlation = *seed + i,
            .context = test_random(seed) % builder->rows[STINT_ROWS_CONTEXTS].count,
        };
        random_activity(builder, seed);
        stint_builder_add(builder, STINT_ROWS_GPU_EVENTS, &event);
        stint_builder_add(builder, STINT_ROWS_GPU_DEVICES,
                          &(struct stint_gpu_device){.id = i % 4, .name = "GPU", .memory_bytes = 5});
        stint_builder_add(builder, STINT_ROWS_GPU_MEMORY,
                          &(struct stint_gpu_memory){
                              .device = i % 4,
                              .kind = (enum stint_gpu_memory_kind)(test_random(seed) % 8),
                              .allocations = test_random(seed) % 9,
                              .frees = test_random(seed) % 9,
                              .current_bytes = test_random(seed) % 9,
                              .peak_bytes = test_random(seed) % 9,
                          });
    }
}

/* No two snapshots of different seeds have a thread in common. */
static struct stint_snapshot *random_snapshot(uint64_t seed)
{
    const int64_t pid = 2 * (int64_t)seed;
    const struct stint_process process = {
        .pid = pid,
        .command = "a program",
        .host = "a host",
        .start_unix_ns = UINT64_C(1800000000000000000) + seed,
        .wall_ns = 1000 * seed,
        .clock = "tsc",
        .clock_hz = 1e9 + (double)seed,
    };
    const struct stint_dropped dropped = random_dropped(&seed);
    struct stint_builder builder;
    stint_builder_begin(&builder);
    random_contexts(&builder, &seed);
    random_threads(&builder, pid, &seed);
    random_gpu(&builder, &seed);
    return stint_builder_end(&builder, &process, &dropped);
}

static struct stint_snapshot *empty_snapshot(void)
{
    const struct stint_process process = {.command = "", .host = "", .clock = ""};
    const struct stint_dropped dropped = {0};
    struct stint_builder builder;
    stint_builder_begin(&builder);
    return stint_builder_end(&builder, &process, &dropped);
}

static struct stint_snapshot *merge(const struct stint_snapshot *a, const struct stint_snapshot *b)
{
    struct stint_snapshot *merged = NULL;
    assert_int_equal(stint_snapshot_merge(a, b, &merged), STINT_OK);
    assert_non_null(merged);
    return merged;
}

/* --------------------------------------------------------------------------------------------------------- equality */

static void check_numbers(const struct stint_numbers *a, const struct stint_numbers *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->recursive, b->recursive);
    assert_int_equal(a->total_ns, b->total_ns);
    assert_int_equal(a->self_ns, b->self_ns);
    assert_int_equal(a->min_ns, b->min_ns);
    assert_int_equal(a->max_ns, b->max_ns);
    assert_true(a->square_ns2 == b->square_ns2);
    assert_int_equal(a->running, b->running);
    assert_int_equal(a->running_ns, b->running_ns);
    assert_int_equal(a->bin_count, b->bin_count);
    for (size_t i = 0; i < a->bin_count; ++i) {
        assert_int_equal(a->bins[i].ns, b->bins[i].ns);
        assert_int_equal(a->bins[i].count, b->bins[i].count);
    }
}

static void check_stats(const struct stint_snapshot *a, const struct stint_snapshot *b)
{
    assert_int_equal(a->stat_count, b->stat_count);
    for (size_t i = 0; i < a->stat_count; ++i) {
        const struct stint_stat *x = &a->stats[i], *y = &b->stats[i];
        assert_string_equal(x->set, y->set);
        assert_string_equal(x->name, y->name);
        assert_string_equal(x->file, y->file);
        assert_string_equal(x->function, y->function);
        assert_int_equal(x->line, y->line);
        assert_int_equal(x->by_thread, y->by_thread);
        check_numbers(&x->numbers, &y->numbers);
        assert_memory_equal(&x->gpu, &y->gpu, sizeof x->gpu);
        assert_memory_equal(&x->gpu_self, &y->gpu_self, sizeof x->gpu_self);
    }
}

static void check_contexts(const struct stint_snapshot *a, const struct stint_snapshot *b)
{
    assert_int_equal(a->context_count, b->context_count);
    for (size_t i = 0; i < a->context_count; ++i) {
        const struct stint_context *x = &a->contexts[i], *y = &b->contexts[i];
        assert_int_equal(x->stat, y->stat);
        assert_int_equal(x->parent, y->parent);
        assert_int_equal(x->depth, y->depth);
        check_numbers(&x->numbers, &y->numbers);
        assert_memory_equal(&x->gpu, &y->gpu, sizeof x->gpu);
        assert_memory_equal(&x->gpu_self, &y->gpu_self, sizeof x->gpu_self);
    }
}

static void check_threads(const struct stint_snapshot *a, const struct stint_snapshot *b)
{
    assert_int_equal(a->thread_count, b->thread_count);
    for (size_t i = 0; i < a->thread_count; ++i) {
        assert_int_equal(a->threads[i].pid, b->threads[i].pid);
        assert_int_equal(a->threads[i].tid, b->threads[i].tid);
        assert_int_equal(a->threads[i].exited, b->threads[i].exited);
        assert_string_equal(a->threads[i].name, b->threads[i].name);
    }
    assert_int_equal(a->thread_stat_count, b->thread_stat_count);
    for (size_t i = 0; i < a->thread_stat_count; ++i) {
        assert_int_equal(a->thread_stats[i].thread, b->thread_stats[i].thread);
        assert_int_equal(a->thread_stats[i].stat, b->thread_stats[i].stat);
        check_numbers(&a->thread_stats[i].numbers, &b->thread_stats[i].numbers);
    }
}

static void check_activities(const struct stint_snapshot *a, const struct stint_snapshot *b)
{
    assert_int_equal(a->gpu_activity_count, b->gpu_activity_count);
    for (size_t i = 0; i < a->gpu_activity_count; ++i) {
        const struct stint_gpu_activity *x = &a->gpu_activities[i], *y = &b->gpu_activities[i];
        assert_int_equal(x->kind, y->kind);
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->device, y->device);
        assert_int_equal(x->context, y->context);
        assert_int_equal(x->stream, y->stream);
        check_numbers(&x->numbers, &y->numbers);
        assert_int_equal(x->bytes, y->bytes);
        assert_int_equal(x->min_bytes, y->min_bytes);
        assert_int_equal(x->max_bytes, y->max_bytes);
        assert_true(x->square_bytes2 == y->square_bytes2);
    }
}

/* The axis of a trace is that of the first part: equal are distances. */
static void check_events(const struct stint_snapshot *a, const struct stint_snapshot *b)
{
    assert_int_equal(a->gpu_event_count, b->gpu_event_count);
    for (size_t i = 0; i < a->gpu_event_count; ++i) {
        const struct stint_gpu_event *x = &a->gpu_events[i], *y = &b->gpu_events[i];
        assert_int_equal(a->process.start_unix_ns + x->start_ns, b->process.start_unix_ns + y->start_ns);
        assert_int_equal(a->process.start_unix_ns + x->end_ns, b->process.start_unix_ns + y->end_ns);
        assert_int_equal(x->correlation, y->correlation);
        assert_int_equal(x->context, y->context);
        assert_string_equal(x->name, y->name);
    }
}

static void check_gpu(const struct stint_snapshot *a, const struct stint_snapshot *b)
{
    check_activities(a, b);
    check_events(a, b);
    assert_int_equal(a->gpu_charge_count, b->gpu_charge_count);
    for (size_t i = 0; i < a->gpu_charge_count; ++i)
        assert_memory_equal(&a->gpu_charges[i], &b->gpu_charges[i], sizeof a->gpu_charges[i]);
    assert_int_equal(a->gpu_memory_count, b->gpu_memory_count);
    for (size_t i = 0; i < a->gpu_memory_count; ++i)
        assert_memory_equal(&a->gpu_memory[i], &b->gpu_memory[i], sizeof a->gpu_memory[i]);
    assert_int_equal(a->gpu_device_count, b->gpu_device_count);
    for (size_t i = 0; i < a->gpu_device_count; ++i)
        assert_int_equal(a->gpu_devices[i].id, b->gpu_devices[i].id);
    assert_int_equal(a->gpu.collected, b->gpu.collected);
    assert_int_equal(a->gpu.what, b->gpu.what);
    assert_int_equal(a->gpu.early, b->gpu.early);
    assert_int_equal(a->gpu.reading_ns, b->gpu.reading_ns);
    assert_true(a->gpu.clock_error_ns == b->gpu.clock_error_ns);
    assert_true(a->gpu.cupti_kernel_ns == b->gpu.cupti_kernel_ns);
    assert_true(a->gpu.cupti_call_ns == b->gpu.cupti_call_ns);
}

static void check_processes(const struct stint_snapshot *a, const struct stint_snapshot *b)
{
    assert_int_equal(a->process_count, b->process_count);
    for (size_t i = 0; i < a->process_count; ++i) {
        const struct stint_merged_process *x = &a->processes[i], *y = &b->processes[i];
        assert_int_equal(x->pid, y->pid);
        assert_string_equal(x->rank, y->rank);
        assert_string_equal(x->command, y->command);
        assert_int_equal(x->start_unix_ns, y->start_unix_ns);
        assert_int_equal(x->wall_ns, y->wall_ns);
        assert_int_equal(x->gpu_ns, y->gpu_ns);
        assert_int_equal(x->kernels, y->kernels);
        assert_int_equal(x->dropped, y->dropped);
    }
}

/* Fails unless the two are the same but for their process. */
static void check_same(const struct stint_snapshot *a, const struct stint_snapshot *b)
{
    assert_int_equal(a->set_count, b->set_count);
    for (size_t i = 0; i < a->set_count; ++i)
        assert_string_equal(a->sets[i], b->sets[i]);
    check_stats(a, b);
    check_contexts(a, b);
    check_threads(a, b);
    check_gpu(a, b);
    check_processes(a, b);
    assert_memory_equal(&a->dropped, &b->dropped, offsetof(struct stint_dropped, spare));
}

/* ---------------------------------------------------------------------------------------------------------- algebra */

TEST(merge_with_empty_changes_nothing)
{
    struct stint_snapshot *empty = empty_snapshot();
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        struct stint_snapshot *a = random_snapshot(seed);
        struct stint_snapshot *left = merge(empty, a), *right = merge(a, empty);
        check_same(left, a);
        check_same(right, a);
        stint_snapshot_free(left);
        stint_snapshot_free(right);
        stint_snapshot_free(a);
    }
    stint_snapshot_free(empty);
}

TEST(merge_is_commutative)
{
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        struct stint_snapshot *a = random_snapshot(seed), *b = random_snapshot(seed + 1000);
        struct stint_snapshot *ab = merge(a, b), *ba = merge(b, a);
        check_same(ab, ba);
        stint_snapshot_free(ab);
        stint_snapshot_free(ba);
        stint_snapshot_free(a);
        stint_snapshot_free(b);
    }
}

TEST(merge_is_associative)
{
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        struct stint_snapshot *a = random_snapshot(seed), *b = random_snapshot(seed + 1000);
        struct stint_snapshot *c = random_snapshot(seed + 2000), *ab = merge(a, b), *bc = merge(b, c);
        struct stint_snapshot *left = merge(ab, c), *right = merge(a, bc);
        check_same(left, right);
        stint_snapshot_free(left);
        stint_snapshot_free(right);
        stint_snapshot_free(ab);
        stint_snapshot_free(bc);
        stint_snapshot_free(a);
        stint_snapshot_free(b);
        stint_snapshot_free(c);
    }
}

/* What no merging may lose or invent. */
static struct stint_numbers total(const struct stint_snapshot *snapshot)
{
    struct stint_arena arena = {0};
    struct stint_numbers sum = {0};
    for (size_t i = 0; i < snapshot->stat_count; ++i) {
        struct stint_numbers numbers = snapshot->stats[i].numbers;
        numbers.bin_count = 0;
        assert_int_equal(stint_numbers_add(&sum, &numbers, &arena), 0);
    }
    for (size_t i = 0; i < snapshot->context_count; ++i)
        sum.square_ns2 += snapshot->contexts[i].numbers.square_ns2;
    return sum;
}

static uint64_t samples(const struct stint_snapshot *snapshot)
{
    uint64_t count = 0;
    for (size_t i = 0; i < snapshot->stat_count; ++i)
        for (size_t bin = 0; bin < snapshot->stats[i].numbers.bin_count; ++bin)
            count += snapshot->stats[i].numbers.bins[bin].count;
    return count;
}

TEST(counts_and_totals_add_exactly)
{
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        struct stint_snapshot *a = random_snapshot(seed), *b = random_snapshot(seed + 1000), *ab = merge(a, b);
        const struct stint_numbers x = total(a), y = total(b), xy = total(ab);
        assert_int_equal(xy.count, x.count + y.count);
        assert_int_equal(xy.recursive, x.recursive + y.recursive);
        assert_int_equal(xy.total_ns, x.total_ns + y.total_ns);
        assert_int_equal(xy.self_ns, x.self_ns + y.self_ns);
        assert_int_equal(xy.running_ns, x.running_ns + y.running_ns);
        assert_true(xy.square_ns2 == x.square_ns2 + y.square_ns2);
        assert_int_equal(samples(ab), samples(a) + samples(b));
        assert_int_equal(ab->thread_stat_count, a->thread_stat_count + b->thread_stat_count);
        stint_snapshot_free(ab);
        stint_snapshot_free(a);
        stint_snapshot_free(b);
    }
}

/* The promise of gpu_stats.h, as random_activity keeps it for the parts. */
TEST(charges_of_every_activity_add_up_to_it_exactly)
{
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        struct stint_snapshot *a = random_snapshot(seed), *b = random_snapshot(seed + 1000), *ab = merge(a, b);
        size_t charge = 0;
        for (size_t i = 0; i < ab->gpu_activity_count; ++i) {
            const struct stint_gpu_activity *activity = &ab->gpu_activities[i];
            struct stint_gpu_charge sum = {.min_ns = UINT64_MAX};
            for (; charge < ab->gpu_charge_count && ab->gpu_charges[charge].activity == i; ++charge) {
                const struct stint_gpu_charge *part = &ab->gpu_charges[charge];
                sum.count += part->count;
                sum.total_ns += part->total_ns;
                sum.bytes += part->bytes;
                sum.min_ns = part->min_ns < sum.min_ns ? part->min_ns : sum.min_ns;
                sum.max_ns = part->max_ns > sum.max_ns ? part->max_ns : sum.max_ns;
            }
            assert_int_equal(sum.count, activity->numbers.count);
            assert_int_equal(sum.total_ns, activity->numbers.total_ns);
            assert_int_equal(sum.bytes, activity->bytes);
            assert_int_equal(sum.count ? sum.min_ns : 0, activity->numbers.min_ns);
            assert_int_equal(sum.max_ns, activity->numbers.max_ns);
        }
        assert_int_equal(charge, ab->gpu_charge_count);
        stint_snapshot_free(ab);
        stint_snapshot_free(a);
        stint_snapshot_free(b);
    }
}

static uint64_t activity_ns(const struct stint_snapshot *snapshot)
{
    uint64_t ns = 0;
    for (size_t i = 0; i < snapshot->gpu_activity_count; ++i)
        ns += snapshot->gpu_activities[i].numbers.total_ns;
    return ns;
}

TEST(gpu_times_and_events_add_exactly)
{
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        struct stint_snapshot *a = random_snapshot(seed), *b = random_snapshot(seed + 1000), *ab = merge(a, b);
        assert_true(activity_ns(a) > 0);
        assert_int_equal(activity_ns(ab), activity_ns(a) + activity_ns(b));
        assert_int_equal(ab->gpu_event_count, a->gpu_event_count + b->gpu_event_count);
        stint_snapshot_free(ab);
        stint_snapshot_free(a);
        stint_snapshot_free(b);
    }
}

/* A snapshot with one event. */
static struct stint_snapshot *snapshot_with_event(uint64_t start_unix_ns, uint64_t start_ns, uint64_t end_ns)
{
    const struct stint_process process = {.command = "", .host = "", .clock = "", .start_unix_ns = start_unix_ns};
    const struct stint_gpu_event event = {
        .name = "k", .start_ns = start_ns, .end_ns = end_ns, .context = STINT_GPU_NO_SCOPE};
    const struct stint_dropped dropped = {0};
    struct stint_builder builder;
    stint_builder_begin(&builder);
    stint_builder_add(&builder, STINT_ROWS_GPU_EVENTS, &event);
    return stint_builder_end(&builder, &process, &dropped);
}

TEST(events_are_on_the_first_parts_axis)
{
    struct stint_snapshot *a = snapshot_with_event(1000, 70, 80), *b = snapshot_with_event(1050, 30, 40);
    struct stint_snapshot *ab = merge(a, b), *ba = merge(b, a);
    assert_int_equal(ab->gpu_events[0].start_ns, 70);
    assert_int_equal(ab->gpu_events[0].end_ns, 80);
    assert_int_equal(ab->gpu_events[1].start_ns, 80);
    assert_int_equal(ab->gpu_events[1].end_ns, 90);
    assert_int_equal(ba->gpu_events[0].start_ns, 20);
    assert_int_equal(ba->gpu_events[0].end_ns, 30);
    assert_int_equal(ba->gpu_events[1].start_ns, 30);
    stint_snapshot_free(ab);
    stint_snapshot_free(ba);
    stint_snapshot_free(a);
    stint_snapshot_free(b);
}

TEST(events_from_before_the_first_part_begin_with_it)
{
    struct stint_snapshot *a = snapshot_with_event(1000, 70, 80), *b = snapshot_with_event(900, 60, 130);
    struct stint_snapshot *ab = merge(a, b);
    assert_int_equal(ab->gpu_events[0].start_ns, 0);
    assert_int_equal(ab->gpu_events[0].end_ns, 30);
    stint_snapshot_free(ab);
    stint_snapshot_free(a);
    stint_snapshot_free(b);
}

TEST(a_snapshot_made_by_hand_needs_no_reason)
{
    const struct stint_snapshot a = {.process = {.command = "", .host = "", .clock = ""}};
    struct stint_snapshot *aa = merge(&a, &a);
    assert_string_equal(aa->gpu.reason, "");
    stint_snapshot_free(aa);
}

TEST(merge_with_itself_doubles)
{
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        struct stint_snapshot *a = random_snapshot(seed), *aa = merge(a, a);
        assert_int_equal(aa->stat_count, a->stat_count);
        assert_int_equal(aa->thread_count, 2 * a->thread_count);
        for (size_t i = 0; i < a->stat_count; ++i) {
            const struct stint_numbers *one = &a->stats[i].numbers, *two = &aa->stats[i].numbers;
            assert_string_equal(aa->stats[i].name, a->stats[i].name);
            assert_int_equal(two->count, 2 * one->count);
            assert_int_equal(two->total_ns, 2 * one->total_ns);
            assert_int_equal(two->min_ns, one->min_ns);
            assert_int_equal(two->max_ns, one->max_ns);
            assert_int_equal(two->bin_count, one->bin_count);
            assert_int_equal(stint_numbers_percentile_ns(two, 0.9), stint_numbers_percentile_ns(one, 0.9));
        }
        stint_snapshot_free(aa);
        stint_snapshot_free(a);
    }
}

/* ------------------------------------------------------------------------------------------------------------ parts */

static struct stint_snapshot *snapshot_of_thread(const char *thread_name, uint64_t ns)
{
    const struct stint_process process = {.command = "", .host = "", .clock = ""};
    const struct stint_dropped dropped = {0};
    const struct stint_stat like = {.set = "A", .name = "x", .file = "", .function = ""};
    const struct stint_numbers numbers = {.count = 1, .total_ns = ns, .min_ns = ns, .max_ns = ns};
    struct stint_thread thread = {.pid = 1, .tid = 1};
    struct stint_builder builder;
    (void)snprintf(thread.name, sizeof thread.name, "%s", thread_name);
    stint_builder_begin(&builder);
    size_t stat = stint_builder_stat(&builder, &like);
    stint_builder_add_stat(&builder, stat, &numbers);
    stint_builder_thread_stat(&builder, stint_builder_add(&builder, STINT_ROWS_THREADS, &thread), stat, &numbers);
    return stint_builder_end(&builder, &process, &dropped);
}

static void check_commutative(struct stint_snapshot *a, struct stint_snapshot *b)
{
    struct stint_snapshot *ab = merge(a, b), *ba = merge(b, a);
    check_same(ab, ba);
    stint_snapshot_free(ab);
    stint_snapshot_free(ba);
    stint_snapshot_free(a);
    stint_snapshot_free(b);
}

/* Containers tend to have one process, 1, with one thread, 1. */
TEST(merge_is_commutative_for_threads_of_equal_ids)
{
    check_commutative(snapshot_of_thread("loader", 5), snapshot_of_thread("trainer", 7));
}

TEST(merge_of_empty_keeps_min)
{
    struct stint_snapshot *some = snapshot_of_thread("t", 5), *empty = empty_snapshot();
    struct stint_snapshot *merged = merge(empty, some);
    assert_int_equal(stint_snapshot_find(merged, "A", "x")->numbers.min_ns, 5);
    stint_snapshot_free(merged);
    stint_snapshot_free(some);
    stint_snapshot_free(empty);
}

TEST(the_process_is_the_first_parts)
{
    struct stint_snapshot *a = random_snapshot(1), *b = random_snapshot(2), *ab = merge(a, b);
    assert_int_equal(ab->process.pid, 2);
    assert_string_equal(ab->process.command, "a program");
    assert_string_equal(ab->process.host, "a host");
    assert_string_equal(ab->process.clock, "tsc");
    assert_true(ab->process.clock_hz == a->process.clock_hz);
    stint_snapshot_free(ab);
    stint_snapshot_free(a);
    stint_snapshot_free(b);
}

/* The numbers of the process that is listed first, added up once more. */
/* One that recorded nothing, such as what samples GPUs, has none. */
TEST(costs_are_those_of_the_first_part_that_measured_them)
{
    const struct stint_process none = {.command = "first", .host = "", .clock = "", .added_samples = 5};
    const struct stint_process costly = {
        .command = "", .host = "", .clock = "", .scope_ns = 31, .range = {54, 20}, .added_ns = 50, .added_samples = 7};
    static const struct stint_dropped dropped;
    struct stint_snapshot *a, *b, *merged;
    struct stint_builder builder;
    stint_builder_begin(&builder);
    a = stint_builder_end(&builder, &none, &dropped);
    stint_builder_begin(&builder);
    b = stint_builder_end(&builder, &costly, &dropped);
    assert_int_equal(stint_snapshot_merge(a, b, &merged), STINT_OK);
    assert_string_equal(merged->process.command, "first");
    assert_true(merged->process.scope_ns == 31 && merged->process.range.whole_ns == 54);
    assert_true(merged->process.added_ns == 50 && merged->process.added_samples == 12);
    stint_snapshot_free(merged);
    stint_snapshot_free(a);
    stint_snapshot_free(b);
}

static void check_listed(const struct stint_snapshot *merged, const struct stint_snapshot *first)
{
    const uint64_t *counts = (const uint64_t *)&first->dropped;
    uint64_t gpu_ns = 0, kernels = 0, dropped = 0;
    for (size_t i = 0; i < first->gpu_activity_count; ++i) {
        const struct stint_gpu_activity *activity = &first->gpu_activities[i];
        if (activity->kind <= STINT_GPU_UNIFIED)
            gpu_ns += activity->numbers.total_ns;
        if (activity->kind == STINT_GPU_KERNEL)
            kernels += activity->numbers.count;
    }
    for (size_t i = 0; i < offsetof(struct stint_dropped, spare) / sizeof *counts; ++i)
        dropped += counts[i];
    assert_int_equal(merged->processes[0].pid, first->process.pid);
    assert_string_equal(merged->processes[0].command, "a program");
    assert_int_equal(merged->processes[0].wall_ns, first->process.wall_ns);
    assert_int_equal(merged->processes[0].gpu_ns, gpu_ns);
    assert_int_equal(merged->processes[0].kernels, kernels);
    assert_int_equal(merged->processes[0].dropped, dropped);
}

TEST(processes_are_listed_by_start_with_what_they_did)
{
    uint64_t gpu_ns = 0, kernels = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        struct stint_snapshot *early = random_snapshot(seed), *late = random_snapshot(seed + 1);
        struct stint_snapshot *merged = merge(late, early);
        assert_int_equal(late->process_count, 0);
        assert_int_equal(merged->process_count, 2);
        assert_int_equal(merged->processes[1].pid, late->process.pid);
        check_listed(merged, early);
        gpu_ns += merged->processes[0].gpu_ns;
        kernels += merged->processes[0].kernels;
        stint_snapshot_free(merged);
        stint_snapshot_free(late);
        stint_snapshot_free(early);
    }
    assert_true(gpu_ns && kernels);
}

TEST(every_dropped_count_adds_up)
{
    struct stint_snapshot *a = random_snapshot(3), *b = random_snapshot(4), *ab = merge(a, b);
    const uint64_t *x = (const uint64_t *)&a->dropped, *y = (const uint64_t *)&b->dropped;
    const uint64_t *sum = (const uint64_t *)&ab->dropped;
    for (size_t i = 0; i < offsetof(struct stint_dropped, spare) / sizeof *sum; ++i)
        assert_int_equal(sum[i], x[i] + y[i]);
    stint_snapshot_free(ab);
    stint_snapshot_free(a);
    stint_snapshot_free(b);
}

TEST(the_merged_snapshot_shares_nothing_with_its_parts)
{
    struct stint_snapshot *a = random_snapshot(5), *b = random_snapshot(6);
    struct stint_snapshot *first = merge(a, b), *second = merge(a, b);
    stint_snapshot_free(a);
    stint_snapshot_free(b);
    check_same(first, second); /* freed memory is unmapped: reading it crashes */
    assert_string_equal(first->process.command, second->process.command);
    stint_snapshot_free(first);
    stint_snapshot_free(second);
}

/* ----------------------------------------------------------------------------------------------------------- misuse */

TEST(a_missing_argument_is_refused)
{
    struct stint_snapshot *a = random_snapshot(1), *merged = a;
    assert_int_equal(stint_snapshot_merge(NULL, a, &merged), STINT_ERROR_INVALID_ARGUMENT);
    assert_null(merged);
    merged = a;
    assert_int_equal(stint_snapshot_merge(a, NULL, &merged), STINT_ERROR_INVALID_ARGUMENT);
    assert_null(merged);
    assert_int_equal(stint_snapshot_merge(a, a, NULL), STINT_ERROR_INVALID_ARGUMENT);
    stint_snapshot_free(a);
}

/* Merges with the first mmap failing, then the second, and so on until it needs no more. */
static void merge_without(void (*starve)(long calls))
{
    struct stint_snapshot *a = random_snapshot(1), *b = random_snapshot(2), *merged;
    const size_t before = memory_mapped();
    for (long calls = 0;; ++calls) {

        merged = a;
        starve(calls);
        enum stint_status status = stint_snapshot_merge(a, b, &merged);
        if (!memory_recover()) {
            assert_int_equal(status, STINT_OK);
            assert_true(calls > 3);
            break;
        }
        assert_int_equal(status, STINT_ERROR_NO_MEMORY);
        assert_null(merged);
        assert_int_equal(memory_mapped(), before);
    }
    stint_snapshot_free(merged);
    stint_snapshot_free(a);
    stint_snapshot_free(b);
}

TEST(without_memory_merge_says_so_and_leaks_nothing)
{
    merge_without(memory_fail_after);
    merge_without(memory_fail_once_after);
}

/* ------------------------------------------------------------------------------------------------------------- find */

TEST(find_returns_the_row_of_set_and_name)
{
    struct stint_snapshot *a = random_snapshot(1);
    for (size_t i = 0; i < a->stat_count; ++i)
        assert_ptr_equal(stint_snapshot_find(a, a->stats[i].set, a->stats[i].name), &a->stats[i]);
    stint_snapshot_free(a);
}

TEST(find_without_a_set_looks_in_the_global_one)
{
    struct stint_snapshot *a = random_snapshot(1);
    size_t found = 0;
    for (size_t i = 0; i < a->stat_count; ++i)
        if (!strcmp(a->stats[i].set, "GlobalStatInfo")) {
            assert_ptr_equal(stint_snapshot_find(a, NULL, a->stats[i].name), &a->stats[i]);
            ++found;
        }
    assert_true(found > 0);
    stint_snapshot_free(a);
}

TEST(find_returns_null_for_what_is_not_there)
{
    struct stint_snapshot *a = snapshot_of_thread("t", 5);
    assert_null(stint_snapshot_find(a, "A", "y"));
    assert_null(stint_snapshot_find(a, "B", "x"));
    assert_null(stint_snapshot_find(a, NULL, "x"));
    assert_null(stint_snapshot_find(a, "A", NULL));
    assert_null(stint_snapshot_find(NULL, "A", "x"));
    stint_snapshot_free(a);
}
