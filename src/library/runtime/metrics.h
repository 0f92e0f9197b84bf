/* STINT_METRICS: libstint_module.so answers Prometheus, on the thread "stint-metrics". */
#ifndef STINT_RUNTIME_METRICS_H
#define STINT_RUNTIME_METRICS_H

/* Reads STINT_METRICS, and loads the module if it is set. */
void stint_metrics_start(void);

int stint_metrics_are_wanted(void);

/* Makes the thread, if they are; in a forked child, too. */
void stint_metrics_run(void);

#endif
