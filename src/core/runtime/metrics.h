/* STINT_METRICS: libstint_module.so answers Prometheus, on the thread "stint-metrics". */
#ifndef STINT_RUNTIME_METRICS_H
#define STINT_RUNTIME_METRICS_H

/* Reads STINT_METRICS, and listens if it is set. */
void stint_metrics_start(void);

int stint_metrics_are_wanted(void);

/* Makes the thread, if they are. */
void stint_metrics_run(void);

/* The same in a forked child, which has to listen somewhere else. */
void stint_metrics_run_in_child(void);

#endif
