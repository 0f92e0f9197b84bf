/* A header and one row per statistic, for programs. RFC 4180 quoting; lines end with "\n", as Unix tools expect. */
#include <string.h>

#include "report/report.h"

static void put_field(struct stint_text *text, const char *field)
{
    if (!field[strcspn(field, ",\"\r\n")]) {
        stint_text_string(text, field);
        return;
    }
    stint_text_string(text, "\"");
    for (; *field; field++)
        stint_text_put(text, *field == '"' ? "\"\"" : field, *field == '"' ? 2 : 1);
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

void stint_report_csv(struct stint_text *text, const struct stint_snapshot *snapshot)
{
    stint_text_string(text, "set,name,count,recursive,total_ns,self_ns,min_ns,max_ns,avg_ns,p50_ns,p90_ns,p99_ns,"
                            "stddev_ns,running,running_ns,file,line\n");
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        put_field(text, stat->set);
        stint_text_string(text, ",");
        put_field(text, stat->name);
        put_numbers(text, &stat->numbers);
        stint_text_string(text, ",");
        put_field(text, stat->file);
        put_u64(text, stat->line);
        stint_text_string(text, "\n");
    }
}
