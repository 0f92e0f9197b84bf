/* What a page shows, as JSON (docs/formats.md). */
#ifndef STINT_HTML_DATA_H
#define STINT_HTML_DATA_H

#include "html/contexts.h"
#include "html/operations.h"
#include "html/overview.h"
#include "html/samples.h"
#include "html/string_table.h"
#include "report/json.h"

struct stint_page_data {
    const struct stint_snapshot *snapshot;
    const struct stint_overview *overview;
    const char *remarks; /* lines; NULL: none */
    uint64_t from_ns;
    int is_served;
    int is_part; /* the timeline alone */
    struct stint_html_contexts contexts;
    struct stint_html_operations operations;
    struct stint_html_samples samples;
    struct stint_html_strings strings;
};

/* Writes all of it. */
void stint_data_put(struct stint_page_data *data, struct stint_json *json);

/* data_threads.c: threads, what each recorded, and their parts of statistics. */
void stint_data_put_threads(struct stint_page_data *data, struct stint_json *json);

/* data_gpu.c: devices, their memory, activities and what launched them; how kernels on the timeline were launched. */
void stint_data_put_gpu(struct stint_page_data *data, struct stint_json *json);
void stint_data_put_launches(struct stint_page_data *data, struct stint_json *json);

/* data_timeline.c */
void stint_data_put_timeline(struct stint_page_data *data, struct stint_json *json);

#endif
