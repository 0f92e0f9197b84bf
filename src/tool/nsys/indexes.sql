-- From a kernel or copy to the call that launched it.
CREATE INDEX stint_calls_by_correlation ON CUPTI_ACTIVITY_KIND_RUNTIME(correlationId);
