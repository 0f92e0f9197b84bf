/* What GPUs did, for people: by device and stream, copies against the peak, memory, waits, what collecting cost, and to
 * whom it is charged. */
#include <string.h>

#include "report/frame.h"
#include "report/gpu_sum.h"
#include "report/report.h"
#include "report/section.h"

struct view {
    const struct stint_snapshot *snapshot;
    struct stint_gpu_sum sum;
    enum stint_gpu_kind kind; /* what next_of_kind shows */
    uint64_t last_stream[3];  /* the stream shown last: device, context, stream */
};

static void add_gpu(struct stint_line *line, uint32_t device)
{
    stint_line_string(line, "GPU ");
    stint_line_u64(line, device);
}

/* ----------------------------------------------------------------------------------------------------------- devices */

/* Devices that did something, and those that are described: returns the first id from `from` on, or UINT64_MAX. */
static uint64_t next_device(const struct stint_snapshot *snapshot, uint64_t from)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < snapshot->gpu_device_count; i++)
        if (snapshot->gpu_devices[i].id >= from && snapshot->gpu_devices[i].id < least)
            least = snapshot->gpu_devices[i].id;
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        if (stint_gpu_occupies(activity->kind) && activity->device >= from && activity->device < least)
            least = activity->device;
    }
    return least;
}

static uint64_t busy_ns(const struct stint_snapshot *snapshot, uint32_t device)
{
    uint64_t ns = 0;
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        if (snapshot->gpu_activities[i].device == device && stint_gpu_occupies(snapshot->gpu_activities[i].kind))
            ns += snapshot->gpu_activities[i].numbers.total_ns;
    return ns;
}

static void add_rate(struct stint_line *line, uint64_t bytes_per_s)
{
    stint_line_fixed(line, (double)bytes_per_s * 1e-9, 1);
    stint_line_string(line, " GB/s");
}

static void describe_device(struct stint_line *line, const struct stint_gpu_device *device)
{
    if (device->compute_major) {
        stint_line_string(line, ", compute capability ");
        stint_line_u64(line, device->compute_major);
        stint_line_string(line, ".");
        stint_line_u64(line, device->compute_minor);
    }
    if (device->multiprocessors) {
        stint_line_string(line, ", ");
        stint_line_count(line, device->multiprocessors, "multiprocessor", "multiprocessors");
    }
    if (device->memory_bytes) {
        stint_line_string(line, ", ");
        stint_line_fixed(line, (double)device->memory_bytes * 1e-9, 1);
        stint_line_string(line, " GB of memory");
    }
    if (device->memory_bytes_per_s) {
        stint_line_string(line, device->memory_bytes ? " at " : ", memory at ");
        add_rate(line, device->memory_bytes_per_s);
    }
    if (device->link_bytes_per_s) {
        stint_line_string(line, ", link at ");
        add_rate(line, device->link_bytes_per_s);
    }
}

enum { NAME_MOST = 60 };

static void put_devices(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_layout *layout)
{
    struct stint_line line = {0};
    uint64_t wall_ns = snapshot->process.wall_ns;
    for (uint64_t id = 0; (id = next_device(snapshot, id)) != UINT64_MAX; id++) {
        struct stint_gpu_device device = stint_gpu_device_of(snapshot, (uint32_t)id);
        uint64_t ns = busy_ns(snapshot, device.id);
        add_gpu(&line, device.id);
        stint_line_string(&line, ": ");
        if (*device.name) {
            stint_line_escaped(&line, device.name, NAME_MOST);
            stint_line_string(&line, ", ");
        }
        stint_line_string(&line, "busy ");
        stint_line_time(&line, (double)ns);
        if (wall_ns) {
            stint_line_string(&line, " of ");
            stint_line_time(&line, (double)wall_ns);
            stint_line_string(&line, ", ");
            stint_line_fixed(&line, 100.0 * (double)ns / (double)wall_ns, 2);
            stint_line_string(&line, " %");
        }
        describe_device(&line, &device);
        stint_line_put(&line, text, layout, STINT_LINE_PLAIN);
    }
}

/* ----------------------------------------------------------------------------------------------------------- streams */

/* Programs that make a stream for every request have thousands. */
enum { STREAMS_MOST = 32 };

enum { STREAM_KERNELS, STREAM_KERNEL_NS, STREAM_COPIES, STREAM_COPY_NS, STREAM_BYTES };

static const struct stint_section s_streams = {.title = "Streams: copies with sets, without unified memory",
                                               .count = 5,
                                               .column = {{"Kernels", STINT_FIELD_COUNT, 1},
                                                          {"Kernel", STINT_FIELD_SUM, 1},
                                                          {"Copies", STINT_FIELD_COUNT, 0},
                                                          {"Copy", STINT_FIELD_SUM, 0},
                                                          {"Copied", STINT_FIELD_BYTES, 0}},
                                               .name = "Stream"};

static int compare(const uint64_t a[3], const uint64_t b[3])
{
    for (size_t i = 0; i < 3; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static void stream_of(const struct stint_gpu_activity *activity, uint64_t stream[3])
{
    stream[0] = activity->device;
    stream[1] = activity->context;
    stream[2] = activity->stream;
}

static int is_on_stream(const struct stint_gpu_activity *activity)
{
    return stint_gpu_occupies(activity->kind) && activity->kind != STINT_GPU_UNIFIED;
}

/* Moves view->last_stream on to the next one. Returns 0 if there is none. */
static int find_stream(struct view *view, int first)
{
    const struct stint_snapshot *snapshot = view->snapshot;
    uint64_t least[3] = {UINT64_MAX, 0, 0}, stream[3];
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        if (!is_on_stream(&snapshot->gpu_activities[i]))
            continue;
        stream_of(&snapshot->gpu_activities[i], stream);
        if ((first || compare(stream, view->last_stream) > 0) && compare(stream, least) < 0)
            memcpy(least, stream, sizeof least);
    }
    if (least[0] != UINT64_MAX)
        memcpy(view->last_stream, least, sizeof least);
    return least[0] != UINT64_MAX;
}

static void add_to(struct stint_section_row *row, size_t field, uint64_t value)
{
    stint_section_value(row, field, row->field[field].value + value);
}

/* Adds what the stream did; with `beyond`, all that come after it. */
static void add_streams(const struct view *view, struct stint_section_row *row, int beyond)
{
    const struct stint_snapshot *snapshot = view->snapshot;
    uint64_t stream[3];
    for (size_t i = 0; i <= STREAM_BYTES; i++)
        stint_section_value(row, i, 0);
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        stream_of(activity, stream);
        if (!is_on_stream(activity) || compare(stream, view->last_stream) != beyond)
            continue;
        if (activity->kind == STINT_GPU_KERNEL) {
            add_to(row, STREAM_KERNELS, activity->numbers.count);
            add_to(row, STREAM_KERNEL_NS, activity->numbers.total_ns);
        } else {
            add_to(row, STREAM_COPIES, activity->numbers.count);
            add_to(row, STREAM_COPY_NS, activity->numbers.total_ns);
            add_to(row, STREAM_BYTES, activity->bytes);
        }
    }
}

static int next_stream(void *context, size_t *next, struct stint_section_row *row)
{
    struct view *view = context;
    if (*next > STREAMS_MOST)
        return 0;
    if (*next == STREAMS_MOST) {
        uint64_t last[3];
        memcpy(last, view->last_stream, sizeof last);
        int more = find_stream(view, 0);
        memcpy(view->last_stream, last, sizeof last);
        ++*next;
        add_streams(view, row, 1);
        stint_line_string(&row->name, "(all others)");
        return more;
    }
    if (!find_stream(view, *next == 0))
        return 0;
    ++*next;
    add_streams(view, row, 0);
    add_gpu(&row->name, (uint32_t)view->last_stream[0]);
    stint_line_string(&row->name, ", context ");
    stint_line_u64(&row->name, view->last_stream[1]);
    stint_line_string(&row->name, ", stream ");
    stint_line_u64(&row->name, view->last_stream[2]);
    return 1;
}

/* ------------------------------------------------------------------------------------------------------------ copies */

enum { COPY_COUNT, COPY_BYTES, COPY_NS, COPY_RATE, COPY_PEAK };

static const struct stint_section s_copies = {.title = "Copies",
                                              .count = 5,
                                              .column = {{"Count", STINT_FIELD_COUNT, 0},
                                                         {"Bytes", STINT_FIELD_BYTES, 0},
                                                         {"Time", STINT_FIELD_SUM, 1},
                                                         {"GB/s", STINT_FIELD_RATE, 1},
                                                         {"Peak", STINT_FIELD_SHARE, 0}},
                                              .name = "Copy"};

/* Returns the bytes per second that such copies could reach; 0 if unknown. A copy within the device's memory reads and
 * writes it, so it can reach half its bandwidth. */
static double peak_of(const struct stint_gpu_activity *activity, const struct stint_gpu_device *device)
{
    if (activity->kind == STINT_GPU_SET)
        return (double)device->memory_bytes_per_s;
    if (strstr(activity->name, "HtoD") || strstr(activity->name, "DtoH") || strstr(activity->name, "HtoA") ||
        strstr(activity->name, "AtoH"))
        return (double)device->link_bytes_per_s;
    if (strstr(activity->name, "DtoD") || strstr(activity->name, "DtoA") || strstr(activity->name, "AtoD") ||
        strstr(activity->name, "AtoA"))
        return (double)device->memory_bytes_per_s / 2;
    return 0;
}

static int is_copy(const struct stint_gpu_activity *activity)
{
    return stint_gpu_occupies(activity->kind) && activity->kind != STINT_GPU_KERNEL;
}

static int is_same(const struct stint_gpu_activity *a, const struct stint_gpu_activity *b)
{
    return a->kind == b->kind && strcmp(a->name, b->name) == 0;
}

/* Activities of a kind and name stand together, those of a device in a row. */
static int next_copy(void *context, size_t *next, struct stint_section_row *row)
{
    const struct stint_snapshot *snapshot = ((struct view *)context)->snapshot;
    const struct stint_gpu_activity *first = NULL;
    for (; *next < snapshot->gpu_activity_count; ++*next) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[*next];
        if (!is_copy(activity))
            continue;
        if (!first)
            first = activity;
        if (!is_same(activity, first) || activity->device != first->device)
            break;
        add_to(row, COPY_COUNT, activity->numbers.count);
        add_to(row, COPY_BYTES, activity->bytes);
        add_to(row, COPY_NS, activity->numbers.total_ns);
    }
    if (!first)
        return 0;
    add_gpu(&row->name, first->device);
    stint_line_string(&row->name, " ");
    stint_line_string(&row->name, first->name);
    if (row->field[COPY_NS].value) {
        struct stint_gpu_device device = stint_gpu_device_of(snapshot, first->device);
        double rate = (double)row->field[COPY_BYTES].value * 1e9 / (double)row->field[COPY_NS].value;
        double peak = peak_of(first, &device);
        stint_section_number(row, COPY_RATE, rate);
        if (peak > 0)
            stint_section_number(row, COPY_PEAK, 100 * rate / peak);
    }
    return 1;
}

/* ------------------------------------------------------------------------------------------------------------ memory */

static const struct stint_section s_memory = {.title = "Memory",
                                              .count = 4,
                                              .column = {{"Allocations", STINT_FIELD_COUNT, 0},
                                                         {"Frees", STINT_FIELD_COUNT, 0},
                                                         {"Current", STINT_FIELD_BYTES, 1},
                                                         {"Peak", STINT_FIELD_BYTES, 1}},
                                              .name = "Memory"};

static int next_memory(void *context, size_t *next, struct stint_section_row *row)
{
    const struct stint_snapshot *snapshot = ((struct view *)context)->snapshot;
    if (*next == snapshot->gpu_memory_count)
        return 0;
    const struct stint_gpu_memory *memory = &snapshot->gpu_memory[(*next)++];
    const char *name = stint_gpu_memory_name(memory->kind);
    stint_section_value(row, 0, memory->allocations);
    stint_section_value(row, 1, memory->frees);
    stint_section_value(row, 2, memory->current_bytes);
    stint_section_value(row, 3, memory->peak_bytes);
    add_gpu(&row->name, memory->device);
    stint_line_string(&row->name, " ");
    stint_line_string(&row->name, *name ? name : "Unknown");
    stint_line_string(&row->name, memory->pool ? ", from pools" : "");
    return 1;
}

/* ----------------------------------------------------------------------------------------------- waits and other kinds */

static const struct stint_section s_faults = {
    .title = "Page faults of unified memory",
    .count = 1,
    .column = {{"Count", STINT_FIELD_COUNT, 1}},
    .name = "Fault",
};

#define TIMES                                                                                                          \
    .count = 4, .column = {                                                                                            \
                    {"Count", STINT_FIELD_COUNT, 1},                                                                   \
                    {"Total", STINT_FIELD_SUM, 1},                                                                     \
                    {"Avg", STINT_FIELD_TIME, 0},                                                                      \
                    {"Max", STINT_FIELD_TIME, 0},                                                                      \
    }

static const struct stint_section s_spans = {.title = "GPU scopes", TIMES, .name = "Scope"};
static const struct stint_section s_waits = {.title = "Waits of host threads", TIMES, .name = "Wait"};
static const struct stint_section s_overheads = {.title = "Overhead of collecting", TIMES, .name = "Overhead"};

static int next_of_kind(void *context, size_t *next, struct stint_section_row *row)
{
    const struct view *view = context;
    const struct stint_gpu_activity *first = NULL;
    struct stint_numbers numbers = {0};
    uint64_t bytes = 0;
    for (; *next < view->snapshot->gpu_activity_count; ++*next) {
        const struct stint_gpu_activity *activity = &view->snapshot->gpu_activities[*next];
        if (activity->kind != view->kind)
            continue;
        if (!first)
            first = activity;
        if (!is_same(activity, first))
            break;
        stint_gpu_add_numbers(&numbers, &activity->numbers);
        bytes += activity->bytes;
    }
    if (!first)
        return 0;
    stint_line_string(&row->name, first->name);
    stint_section_value(row, 0, view->kind == STINT_GPU_FAULT ? bytes : numbers.count);
    stint_section_value(row, 1, numbers.total_ns);
    stint_section_value(row, 2, stint_numbers_avg_ns(&numbers));
    stint_section_value(row, 3, numbers.max_ns);
    return 1;
}

static void put_kind(struct stint_text *text, const struct stint_layout *layout, struct view *view,
                     enum stint_gpu_kind kind, const struct stint_section *section)
{
    view->kind = kind;
    stint_section_put(section, text, layout, next_of_kind, view);
}

/* ----------------------------------------------------------------------------------------------------------- charges */

/* To the nanosecond, so that it can be seen to add up. */
static const struct stint_section s_charges = {.title = "Charges: copies with sets and unified memory",
                                               .count = 4,
                                               .column = {{"GPU", STINT_FIELD_SHARE, 0},
                                                          {"GPU", STINT_FIELD_NS, 1},
                                                          {"Kernels", STINT_FIELD_COUNT, 0},
                                                          {"Copies", STINT_FIELD_COUNT, 0}},
                                               .name = "Charged to"};

static uint64_t copies_of(const struct stint_snapshot *snapshot)
{
    uint64_t copies = 0;
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        if (is_copy(&snapshot->gpu_activities[i]))
            copies += snapshot->gpu_activities[i].numbers.count;
    return copies;
}

static int next_charge(void *context, size_t *next, struct stint_section_row *row)
{
    static const char *const names[] = {"scopes", "(no scope)", "(unattributed)", "(all GPUs)"};
    const struct view *view = context;
    const struct stint_gpu_sum *sum = &view->sum;
    const struct stint_gpu_use *const uses[] = {&sum->scopes, &sum->no_scope, &sum->unattributed};
    if (*next > 3 || !sum->any)
        return 0;
    size_t i = (*next)++;
    uint64_t ns = i == 3 ? sum->total_ns : stint_gpu_shown_ns(sum, uses[i]);
    stint_line_string(&row->name, names[i]);
    if (sum->total_ns)
        stint_section_number(row, 0, 100.0 * (double)ns / (double)sum->total_ns);
    stint_section_value(row, 1, ns);
    stint_section_value(row, 2, i == 3 ? sum->kernels : uses[i]->kernels);
    stint_section_value(row, 3, i == 3 ? copies_of(view->snapshot) : uses[i]->copies + uses[i]->sets);
    return 1;
}

/* ------------------------------------------------------------------------------------------------------------ report */

static void put_notes(struct stint_text *text, const struct view *view, const struct stint_layout *layout)
{
    const struct stint_gpu_info *info = &view->snapshot->gpu;
    struct stint_line line = {0};
    stint_text_string(text, "\n");
    if (!view->sum.spans)
        stint_line_string(&line, "busy: times of all activities added up; more than 100 % where streams overlap");
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
    if (copies_of(view->snapshot))
        stint_line_string(&line, "Peak: between host and device the link's, in one direction; within the device half "
                                 "its memory's, which is read and written; of sets, its memory's");
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
    if (info->clock_error_ns > 0) {
        stint_line_string(&line, "clock: times of host and GPUs are within ");
        stint_line_time(&line, info->clock_error_ns);
        stint_line_string(&line, " of each other");
    }
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
}

static void put_nothing(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_layout *layout)
{
    struct stint_line line = {0};
    if (snapshot->gpu.collected)
        stint_line_string(&line, "GPU: nothing ran on a device while activity was collected");
    else if (!stint_gpu_has_failed(&snapshot->gpu))
        stint_line_string(&line, "GPU: activity was not collected; set STINT_GPU=on, or call stint_gpu_start()");
    stint_line_put(&line, text, layout, STINT_LINE_PLAIN);
}

void stint_report_gpu(struct stint_text *text, const struct stint_snapshot *snapshot, const struct stint_layout *layout)
{
    struct stint_summary summary = stint_summarize(snapshot);
    struct view view = {.snapshot = snapshot, .sum = stint_gpu_summarize(snapshot)};
    stint_frame_title(text, snapshot, &summary, layout);
    put_devices(text, snapshot, layout);
    if (!view.sum.any)
        put_nothing(text, snapshot, layout);
    stint_section_put(&s_streams, text, layout, next_stream, &view);
    stint_section_put(&s_copies, text, layout, next_copy, &view);
    stint_section_put(&s_memory, text, layout, next_memory, &view);
    put_kind(text, layout, &view, STINT_GPU_SPAN, &s_spans);
    put_kind(text, layout, &view, STINT_GPU_SYNC, &s_waits);
    put_kind(text, layout, &view, STINT_GPU_FAULT, &s_faults);
    put_kind(text, layout, &view, STINT_GPU_OVERHEAD, &s_overheads);
    stint_section_put(&s_charges, text, layout, next_charge, &view);
    if (view.sum.any)
        put_notes(text, &view, layout);
    stint_frame_losses(text, snapshot, layout);
}
