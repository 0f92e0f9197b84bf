/* Prints the functions that samples found most often, below the reports of a run. */
#include "cli/print_samples.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/command.h"
#include "cpu/cpu_table.h"

enum { USUAL_ROWS = 10 };

static int put(struct stint_cpu_profile *profile, struct stint_print *print)
{
    static const struct stint_cpu_view view;
    int file = stint_print_open_behind(print);
    struct stint_layout screen = stint_print_screen(file), layout = stint_select_layout(&print->select, &screen);
    struct stint_text text;
    layout.top = layout.top ? layout.top : USUAL_ROWS;
    stint_text_begin(&text, stint_write_fd, &file);
    int failed = file < 0 || stint_cpu_table_put(profile, &view, &layout, &text);
    failed |= stint_text_end(&text) != STINT_OK;
    if (failed) {
        stint_cli_end_if_unread(file, errno);
        stint_cli_say("samples cannot be written: %s", strerror(errno));
    }
    if (file > STDERR_FILENO)
        (void)close(file);
    return failed ? -1 : 0;
}

static int print_sum(struct stint_print *print, const struct stint_snapshot *sum)
{
    static const struct stint_cpu_options all;
    struct stint_cpu_profile profile;
    int failed = stint_cpu_profile_make(&profile, sum, &all);
    if (failed)
        stint_cli_say("samples cannot be printed: there is not enough memory");
    else
        failed = put(&profile, print);
    stint_cpu_profile_free(&profile);
    return failed;
}

int stint_print_samples(struct stint_print *print, const struct stint_results *results)
{
    int failed = 0;
    struct stint_snapshot *sum = stint_results_sum(results);
    const struct stint_snapshot *all = results->all.count == 1 ? stint_results_at(results, 0) : sum;
    if (all && all->sampling.samples)
        failed = print_sum(print, all);
    stint_snapshot_free(sum);
    return failed;
}
