/* The file "report" of a recording. */
#ifndef STINT_CTF_WRITER_CTF_REPORT_H
#define STINT_CTF_WRITER_CTF_REPORT_H

#include "ctf_writer/ctf_packet.h"

/* Writes the report, JSON, in place of the one that is there; a reader finds the earlier one or the new one. `packet`
 * is used for it. Returns 0, or -1: errno says why. */
int stint_ctf_report_put(const char *folder, const unsigned char uuid[16], uint64_t time, const char *report,
                         struct stint_ctf_packet *packet, struct stint_arena *arena);

/* Does so in a recording that has ended. */
int stint_ctf_report_replace(const char *folder, const char *report);

#endif
