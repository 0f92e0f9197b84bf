/* Ten thousand call sites. */
#ifndef STINT_TESTS_PROCESS_SITES_H
#define STINT_TESTS_PROCESS_SITES_H

enum { SITES = 10000 };

/* Runs each of a thousand sites once: "site <first>" and so on. The linker's section test_sites has a pointer to each
 * of ten such functions, whose sites are different ones. */
typedef void run_sites_fn(unsigned first);

#endif
