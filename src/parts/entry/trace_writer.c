/* Traces of programs: a recording, or, if the path asks for something else, a file that is made of a recording at the
 * end. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "ctf/ctf.h"
#include "ctf/ctf_file.h"
#include "ctf/ctf_format.h"
#include "ctf/ctf_writer.h"
#include "entry/database.h"
#include "export/export.h"
#include "stat/event_writer.h"

/* Writes a recording beside the path, and makes the file of it at the end. */
struct converter {
    struct stint_event_writer writer; /* has to be the first member */
    struct stint_event_writer *recording;
    char path[PATH_MAX];
    char folder[PATH_MAX];
};

static char s_reason[2 * PATH_MAX + 400];

static struct converter *of(struct stint_event_writer *writer)
{
    return (struct converter *)(void *)writer;
}

static int outcome(struct converter *converter, int result)
{
    converter->writer.lost = converter->recording->lost;
    converter->writer.wants_dump = converter->recording->wants_dump;
    if (result)
        (void)snprintf(s_reason, sizeof s_reason, "%s", converter->recording->reason);
    return result;
}

static int add_context(struct stint_event_writer *writer, const struct stint_event_context *context)
{
    struct converter *converter = of(writer);
    return outcome(converter, converter->recording->context(converter->recording, context));
}

static int add_event(struct stint_event_writer *writer, const struct stint_event *event)
{
    struct converter *converter = of(writer);
    return outcome(converter, converter->recording->event(converter->recording, event));
}

static int add_scopes(struct stint_event_writer *writer, int64_t tid, const struct stint_event_scope *scopes,
                      size_t count)
{
    struct converter *converter = of(writer);
    return outcome(converter, converter->recording->scopes(converter->recording, tid, scopes, count));
}

static int add_thread(struct stint_event_writer *writer, int64_t tid, const char *name)
{
    struct converter *converter = of(writer);
    return outcome(converter, converter->recording->thread(converter->recording, tid, name));
}

static int set_sampling(struct stint_event_writer *writer, const struct stint_sample_info *info)
{
    struct converter *converter = of(writer);
    return outcome(converter, converter->recording->sampling(converter->recording, info));
}

static int add_module(struct stint_event_writer *writer, uint32_t number, const struct stint_sample_module *module)
{
    struct converter *converter = of(writer);
    return outcome(converter, converter->recording->module(converter->recording, number, module));
}

static int add_chain(struct stint_event_writer *writer, const struct stint_event_chain *chain)
{
    struct converter *converter = of(writer);
    return outcome(converter, converter->recording->chain(converter->recording, chain));
}

static int add_clock(struct stint_event_writer *writer, const struct stint_event_clock *clock)
{
    struct converter *converter = of(writer);
    return outcome(converter, converter->recording->clock(converter->recording, clock));
}

static int flush(struct stint_event_writer *writer)
{
    struct converter *converter = of(writer);
    return outcome(converter, converter->recording->flush(converter->recording));
}

static int checkpoint(struct stint_event_writer *writer, const char *report, size_t length)
{
    struct converter *converter = of(writer);
    return outcome(converter, converter->recording->checkpoint(converter->recording, report, length));
}

static int dump(struct stint_event_writer *writer, const char *report, size_t length, int asked)
{
    struct converter *converter = of(writer);
    return outcome(converter, converter->recording->dump(converter->recording, report, length, asked));
}

static int convert(const struct converter *converter, char *reason, size_t size)
{
    int format = stint_export_format_of_path(converter->path), failed = -1;
    struct stint_ctf *ctf = stint_ctf_open(converter->folder, reason, size);
    if (!ctf)
        return -1;
    if (format >= 0)
        failed = stint_export_file(
            &(struct stint_export_input){.snapshot = stint_ctf_snapshot(ctf), .events = stint_ctf_events(ctf)},
            (enum stint_export_format)format, converter->path, reason, size);
    else
        failed = stint_database_write(converter->path, stint_ctf_snapshot(ctf), stint_ctf_events(ctf), reason, size);
    stint_ctf_close(ctf);
    return failed;
}

/* The recording is kept only if the file cannot be made of it. */
static int finish(struct stint_event_writer *writer, const char *report, size_t length)
{
    struct converter *converter = of(writer);
    const char *why = converter->recording->reason; /* the text outlives the writer */
    char reason[256];
    int failed = converter->recording->finish(converter->recording, report, length);
    if (failed) {
        (void)snprintf(s_reason, sizeof s_reason, "%s", why);
    } else if ((failed = convert(converter, reason, sizeof reason)) == 0) {
        stint_ctf_remove(converter->folder);
    } else {
        (void)snprintf(s_reason, sizeof s_reason, "%s; the recording is kept: stint export %s -o %s", reason,
                       converter->folder, converter->path);
    }
    free(converter);
    return failed;
}

static struct stint_event_writer *open_converter(const char *path, const struct stint_event_process *process,
                                                 char *reason, size_t size)
{
    struct converter *converter = calloc(1, sizeof *converter);
    if (!converter) {
        (void)snprintf(reason, size, "there is not enough memory");
        return NULL;
    }
    converter->writer = (struct stint_event_writer){.context = add_context,
                                                    .event = add_event,
                                                    .scopes = add_scopes,
                                                    .thread = add_thread,
                                                    .sampling = set_sampling,
                                                    .module = add_module,
                                                    .chain = add_chain,
                                                    .clock = add_clock,
                                                    .flush = flush,
                                                    .checkpoint = checkpoint,
                                                    .dump = dump,
                                                    .finish = finish,
                                                    .reason = s_reason};
    (void)snprintf(converter->path, sizeof converter->path, "%s", path);
    if (stint_export_format_of_path(path) < 0)
        stint_database_prepare();
    if (snprintf(converter->folder, sizeof converter->folder, "%s" STINT_CTF_ENDING, path) <
        (int)sizeof converter->folder)
        converter->recording = stint_ctf_writer_open(converter->folder, process, reason, size);
    else
        (void)snprintf(reason, size, "its path is too long");
    if (converter->recording) {
        converter->writer.dumped = converter->recording->dumped;
        return &converter->writer;
    }
    free(converter);
    return NULL;
}

__attribute__((visibility("default"))) stint_event_writer_open_fn stint_event_writer_open;

struct stint_event_writer *stint_event_writer_open(int version, const char *path,
                                                   const struct stint_event_process *process, char *reason, size_t size)
{
    const char *missing = stint_database_missing();
    if (version != STINT_EVENT_WRITER_VERSION)
        (void)snprintf(reason, size, "libstint_module.so is not of the same version as libstint");
    else if (stint_ctf_is_wanted(path))
        return stint_ctf_writer_open(path, process, reason, size);
    else if (stint_export_format_of_path(path) < 0 && (missing || stint_whole_file_is_special(path)))
        (void)snprintf(reason, size, "%s", missing ? missing : "it is not a regular file, as a database has to be");
    else
        return open_converter(path, process, reason, size);
    return NULL;
}
