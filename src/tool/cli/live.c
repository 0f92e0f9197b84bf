#include "cli/live.h"

#include <dirent.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/listener.h"
#include "cli/results.h"
#include "import/read_json.h"
#include "report/units.h"

/* ------------------------------------------------------------------------------------------------------------- rows */

enum { MOST_ROWS = 8, NAME_SIZE = 57, BLOCK_SIZE = 2048 };

struct row {
    const char *group; /* "GPU", a set's name, "" for the global one's */
    const char *name;
    uint64_t total_ns;
    uint64_t count;
};

struct rows {
    struct stint_arena arena;
    struct stint_array all; /* struct row */
};

static int is_same(const struct row *row, const char *group, const char *name)
{
    return strcmp(row->group, group) == 0 && strcmp(row->name, name) == 0;
}

/* Activities of the same name on several streams become one row. */
static void add(struct rows *rows, const char *group, const char *name, const struct stint_numbers *numbers)
{
    struct row *all = rows->all.items, *row = NULL;
    for (size_t i = 0; i < rows->all.count && !row; i++)
        if (is_same(&all[i], group, name))
            row = &all[i];
    if (!row && !(row = stint_array_add(&rows->all, &rows->arena, sizeof *row)))
        return;
    row->group = group;
    row->name = name;
    row->total_ns += numbers->total_ns;
    row->count += numbers->count;
}

static void gather(struct rows *rows, const struct stint_snapshot *snapshot)
{
    const char *global = snapshot->set_count ? snapshot->sets[0] : "";
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        if (activity->kind != STINT_GPU_OVERHEAD)
            add(rows, "GPU", activity->name, &activity->numbers);
    }
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        if (stat->numbers.count)
            add(rows, strcmp(stat->set, global) == 0 ? "" : stat->set, stat->name, &stat->numbers);
    }
}

static int compare(const void *a, const void *b)
{
    const struct row *left = a, *right = b;
    if (left->total_ns != right->total_ns)
        return left->total_ns < right->total_ns ? 1 : -1;
    int order = strcmp(left->group, right->group);
    return order ? order : strcmp(left->name, right->name);
}

/* ------------------------------------------------------------------------------------------------------------ block */

struct block {
    char text[BLOCK_SIZE];
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void put(struct block *block, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(block->text + block->used, sizeof block->text - block->used, format, arguments);
    va_end(arguments);
    block->used += length > 0 ? (size_t)length : 0;
    if (block->used >= sizeof block->text)
        block->used = sizeof block->text - 1;
}

static void put_row(struct block *block, const struct row *row)
{
    char time[STINT_NUMBER_SIZE], name[NAME_SIZE];
    (void)stint_time_format(time, (double)row->total_ns);
    (void)snprintf(name, sizeof name, "%s%s%s", row->group, row->group[0] ? "/" : "", row->name);
    for (char *at = name; *at; at++)
        if ((unsigned char)*at < ' ')
            *at = ' ';
    put(block, "%12s %10llu  %s\n", time, (unsigned long long)row->count, name);
}

static void put_head(struct block *block, const struct stint_results *results, const char *program)
{
    char stamp[16], wall[STINT_NUMBER_SIZE];
    time_t now = time(NULL);
    struct tm parts;
    uint64_t longest = 0;
    for (size_t i = 0; i < results->all.count; i++)
        if (stint_results_at(results, i)->process.wall_ns > longest)
            longest = stint_results_at(results, i)->process.wall_ns;
    (void)strftime(stamp, sizeof stamp, "%H:%M:%S", localtime_r(&now, &parts));
    (void)stint_time_format(wall, (double)longest);
    put(block, "== %s  %.40s, %zu process%s, after %s\n", stamp, program, results->all.count,
        results->all.count == 1 ? "" : "es", wall);
}

static void print(const struct stint_live *live, const struct stint_results *results)
{
    struct block block = {.used = 0};
    struct rows rows = {0};
    int to = STDERR_FILENO;
    for (size_t i = 0; i < results->all.count; i++)
        gather(&rows, stint_results_at(results, i));
    put_head(&block, results, live->arguments[0]);
    if (rows.all.count > 1)
        qsort(rows.all.items, rows.all.count, sizeof(struct row), compare);
    if (rows.all.count)
        put(&block, "%12s %10s  %s\n", "total", "calls", "name");
    else
        put(&block, "   nothing recorded so far\n");
    for (size_t i = 0; i < rows.all.count && i < MOST_ROWS; i++)
        put_row(&block, (const struct row *)rows.all.items + i);
    if (rows.all.count > MOST_ROWS)
        put(&block, "%12s %10s  and %zu more\n", "", "", rows.all.count - MOST_ROWS);
    (void)stint_write_fd(&to, block.text, block.used);
    stint_arena_free(&rows.arena);
}

/* -------------------------------------------------------------------------------------------------------- processes */

/* A process that cannot be asked may have ended meanwhile. */
static void ask(struct stint_results *results, const char *folder, long long pid)
{
    char reason[256];
    struct stint_import_error error;
    struct stint_snapshot *snapshot;
    size_t length;
    char *text = stint_ask(folder, pid, "json", &length, reason, sizeof reason);
    if (text && stint_import_json(text, length, &snapshot, &error) == STINT_OK)
        stint_results_add(results, snapshot);
    free(text);
}

static void ask_all(struct stint_results *results, const struct stint_folder *folder)
{
    DIR *all = opendir(folder->path);
    if (!all)
        return;
    for (struct dirent *entry; (entry = readdir(all));) {
        char *end;
        long long pid = strtoll(entry->d_name, &end, 10);
        if (pid > 0 && strcmp(end, ".sock") == 0)
            ask(results, folder->path, pid);
    }
    (void)closedir(all);
}

static void print_all(const struct stint_live *live)
{
    struct stint_results results = {0};
    ask_all(&results, live->folder);
    if (results.all.count)
        print(live, &results);
    stint_results_free(&results);
}

/* ----------------------------------------------------------------------------------------------------------- thread */

static struct timespec after(double seconds)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += (time_t)seconds;
    time.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

/* Returns whether the program has ended before that. */
static int wait_for_end(struct stint_live *live, const struct timespec *until)
{
    (void)pthread_mutex_lock(&live->lock);
    while (!live->over && pthread_cond_timedwait(&live->changed, &live->lock, until) == 0)
        ;
    int over = live->over;
    (void)pthread_mutex_unlock(&live->lock);
    return over;
}

static void *go(void *context)
{
    struct stint_live *live = context;
    for (;;) {
        struct timespec next = after(live->seconds);
        if (wait_for_end(live, &next))
            return NULL;
        print_all(live);
    }
}

void stint_live_begin(struct stint_live *live)
{
    sigset_t all, before;
    pthread_condattr_t attributes;
    live->begun = live->over = 0;
    if (live->seconds <= 0)
        return;
    (void)pthread_mutex_init(&live->lock, NULL);
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&live->changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the thread that waits for the program */
    live->begun = pthread_create(&live->thread, NULL, go, live) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!live->begun)
        stint_cli_say("no thread can be created: the program runs without --live");
}

void stint_live_end(struct stint_live *live)
{
    if (!live->begun)
        return;
    (void)pthread_mutex_lock(&live->lock);
    live->over = 1;
    (void)pthread_cond_signal(&live->changed);
    (void)pthread_mutex_unlock(&live->lock);
    (void)pthread_join(live->thread, NULL);
}
