/* Ranges that are pushed and popped in any order, compared with a list of what is open (nvtx/range.h). */
#include <string.h>

#include "nvtx/client.h"
#include "record/fixture.h"
#include "stint_test.h"

enum { DOMAINS = 3, DEPTH = 3, STEPS = 20000 };

/* What a list of open ranges says: of each domain and level its name, its begin, and the sum. */
static struct model {
    nvtx_handle domain;
    const char *set;
    const char *names[DEPTH];
    unsigned depth;
    uint64_t starts[DEPTH], counts[DEPTH], totals[DEPTH];
} s_model[DOMAINS];

static void model_begin(void)
{
    const struct model model[DOMAINS] = {
        {.domain = create("one"), .set = "NVTX:one", .names = {"r00", "r01", "r02"}},
        {.domain = create("two"), .set = "NVTX:two", .names = {"r10", "r11", "r12"}},
        {.domain = create("three"), .set = "NVTX:three", .names = {"r20", "r21", "r22"}},
    };
    memcpy(s_model, model, sizeof model);
}

static void model_push(struct model *model)
{
    model->starts[model->depth] = clock_now();
    assert_int_equal(push_in(model->domain, model->names[model->depth]), model->depth);
    ++model->depth;
}

static void model_pop(struct model *model)
{
    const unsigned level = --model->depth;
    model->totals[level] += clock_now() - model->starts[level];
    ++model->counts[level];
    assert_int_equal(pop_in(model->domain), level);
}

static void model_step(uint64_t random)
{
    struct model *model = &s_model[random % DOMAINS];
    if (model->depth < DEPTH && random / 8 % 2)
        model_push(model);
    else if (model->depth)
        model_pop(model);
}

static void model_end(void)
{
    for (struct model *model = s_model; model < s_model + DOMAINS; ++model)
        while (model->depth)
            model_pop(model);
}

TEST_ONCE(client_start, NULL)
TEST_EACH(client_reset, NULL)

TEST(ranges_in_any_order_keep_all_times_whole)
{
    const uint64_t began = clock_now();
    uint64_t seed = 7;
    model_begin();
    push("outer");
    for (int i = 0; i < STEPS; ++i) {
        clock_advance(test_random(&seed) % 50);
        model_step(test_random(&seed));
    }
    model_end();
    pop();
    for (const struct model *model = s_model; model < s_model + DOMAINS; ++model)
        for (int level = 0; level < DEPTH; ++level)
            check_range(model->set, model->names[level], model->counts[level], model->totals[level]);
    check_self_times(began);
    check_dropped((struct stint_dropped){0});
}

/* Timers begin anywhere, and end when they are innermost. A range below its own shell counts as recursive. */
TEST(ranges_in_any_order_with_timers_between_charge_every_moment_once)
{
    const uint64_t began = clock_now();
    struct stint_i_node *timers[4];
    uint64_t seed = 11, starts[4], total = 0, count = 0;
    unsigned running = 0;
    model_begin();
    push("outer");
    for (int i = 0; i < STEPS; ++i) {
        clock_advance(test_random(&seed) % 50);
        if (running < 4 && test_random(&seed) % 8 == 0) {
            starts[running] = clock_now();
            timers[running++] = enter("timer");
        } else if (running && stint_i_self->current == timers[running - 1] && test_random(&seed) % 4 == 0) {
            ++count;
            total += running == 1 ? clock_now() - starts[0] : 0;
            stint_i_leave(timers[--running]);
        } else {
            model_step(test_random(&seed));
        }
    }
    model_end();
    while (running) {
        range("in between", 0); /* a shell goes with the next call of NVTX */
        ++count;
        total += running == 1 ? clock_now() - starts[0] : 0;
        stint_i_leave(timers[--running]);
    }
    pop();
    for (const struct model *model = s_model; model < s_model + DOMAINS; ++model)
        for (int level = 0; level < DEPTH; ++level)
            assert_int_equal(of(model->set, model->names[level]).count, model->counts[level]);
    assert_int_equal(now_of("timer").count, count);
    assert_int_equal(now_of("timer").total_ns, total);
    check_self_times(began);
    check_dropped((struct stint_dropped){0});
}
