/* Samples of call chains, which libstint_sample.so takes. */
#ifndef STINT_RUNTIME_SAMPLE_START_H
#define STINT_RUNTIME_SAMPLE_START_H

/* Begins to take samples if STINT_SAMPLE asks for them. To be called when stint has started. */
void stint_runtime_sample_run(void);

/* Forgets what was sampled. */
void stint_runtime_sample_reset(void);

/* Whether STINT_SAMPLE asks for samples. */
int stint_runtime_sample_is_wanted(void);

#endif
