/* A program that uses what programs are compiled with: call sites, structs that it has in its own memory, and rows of a
 * snapshot. program_1.s is what gcc made of it with the headers of 0.1.0, the first of interface 1:
 *
 *     cd tests/abi && gcc -std=c11 -O2 -fno-asynchronous-unwind-tables -fno-ident \
 *         -I ../../include -I ../../build/test/include -S program.c
 *
 * It stays as it is for as long as STINT_ABI does, so that it shows that such a program runs. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <stint/adopt.h>
#include <stint/counters.h>
#include <stint/stint.h>

static int s_failed;

static void require(int condition, int line)
{
    if (!condition) {
        printf("program.c:%d: not as it was\n", line);
        s_failed = 1;
    }
}
#define REQUIRE(condition) require(condition, __LINE__)

static void step(struct stint_statset *set, const char *name)
{
    STINT_SCOPE("step");
    {
        STINT_SCOPE("inner", (uint64_t)-1, set);
    }
    {
        STINT_SCOPE_DYNAMIC(name);
        STINT_SCOPE_SINCE("since", stint_now_us());
    }
    STINT_SCOPE_INFO("layer", name);
}

static int write_text(void *context, const char *text, size_t length)
{
    (void)text;
    *(size_t *)context += length;
    return 0;
}

static void use_structs(struct stint_statset *set)
{
    struct stint_timer timer = STINT_TIMER_INIT;
    struct stint_gpu_span span = STINT_GPU_SPAN_INIT;
    struct stint_adoption adoption;
    const struct stint_gpu_options gpu = {.size = sizeof gpu, .what = STINT_GPU_ACTIVITIES};
    const struct stint_counters_options counters = {.size = sizeof counters, .metrics = ""};
    struct stint_counter counter = {1, 1, 1, 1};

    REQUIRE(stint_timer_start(&timer, "timer", set) == STINT_OK && stint_timer_stop(&timer) == STINT_OK);
    REQUIRE(stint_gpu_span_begin(&span, "span", NULL) == STINT_OK && stint_gpu_span_end(&span) == STINT_OK);
    REQUIRE(stint_adopt_begin(&adoption, stint_token_take()) == STINT_OK && stint_adopt_end(&adoption) == STINT_OK);
    REQUIRE(stint_statset_add(set, "added", 5000) == STINT_OK);
    for (int64_t id = 0; id < 3; id++)
        REQUIRE(stint_barrier_arrive(set, "barrier", 3, id) == STINT_OK);
    if (stint_gpu_start(&gpu) == STINT_OK)
        (void)stint_gpu_stop();
    REQUIRE(stint_counters_start(&counters) != STINT_OK);
    REQUIRE(stint_counters_read(STINT_COUNTERS_OF_KERNELS, NULL, "none", &counter) == STINT_ERROR_NOT_FOUND);
    REQUIRE(counter.launches == 0 && counter.max == 0);
}

static void check(const struct stint_snapshot *snapshot)
{
    const struct stint_layout layout = {
        .size = sizeof layout, .columns = 80, .sort = STINT_SORT_NAME, .min_percent = 0.5};
    const struct stint_stat *step = stint_snapshot_find(snapshot, NULL, "step"),
                            *added = stint_snapshot_find(snapshot, "set", "added");
    size_t length = 0;
    int has_inner = 0;

    REQUIRE(snapshot->size >= sizeof *snapshot);
    REQUIRE(step && step->numbers.count == 1000 && step->numbers.total_ns > step->numbers.self_ns);
    REQUIRE(step && step->numbers.bin_count && step->numbers.bins[0].count && !step->numbers.spread);
    REQUIRE(step && step->gpu.kernels == 0 && strcmp(step->function, "step") == 0);
    REQUIRE(added && added->numbers.total_ns == 5000 && strcmp(added->set, "set") == 0);
    for (size_t i = 0; i < snapshot->context_count; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        if (strcmp(snapshot->stats[context->stat].name, "inner") == 0) {
            has_inner = context->numbers.count == 1000 && context->depth == 1 &&
                        snapshot->stats[snapshot->contexts[context->parent].stat].numbers.count == 1000;
        }
    }
    REQUIRE(has_inner);
    REQUIRE(snapshot->set_count == 2 && strcmp(snapshot->sets[1], "set") == 0);
    REQUIRE(snapshot->thread_count == 1 && snapshot->threads[0].tid != 0);
    REQUIRE(snapshot->barrier_count == 1 && snapshot->barriers[0].rounds == 1);
    REQUIRE(snapshot->process.clock_hz > 0 && strstr(snapshot->process.command, "program"));
    REQUIRE(snapshot->dropped.unnamed == 1 && snapshot->dropped.events == 0);
    REQUIRE(snapshot->sample_count_count == 0 && snapshot->nvtx_name_count == 0 && !snapshot->sampling.sampled);
    REQUIRE(stint_report_write(snapshot, STINT_FORMAT_TABLE, &layout, write_text, &length) == STINT_OK && length > 400);
}

int main(void)
{
    struct stint_statset *set = stint_statset_get("set");
    struct stint_snapshot *snapshot;

    for (int i = 0; i < 1000; i++)
        step(set, i % 2 ? "odd" : "even");
    {
        STINT_SCOPE_DYNAMIC("");
    }
    use_structs(set);
    REQUIRE(stint_snapshot_take(&snapshot) == STINT_OK);
    check(snapshot);
    stint_snapshot_free(snapshot);
    return s_failed;
}
