/* Reports that libstint_module.so writes. */
#ifndef STINT_RUNTIME_LOAD_REPORTS_H
#define STINT_RUNTIME_LOAD_REPORTS_H

/* Loads it, the first time. Returns 0, or -1 if it cannot be loaded. Not for signal handlers, the first time. */
int stint_load_reports(void);

/* Says, once, that it could not be loaded, why, and what to do. */
void stint_load_reports_tell(void);

#endif
