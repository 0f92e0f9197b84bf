/* A custom format for stint's snapshots: Prometheus' text format, as its node exporter collects it from files. */
#ifndef PROMETHEUS_H
#define PROMETHEUS_H

#include <stdio.h>

#include <stint/snapshot.h>

/* Writes every statistic of the snapshot. */
void prometheus_write(FILE *file, const struct stint_snapshot *snapshot);

/* Takes a snapshot and writes it to the file. Readers see either the old or the new file, complete. Returns 0, or -1:
 * errno says why unless it is 0. */
int prometheus_save(const char *path);

#endif
