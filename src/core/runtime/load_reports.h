/* Reports that libstint_module.so writes. */
#ifndef STINT_RUNTIME_LOAD_REPORTS_H
#define STINT_RUNTIME_LOAD_REPORTS_H

/* Loads the module when it is called first. Returns 0, or -1 if it cannot be loaded. The first call must not be in a
 * signal handler. */
int stint_load_reports(void);

/* Logs once that the module could not be loaded, why, and what to do. */
void stint_load_reports_tell(void);

#endif
