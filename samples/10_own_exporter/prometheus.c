#define _POSIX_C_SOURCE 200809L /* fileno, fsync */

#include "prometheus.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <unistd.h>

/* In a label's value, three characters are escaped with a backslash; everything else is unchanged. */
static void put_escaped(FILE *file, const char *value)
{
    for (; *value; ++value) {
        if (*value == '\n')
            fputs("\\n", file);
        else if (*value == '"' || *value == '\\')
            fprintf(file, "\\%c", *value);
        else
            fputc(*value, file);
    }
}

static void put_name(FILE *file, const char *metric, const struct stint_stat *stat)
{
    fprintf(file, "%s{set=\"", metric);
    put_escaped(file, stat->set);
    fputs("\",scope=\"", file);
    put_escaped(file, stat->name);
    fputc('"', file);
}

/* Prometheus expects seconds. They are written as whole numbers, so that no locale puts a comma into them. */
static void put_seconds(FILE *file, uint64_t ns)
{
    fprintf(file, "} %" PRIu64 ".%09" PRIu64 "\n", ns / 1000000000, ns % 1000000000);
}

static void put_summary(FILE *file, const struct stint_stat *stat)
{
    static const struct {
        const char *label;
        double p;
    } quantiles[] = {{"0.5", 0.5}, {"0.9", 0.9}, {"0.99", 0.99}};

    for (size_t i = 0; stat->numbers.bin_count && i < sizeof quantiles / sizeof quantiles[0]; ++i) {
        put_name(file, "stint_scope_seconds", stat);
        fprintf(file, ",quantile=\"%s\"", quantiles[i].label);
        put_seconds(file, stint_numbers_percentile_ns(&stat->numbers, quantiles[i].p));
    }
    put_name(file, "stint_scope_seconds_sum", stat);
    put_seconds(file, stat->numbers.total_ns);
    put_name(file, "stint_scope_seconds_count", stat);
    fprintf(file, "} %" PRIu64 "\n", stat->numbers.count);
}

void prometheus_write(FILE *file, const struct stint_snapshot *snapshot)
{
    fputs("# HELP stint_scope_seconds Time in a scope, of activations that ended.\n"
          "# TYPE stint_scope_seconds summary\n",
          file);
    for (size_t i = 0; i < snapshot->stat_count; ++i)
        put_summary(file, &snapshot->stats[i]);
    fputs("# HELP stint_scope_gpu_seconds_total GPU time of what a scope launched.\n"
          "# TYPE stint_scope_gpu_seconds_total counter\n",
          file);
    for (size_t i = 0; i < snapshot->stat_count; ++i) {
        if (!stint_gpu_use_ns(&snapshot->stats[i].gpu))
            continue;
        put_name(file, "stint_scope_gpu_seconds_total", &snapshot->stats[i]);
        put_seconds(file, stint_gpu_use_ns(&snapshot->stats[i].gpu));
    }
}

/* Everything has to be on the disk before the file is renamed. */
static int write_file(const char *path, const struct stint_snapshot *snapshot)
{
    FILE *const file = fopen(path, "w");
    int failed;

    if (!file)
        return -1;
    prometheus_write(file, snapshot);
    failed = ferror(file) || fflush(file) || fsync(fileno(file));
    return fclose(file) || failed ? -1 : 0;
}

int prometheus_save(const char *path)
{
    struct stint_snapshot *snapshot;
    char beside[PATH_MAX];
    int result;

    errno = 0;
    if (snprintf(beside, sizeof beside, "%s.new", path) >= (int)sizeof beside || stint_snapshot_take(&snapshot))
        return -1;
    result = write_file(beside, snapshot);
    if (!result)
        result = rename(beside, path);
    if (result)
        remove(beside);
    stint_snapshot_free(snapshot);
    return result;
}
