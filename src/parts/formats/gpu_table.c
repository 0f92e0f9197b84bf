/* What GPUs did, for people: by device and stream, copies compared with the peak bandwidth, memory, waits, the overhead
 * of collecting, and which scopes it is charged to. */
#include <string.h>

#include "formats/formats.h"
#include "model/model.h"
#include "report/line.h"
#include "report/sheet.h"
#include "report/summary.h"
#include "stat/numbers.h"

struct view {
    const struct stint_snapshot *snapshot;
    struct stint_gpu_sum sum;
    enum stint_gpu_kind kind; /* what next_of_kind shows */
    uint64_t last_stream[3];  /* the last stream shown: device, context, stream */
    struct stint_line name;   /* of the current row */
};

/* Begins the name of a row, which is the row's last cell. */
static struct stint_line *begin_name(struct view *view, struct stint_sheet *sheet)
{
    view->name.used = 0;
    view->name.text[0] = '\0';
    stint_sheet_string(sheet, sheet->count - 1, view->name.text);
    return &view->name;
}

/* ---------------------------------------------------------------------------------------------------------- devices */

/* Returns the first id from `from` on of a device that did something or is described; UINT64_MAX if there is none. */
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
            stint_sum_up(&ns, snapshot->gpu_activities[i].numbers.total_ns);
    return ns;
}

static void describe_device(struct stint_line *line, const struct stint_gpu_device *device)
{
    if (device->compute_major)
        stint_line_say(line, ", compute capability %ju.%ju", (uintmax_t)device->compute_major,
                       (uintmax_t)device->compute_minor);
    if (device->multiprocessors)
        stint_line_say(line, ", %ju multiprocessor%s", (uintmax_t)device->multiprocessors,
                       device->multiprocessors == 1 ? "" : "s");
    if (device->memory_bytes)
        stint_line_say(line, ", %.1f GB of memory", (double)device->memory_bytes * 1e-9);
    if (device->memory_bytes_per_s)
        stint_line_say(line, "%s at %.1f GB/s", device->memory_bytes ? "" : ", memory",
                       (double)device->memory_bytes_per_s * 1e-9);
    if (device->link_bytes_per_s)
        stint_line_say(line, ", link at %.1f GB/s", (double)device->link_bytes_per_s * 1e-9);
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
        stint_line_say(&line, "GPU %ju: ", (uintmax_t)device.id);
        stint_line_escaped(&line, device.name, NAME_MOST);
        stint_line_say(&line, "%sbusy %s", *device.name ? ", " : "", stint_time_text((double)ns).text);
        if (wall_ns)
            stint_line_say(&line, " of %s, %.2f %%", stint_time_text((double)wall_ns).text,
                           100.0 * (double)ns / (double)wall_ns);
        describe_device(&line, &device);
        stint_line_put(&line, text, layout, STINT_LINE_PLAIN);
    }
}

/* ---------------------------------------------------------------------------------------------------------- streams */

/* Programs that make a stream for every request have thousands. */
enum { STREAMS_MOST = 32 };

enum { STREAM_KERNELS, STREAM_KERNEL_NS, STREAM_COPIES, STREAM_COPY_NS, STREAM_BYTES, STREAM_NAME };

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

/* Moves view->last_stream to the next stream. Returns 0 if there is none. */
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

/* Adds the activity of the stream; with `beyond`, that of all streams after it. */
static void add_streams(const struct view *view, struct stint_sheet *sheet, int beyond)
{
    const struct stint_snapshot *snapshot = view->snapshot;
    uint64_t stream[3], sums[STREAM_NAME] = {0};
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        stream_of(activity, stream);
        if (!is_on_stream(activity) || compare(stream, view->last_stream) != beyond)
            continue;
        if (activity->kind == STINT_GPU_KERNEL) {
            stint_sum_up(&sums[STREAM_KERNELS], activity->numbers.count);
            stint_sum_up(&sums[STREAM_KERNEL_NS], activity->numbers.total_ns);
        } else {
            stint_sum_up(&sums[STREAM_COPIES], activity->numbers.count);
            stint_sum_up(&sums[STREAM_COPY_NS], activity->numbers.total_ns);
            stint_sum_up(&sums[STREAM_BYTES], activity->bytes);
        }
    }
    for (size_t i = 0; i < STREAM_NAME; i++)
        stint_sheet_value(sheet, i, sums[i]);
}

static int next_stream(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct view *view = context;
    if (*next > STREAMS_MOST)
        return 0;
    if (*next == STREAMS_MOST) {
        uint64_t last[3];
        memcpy(last, view->last_stream, sizeof last);
        int more = find_stream(view, 0);
        memcpy(view->last_stream, last, sizeof last);
        (*next)++;
        add_streams(view, sheet, 1);
        stint_line_string(begin_name(view, sheet), "(all others)");
        return more;
    }
    if (!find_stream(view, *next == 0))
        return 0;
    (*next)++;
    add_streams(view, sheet, 0);
    stint_line_say(begin_name(view, sheet), "GPU %ju, context %ju, stream %ju", view->last_stream[0],
                   view->last_stream[1], view->last_stream[2]);
    return 1;
}

/* ----------------------------------------------------------------------------------------------------------- copies */

enum { COPY_COUNT, COPY_BYTES, COPY_NS, COPY_RATE, COPY_PEAK, COPY_NAME };

static int is_copy(const struct stint_gpu_activity *activity)
{
    return stint_gpu_occupies(activity->kind) && activity->kind != STINT_GPU_KERNEL;
}

static int is_same(const struct stint_gpu_activity *a, const struct stint_gpu_activity *b)
{
    return a->kind == b->kind && strcmp(a->name, b->name) == 0;
}

/* Activities of the same kind and name are adjacent, those of one device one after the other. */
static int next_copy(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct view *view = context;
    const struct stint_snapshot *snapshot = view->snapshot;
    const struct stint_gpu_activity *first = NULL;
    uint64_t count = 0, bytes = 0, ns = 0;
    for (; *next < snapshot->gpu_activity_count; (*next)++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[*next];
        if (!is_copy(activity))
            continue;
        if (!first)
            first = activity;
        if (!is_same(activity, first) || activity->device != first->device)
            break;
        stint_sum_up(&count, activity->numbers.count);
        stint_sum_up(&bytes, activity->bytes);
        stint_sum_up(&ns, activity->numbers.total_ns);
    }
    if (!first)
        return 0;
    stint_sheet_value(sheet, COPY_COUNT, count);
    stint_sheet_value(sheet, COPY_BYTES, bytes);
    stint_sheet_value(sheet, COPY_NS, ns);
    stint_line_say(begin_name(view, sheet), "GPU %ju %s", (uintmax_t)first->device, first->name);
    if (ns) {
        struct stint_gpu_device device = stint_gpu_device_of(snapshot, first->device);
        double rate = (double)bytes * 1e9 / (double)ns;
        double peak = stint_gpu_peak(first, &device);
        stint_sheet_number(sheet, COPY_RATE, rate);
        if (peak > 0)
            stint_sheet_number(sheet, COPY_PEAK, 100 * rate / peak);
    }
    return 1;
}

/* ----------------------------------------------------------------------------------------------------------- memory */

static int next_memory(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct view *view = context;
    if (*next == view->snapshot->gpu_memory_count)
        return 0;
    const struct stint_gpu_memory *memory = &view->snapshot->gpu_memory[(*next)++];
    const char *kind = stint_gpu_memory_name(memory->kind);
    stint_sheet_value(sheet, 0, memory->allocations);
    stint_sheet_value(sheet, 1, memory->frees);
    stint_sheet_value(sheet, 2, memory->current_bytes);
    stint_sheet_value(sheet, 3, memory->peak_bytes);
    stint_line_say(begin_name(view, sheet), "GPU %ju %s%s", (uintmax_t)memory->device, *kind ? kind : "Unknown",
                   memory->pool ? ", from pools" : "");
    return 1;
}

/* -------------------------------------------------------------------------------------------- waits and other kinds */

static int next_of_kind(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct view *view = context;
    const struct stint_gpu_activity *first = NULL;
    struct stint_numbers numbers = {0};
    for (; *next < view->snapshot->gpu_activity_count; (*next)++) {
        const struct stint_gpu_activity *activity = &view->snapshot->gpu_activities[*next];
        if (activity->kind != view->kind)
            continue;
        if (!first)
            first = activity;
        if (!is_same(activity, first))
            break;
        stint_gpu_add_numbers(&numbers, &activity->numbers);
    }
    if (!first)
        return 0;
    stint_line_string(begin_name(view, sheet), first->name);
    stint_sheet_value(sheet, 0, numbers.count);
    if (view->kind == STINT_GPU_UNMEASURED)
        return 1;
    stint_sheet_value(sheet, 1, numbers.total_ns);
    stint_sheet_value(sheet, 2, stint_numbers_avg_ns(&numbers));
    stint_sheet_value(sheet, 3, numbers.max_ns);
    return 1;
}

/* ---------------------------------------------------------------------------------------------------------- charges */

static uint64_t copies_of(const struct stint_snapshot *snapshot)
{
    uint64_t copies = 0;
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        if (is_copy(&snapshot->gpu_activities[i]))
            stint_sum_up(&copies, snapshot->gpu_activities[i].numbers.count);
    return copies;
}

static int next_charge(void *context, size_t *next, struct stint_sheet *sheet)
{
    static const char names[][16] = {"scopes", "(no scope)", "(unattributed)", "(all GPUs)"};
    const struct view *view = context;
    const struct stint_gpu_sum *sum = &view->sum;
    const struct stint_gpu_use *const uses[] = {&sum->scopes, &sum->no_scope, &sum->unattributed};
    if (*next > 3 || !sum->any)
        return 0;
    size_t i = (*next)++;
    uint64_t ns = i == 3 ? sum->total_ns : stint_gpu_shown_ns(sum, uses[i]);
    if (sum->total_ns)
        stint_sheet_number(sheet, 0, 100.0 * (double)ns / (double)sum->total_ns);
    stint_sheet_value(sheet, 1, ns);
    stint_sheet_value(sheet, 2, i == 3 ? sum->kernels : uses[i]->kernels);
    stint_sheet_value(sheet, 3, i == 3 ? copies_of(view->snapshot) : uses[i]->copies + uses[i]->sets);
    stint_sheet_string(sheet, 4, names[i]);
    return 1;
}

/* ----------------------------------------------------------------------------------------------------------- report */

static void put_notes(struct stint_text *text, const struct view *view, const struct stint_layout *layout)
{
    const struct stint_gpu_info *info = &view->snapshot->gpu;
    struct stint_line line = {0};
    stint_text_string(text, "\n");
    if (!view->sum.spans)
        stint_line_string(&line, "busy: times of all activities added up; more than 100 % where streams overlap");
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
    if (copies_of(view->snapshot))
        stint_line_string(&line,
                          "Peak: between host and device, the link's bandwidth in one direction; within the device, "
                          "half its memory bandwidth, because each byte is read and written; for memsets, its "
                          "memory bandwidth");
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
    if (info->clock_error_ns > 0)
        stint_line_say(&line, "clock: times of host and GPUs are within %s of each other",
                       stint_time_text(info->clock_error_ns).text);
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
    stint_gpu_note_left_out(&line, info);
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

struct section {
    const char *title;
    stint_row_fn *next;
    enum stint_gpu_kind kind; /* of next_of_kind */
    struct stint_column columns[6];
    size_t count;
};

/* clang-format off */
/* A column that is never hidden, and one that is hidden before those with a greater number. */
#define COLUMN(name, of) {.title = name, .unit = STINT_COLUMN_##of}
#define HIDDEN(name, of, before) {.title = name, .unit = STINT_COLUMN_##of, .hide = before}
#define TIMES(name) {COLUMN("Count", COUNT), COLUMN("Total", SUM), HIDDEN("Avg", TIME, 2), HIDDEN("Max", TIME, 1), \
                     COLUMN(name, NAME)}, 5
#define COUNTS(name) {COLUMN("Count", COUNT), COLUMN(name, NAME)}, 2
/* clang-format on */

/* Charges have times to the nanosecond, so that readers can verify the sum. */
static const struct section s_sections[] = {
    {"Streams: copies include memsets, but not unified memory",
     next_stream,
     0,
     {[STREAM_KERNELS] = COLUMN("Kernels", COUNT),
      [STREAM_KERNEL_NS] = COLUMN("Kernel", SUM),
      [STREAM_COPIES] = HIDDEN("Copies", COUNT, 3),
      [STREAM_COPY_NS] = HIDDEN("Copy", SUM, 2),
      [STREAM_BYTES] = HIDDEN("Copied", BYTES, 1),
      [STREAM_NAME] = COLUMN("Stream", NAME)},
     6},
    {"Copies",
     next_copy,
     0,
     {[COPY_COUNT] = HIDDEN("Count", COUNT, 3),
      [COPY_BYTES] = HIDDEN("Bytes", BYTES, 2),
      [COPY_NS] = COLUMN("Time", SUM),
      [COPY_RATE] = COLUMN("GB/s", RATE),
      [COPY_PEAK] = HIDDEN("Peak", SHARE, 1),
      [COPY_NAME] = COLUMN("Copy", NAME)},
     6},
    {"Memory",
     next_memory,
     0,
     {HIDDEN("Allocations", COUNT, 2), HIDDEN("Frees", COUNT, 1), COLUMN("Current", BYTES), COLUMN("Peak", BYTES),
      COLUMN("Memory", NAME)},
     5},
    {"GPU scopes", next_of_kind, STINT_GPU_SPAN, TIMES("Scope")},
    {"Waits of host threads", next_of_kind, STINT_GPU_SYNC, TIMES("Wait")},
    {"Not measured, because there is no record with times", next_of_kind, STINT_GPU_UNMEASURED, COUNTS("Launched")},
    {"Overhead of collecting", next_of_kind, STINT_GPU_OVERHEAD, TIMES("Overhead")},
    {"Charges: copies include memsets and unified memory",
     next_charge,
     0,
     {HIDDEN("GPU", SHARE, 3), COLUMN("GPU", NS), HIDDEN("Kernels", COUNT, 2), HIDDEN("Copies", COUNT, 1),
      COLUMN("Charged to", NAME)},
     5},
};

/* Writes a blank line and the section, if there are rows. */
static void put_section(const struct section *section, struct stint_text *text, const struct stint_layout *layout,
                        struct view *view)
{
    enum { NAME_LEAST = 16 };
    struct stint_sheet sheet = {.columns = section->columns,
                                .count = section->count,
                                .next = section->next,
                                .context = view,
                                .name_floor = NAME_LEAST,
                                .name_least = NAME_LEAST};
    struct stint_line title = {0};
    view->kind = section->kind;
    stint_sheet_fit(&sheet, layout);
    if (!sheet.rows)
        return;
    stint_text_string(text, "\n");
    stint_line_string(&title, section->title);
    stint_line_put(&title, text, layout, STINT_LINE_PLAIN);
    stint_sheet_put(&sheet, text);
}

void stint_report_gpu(struct stint_text *text, const struct stint_snapshot *snapshot, const struct stint_layout *layout,
                      int csv)
{
    (void)csv;
    struct stint_summary summary = stint_summarize(snapshot);
    struct stint_layout whole = *layout;
    struct view view = {.snapshot = snapshot, .sum = stint_gpu_summarize(snapshot)};
    whole.top = 0; /* as all tables here */
    stint_frame_title(text, snapshot, &summary, layout);
    put_devices(text, snapshot, layout);
    if (!view.sum.any)
        put_nothing(text, snapshot, layout);
    for (size_t i = 0; i < sizeof s_sections / sizeof s_sections[0]; i++)
        put_section(&s_sections[i], text, layout, &view);
    stint_unified_table_put(text, snapshot, &whole);
    if (view.sum.any)
        put_notes(text, &view, layout);
    stint_frame_losses(text, snapshot, layout);
}
