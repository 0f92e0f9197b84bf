/* Ten thousand call sites. */
#ifndef STINT_TESTS_PROCESS_SITES_H
#define STINT_TESTS_PROCESS_SITES_H

enum { SITES = 10000 };

/* Runs each of the sites once: "site 0" to "site 9999". */
void run_sites(void);

#endif
