/* Takes lines as the events of a recording: "r" with a thread, the end and the text of a range, "c" with a thread and
 * the number of a call, "k" with such a number and the name of a kernel. Each begins one ns after the one before:
 *
 *     r19aten::mm, op_id = 1, sizes = [[64, 16], [16, 10]]
 *     c11
 *     k1ampere_sgemm_128x128_nn
 *
 * Each kernel has a line with all columns, each operation has its cost once, and sums are of all kernels. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fuzz.h"
#include "op/op_roofline.h"
#include "op/op_sum.h"
#include "op/op_table.h"

struct lines {
    struct stint_event_source source; /* first */
    char *text;
    char *next;
    uint64_t time;
    struct stint_gpu_event gpu;
};

static int begin(struct stint_event_source *source)
{
    struct lines *lines = (struct lines *)source;
    lines->next = lines->text;
    return 0;
}

static uint64_t digit(char c)
{
    return (uint64_t)(unsigned char)c & 15;
}

/* Makes an event of a line with at least three characters. */
static void read_line(struct lines *lines, const char *line, struct stint_event *event)
{
    *event = (struct stint_event){.start_ns = ++lines->time, .pid = 1, .context = STINT_GPU_NO_SCOPE, .set = ""};
    event->end_ns = event->start_ns + 1;
    event->name = line + 3;
    lines->gpu = (struct stint_gpu_event){.kind = STINT_GPU_KERNEL, .grid = {1, 2, 3}};
    event->tid = (int64_t)digit(line[1]) % 3 + 1;
    if (line[0] == 'r') {
        event->kind = STINT_EVENT_SCOPE;
        event->end_ns = event->start_ns + 2 * digit(line[2]);
    } else if (line[0] == 'c') {
        event->kind = STINT_EVENT_CALL;
        event->gpu = &lines->gpu;
        lines->gpu.correlation = digit(line[2]);
    } else {
        event->kind = STINT_EVENT_DEVICE;
        event->gpu = &lines->gpu;
        event->name = line + 2;
        lines->gpu.correlation = digit(line[1]);
    }
}

static int next(struct stint_event_source *source, struct stint_event *event)
{
    struct lines *lines = (struct lines *)source;
    while (*lines->next) {
        char *line = lines->next, *end = strchr(line, '\n');
        lines->next = end ? end + 1 : line + strlen(line);
        if (end)
            *end = '\0';
        if (strlen(line) < 3)
            continue;
        read_line(lines, line, event);
        return 1;
    }
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- checks */

static void check_rows(const struct stint_op_rows *rows)
{
    const struct stint_op_join *join = rows->join;
    unsigned char *has_cost = calloc(join->frames.count + 1, 1);
    require(has_cost != NULL, "no memory");
    require(rows->count == join->kernels.count, "kernels are missing");
    for (size_t i = 0; i < rows->count; i++) {
        const struct stint_op_row *row = &rows->rows[i];
        require(row->op == STINT_OP_NO_FRAME || row->op < join->frames.count, "no such frame");
        require((row->op == STINT_OP_NO_FRAME) == (row->owner == STINT_OP_NO_FRAME), "an operation that never ran");
        require(row->is_main || !row->cost.flops.value, "a kernel has FLOPs that are not its own");
        require(!row->is_main || !has_cost[row->owner]++, "an operation has its cost twice");
        require(!row->is_main || row->all_ns >= row->kernel->ns, "an operation is shorter than its kernel");
    }
    for (size_t i = 0; i < join->frames.count; i++) {
        const struct stint_op_frame *frame = stint_op_frame_at(join, (uint32_t)i);
        require(frame->parent == STINT_OP_NO_FRAME || frame->parent < i, "a frame is around itself");
        require(frame->forward == STINT_OP_NO_FRAME || frame->forward < i, "a forward frame comes later");
    }
    free(has_cost);
}

static void check_table(const struct stint_op_rows *rows)
{
    struct stint_op_table table = {.csv = 1};
    struct output output = {0};
    struct stint_text text;
    char names[256];
    require(!stint_op_table_read(&table, stint_op_table_names(names, sizeof names)), "its own columns are unknown");
    stint_text_begin(&text, keep, &output);
    require(!stint_op_table_put(&table, rows, &text), "no memory");
    require(stint_text_end(&text) == STINT_OK, "not written");
    check_csv(&output);
    free(output.text);
    table.csv = 0;
    table.width = stint_op_table_least(&table) + 7;
    stint_text_begin(&text, discard, NULL);
    require(!stint_op_table_put(&table, rows, &text), "no memory");
    require(stint_text_end(&text) == STINT_OK, "not written");
}

static void check_sums(const struct stint_op_rows *rows)
{
    static const struct stint_layout layout = {0};
    for (int by = 0; stint_op_by_words[by]; by++) {
        struct output output = {0};
        struct stint_text text;
        stint_text_begin(&text, keep, &output);
        require(!stint_op_sum_table_put(rows, (enum stint_op_by)by, 1, &layout, &text), "no memory");
        require(stint_text_end(&text) == STINT_OK, "not written");
        check_csv(&output);
        free(output.text);
    }
}

static void check_roofline(const struct stint_op_rows *rows)
{
    struct output output = {0};
    struct stint_text text;
    stint_text_begin(&text, keep, &output);
    require(!stint_op_roofline_put(rows, &text), "no memory");
    require(stint_text_end(&text) == STINT_OK, "not written");
    require(output.used > 7 && memcmp(output.text + output.used - 7, "</svg>\n", 7) == 0, "the image has no end");
    free(output.text);
}

static void check_advice(const struct stint_op_rows *rows)
{
    for (int csv = 0; csv < 2; csv++) {
        struct output output = {0};
        struct stint_text text;
        stint_text_begin(&text, keep, &output);
        require(!stint_op_advices_put(rows, csv, &text), "no memory");
        require(stint_text_end(&text) == STINT_OK, "not written");
        if (csv)
            check_csv(&output);
        free(output.text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct stint_snapshot snapshot;
    struct lines lines = {.source = {.begin = begin, .next = next}, .text = copy_text(data, size)};
    struct stint_op_join join = {0};
    struct stint_op_rows rows = {0};
    require(!stint_op_join_read(&join, &snapshot, &lines.source), "not read");
    require(!stint_op_rows_make(&rows, &join), "no memory");
    check_rows(&rows);
    check_table(&rows);
    check_sums(&rows);
    check_roofline(&rows);
    check_advice(&rows);
    stint_op_rows_free(&rows);
    stint_op_join_free(&join);
    free(lines.text);
    return 0;
}
