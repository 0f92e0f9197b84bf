/* Samples of call chains, which libstint_sample.so takes. */
#ifndef STINT_SAMPLER_SAMPLE_START_H
#define STINT_SAMPLER_SAMPLE_START_H

/* Whether STINT_SAMPLE asks for samples. */
int stint_sample_is_wanted(void);

#endif
