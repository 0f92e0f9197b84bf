/* Every NVTX entry point that stint implements, listed once. These lists define the numbers of the callbacks
 * (nvtx/abi.h), the prototypes of the functions (nvtx/handler.h), their tables (nvtx/handler.c), and the functions that
 * also call another tool (inject/forward.c); a test compares them with NVTX's own headers.
 *
 * A row is X(module, callback, number, NVTX's name, function, kind, result, parameters, arguments). `number` is the
 * value of STINT_NVTX_<callback>, the position in the module's table; `function` stands for stint_nvtx_call_<function>.
 * An argument whose value differs between two tools is marked: a HANDLE, the number of a RANGE, the attributes of an
 * EVENT, which may contain a handle, or those of a SCHEMA, an ENUM or a COUNTER, which may contain a number. `kind`
 * says what the function does:
 *
 *     TELL      reports an event, or a name
 *     PUSH POP  begins or ends a range of the thread, and returns its level
 *     START     begins a range across threads, and returns its number
 *     END       ends such a range, or destroys the object of a handle
 *     MAKE      returns a handle
 *     CHOOSE    returns a number that one tool chooses for both, or whether one of them listens
 *     CLOCK     returns the time */
#ifndef STINT_NVTX_ENTRY_POINTS_H
#define STINT_NVTX_ENTRY_POINTS_H

/* Events of the default domain. */
#define STINT_NVTX_CORE_ENTRIES(X)                                                                                     \
    X(core, MARK_EX, 1, MarkEx, mark_ex, TELL, void, (const struct stint_nvtx_attributes *event), (EVENT(event)))      \
    X(core, MARK_A, 2, MarkA, mark_text, TELL, void, (const char *text), (text))                                       \
    X(core, MARK_W, 3, MarkW, mark_wide, TELL, void, (const wchar_t *text), (text))                                    \
    X(core, RANGE_START_EX, 4, RangeStartEx, start_ex, START, uint64_t, (const struct stint_nvtx_attributes *event),   \
      (EVENT(event)))                                                                                                  \
    X(core, RANGE_START_A, 5, RangeStartA, start_text, START, uint64_t, (const char *text), (text))                    \
    X(core, RANGE_START_W, 6, RangeStartW, start_wide, START, uint64_t, (const wchar_t *text), (text))                 \
    X(core, RANGE_END, 7, RangeEnd, end, END, void, (uint64_t range), (RANGE(range)))                                  \
    X(core, RANGE_PUSH_EX, 8, RangePushEx, push_ex, PUSH, int, (const struct stint_nvtx_attributes *event),            \
      (EVENT(event)))                                                                                                  \
    X(core, RANGE_PUSH_A, 9, RangePushA, push_text, PUSH, int, (const char *text), (text))                             \
    X(core, RANGE_PUSH_W, 10, RangePushW, push_wide, PUSH, int, (const wchar_t *text), (text))                         \
    X(core, RANGE_POP, 11, RangePop, pop, POP, int, (void), ())                                                        \
    X(core, NAME_CATEGORY_A, 12, NameCategoryA, name_category, TELL, void, (uint32_t category, const char *name),      \
      (category, name))                                                                                                \
    X(core, NAME_CATEGORY_W, 13, NameCategoryW, name_category_wide, TELL, void,                                        \
      (uint32_t category, const wchar_t *name), (category, name))                                                      \
    X(core, NAME_OS_THREAD_A, 14, NameOsThreadA, name_thread, TELL, void, (uint32_t thread, const char *name),         \
      (thread, name))                                                                                                  \
    X(core, NAME_OS_THREAD_W, 15, NameOsThreadW, name_thread_wide, TELL, void, (uint32_t thread, const wchar_t *name), \
      (thread, name))

/* Domains, their events, and the objects created in them. */
#define STINT_NVTX_CORE2_ENTRIES(X)                                                                                    \
    X(core2, DOMAIN_MARK_EX, 1, DomainMarkEx, mark_in, TELL, void,                                                     \
      (const void *domain, const struct stint_nvtx_attributes *event), (HANDLE(domain), EVENT(event)))                 \
    X(core2, DOMAIN_RANGE_START_EX, 2, DomainRangeStartEx, start_in, START, uint64_t,                                  \
      (const void *domain, const struct stint_nvtx_attributes *event), (HANDLE(domain), EVENT(event)))                 \
    X(core2, DOMAIN_RANGE_END, 3, DomainRangeEnd, end_in, END, void, (const void *domain, uint64_t range),             \
      (HANDLE(domain), RANGE(range)))                                                                                  \
    X(core2, DOMAIN_RANGE_PUSH_EX, 4, DomainRangePushEx, push_in, PUSH, int,                                           \
      (const void *domain, const struct stint_nvtx_attributes *event), (HANDLE(domain), EVENT(event)))                 \
    X(core2, DOMAIN_RANGE_POP, 5, DomainRangePop, pop_in, POP, int, (const void *domain), (HANDLE(domain)))            \
    X(core2, DOMAIN_RESOURCE_CREATE, 6, DomainResourceCreate, create_resource, MAKE, const void *,                     \
      (const void *domain, const struct stint_nvtx_resource_attributes *resource), (HANDLE(domain), resource))         \
    X(core2, DOMAIN_RESOURCE_DESTROY, 7, DomainResourceDestroy, destroy_resource, END, void, (const void *resource),   \
      (HANDLE(resource)))                                                                                              \
    X(core2, DOMAIN_NAME_CATEGORY_A, 8, DomainNameCategoryA, name_category_in, TELL, void,                             \
      (const void *domain, uint32_t category, const char *name), (HANDLE(domain), category, name))                     \
    X(core2, DOMAIN_NAME_CATEGORY_W, 9, DomainNameCategoryW, name_category_wide_in, TELL, void,                        \
      (const void *domain, uint32_t category, const wchar_t *name), (HANDLE(domain), category, name))                  \
    X(core2, DOMAIN_REGISTER_STRING_A, 10, DomainRegisterStringA, register_string, MAKE, const void *,                 \
      (const void *domain, const char *text), (HANDLE(domain), text))                                                  \
    X(core2, DOMAIN_REGISTER_STRING_W, 11, DomainRegisterStringW, register_wide, MAKE, const void *,                   \
      (const void *domain, const wchar_t *text), (HANDLE(domain), text))                                               \
    X(core2, DOMAIN_CREATE_A, 12, DomainCreateA, create_domain, MAKE, const void *, (const char *name), (name))        \
    X(core2, DOMAIN_CREATE_W, 13, DomainCreateW, create_domain_wide, MAKE, const void *, (const wchar_t *name),        \
      (name))                                                                                                          \
    X(core2, DOMAIN_DESTROY, 14, DomainDestroy, destroy_domain, END, void, (const void *domain), (HANDLE(domain)))     \
    X(core2, INITIALIZE, 15, Initialize, initialize, TELL, void, (const void *reserved), (reserved))

/* Names of objects of CUDA's driver. */
#define STINT_NVTX_CUDA_ENTRIES(X)                                                                                     \
    X(cuda, NAME_CU_DEVICE_A, 1, NameCuDeviceA, name_device, TELL, void, (int device, const char *name),               \
      (device, name))                                                                                                  \
    X(cuda, NAME_CU_DEVICE_W, 2, NameCuDeviceW, name_device_wide, TELL, void, (int device, const wchar_t *name),       \
      (device, name))                                                                                                  \
    X(cuda, NAME_CU_CONTEXT_A, 3, NameCuContextA, name_context, TELL, void, (const void *context, const char *name),   \
      (context, name))                                                                                                 \
    X(cuda, NAME_CU_CONTEXT_W, 4, NameCuContextW, name_context_wide, TELL, void,                                       \
      (const void *context, const wchar_t *name), (context, name))                                                     \
    X(cuda, NAME_CU_STREAM_A, 5, NameCuStreamA, name_stream, TELL, void, (const void *stream, const char *name),       \
      (stream, name))                                                                                                  \
    X(cuda, NAME_CU_STREAM_W, 6, NameCuStreamW, name_stream_wide, TELL, void,                                          \
      (const void *stream, const wchar_t *name), (stream, name))                                                       \
    X(cuda, NAME_CU_EVENT_A, 7, NameCuEventA, name_event, TELL, void, (const void *event, const char *name),           \
      (event, name))                                                                                                   \
    X(cuda, NAME_CU_EVENT_W, 8, NameCuEventW, name_event_wide, TELL, void, (const void *event, const wchar_t *name),   \
      (event, name))

/* Names of objects of CUDA's runtime. */
#define STINT_NVTX_CUDART_ENTRIES(X)                                                                                   \
    X(cudart, NAME_CUDA_DEVICE_A, 1, NameCudaDeviceA, name_device, TELL, void, (int device, const char *name),         \
      (device, name))                                                                                                  \
    X(cudart, NAME_CUDA_DEVICE_W, 2, NameCudaDeviceW, name_device_wide, TELL, void, (int device, const wchar_t *name), \
      (device, name))                                                                                                  \
    X(cudart, NAME_CUDA_STREAM_A, 3, NameCudaStreamA, name_stream, TELL, void, (const void *stream, const char *name), \
      (stream, name))                                                                                                  \
    X(cudart, NAME_CUDA_STREAM_W, 4, NameCudaStreamW, name_stream_wide, TELL, void,                                    \
      (const void *stream, const wchar_t *name), (stream, name))                                                       \
    X(cudart, NAME_CUDA_EVENT_A, 5, NameCudaEventA, name_event, TELL, void, (const void *event, const char *name),     \
      (event, name))                                                                                                   \
    X(cudart, NAME_CUDA_EVENT_W, 6, NameCudaEventW, name_event_wide, TELL, void,                                       \
      (const void *event, const wchar_t *name), (event, name))

/* The payload extension. */
#define STINT_NVTX_PAYLOAD_ENTRIES(X)                                                                                  \
    X(payload, SCHEMA_REGISTER, 0, PayloadSchemaRegister, register_schema, CHOOSE, uint64_t,                           \
      (const void *domain, const struct stint_nvtx_schema_attributes *schema), (HANDLE(domain), SCHEMA(schema)))       \
    X(payload, ENUM_REGISTER, 1, PayloadEnumRegister, register_enum, CHOOSE, uint64_t,                                 \
      (const void *domain, const struct stint_nvtx_enum_attributes *values), (HANDLE(domain), ENUM(values)))           \
    X(payload, MARK_PAYLOAD, 2, MarkPayload, mark_payload, TELL, void,                                                 \
      (const void *domain, const struct stint_nvtx_data *data, size_t count), (HANDLE(domain), data, count))           \
    X(payload, RANGE_PUSH_PAYLOAD, 3, RangePushPayload, push_payload, PUSH, int,                                       \
      (const void *domain, const struct stint_nvtx_data *data, size_t count), (HANDLE(domain), data, count))           \
    X(payload, RANGE_POP_PAYLOAD, 4, RangePopPayload, pop_payload, POP, int,                                           \
      (const void *domain, const struct stint_nvtx_data *data, size_t count), (HANDLE(domain), data, count))           \
    X(payload, RANGE_START_PAYLOAD, 5, RangeStartPayload, start_payload, START, uint64_t,                              \
      (const void *domain, const struct stint_nvtx_data *data, size_t count), (HANDLE(domain), data, count))           \
    X(payload, RANGE_END_PAYLOAD, 6, RangeEndPayload, end_payload, END, void,                                          \
      (const void *domain, uint64_t range, const struct stint_nvtx_data *data, size_t count),                          \
      (HANDLE(domain), RANGE(range), data, count))                                                                     \
    X(payload, DOMAIN_IS_ENABLED, 7, DomainIsEnabled, is_enabled, CHOOSE, uint8_t, (const void *domain),               \
      (HANDLE(domain)))                                                                                                \
    X(payload, TIMESTAMP_GET, 8, TimestampGet, now, CLOCK, int64_t, (void), ())                                        \
    X(payload, TIME_DOMAIN_REGISTER, 9, TimeDomainRegister, register_time_domain, CHOOSE, uint64_t,                    \
      (const void *domain, const struct stint_nvtx_time_domain_attributes *time), (HANDLE(domain), time))              \
    X(payload, SCOPE_REGISTER, 12, ScopeRegister, register_scope, CHOOSE, uint64_t,                                    \
      (const void *domain, const struct stint_nvtx_scope_attributes *scope), (HANDLE(domain), scope))                  \
    X(payload, EVENT_SUBMIT, 16, EventSubmit, submit, TELL, void,                                                      \
      (const void *domain, const struct stint_nvtx_data *data, size_t count), (HANDLE(domain), data, count))           \
    X(payload, EVENT_BATCH_SUBMIT, 17, EventBatchSubmit, submit_batch, TELL, void,                                     \
      (const void *domain, const struct stint_nvtx_event_batch *batch), (HANDLE(domain), batch))

/* The counter extension. */
#define STINT_NVTX_COUNTER_ENTRIES(X)                                                                                  \
    X(counter, COUNTER_REGISTER, 0, CounterRegister, register_counter, CHOOSE, uint64_t,                               \
      (const void *domain, const struct stint_nvtx_counter_attributes *counter), (HANDLE(domain), COUNTER(counter)))   \
    X(counter, COUNTER_SAMPLE_INT64, 1, CounterSampleInt64, sample_int64, TELL, void,                                  \
      (const void *domain, uint64_t counter, int64_t value), (HANDLE(domain), counter, value))                         \
    X(counter, COUNTER_SAMPLE_FLOAT64, 2, CounterSampleFloat64, sample_float64, TELL, void,                            \
      (const void *domain, uint64_t counter, double value), (HANDLE(domain), counter, value))                          \
    X(counter, COUNTER_SAMPLE, 3, CounterSample, sample, TELL, void,                                                   \
      (const void *domain, uint64_t counter, const void *bytes, size_t size), (HANDLE(domain), counter, bytes, size))  \
    X(counter, COUNTER_SAMPLE_NO_VALUE, 4, CounterSampleNoValue, sample_no_value, TELL, void,                          \
      (const void *domain, uint64_t counter, uint8_t reason), (HANDLE(domain), counter, reason))                       \
    X(counter, COUNTER_BATCH_SUBMIT, 5, CounterBatchSubmit, sample_batch, TELL, void,                                  \
      (const void *domain, const struct stint_nvtx_counter_batch *batch), (HANDLE(domain), batch))

#define STINT_NVTX_ENTRIES(X)                                                                                          \
    STINT_NVTX_CORE_ENTRIES(X)                                                                                         \
    STINT_NVTX_CORE2_ENTRIES(X)                                                                                        \
    STINT_NVTX_CUDA_ENTRIES(X)                                                                                         \
    STINT_NVTX_CUDART_ENTRIES(X)                                                                                       \
    STINT_NVTX_PAYLOAD_ENTRIES(X)                                                                                      \
    STINT_NVTX_COUNTER_ENTRIES(X)

#endif
