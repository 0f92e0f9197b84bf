/* Every macro and every function of the public headers, once or more, as C, C++ and CUDA host code. Compiled with
 * timers on and off, with every compiler that is installed; also linked and run. */
#include <stint/stint.h>

#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
#define NOTHING nullptr
#define CAST(type, value) static_cast<type>(value)
#else
#define NOTHING NULL
#define CAST(type, value) ((type)(value))
#endif

/* Also called outside of macro arguments, because these are not evaluated when the macros are compiled out, and clang
 * warns of an unused static function. */
static const char *layer_name(int layer)
{
    return layer % 2 ? "odd layer" : "even layer";
}

static int plain_scopes(int x)
{
    struct stint_statset *const set = stint_statset_get("call sites");
    const uint64_t threshold_us = 1000000;
    REGISTER_TIMER("one argument");
    REGISTER_TIMER("two arguments", threshold_us);
    REGISTER_TIMER("three arguments", UINT64_MAX, set);
    /* clang-format off */
    REGISTER_TIMER("on"); REGISTER_TIMER("one line");
    /* clang-format on */
    REGISTER_TIMER_INFO("info", "conv1");
    REGISTER_TIMER_INFO("no info", NOTHING);
    STINT_SCOPE("one argument");
    STINT_SCOPE("two arguments", 1000000);
    STINT_SCOPE("three arguments", UINT64_MAX, NOTHING);
    STINT_SCOPE_INFO("info", layer_name(x));
    if (x) {
        REGISTER_TIMER("in a branch");
        return x + 1;
    }
    return x;
}

static void dynamic_scopes(int x)
{
    struct stint_statset *const set = stint_statset_global();
    REGISTER_TIMER_DYNAMIC(layer_name(x));
    REGISTER_TIMER_DYNAMIC(layer_name(x), 1000000);
    REGISTER_TIMER_DYNAMIC(layer_name(x), UINT64_MAX, set);
    STINT_SCOPE_DYNAMIC(layer_name(x));
    STINT_SCOPE_DYNAMIC(layer_name(x), 1000000);
    STINT_SCOPE_DYNAMIC(layer_name(x), UINT64_MAX, NOTHING);
}

static void scopes_since(int x)
{
    struct stint_statset *const set = NOTHING;
    uint64_t start_us = 0;
    FOR_TIMING(start_us = stint_now_us());
    REGISTER_TIMER_SET("since", start_us);
    REGISTER_TIMER_SET("since, threshold", start_us, 1000000);
    REGISTER_TIMER_SET("since, threshold, set", start_us, UINT64_MAX, set);
    REGISTER_TIMER_DYNAMIC_SET(layer_name(x), start_us);
    REGISTER_TIMER_DYNAMIC_SET(layer_name(x), start_us, 1000000);
    REGISTER_TIMER_DYNAMIC_SET(layer_name(x), start_us, UINT64_MAX, set);
    STINT_FOR_TIMING(start_us = stint_now_us(); x = 0);
    STINT_SCOPE_SINCE("since", start_us);
    STINT_SCOPE_SINCE("since, threshold", start_us, 1000000);
    STINT_SCOPE_SINCE("since, threshold, set", start_us, UINT64_MAX, NOTHING);
    STINT_SCOPE_DYNAMIC_SINCE(layer_name(x), start_us);
    STINT_SCOPE_DYNAMIC_SINCE(layer_name(x), start_us, 1000000);
    STINT_SCOPE_DYNAMIC_SINCE(layer_name(x), start_us, UINT64_MAX, set);
}

/* Every way out of a block. */
static int ways_out(int x)
{
    for (int i = 0; i < 3; ++i) {
        REGISTER_TIMER("loop");
        if (i == x)
            continue;
        if (i > x)
            break;
    }
    for (;;) {
        REGISTER_TIMER("goto");
        if (x == 0)
            goto out;
        return x;
    }
out:
    switch (x) {
    case 0: {
        REGISTER_TIMER("case");
        break;
    }
    default:
        break;
    }
    return 0;
}

#ifdef __cplusplus
namespace {

template <typename Number> Number in_template(Number number)
{
    REGISTER_TIMER("template");
    return number;
}

struct object {
    object() { REGISTER_TIMER("constructor"); }
    void method() const { REGISTER_TIMER_INFO("method", "info"); }
};

int cxx_only()
{
    const auto lambda = [](int x) {
        REGISTER_TIMER("lambda");
        return x;
    };
    const object made;
    made.method();
    try {
        REGISTER_TIMER("throws");
        throw 1;
    } catch (int x) {
        return lambda(in_template(x));
    }
}

} // namespace
#endif

static int count_bytes(void *context, const char *text, size_t length)
{
    size_t *const total = CAST(size_t *, context);
    (void)text;
    *total += length;
    return 0;
}

static void log_nothing(void *context, enum stint_log_level level, const char *file, int line, const char *message)
{
    (void)context;
    (void)level;
    (void)file;
    (void)line;
    (void)message;
}

static int timers(void)
{
    struct stint_timer timer = STINT_TIMER_INIT;
    if (stint_timer_start(&timer, "request", NOTHING) != STINT_OK)
        return 1;
    return stint_timer_stop(&timer) != STINT_OK;
}

static int snapshots(void)
{
    const struct stint_layout layout = {sizeof layout, 80, 0, STINT_UNIT_AUTO, STINT_SORT_TOTAL, 0, 0};
    struct stint_snapshot *snapshot = NOTHING;
    struct stint_snapshot *twice = NOTHING;
    size_t length = 0;
    if (stint_snapshot_take(&snapshot) != STINT_OK || stint_snapshot_merge(snapshot, snapshot, &twice) != STINT_OK)
        return 1;
    const struct stint_stat *stat = stint_snapshot_find(twice, NOTHING, "request");
    if (!stat || stat->numbers.count != 2)
        return 1;
    if (stint_numbers_avg_ns(&stat->numbers) > stat->numbers.max_ns ||
        stint_numbers_percentile_ns(&stat->numbers, 1.0) != stat->numbers.max_ns ||
        stint_numbers_stddev_ns(&stat->numbers) < 0.0)
        return 1;
    if (stint_report_write(snapshot, STINT_FORMAT_JSON, &layout, count_bytes, &length) != STINT_OK || length == 0)
        return 1;
    if (stint_report_named(snapshot, stint_report_name_at(0), 1, &layout, count_bytes, &length) != STINT_OK)
        return 1;
    stint_snapshot_free(snapshot);
    stint_snapshot_free(twice);
    return 0;
}

static int adoptions(void)
{
    struct stint_token token;
    struct stint_adoption adoption;
    {
        REGISTER_TIMER("hands over");
        token = stint_token_take();
    }
    {
        STINT_ADOPT(token);
        STINT_ADOPT(stint_token_take());
        REGISTER_TIMER("adopted");
    }
    return stint_adopt_begin(&adoption, token) != STINT_OK || stint_adopt_end(&adoption) != STINT_OK;
}

static int sets(void)
{
    struct stint_statset *const set = stint_statset_get("sets");
    if (strcmp(stint_statset_name(set), "sets") != 0 || stint_statset_add(set, "added", 1) != STINT_OK)
        return 1;
    if (stint_statset_set_thread_info(set, "added", 1) != STINT_OK || setThreadInfo("request", 0) != STINT_OK)
        return 1;
    if (stint_statset_print(set, NOTHING) != STINT_OK || printStatus("request") != STINT_OK ||
        printSegTimerStatus() != STINT_OK || printAllStatus() != STINT_OK || stint_print_all_status() != STINT_OK)
        return 1;
    if (stint_statset_delete(set, "added") != STINT_OK)
        return 1;
    stint_statset_reset(set, STINT_RESET_KEEP_RUNNING);
    return 0;
}

static int reports(void)
{
    if (stint_report_print(STINT_FORMAT_TREE) != STINT_OK ||
        stint_report_save(STINT_FORMAT_CSV, "/dev/null/%p") != STINT_ERROR_IO)
        return 1;
    return 0;
}

static int control(void)
{
    stint_set_enabled(1);
    stint_set_percentiles(1);
    if (!stint_enabled() || stint_with_timer() < 0 || stint_version() != STINT_VERSION)
        return 1;
    return strcmp(stint_status_name(STINT_OK), "STINT_OK") != 0 || *stint_status_string(STINT_OK) == '\0' ||
           *stint_version_string() == '\0';
}

int main(void)
{
    plain_scopes(0);
    plain_scopes(1);
    dynamic_scopes(1);
    scopes_since(1);
    ways_out(0);
#ifdef __cplusplus
    cxx_only();
#endif
    stint_log_set_sink(log_nothing, NOTHING);
    if (*layer_name(0) == '\0' || timers() || adoptions() || snapshots() || sets() || reports() || control()) {
        fputs("a function did not do what its header says\n", stderr);
        return 1;
    }
    stint_reset(STINT_RESET_ALL);
    return 0;
}
