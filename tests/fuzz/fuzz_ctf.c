/* Takes any bytes as the packets of a recording. Either they are refused with a reason, or they are a recording whose
 * events are in order and from which every report can be written. The second time, each packet's sum and number are
 * made right, so that damage gets past these checks. */
#include "ctf/ctf.h"
#include "fuzz.h"
#include "recording.h"
#include "replay/replay.h"
#include "stint/report.h"

/* ---------------------------------------------------------------------------------------------------------- reading */

static void check_events(struct stint_event_source *source)
{
    struct stint_event event;
    uint64_t last = 0;
    int more = source->begin(source) ? -1 : 1;
    while (more > 0 && (more = source->next(source, &event)) > 0) {
        require(event.start_ns >= last && event.end_ns >= event.start_ns, "events are not in order");
        require(event.name && event.set, "an event has no name");
        last = event.start_ns;
    }
    require(more == 0 || source->reason[0], "a failure has no reason");
}

static void check_recording(const char *folder)
{
    const struct stint_subset subset = {.to_ns = UINT64_MAX, .counts = 1, .trace = 1000};
    uint64_t kept;
    char reason[256] = "";
    struct stint_ctf *ctf = stint_ctf_open(folder, reason, sizeof reason);
    if (!ctf) {
        require(reason[0], "a refusal has no reason");
        return;
    }
    check_events(stint_ctf_events(ctf));
    struct stint_snapshot *part = stint_subset_take(stint_ctf_snapshot(ctf), stint_ctf_events(ctf), &subset, &kept);
    if (part)
        (void)stint_report_write(part, STINT_FORMAT_JSON, NULL, discard, NULL);
    stint_snapshot_free(part);
    (void)stint_report_write(stint_ctf_snapshot(ctf), STINT_FORMAT_TABLE, NULL, discard, NULL);
    stint_ctf_close(ctf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_recording(recording_write(data, size));
    check_recording(recording_write_repaired(data, size));
    return 0;
}
