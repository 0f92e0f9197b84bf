/* A recording with events of every kind, and what it consists of. */
#ifndef STINT_TESTS_CTF_FIXTURE_H
#define STINT_TESTS_CTF_FIXTURE_H

#include "ctf/ctf.h"
#include "model/event.h"
#include "model/event_writer.h"

/* The last events are of kinds that version 1 of the format lacks. */
enum {
    CTF_CHUNK = 120,
    CTF_SCOPES = 6 * CTF_CHUNK,
    CTF_DEVICES = 40,
    CTF_EVENTS_1 = CTF_SCOPES + 2 + CTF_DEVICES,
    CTF_PAGES = 4,
    CTF_EVENTS = CTF_EVENTS_1 + 20 + CTF_PAGES
};

/* In the order in which they were written. */
extern struct stint_event ctf_events[CTF_EVENTS];

/* A new folder for recordings, which is removed at exit; and the path of a file in it. */
const char *ctf_scratch(const char *name);

/* Read a file, and write so much of what was read, or is there. */
extern unsigned char ctf_bytes[1 << 18];
size_t ctf_read_file(const char *path);
void ctf_write_file(const char *path, size_t size);

/* Opens a recording. */
struct stint_ctf *ctf_open(const char *path);

/* Opens a writer for `path`, tells it of all contexts, and writes the events. */
struct stint_event_writer *ctf_write_events(const char *path);

/* Writes a whole recording. */
void ctf_write(const char *path);

/* Fails the test unless the source has all events, in the order of their starts; or those of version 1. */
void ctf_check_events(struct stint_event_source *source);
void ctf_check_events_1(struct stint_event_source *source);
void ctf_check_events_2(struct stint_event_source *source);

/* Returns whether it is one of the events. Its name may be lost. */
int ctf_is_known(const struct stint_event *event, int may_be_nameless);

#endif
