/* The calls of CUPTI around one counted kernel, in the order that it wants: push a range, have the kernel replayed
 * until all passes are done, and evaluate the counters. */
#include "counters/counter_plan.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Looks up CUPTI's profiling functions, calls them, and remembers the last call and its result, so that its callers
 * need only "it failed". Functions of the CUDA driver are found for the module, too, which links none of them. */

static const char *const s_names[STINT_RANGE_FUNCTIONS] = {
    [STINT_RANGE_INITIALIZE] = "cuptiProfilerInitialize",
    [STINT_RANGE_SUPPORTED] = "cuptiProfilerDeviceSupported",
    [STINT_RANGE_CHIP] = "cuptiDeviceGetChipName",
    [STINT_RANGE_HOST_INITIALIZE] = "cuptiProfilerHostInitialize",
    [STINT_RANGE_HOST_END] = "cuptiProfilerHostDeinitialize",
    [STINT_RANGE_BASE_METRICS] = "cuptiProfilerHostGetBaseMetrics",
    [STINT_RANGE_PROPERTIES] = "cuptiProfilerHostGetMetricProperties",
    [STINT_RANGE_ADD_METRICS] = "cuptiProfilerHostConfigAddMetrics",
    [STINT_RANGE_IMAGE_SIZE] = "cuptiProfilerHostGetConfigImageSize",
    [STINT_RANGE_IMAGE] = "cuptiProfilerHostGetConfigImage",
    [STINT_RANGE_PASSES] = "cuptiProfilerHostGetNumOfPasses",
    [STINT_RANGE_EVALUATE] = "cuptiProfilerHostEvaluateToGpuValues",
    [STINT_RANGE_ENABLE] = "cuptiRangeProfilerEnable",
    [STINT_RANGE_DISABLE] = "cuptiRangeProfilerDisable",
    [STINT_RANGE_START] = "cuptiRangeProfilerStart",
    [STINT_RANGE_PUSH] = "cuptiRangeProfilerPushRange",
    [STINT_RANGE_POP] = "cuptiRangeProfilerPopRange",
    [STINT_RANGE_STOP] = "cuptiRangeProfilerStop",
    [STINT_RANGE_DATA_SIZE] = "cuptiRangeProfilerGetCounterDataSize",
    [STINT_RANGE_DATA_INITIALIZE] = "cuptiRangeProfilerCounterDataImageInitialize",
    [STINT_RANGE_DATA_INFO] = "cuptiRangeProfilerGetCounterDataInfo",
    [STINT_RANGE_CONFIG] = "cuptiRangeProfilerSetConfig",
    [STINT_RANGE_DECODE] = "cuptiRangeProfilerDecodeData",
};

const char *stint_range_open(struct stint_range_api *api, void *cupti)
{
    void *found = dlsym(cupti, "cuptiGetResultString");
    memcpy(&api->result_string, &found, sizeof found);
    for (size_t i = 0; i < STINT_RANGE_FUNCTIONS; i++) {
        found = dlsym(cupti, s_names[i]);
        if (!found)
            return s_names[i];
        memcpy(&api->functions[i], &found, sizeof found);
    }
    return NULL;
}

int stint_range_call(struct stint_range_api *api, enum stint_range_function function, void *parameters)
{
    api->last_call = function;
    api->result = api->functions[function](parameters);
    return api->result ? -1 : 0;
}

void stint_range_explain(const struct stint_range_api *api, char *text, size_t size)
{
    const char *said = NULL;
    if (api->result == STINT_RANGE_INSUFFICIENT_PRIVILEGES) {
        (void)snprintf(text, size,
                       "the NVIDIA driver lets only administrators read hardware counters: run as root or with "
                       "CAP_SYS_ADMIN (a container: --cap-add=SYS_ADMIN), or load its module with "
                       "NVreg_RestrictProfilingToAdminUsers=0");
        return;
    }
    if (api->result == STINT_RANGE_MIG_NOT_SUPPORTED) {
        (void)snprintf(text, size,
                       "this CUPTI counts nothing on this MIG device: use one whose compute instance is all of its "
                       "GPU instance, a whole GPU, or a newer CUPTI (STINT_CUPTI_PATH)");
        return;
    }
    if (api->result_string)
        (void)api->result_string(api->result, &said);
    (void)snprintf(text, size, "%s failed with %d%s%s", s_names[api->last_call], api->result, said ? ", " : "",
                   said ? said : "");
}

void stint_driver_function(const char *name, void *pointer)
{
    void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    void *found = library ? dlsym(library, name) : NULL;
    memcpy(pointer, &found, sizeof found);
}

static int initialize_data(const struct stint_range_session *session, struct stint_counter_plan *plan)
{
    struct stint_range_data_initialize begin = {.size = STINT_RANGE_SIZE(stint_range_data_initialize, data),
                                                .profiler = session->profiler,
                                                .bytes = session->bytes,
                                                .data = session->data};
    return stint_range_call(plan->api, STINT_RANGE_DATA_INITIALIZE, &begin);
}

static int make_data(struct stint_range_session *session, struct stint_counter_plan *plan)
{
    struct stint_range_data_size size = {.size = STINT_RANGE_SIZE(stint_range_data_size, bytes),
                                         .profiler = session->profiler,
                                         .names = plan->names.items,
                                         .count = plan->names.count,
                                         .ranges = 1,
                                         .nodes = 1};
    if (stint_range_call(plan->api, STINT_RANGE_DATA_SIZE, &size))
        return -1;
    session->bytes = size.bytes;
    session->data = stint_arena_alloc(&plan->arena, size.bytes);
    return session->data ? initialize_data(session, plan) : -1;
}

static int configure(struct stint_range_session *session, struct stint_counter_plan *plan)
{
    struct stint_range_config config = {.size = STINT_RANGE_SIZE(stint_range_config, level),
                                        .profiler = session->profiler,
                                        .image_bytes = plan->schedule.bytes,
                                        .image = plan->schedule.image,
                                        .data_bytes = session->bytes,
                                        .data = session->data,
                                        .range = plan->is_split ? STINT_RANGE_USER : STINT_RANGE_AUTO,
                                        .replay = plan->is_split ? STINT_RANGE_USER_REPLAY : STINT_RANGE_KERNEL_REPLAY,
                                        .ranges = 1,
                                        .levels = 1,
                                        .first_level = 1,
                                        .level = 1};
    return stint_range_call(plan->api, STINT_RANGE_CONFIG, &config);
}

static int call(const struct stint_range_session *session, struct stint_counter_plan *plan,
                enum stint_range_function function)
{
    struct stint_range_profiler profiler = {.size = STINT_RANGE_SIZE(stint_range_profiler, profiler),
                                            .profiler = session->profiler};
    return stint_range_call(plan->api, function, &profiler);
}

void stint_range_close(struct stint_range_session *session, struct stint_counter_plan *plan)
{
    (void)call(session, plan, STINT_RANGE_DISABLE);
    session->profiler = NULL;
}

int stint_range_session(struct stint_range_session *session, struct stint_counter_plan *plan, void *context)
{
    struct stint_range_enable enable = {.size = STINT_RANGE_SIZE(stint_range_enable, profiler), .context = context};
    *session = (struct stint_range_session){.context = context};
    if (stint_range_call(plan->api, STINT_RANGE_ENABLE, &enable))
        return -1;
    session->profiler = enable.profiler;
    if (make_data(session, plan) == 0 && configure(session, plan) == 0)
        return 0;
    int result = plan->api->result;
    enum stint_range_function failed = plan->api->last_call;
    stint_range_close(session, plan);
    plan->api->result = result;
    plan->api->last_call = failed;
    return -1;
}

static int stop(const struct stint_range_session *session, struct stint_counter_plan *plan)
{
    struct stint_range_stop stop = {.size = STINT_RANGE_SIZE(stint_range_stop, all_passes),
                                    .profiler = session->profiler};
    return stint_range_call(plan->api, STINT_RANGE_STOP, &stop);
}

/* A range of the program's begins at the first pass only if it is configured again. */
static int begin_user_range(struct stint_range_session *session, struct stint_counter_plan *plan)
{
    struct stint_range_push push = {
        .size = STINT_RANGE_SIZE(stint_range_push, name), .profiler = session->profiler, .name = "stint"};
    if (configure(session, plan) || call(session, plan, STINT_RANGE_START))
        return -1;
    if (stint_range_call(plan->api, STINT_RANGE_PUSH, &push) == 0)
        return 0;
    int result = plan->api->result;
    (void)stop(session, plan);
    plan->api->result = result;
    plan->api->last_call = STINT_RANGE_PUSH;
    return -1;
}

int stint_range_begin(struct stint_range_session *session, struct stint_counter_plan *plan)
{
    if (initialize_data(session, plan))
        return -1;
    return plan->is_split ? begin_user_range(session, plan) : call(session, plan, STINT_RANGE_START);
}

static int evaluate(const struct stint_range_session *session, struct stint_counter_plan *plan, double *values)
{
    struct stint_range_data_info info = {
        .size = STINT_RANGE_SIZE(stint_range_data_info, ranges), .data = session->data, .bytes = session->bytes};
    struct stint_range_evaluate evaluate = {.size = STINT_RANGE_SIZE(stint_range_evaluate, values),
                                            .host = plan->host,
                                            .data = session->data,
                                            .bytes = session->bytes,
                                            .names = plan->names.items,
                                            .count = plan->names.count,
                                            .values = values};
    if (stint_range_call(plan->api, STINT_RANGE_DATA_INFO, &info))
        return -1;
    return info.ranges ? stint_range_call(plan->api, STINT_RANGE_EVALUATE, &evaluate) : -1;
}

int stint_range_end(struct stint_range_session *session, struct stint_counter_plan *plan, double *values)
{
    struct stint_range_decode decode = {.size = STINT_RANGE_SIZE(stint_range_decode, dropped),
                                        .profiler = session->profiler};
    if ((plan->is_split && call(session, plan, STINT_RANGE_POP)) || stop(session, plan) ||
        stint_range_call(plan->api, STINT_RANGE_DECODE, &decode))
        return -1;
    return evaluate(session, plan, values);
}
