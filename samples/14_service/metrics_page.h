#ifndef METRICS_PAGE_H
#define METRICS_PAGE_H

/* Answers at the port of this machine, on a thread of its own. Returns 0, or -1: errno says why. */
int serve_metrics(int port);

#endif
