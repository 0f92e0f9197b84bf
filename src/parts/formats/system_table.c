/* Prints what was sampled of power, clocks, temperature and use: a row for each GPU, or one for each number. */

#include <string.h>

#include "formats/formats.h"
#include "formats/nvprof.h"
#include "model/model.h"
#include "stint/nvtx_stats.h"

enum { NAME_LEAST = 16 };

enum { SAMPLES, AVG, MIN, MAX, DEVICE, METRIC, COLUMNS };

static const struct stint_column s_columns[COLUMNS] = {
    [SAMPLES] = {.key = "samples", .title = "Samples", .unit = STINT_COLUMN_COUNT},
    [AVG] = {.key = "avg", .title = "Avg"},
    [MIN] = {.key = "min", .title = "Min"},
    [MAX] = {.key = "max", .title = "Max"},
    [DEVICE] = {.key = "device", .unit = STINT_COLUMN_NAME},
    [METRIC] = {.key = "metric", .title = "System", .unit = STINT_COLUMN_NAME},
};

static int is_sampled(const struct stint_nvtx_value *value)
{
    return strcmp(value->set, STINT_SYSTEM_SET) == 0;
}

static double average(const struct stint_nvtx_value *value)
{
    return value->sum / (double)value->count;
}

int stint_system_table_is_needed(const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->nvtx_value_count; i++)
        if (is_sampled(&snapshot->nvtx_values[i]))
            return 1;
    return 0;
}

static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct stint_snapshot *snapshot = context;
    while (*next < snapshot->nvtx_value_count && !is_sampled(&snapshot->nvtx_values[*next]))
        (*next)++;
    if (*next == snapshot->nvtx_value_count)
        return 0;
    const struct stint_nvtx_value *value = &snapshot->nvtx_values[(*next)++];
    stint_sheet_value(sheet, SAMPLES, value->count);
    (void)stint_number_fixed(stint_sheet_text(sheet, AVG), average(value), 2);
    (void)stint_number_fixed(stint_sheet_text(sheet, MIN), value->min, 2);
    (void)stint_number_fixed(stint_sheet_text(sheet, MAX), value->max, 2);
    stint_sheet_string(sheet, DEVICE, value->name);
    sheet->cell[METRIC].label = (struct stint_label){.set = sheet->csv ? "" : value->name, .name = value->field};
    return 1;
}

/* Row functions only read what they get. */
static struct stint_sheet sheet_of(const struct stint_snapshot *snapshot, const struct stint_column *columns,
                                   size_t count, stint_row_fn *next)
{
    return (struct stint_sheet){.columns = columns,
                                .count = count,
                                .next = next,
                                .context = (void *)(uintptr_t)snapshot,
                                .name_floor = NAME_LEAST,
                                .name_least = NAME_LEAST};
}

/* ----------------------------------------------------------------------------------------------------------- by GPU */

enum { POWER, POWER_MAX, CLOCK, BUSY, MEMORY, TEMPERATURE, SLOWED, GPU, GPU_COLUMNS };

static const struct stint_column s_gpu_columns[GPU_COLUMNS] = {
    [POWER] = {.title = "Power(W)"},
    [POWER_MAX] = {.title = "Max"},
    [CLOCK] = {.title = "SM(MHz)"},
    [BUSY] = {.title = "Busy(%)", .hide = 1},
    [MEMORY] = {.title = "Most memory(MiB)", .hide = 1},
    [TEMPERATURE] = {.title = "Most(C)", .hide = 2},
    [SLOWED] = {.title = "Slowed(%)"},
    [GPU] = {.title = "System", .unit = STINT_COLUMN_NAME},
};

static void put_number(struct stint_sheet *sheet, size_t column, double number)
{
    (void)stint_number_fixed(stint_sheet_text(sheet, column), number, 1);
}

static int is_named(const struct stint_nvtx_value *value, enum stint_system_metric metric)
{
    static const char names[STINT_SYSTEM_METRICS][26] = {STINT_SYSTEM_ROWS(STINT_SYSTEM_NAME)};
    return strcmp(value->field, names[metric]) == 0;
}

/* The reasons of slowness may hold together, so they are not added up. */
static void put_field(struct stint_sheet *sheet, const struct stint_nvtx_value *value, double *slowed)
{
    int slows = is_named(value, STINT_SYSTEM_SLOWED_BY_POWER) || is_named(value, STINT_SYSTEM_SLOWED_BY_HEAT) ||
                is_named(value, STINT_SYSTEM_SLOWED_BY_HARDWARE);
    if (slows && average(value) >= *slowed)
        put_number(sheet, SLOWED, *slowed = average(value));
    if (is_named(value, STINT_SYSTEM_POWER)) {
        put_number(sheet, POWER, average(value));
        put_number(sheet, POWER_MAX, value->max);
    }
    if (is_named(value, STINT_SYSTEM_CLOCK))
        put_number(sheet, CLOCK, average(value));
    if (is_named(value, STINT_SYSTEM_BUSY))
        put_number(sheet, BUSY, average(value));
    if (is_named(value, STINT_SYSTEM_MEMORY))
        put_number(sheet, MEMORY, value->max);
    if (is_named(value, STINT_SYSTEM_TEMPERATURE))
        put_number(sheet, TEMPERATURE, value->max);
}

/* Values of a GPU are adjacent. */
static int next_gpu(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct stint_snapshot *snapshot = context;
    const struct stint_nvtx_value *values = snapshot->nvtx_values;
    double slowed = 0;
    while (*next < snapshot->nvtx_value_count && !is_sampled(&values[*next]))
        (*next)++;
    if (*next == snapshot->nvtx_value_count)
        return 0;
    const char *name = values[*next].name;
    stint_sheet_string(sheet, GPU, name);
    for (; *next < snapshot->nvtx_value_count && is_sampled(&values[*next]) && strcmp(values[*next].name, name) == 0;
         (*next)++)
        put_field(sheet, &values[*next], &slowed);
    return 1;
}

void stint_system_table_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout)
{
    struct stint_sheet sheet = sheet_of(snapshot, STINT_COLUMNS(s_gpu_columns), next_gpu);
    stint_sheet_fit(&sheet, layout);
    stint_sheet_put(&sheet, text);
}

/* ----------------------------------------------------------------------------------------------------------- report */

void stint_report_system(struct stint_text *text, const struct stint_snapshot *snapshot,
                         const struct stint_layout *layout, int csv)
{
    struct stint_layout all = *layout;
    struct stint_sheet sheet = sheet_of(snapshot, STINT_COLUMNS(s_columns), next_row);
    all.top = 0;
    if (csv) {
        stint_row_table_csv(&sheet, text);
        return;
    }
    stint_nvprof_begin(text, snapshot);
    stint_text_string(text, "System profiling result:\n");
    if (!stint_system_table_is_needed(snapshot)) {
        stint_text_string(text, "Nothing was sampled: stint run --system-profiling on samples GPUs.\n");
        return;
    }
    stint_sheet_fit(&sheet, &all);
    stint_sheet_put(&sheet, text);
}
