/* Lines that CTest takes from a test's output, and CDash plots over time: for each scope, how often it ran and for how
 * long. */
#include "export/format.h"
#include "report/label.h"

static void begin_measurement(struct stint_out *out, const struct stint_label *label, const char *type,
                              const char *what)
{
    stint_out_string(out, "<CTestMeasurement type=\"numeric/");
    stint_out_string(out, type);
    stint_out_string(out, "\" name=\"");
    stint_out_escaped(out, stint_escape_xml, label->set);
    stint_out_string(out, *label->set ? "/" : "");
    stint_out_escaped(out, stint_escape_xml, label->name);
    stint_out_string(out, what);
    stint_out_string(out, "\">");
}

static void put_count(struct stint_out *out, const struct stint_label *label, uint64_t count)
{
    begin_measurement(out, label, "integer", " count");
    stint_out_u64(out, count);
    stint_out_string(out, "</CTestMeasurement>\n");
}

static void put_us(struct stint_out *out, const struct stint_label *label, const char *what, uint64_t ns)
{
    begin_measurement(out, label, "double", what);
    stint_out_thousandths(out, ns);
    stint_out_string(out, "</CTestMeasurement>\n");
}

enum stint_export_result stint_export_ctest(const struct stint_export_job *job)
{
    const struct stint_snapshot *snapshot = job->snapshot;
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        struct stint_label label = stint_label_of(snapshot, stat);
        uint64_t gpu_ns = stint_gpu_use_ns(&stat->gpu);
        if (!stat->numbers.count)
            continue;
        put_count(job->out, &label, stat->numbers.count);
        put_us(job->out, &label, " total (us)", stat->numbers.total_ns);
        put_us(job->out, &label, " average (us)", stint_numbers_avg_ns(&stat->numbers));
        if (stat->numbers.bin_count)
            put_us(job->out, &label, " median (us)", stint_numbers_percentile_ns(&stat->numbers, 0.5));
        if (gpu_ns)
            put_us(job->out, &label, " GPU (us)", gpu_ns);
    }
    return STINT_EXPORT_DONE;
}
