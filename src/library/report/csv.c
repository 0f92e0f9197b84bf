/* A header and one row per statistic, for programs. RFC 4180 quoting; lines end with "\n", as Unix tools expect. */
#include "report/csv.h"

#include <string.h>

#include "base/escape.h"
#include "report/gpu_sum.h"
#include "report/report.h"
#include "report/row_order.h"

void stint_csv_field(struct stint_text *text, const char *field)
{
    if (!field[strcspn(field, ",\"\r\n")]) {
        stint_text_string(text, field);
        return;
    }
    stint_text_string(text, "\"");
    stint_escape_put(text, stint_escape_csv, field);
    stint_text_string(text, "\"");
}

static void put_u64(struct stint_text *text, uint64_t value)
{
    stint_text_string(text, ",");
    stint_text_u64(text, value);
}

/* What only a histogram knows; without one the fields are empty, which readers take as missing. */
static void put_distribution(struct stint_text *text, const struct stint_numbers *numbers)
{
    if (!numbers->bin_count) {
        stint_text_string(text, ",,,,");
        return;
    }
    put_u64(text, stint_numbers_percentile_ns(numbers, 0.50));
    put_u64(text, stint_numbers_percentile_ns(numbers, 0.90));
    put_u64(text, stint_numbers_percentile_ns(numbers, 0.99));
    char number[STINT_NUMBER_SIZE];
    size_t length = stint_number_fixed(number, stint_numbers_stddev_ns(numbers), 3);
    stint_text_string(text, ",");
    stint_text_put(text, number, length);
}

static void put_numbers(struct stint_text *text, const struct stint_numbers *numbers)
{
    put_u64(text, numbers->count);
    put_u64(text, numbers->recursive);
    put_u64(text, numbers->total_ns);
    put_u64(text, numbers->self_ns);
    put_u64(text, numbers->min_ns);
    put_u64(text, numbers->max_ns);
    put_u64(text, stint_numbers_avg_ns(numbers));
    put_distribution(text, numbers);
    put_u64(text, numbers->running);
    put_u64(text, numbers->running_ns);
}

static void put_gpu(struct stint_text *text, const struct stint_gpu_sum *sum, const struct stint_stat *stat)
{
    put_u64(text, stint_gpu_shown_ns(sum, &stat->gpu));
    put_u64(text, stint_gpu_shown_ns(sum, &stat->gpu_self));
    put_u64(text, stat->gpu.kernels);
    put_u64(text, stat->gpu.copies);
    put_u64(text, stat->gpu.copy_bytes);
    put_u64(text, stat->gpu.launch_ns);
}

void stint_report_csv(struct stint_text *text, const struct stint_snapshot *snapshot, const struct stint_layout *layout)
{
    struct stint_gpu_sum gpu = stint_gpu_summarize(snapshot);
    struct stint_arena arena = {0};
    const size_t *order = stint_stats_order(snapshot, layout->sort, &arena);
    stint_text_string(
        text, "set,name,count,recursive,total_ns,self_ns,min_ns,max_ns,avg_ns,p50_ns,p90_ns,p99_ns,"
              "stddev_ns,running,running_ns,file,line,gpu_ns,gpu_self_ns,kernels,copies,copy_bytes,launch_ns\n");
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[order ? order[i] : i];
        stint_csv_field(text, stat->set);
        stint_text_string(text, ",");
        stint_csv_field(text, stat->name);
        put_numbers(text, &stat->numbers);
        stint_text_string(text, ",");
        stint_csv_field(text, stat->file);
        put_u64(text, stat->line);
        put_gpu(text, &gpu, stat);
        stint_text_string(text, "\n");
    }
    stint_arena_free(&arena);
}
