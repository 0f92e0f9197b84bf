/* Reads and replaces the lines on one device in the file of measured ceilings. A line that cannot be read is no
 * line. Adds what was measured of CUPTI on this machine to snapshots that were taken on it. */
#include "ceiling/ceilings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"
#include "base/whole_file.h"

/* Of what is longer the end is not read. */
enum { FILE_SIZE = 65536, LINE_SIZE = 256 };

static const char *const s_words[STINT_CEILINGS] = {
    [STINT_CEILING_COPY] = "copy",
    [STINT_CEILING_READ] = "read",
    [STINT_CEILING_L2] = "l2",
    [STINT_CEILING_FP64] = "fp64",
    [STINT_CEILING_FP32] = "fp32",
    [STINT_CEILING_FP16] = "fp16",
    [STINT_CEILING_BF16] = "bf16",
    [STINT_CEILING_TENSOR_FP64] = "tensor_fp64",
    [STINT_CEILING_TENSOR_TF32] = "tensor_tf32",
    [STINT_CEILING_TENSOR_FP16] = "tensor_fp16",
    [STINT_CEILING_TENSOR_BF16] = "tensor_bf16",
    [STINT_CEILING_CUPTI_KERNELS] = "cupti_kernels",
    [STINT_CEILING_CUPTI_CALLS] = "cupti_calls",
};

const char *stint_ceiling_word(enum stint_ceiling ceiling)
{
    return s_words[ceiling];
}

int stint_ceiling_path(char *path, size_t size)
{
    const char *state = stint_env_text("XDG_STATE_HOME"), *home = stint_env_text("HOME");
    if (!state && !home)
        return -1;
    int length = snprintf(path, size, "%s%s/stint/ceilings.tsv", state ? state : home, state ? "" : "/.local/state");
    return length > 0 && (size_t)length < size ? 0 : -1;
}

/* ------------------------------------------------------------------------------------------------------------- read */

/* Returns the file's text, which is to be freed; NULL: there is none. */
static char *load(void)
{
    char path[PATH_MAX], *text = malloc(FILE_SIZE);
    int file = stint_ceiling_path(path, sizeof path) ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t length = file < 0 || !text ? -1 : read(file, text, FILE_SIZE - 1);
    if (file >= 0)
        (void)close(file);
    if (length >= 0) {
        text[length] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

struct entry {
    const char *device;
    size_t device_length;
    int driver;
    enum stint_ceiling ceiling;
    double per_s;
};

/* Returns whether the line has all of it. */
static int parse(struct entry *entry, const char *line)
{
    char word[32];
    entry->device = line;
    entry->device_length = strcspn(line, "\t\n");
    if (sscanf(line + entry->device_length, "\t%d\t%31[a-z0-9_]\t%lf", &entry->driver, word, &entry->per_s) != 3 ||
        !(entry->per_s > 0 && entry->per_s < 1e18))
        return 0;
    for (int i = 0; i < STINT_CEILINGS; i++)
        if (strcmp(s_words[i], word) == 0) {
            entry->ceiling = (enum stint_ceiling)i;
            return 1;
        }
    return 0;
}

static int is_of(const struct entry *entry, const char *device)
{
    return strlen(device) == entry->device_length && memcmp(entry->device, device, entry->device_length) == 0;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

int stint_ceilings_read(struct stint_ceilings *ceilings, const char *device)
{
    char *text = load();
    int found = -1;
    struct entry entry;
    *ceilings = (struct stint_ceilings){.driver = 0};
    (void)snprintf(ceilings->device, sizeof ceilings->device, "%s", device);
    for (const char *line = text; line && *line; line = next_line(line)) {
        if (!parse(&entry, line) || !is_of(&entry, device))
            continue;
        if (entry.driver != ceilings->driver) /* another driver's, which was measured later */
            memset(ceilings->per_s, 0, sizeof ceilings->per_s);
        ceilings->driver = entry.driver;
        ceilings->per_s[entry.ceiling] = entry.per_s;
        found = 0;
    }
    free(text);
    return found;
}

/* ------------------------------------------------------------------------------------------------------------ write */

/* Makes the folders that the path has, as far as they are missing. */
static void make_folders(const char *path)
{
    char folder[PATH_MAX];
    for (const char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        (void)snprintf(folder, sizeof folder, "%.*s", (int)(at - path), path);
        (void)mkdir(folder, 0700);
    }
}

static int put_others(struct stint_whole_file *file, const struct stint_ceilings *ceilings)
{
    char *text = load();
    int failed = 0;
    struct entry entry;
    for (const char *line = text; line && *line && !failed; line = next_line(line))
        if (parse(&entry, line) && !(is_of(&entry, ceilings->device) && entry.driver == ceilings->driver))
            failed = stint_whole_file_write(file, line, (size_t)(next_line(line) - line));
    free(text);
    return failed;
}

static int put_own(struct stint_whole_file *file, const struct stint_ceilings *ceilings)
{
    char line[LINE_SIZE];
    int failed = 0;
    for (int i = 0; i < STINT_CEILINGS && !failed; i++) {
        if (!(ceilings->per_s[i] > 0))
            continue;
        int length = snprintf(line, sizeof line, "%s\t%d\t%s\t%.6g\n", ceilings->device, ceilings->driver, s_words[i],
                              ceilings->per_s[i]);
        failed = stint_whole_file_write(file, line, (size_t)length);
    }
    return failed;
}

int stint_ceilings_write(const struct stint_ceilings *ceilings)
{
    char path[PATH_MAX];
    struct stint_whole_file file;
    if (stint_ceiling_path(path, sizeof path))
        return ENOENT;
    make_folders(path);
    int error = stint_whole_file_open(&file, path, STINT_FILE_AT_ONCE);
    if (error)
        return error;
    int failed = put_others(&file, ceilings) || put_own(&file, ceilings);
    return stint_whole_file_close(&file, failed);
}

/* -------------------------------------------------------------------------------------------------------- snapshots */

static int is_of_this_host(const struct stint_snapshot *snapshot)
{
    char host[HOST_NAME_MAX + 1];
    stint_process_host(host, sizeof host);
    return snapshot->process.host && strcmp(snapshot->process.host, host) == 0;
}

void stint_cupti_cost_fill(struct stint_snapshot *snapshot)
{
    struct stint_gpu_info *gpu = &snapshot->gpu;
    struct stint_ceilings ceilings;
    if (!snapshot->gpu_device_count || gpu->cupti_kernel_ns > 0 || !is_of_this_host(snapshot) ||
        stint_ceilings_read(&ceilings, snapshot->gpu_devices[0].name) ||
        ceilings.per_s[STINT_CEILING_CUPTI_KERNELS] <= 0 || ceilings.per_s[STINT_CEILING_CUPTI_CALLS] <= 0)
        return;
    gpu->cupti_kernel_ns = 1e9 / ceilings.per_s[STINT_CEILING_CUPTI_KERNELS];
    gpu->cupti_call_ns = 1e9 / ceilings.per_s[STINT_CEILING_CUPTI_CALLS];
}
