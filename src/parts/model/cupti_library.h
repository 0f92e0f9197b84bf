/* CUPTI's functions, and how they are found: what the parts gpu and cupti know of each other. CUPTI's types, which gpu
 * alone needs, are in gpu/cupti.h. */
#ifndef STINT_MODEL_CUPTI_LIBRARY_H
#define STINT_MODEL_CUPTI_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#include "stint/status.h"
#include "stint/version.h"

/* Those results of CUPTI's functions (CUptiResult) that stint distinguishes. */
enum stint_cupti_result {
    STINT_CUPTI_SUCCESS = 0,
    STINT_CUPTI_INVALID_PARAMETER = 1,
    STINT_CUPTI_OUT_OF_MEMORY = 8,
    STINT_CUPTI_MAX_LIMIT_REACHED = 12, /* of GetNextRecord: no more records; of Subscribe in old CUPTI: in use */
    STINT_CUPTI_NOT_INITIALIZED = 15,
    STINT_CUPTI_INVALID_KIND = 21,
    STINT_CUPTI_DISABLED = 23, /* by another profiler */
    STINT_CUPTI_HARDWARE_BUSY = 26,
    STINT_CUPTI_NOT_SUPPORTED = 27,
    STINT_CUPTI_UM_NOT_SUPPORTED = 28, /* unified memory cannot be profiled on this system */
    STINT_CUPTI_UM_NOT_SUPPORTED_ON_DEVICE = 29,
    STINT_CUPTI_UM_NOT_SUPPORTED_ON_NON_P2P_DEVICES = 30,
    STINT_CUPTI_UM_NOT_SUPPORTED_WITH_MPS = 31,
    STINT_CUPTI_VIRTUALIZED_DEVICE_NOT_SUPPORTED = 33,
    STINT_CUPTI_INSUFFICIENT_PRIVILEGES = 35,
    STINT_CUPTI_OLD_PROFILER_API_INITIALIZED = 36,
    STINT_CUPTI_LEGACY_PROFILER_NOT_SUPPORTED = 38,
    STINT_CUPTI_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED = 39,
    STINT_CUPTI_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES = 40,
    STINT_CUPTI_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED = 41,
    STINT_CUPTI_CMP_DEVICE_NOT_SUPPORTED = 42,
    STINT_CUPTI_MIG_DEVICE_NOT_SUPPORTED = 43,
    STINT_CUPTI_SLI_DEVICE_NOT_SUPPORTED = 44,
    STINT_CUPTI_WSL_DEVICE_NOT_SUPPORTED = 45,
    STINT_CUPTI_UNKNOWN = 999
};

/* CUPTI's functions. Each returns a CUptiResult. */
struct stint_cupti_subscriber;
struct stint_cupti_subscription;
struct stint_cupti_unified_memory_config;
struct stint_cupti_record;

typedef void stint_cupti_callback(void *context, uint32_t domain, uint32_t id, const void *data);
typedef void stint_cupti_request(uint8_t **buffer, size_t *size, size_t *records);
typedef void stint_cupti_completed(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t used);

struct stint_cupti {
    void *library;    /* from dlopen; never closed */
    uint32_t version; /* CUPTI_API_VERSION: 13 is 11.0, ... 28 is 12.9 update 1, 130000 is 13.0 */

    int (*subscribe)(struct stint_cupti_subscriber **subscriber, stint_cupti_callback *callback, void *context);
    int (*subscribe_v2)(struct stint_cupti_subscriber **subscriber, stint_cupti_callback *callback, void *context,
                        struct stint_cupti_subscription *subscription); /* since 13.0, else NULL */
    int (*unsubscribe)(struct stint_cupti_subscriber *subscriber);
    int (*enable_callback)(uint32_t enable, struct stint_cupti_subscriber *subscriber, uint32_t domain, uint32_t id);
    int (*enable_domain)(uint32_t enable, struct stint_cupti_subscriber *subscriber, uint32_t domain);

    int (*activity_enable)(uint32_t kind);
    int (*activity_disable)(uint32_t kind);
    int (*activity_register_callbacks)(stint_cupti_request *request, stint_cupti_completed *completed);
    int (*activity_flush_all)(uint32_t flag);
    int (*activity_flush_period)(uint32_t milliseconds); /* since 11.1, else NULL */
    int (*activity_get_next_record)(uint8_t *buffer, size_t used, struct stint_cupti_record **record);
    int (*activity_get_num_dropped_records)(void *context, uint32_t stream, size_t *dropped);
    int (*activity_set_attribute)(uint32_t attribute, size_t *size, void *value);
    int (*activity_configure_unified_memory_counter)(struct stint_cupti_unified_memory_config *configs, uint32_t count);

    int (*get_timestamp)(uint64_t *timestamp);
    int (*get_stream_id)(void *context, void *stream, uint8_t per_thread, uint32_t *id); /* NULL: not told */
    int (*get_graph_node_id)(void *node, uint64_t *id);                                  /* since 11.0, else NULL */
    int (*get_version)(uint32_t *version);
    int (*get_result_string)(int result, const char **string);
    int (*get_callback_name)(uint32_t domain, uint32_t id, const char **name);
};

enum {
    STINT_REASON_SIZE = 512,
    STINT_CUPTI_OLDEST_VERSION = 13 /* 11.0: records before it have other layouts */
};

/* Finds CUPTI, and says in a sentence why it cannot be used. */
struct stint_cupti_finder {
    /* Opens CUPTI, which is never closed, and looks up its functions; stint/gpu.h says where CUPTI is searched. Of its
     * functions only cuptiGetVersion is called. Loads files, so the caller must hold no locks.
     *
     * Returns STINT_OK, or the status for the user, with a reason of at most `size` bytes. STINT_ERROR_UNAVAILABLE:
     * there is no driver or no CUPTI, or CUPTI lacks a function or is older than 11.0. STINT_ERROR_TAKEN: the
     * environment says that another profiler runs the program; nothing has been opened then. */
    enum stint_status (*open)(struct stint_cupti *cupti, char *reason, size_t size);

    /* Says what a result other than STINT_CUPTI_SUCCESS means for the user. `function` is CUPTI's name of the function
     * that returned it, or NULL if it is an error of the driver, on a device; `other` is the name of CUPTI's current
     * subscriber if it is known (subscribe_v2), else NULL or "". */
    enum stint_status (*failure)(const struct stint_cupti *cupti, int result, const char *function, const char *other,
                                 char *reason, size_t size);
};

/* In libstint_module.so, libstint.a and what is injected. */
extern const struct stint_cupti_finder stint_cupti_finder;

/* A symbol of libstint_module.so, by which libstint.so takes it from there. Returns NULL if it has another version. */
#define STINT_MODULE_CUPTI "stint_module_cupti"
#define STINT_MODULE_CUPTI_VERSION (((uint64_t)STINT_VERSION << 32) + sizeof(struct stint_cupti))

typedef const struct stint_cupti_finder *stint_module_cupti_fn(uint64_t version);

/* Its second function (cupti/cupti_failure.c). */
enum stint_status stint_cupti_failure(const struct stint_cupti *cupti, int result, const char *function,
                                      const char *other, char *reason, size_t size);

#endif
