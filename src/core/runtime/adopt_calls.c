/* The public functions of adopt.h. */
#include "stint/adopt.h"

#include "record/adopt.h"
#include "record/path.h"
#include "runtime/start.h"

struct stint_token stint_token_take(void)
{
    uint32_t path = stint_path_current();

    return (struct stint_token){path == STINT_PATH_ROOT ? STINT_PATH_NONE : path};
}

enum stint_status stint_adopt_begin(struct stint_adoption *adoption, struct stint_token token)
{
    enum stint_status status = stint_runtime_start();

    if (!adoption)
        return STINT_ERROR_INVALID_ARGUMENT;
    adoption->node = NULL;
    if (status || token.context == STINT_PATH_NONE)
        return status;
    return stint_adopt_enter(token.context, &adoption->node);
}

enum stint_status stint_adopt_end(struct stint_adoption *adoption)
{
    struct stint_i_node *node;

    if (!adoption)
        return STINT_ERROR_INVALID_ARGUMENT;
    node = adoption->node;
    adoption->node = NULL;
    return node ? stint_adopt_leave(node) : STINT_OK;
}
