/* The public functions of gpu_scope.h: a scope, enclosed by the two events of a span. The events are outside of the
 * scope, so that its host time is that of the block. */
#include "gpu/span.h"

#include "record/registry.h"
#include "record/scope.h"
#include "runtime/start.h"
#include "stint/gpu_scope.h"

static void set_scope(struct stint_i_gpu_scope *scope, struct stint_i_node *node, struct stint_span *span)
{
    *scope = (struct stint_i_gpu_scope){node, span};
    if (!span)
        return;
    if (node)
        stint_span_enter(span, node->id, STINT_I_LOAD(&node->start));
    else
        stint_span_cancel(span);
}

void stint_i_gpu_begin(struct stint_i_gpu_scope *scope, struct stint_i_site *site, const char *name, void *stream)
{
    if (stint_runtime_start() || !stint_registry_enabled())
        return;
    struct stint_span *span = stint_span_begin(stream);
    set_scope(scope, stint_i_enter(site, name, NULL), span);
}

void stint_i_gpu_end(struct stint_i_gpu_scope *scope)
{
    (void)stint_i_leave(scope->node);
    if (scope->span)
        stint_span_end(scope->span);
}

enum stint_status stint_gpu_span_begin(struct stint_gpu_span *span, const char *name, void *stream)
{
    struct stint_span *events;

    if (!span)
        return STINT_ERROR_INVALID_ARGUMENT;
    *span = (struct stint_gpu_span){{NULL, NULL}, NULL};
    enum stint_status status = stint_runtime_start();
    if (status)
        return status;
    if (stint_registry_enabled()) {
        events = stint_span_begin(stream);
        set_scope(&span->scope, stint_scope_enter_dynamic(NULL, name, NULL, 0), events);
        if (!span->scope.node && stint_registry_enabled())
            return stint_last_dropped();
    }
    span->thread = stint_i_self;
    return STINT_OK;
}

enum stint_status stint_gpu_span_end(struct stint_gpu_span *span)
{
    if (!span)
        return STINT_ERROR_INVALID_ARGUMENT;
    struct stint_gpu_span ended = *span;
    *span = (struct stint_gpu_span){{NULL, NULL}, NULL};
    if (!ended.thread || ended.thread != stint_i_self) {
        stint_count_dropped(&stint_dropped.mismatched);
        return STINT_ERROR_NOT_STARTED;
    }
    if (ended.scope.node)
        stint_i_gpu_end(&ended.scope);
    return STINT_OK;
}
