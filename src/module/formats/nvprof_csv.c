/* nvprof --csv: a row of titles, a row of units, one unit per column; texts in quotation marks, numbers without. */
#include "formats/formats.h"
#include "formats/nvprof.h"

enum { TIMES = STINT_NVPROF_TIMES };

static void put_row(struct stint_text *text, enum stint_nvprof_group group, const struct stint_nvprof_row *row,
                    uint64_t whole, const struct stint_nvprof_unit units[TIMES])
{
    static const struct stint_nvprof_unit percent = {"%", 1};
    uint64_t times[TIMES];
    stint_nvprof_times_of(row, times);
    stint_nvprof_quoted(text, stint_nvprof_group_name(group));
    stint_nvprof_number(text, whole ? 100.0 * (double)times[0] / (double)whole : 0, percent);
    stint_nvprof_number(text, (double)times[0], units[0]);
    stint_text_string(text, ",");
    stint_text_u64(text, row->numbers.count);
    for (size_t i = 1; i < TIMES; i++)
        stint_nvprof_number(text, (double)times[i], units[i]);
    stint_text_string(text, ",");
    stint_nvprof_quoted(text, row->name);
    stint_text_string(text, "\n");
}

void stint_nvprof_put_csv(struct stint_text *text, const struct stint_nvprof_rows groups[STINT_NVPROF_GROUPS],
                          const struct stint_layout *layout)
{
    struct stint_nvprof_unit units[TIMES];
    stint_nvprof_choose_units(groups, layout->unit, 1, units);
    stint_text_string(text, "\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n,%,");
    for (size_t i = 0; i < TIMES; i++) {
        stint_text_string(text, units[i].name);
        stint_text_string(text, i == 0 ? ",," : i + 1 < TIMES ? "," : ",\n");
    }
    for (enum stint_nvprof_group group = 0; group < STINT_NVPROF_GROUPS; group++) {
        struct stint_nvprof_row row;
        for (size_t next = 0; stint_nvprof_rows_next(&groups[group], &next, &row);)
            put_row(text, group, &row, groups[group].whole_ns, units);
    }
}

/* ---------------------------------------------------------------------------------------------------- unified memory */

/* Average, least, greatest and total of sizes, or of a device's moves without. */
enum { MOVE_SIZES = 4 };

static void sizes_of(const struct stint_nvprof_move *move, uint64_t sizes[MOVE_SIZES])
{
    sizes[0] = move->count ? move->bytes / move->count : 0;
    sizes[1] = move->min_bytes;
    sizes[2] = move->max_bytes;
    sizes[3] = move->bytes;
}

struct move_units {
    struct stint_nvprof_unit size[MOVE_SIZES];
    struct stint_nvprof_unit time;
};

static struct move_units choose_move_units(const struct stint_snapshot *snapshot, enum stint_time_unit wanted)
{
    uint64_t greatest[MOVE_SIZES] = {0}, greatest_ns = 0;
    struct move_units units;
    for (uint64_t device = 0; stint_nvprof_has_moves(snapshot, &device); device++) {
        struct stint_nvprof_move move;
        for (size_t next = 0; stint_nvprof_next_move(snapshot, (uint32_t)device, &next, &move);) {
            uint64_t sizes[MOVE_SIZES];
            sizes_of(&move, sizes);
            for (size_t i = 0; !move.faults && i < MOVE_SIZES; i++)
                greatest[i] = sizes[i] > greatest[i] ? sizes[i] : greatest[i];
            greatest_ns = move.total_ns > greatest_ns ? move.total_ns : greatest_ns;
        }
    }
    for (size_t i = 0; i < MOVE_SIZES; i++)
        units.size[i] = stint_nvprof_size_unit((double)greatest[i]);
    units.time = stint_nvprof_column_unit(wanted, greatest_ns, 1);
    return units;
}

static void put_move(struct stint_text *text, const struct stint_gpu_device *device,
                     const struct stint_nvprof_move *move, const struct move_units *units)
{
    uint64_t sizes[MOVE_SIZES];
    sizes_of(move, sizes);
    stint_nvprof_quoted_device(text, device);
    stint_text_string(text, ",");
    stint_text_u64(text, move->count);
    for (size_t i = 0; i < MOVE_SIZES; i++) {
        if (move->faults)
            stint_text_string(text, ",");
        else
            stint_nvprof_number(text, (double)sizes[i], units->size[i]);
    }
    stint_nvprof_number(text, (double)move->total_ns, units->time);
    stint_text_string(text, ",");
    stint_nvprof_quoted(text, move->name);
    stint_text_string(text, "\n");
}

static void put_moves(struct stint_text *text, const struct stint_snapshot *snapshot, enum stint_time_unit wanted)
{
    struct move_units units = choose_move_units(snapshot, wanted);
    stint_text_string(text, "\"Device\",\"Count\",\"Avg Size\",\"Min Size\",\"Max Size\",\"Total Size\",\"Total Time\","
                            "\"Name\"\n,,");
    for (size_t i = 0; i < MOVE_SIZES; i++) {
        stint_text_string(text, units.size[i].name);
        stint_text_string(text, ",");
    }
    stint_text_string(text, units.time.name);
    stint_text_string(text, ",\n");
    for (uint64_t device = 0; stint_nvprof_has_moves(snapshot, &device); device++) {
        struct stint_gpu_device description = stint_gpu_device_of(snapshot, (uint32_t)device);
        struct stint_nvprof_move move;
        for (size_t next = 0; stint_nvprof_next_move(snapshot, (uint32_t)device, &next, &move);)
            put_move(text, &description, &move, &units);
    }
}

void stint_report_nvprof_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout)
{
    uint64_t device = 0;
    stint_nvprof_head(text, snapshot);
    stint_nvprof_result(text, snapshot);
    const struct stint_layout whole = stint_nvprof_whole_layout(layout);
    stint_nvprof_put_groups(text, snapshot, STINT_NVPROF_BOTH_BITS, &whole, stint_nvprof_put_csv);
    if (!stint_nvprof_has_unified(snapshot))
        return;
    stint_nvprof_begin_unified(text, snapshot);
    if (stint_nvprof_has_moves(snapshot, &device))
        put_moves(text, snapshot, layout->unit);
    stint_nvprof_put_cpu_faults(text, snapshot);
}
