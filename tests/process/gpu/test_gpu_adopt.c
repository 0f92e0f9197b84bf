/* The GPU collector in whole processes: work that threads launch for a scope of another thread. */
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>

#include "process/gpu/launches.h"

/* As PyTorch names the thread of its first device. */
#define AUTOGRAD "pt_autograd_0"

/* -------------------------------------------------------------------------------------------------- helping threads */

struct helper {
    const char *name;
    const char *scope; /* that it launches in; NULL: none */
    unsigned count;    /* of its launches */
};

static void *help(void *argument)
{
    const struct helper *helper = argument;
    prctl(PR_SET_NAME, helper->name, 0, 0, 0);
    if (helper->scope)
        launch_in(helper->scope, &backward, helper->count);
    else
        launch(&backward, helper->count);
    return NULL;
}

static void wait_for_help(struct helper helper)
{
    pthread_t thread;
    if (!pthread_create(&thread, NULL, help, &helper))
        pthread_join(thread, NULL);
}

/* What a training step does: "backward" launches one kernel itself, and waits for 5 of another thread. */
static void train(const char *name, const char *scope)
{
    STINT_SCOPE("step");

    launch_in("forward", &forward, 3);
    STINT_SCOPE("backward");
    launch(&backward, 1);
    wait_for_help((struct helper){name, scope, 5});
}

/* Returns the GPU use of the calling context "a/b/c" without those below it. */
static struct stint_gpu_use use_at(const char *path)
{
    struct stint_gpu_use use = {0};
    struct stint_snapshot *snapshot;
    if (stint_snapshot_take(&snapshot))
        return use;
    for (size_t i = 0; i < snapshot->context_count; ++i) {
        size_t at = i, end = strlen(path);
        for (; at != STINT_NO_PARENT && end; at = snapshot->contexts[at].parent) {
            const char *name = snapshot->stats[snapshot->contexts[at].stat].name;
            const size_t length = strlen(name);
            if (length > end || strncmp(path + end - length, name, length) != 0)
                break;
            end -= length;
            end -= end && path[end - 1] == '/';
        }
        if (!end && at == STINT_NO_PARENT)
            use = snapshot->contexts[i].gpu_self;
    }
    stint_snapshot_free(snapshot);
    return use;
}

MODE(autograd_launches)
{
    for (int i = 0; i < 2; ++i)
        train(AUTOGRAD, NULL);
    REQUIRE(seen_use("backward").kernels == 12 && seen_use("backward").kernel_ns == 12 * BACKWARD_NS);
    REQUIRE(seen_self_use("backward").kernels == 2);
    REQUIRE(seen_use("forward").kernels == 6);
    REQUIRE(seen_use("step").kernels == 18 && seen_self_use("step").kernels == 0);
    REQUIRE(seen_use(STINT_ADOPTED).kernels == 10);
    REQUIRE(use_at("step/backward/" STINT_ADOPTED).kernels == 10);
    REQUIRE(seen_charge(STINT_GPU_NO_SCOPE).count == 0);
    REQUIRE(charges_add_up());
    return 0;
}

TEST(test_backward_pass_of_pytorch_is_charged_to_the_scope_that_waits_for_it)
{
    struct result result = run("autograd_launches", WITH_CUPTI, "STINT_GPU=on", NULL);
    assert_good(&result);
    assert_int_equal(use_number(result.report, "backward", "kernels"), 12);
    assert_int_equal(use_number(result.report, "backward", "launches"), 12);
    assert_int_equal(use_number(result.report, STINT_ADOPTED, "kernels"), 10);
    assert_int_equal(stat_number(result.report, STINT_ADOPTED, "count"), 0);
    assert_int_equal(stat_number(result.report, "backward", "count"), 2);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
    result = run("autograd_launches", WITH_CUPTI, "STINT_GPU=kernels", "STINT_ADOPT=all", NULL);
    assert_good(&result);
}

MODE(autograd_enters_scopes)
{
    train(AUTOGRAD, "ConvolutionBackward0, seq = 54");
    train(AUTOGRAD, "ConvolutionBackward0, seq = 54");
    REQUIRE(use_at("step/backward/" STINT_ADOPTED "/ConvolutionBackward0, seq = 54").kernels == 10);
    REQUIRE(seen_use("backward").kernels == 12);
    REQUIRE(seen_self_use(STINT_ADOPTED).kernels == 0);
    REQUIRE(charges_add_up());
    return 0;
}

TEST(test_scopes_of_a_backward_pass_are_within_the_scope_that_waits_for_it)
{
    const struct result result = run("autograd_enters_scopes", WITH_CUPTI, "STINT_GPU=on", NULL);
    assert_good(&result);
    assert_int_equal(stat_number(result.report, STINT_ADOPTED, "count"), 2);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
}

/* ------------------------------------------------------------------------------------------------------------ rules */

MODE(helper_launches)
{
    train("worker", NULL);
    wait_for_help((struct helper){"worker", NULL, 2}); /* for no scope */
    REQUIRE(seen_use("backward").kernels + seen_charge(STINT_GPU_NO_SCOPE).count == 8);
    REQUIRE(charges_add_up());
    return 0;
}

MODE(helper_enters_scopes)
{
    train("worker", "task");
    REQUIRE(seen_use("task").kernels == 5);
    REQUIRE(charges_add_up());
    return 0;
}

static uint64_t kernels_of_backward(const char *mode, const char *rule)
{
    const struct result result = run(mode, WITH_CUPTI, "STINT_GPU=on", rule, NULL);
    assert_good(&result);
    return use_number(result.report, "backward", "kernels");
}

TEST(test_work_of_other_threads_is_adopted_if_asked_for)
{
    assert_int_equal(kernels_of_backward("helper_launches", "STINT_ADOPT="), 1);
    assert_int_equal(kernels_of_backward("helper_launches", "STINT_ADOPT=autograd"), 1);
    assert_int_equal(kernels_of_backward("helper_launches", "STINT_ADOPT=main"), 6);
    assert_int_equal(kernels_of_backward("helper_launches", "STINT_ADOPT=all"), 6);
    assert_int_equal(kernels_of_backward("helper_enters_scopes", "STINT_ADOPT=main"), 1);
    assert_int_equal(kernels_of_backward("helper_enters_scopes", "STINT_ADOPT=all"), 6);
}

MODE(autograd_is_not_adopted)
{
    train(AUTOGRAD, NULL);
    REQUIRE(seen_use("backward").kernels == 1 && seen_charge(STINT_GPU_NO_SCOPE).count == 5);
    REQUIRE(charges_add_up());
    return 0;
}

TEST(test_nothing_is_adopted_if_that_is_switched_off)
{
    const struct result result = run("autograd_is_not_adopted", WITH_CUPTI, "STINT_GPU=on", "STINT_ADOPT=off", NULL);
    assert_good(&result);
    assert_null(strstr(result.report, STINT_ADOPTED));
}

/* --------------------------------------------------------------------------------------------------- who is waiting */

static pthread_barrier_t s_barrier;

/* PyTorch numbers the operations of each thread by themselves, so that all trainers have the same numbers. */
static void *train_elsewhere(void *scope)
{
    STINT_SCOPE_DYNAMIC(scope);

    launch_in("conv2d, seq = 7", &forward, 1);
    pthread_barrier_wait(&s_barrier); /* now two threads are within scopes in which they launched */
    pthread_barrier_wait(&s_barrier);
    return NULL;
}

/* Has as many trainers wait as there are names, while an autograd thread launches. */
static int help_trainers(const char *const *scopes, unsigned count, const char *operation)
{
    pthread_t trainers[2];
    pthread_barrier_init(&s_barrier, NULL, count + 1);
    for (unsigned i = 0; i < count; ++i)
        REQUIRE(!pthread_create(&trainers[i], NULL, train_elsewhere, (void *)scopes[i]));
    pthread_barrier_wait(&s_barrier);
    wait_for_help((struct helper){AUTOGRAD, operation, 4});
    pthread_barrier_wait(&s_barrier);
    for (unsigned i = 0; i < count; ++i)
        pthread_join(trainers[i], NULL);
    return 0;
}

MODE(one_trainer_waits)
{
    static const char *const scopes[] = {"trainer"};
    STINT_SCOPE("joins the trainer"); /* on the main thread, which launches nothing */

    REQUIRE(help_trainers(scopes, 1, NULL) == 0);
    REQUIRE(seen_use("trainer").kernels == 5);
    REQUIRE(seen_use("joins the trainer").kernels == 0);
    return 0;
}

MODE(two_trainers_wait)
{
    static const char *const scopes[] = {"trainer 1", "trainer 2"};
    REQUIRE(help_trainers(scopes, 2, NULL) == 0);
    REQUIRE(seen_use("trainer 1").kernels == 1 && seen_use("trainer 2").kernels == 1);
    REQUIRE(seen_charge(STINT_GPU_NO_SCOPE).count == 4);
    REQUIRE(charges_add_up());
    return 0;
}

MODE(two_trainers_have_the_same_operation)
{
    static const char *const scopes[] = {"trainer 1", "trainer 2"};
    REQUIRE(help_trainers(scopes, 2, "ConvolutionBackward0, seq = 7") == 0);
    REQUIRE(seen_use("conv2d, seq = 7").kernels == 2);
    REQUIRE(use_at("ConvolutionBackward0, seq = 7").kernels == 4); /* below neither trainer */
    REQUIRE(seen_use("trainer 1").kernels == 1 && seen_use("trainer 2").kernels == 1);
    REQUIRE(charges_add_up());
    return 0;
}

/* The forward operation's scope has ended, and is not what waits. */
MODE(forward_operation_is_elsewhere)
{
    static const char *const scopes[] = {"trainer"};
    REQUIRE(help_trainers(scopes, 1, "ConvolutionBackward0, seq = 7") == 0);
    REQUIRE(use_at("trainer/" STINT_ADOPTED "/ConvolutionBackward0, seq = 7").kernels == 4);
    REQUIRE(use_at("trainer/conv2d, seq = 7").kernels == 1);
    return 0;
}

MODE(main_waits_while_others_launch)
{
    static const char *const scopes[] = {"loader"};
    STINT_SCOPE("backward");

    launch(&backward, 1);
    REQUIRE(help_trainers(scopes, 1, NULL) == 0);
    REQUIRE(seen_use("backward").kernels == 5 && seen_use("loader").kernels == 1);
    return 0;
}

TEST(test_thread_that_launched_is_the_one_that_waits)
{
    static const char *const modes[] = {"one_trainer_waits", "two_trainers_wait",
                                        "two_trainers_have_the_same_operation", "forward_operation_is_elsewhere",
                                        "main_waits_while_others_launch"};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; ++i) {
        const struct result result = run(modes[i], WITH_CUPTI, "STINT_GPU=on", NULL);
        assert_good(&result);
    }
}

/* ----------------------------------------------------------------------------------------------------------- tokens */

static void *do_task(void *token)
{
    STINT_ADOPT(*(struct stint_token *)token);

    launch(&backward, 2);
    launch_in("task", &backward, 3);
    return NULL;
}

MODE(tasks_are_handed_over)
{
    struct stint_token token;
    pthread_t worker;
    {
        STINT_SCOPE("hands over");
        token = stint_token_take();
    }
    REQUIRE(!pthread_create(&worker, NULL, do_task, &token)); /* nobody waits within a scope */
    pthread_join(worker, NULL);
    REQUIRE(use_at("hands over/" STINT_ADOPTED).kernels == 2);
    REQUIRE(use_at("hands over/" STINT_ADOPTED "/task").kernels == 3);
    REQUIRE(seen_use("hands over").kernels == 5 && seen_self_use("hands over").kernels == 0);
    REQUIRE(seen_charge(STINT_GPU_NO_SCOPE).count == 0);
    REQUIRE(charges_add_up());
    return 0;
}

TEST(test_work_of_a_task_belongs_to_the_scope_that_handed_it_over)
{
    const struct result result = run("tasks_are_handed_over", WITH_CUPTI, "STINT_GPU=on", "STINT_ADOPT=off", NULL);
    assert_good(&result);
    assert_int_equal(stat_number(result.report, STINT_ADOPTED, "count"), 1);
}

/* ------------------------------------------------------------------------------------------------------------ trace */

MODE(autograd_is_traced)
{
    struct stint_snapshot *snapshot;
    size_t of_helper = 0;
    for (int i = 0; i < 2; ++i)
        train(AUTOGRAD, NULL);
    (void)cudaDeviceSynchronize();
    REQUIRE(!stint_snapshot_take(&snapshot));
    for (size_t i = 0; i < snapshot->gpu_event_count; ++i) {
        const struct stint_gpu_event *const event = &snapshot->gpu_events[i];
        size_t instance = event->instance;
        if (event->api || event->kind != STINT_GPU_KERNEL || event->context >= snapshot->context_count ||
            strcmp(snapshot->stats[snapshot->contexts[event->context].stat].name, STINT_ADOPTED) != 0)
            continue;
        REQUIRE(instance < snapshot->gpu_instance_count);
        REQUIRE(snapshot->gpu_instances[instance].context == snapshot->contexts[event->context].parent);
        REQUIRE(snapshot->gpu_instances[instance].parent != STINT_GPU_NO_INSTANCE);
        ++of_helper;
    }
    REQUIRE(of_helper == 10);
    REQUIRE(snapshot->gpu_instance_count == 2 * 3); /* of step, forward and backward */
    stint_snapshot_free(snapshot);
    return 0;
}

/* Returns whether the instance is of the innermost of these scopes, and within instances of the others. */
static int is_instance_of(const struct stint_snapshot *snapshot, size_t instance, const char *const *scopes)
{
    for (; *scopes && instance < snapshot->gpu_instance_count; ++scopes) {
        const struct stint_gpu_instance *const row = &snapshot->gpu_instances[instance];
        if (strcmp(snapshot->stats[snapshot->contexts[row->context].stat].name, *scopes) != 0)
            return 0;
        instance = row->parent;
    }
    return !*scopes && instance == STINT_GPU_NO_INSTANCE;
}

MODE(autograd_is_traced_in_scopes)
{
    static const char *const scopes[] = {"MulBackward0", STINT_ADOPTED, "backward", "step", NULL};
    struct stint_snapshot *snapshot;
    size_t of_helper = 0;
    for (int i = 0; i < 2; ++i)
        train(AUTOGRAD, "MulBackward0");
    (void)cudaDeviceSynchronize();
    REQUIRE(!stint_snapshot_take(&snapshot));
    for (size_t i = 0; i < snapshot->gpu_event_count; ++i) {
        const struct stint_gpu_event *const event = &snapshot->gpu_events[i];
        if (!event->api && event->kind == STINT_GPU_KERNEL)
            of_helper += (size_t)is_instance_of(snapshot, event->instance, scopes);
    }
    REQUIRE(of_helper == 10);
    REQUIRE(snapshot->gpu_instance_count == 2 * 5);
    stint_snapshot_free(snapshot);
    return 0;
}

TEST(test_event_of_a_trace_knows_the_activation_that_waits_for_it)
{
    struct result result = run("autograd_is_traced", WITH_CUPTI, "STINT_GPU=on", "STINT_GPU_TRACE=1000", NULL);
    assert_good(&result);
    result = run("autograd_is_traced", WITH_CUPTI, "STINT_GPU=kernels", "STINT_GPU_TRACE=1000", NULL);
    assert_good(&result);
    result = run("autograd_is_traced_in_scopes", WITH_CUPTI, "STINT_GPU=on", "STINT_GPU_TRACE=1000", NULL);
    assert_good(&result);
}
