/* recordings FOLDER - makes two recordings in the folder, of processes that have the same number, as in two containers,
 * and whose threads, correlations, devices and streams have the same numbers, too: "first.stint" has a scope that
 * launches a kernel, and so has "second.stint", which begins at the same time. Both processes were killed. */
#include <stdio.h>

#include "ctf_writer/ctf_writer.h"
#include "model/event.h"

enum { PID = 77, PATH = 2, CORRELATION = 7 };

struct process {
    const char *recording, *scope;
    uint64_t call_ns, kernel_ns, end_ns; /* when the scope launches it, and the kernel begins and ends */
};

static int write_events(struct stint_event_writer *writer, const struct process *process)
{
    const struct stint_event_context context = {
        .path = PATH, .set = "GlobalStatInfo", .name = process->scope, .file = ""};
    struct stint_gpu_event gpu = {.name = "cuLaunchKernel", .correlation = CORRELATION, .api = 1, .tid = PID};
    struct stint_event event = {.kind = STINT_EVENT_CALL,
                                .start_ns = process->call_ns,
                                .end_ns = process->call_ns + 100,
                                .pid = PID,
                                .tid = PID,
                                .context = PATH,
                                .name = gpu.name,
                                .set = "",
                                .gpu = &gpu};
    if (writer->context(writer, &context) || writer->event(writer, &event))
        return -1;
    gpu.api = 0;
    gpu.kind = STINT_GPU_KERNEL;
    gpu.device_context = gpu.stream = 1;
    gpu.name = event.name = "kernel";
    event.kind = STINT_EVENT_DEVICE;
    event.start_ns = process->kernel_ns;
    event.end_ns = process->end_ns;
    if (writer->event(writer, &event))
        return -1;
    return writer->event(writer, &(struct stint_event){.kind = STINT_EVENT_SCOPE,
                                                       .start_ns = process->call_ns - 500,
                                                       .end_ns = process->call_ns + 500,
                                                       .pid = PID,
                                                       .tid = PID,
                                                       .context = PATH,
                                                       .name = process->scope,
                                                       .set = "GlobalStatInfo"});
}

static struct stint_event_writer *s_writers[2]; /* which end with this program */

static int record(const char *folder, const struct process *process, struct stint_event_writer **writer)
{
    static const struct stint_event_process like = {PID, "train", "host", UINT64_C(1700000000000000000)};
    char path[512], reason[256];
    (void)snprintf(path, sizeof path, "%s/%s", folder, process->recording);
    *writer = stint_ctf_writer_open(path, &like, reason, sizeof reason);
    if (!*writer) {
        fprintf(stderr, "recordings: %s\n", reason);
        return -1;
    }
    return write_events(*writer, process) || (*writer)->flush(*writer);
}

int main(int count, char **arguments)
{
    static const struct process processes[] = {{"first.stint", "first", 1500, 2000, 6000},
                                               {"second.stint", "second", 7100, 7500, 11000}};
    return count != 2 || record(arguments[1], &processes[0], &s_writers[0]) ||
           record(arguments[1], &processes[1], &s_writers[1]);
}
