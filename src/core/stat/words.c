/* Words for the values of enumerations in JSON, in tables by value. */
#include "stat/words.h"

#include "stint/status.h"

#define WEAK(words) extern const struct stint_word_list stint_word_list_##words __attribute__((weak))
WEAK(barrier);
WEAK(gpu_kind);
WEAK(event);
WEAK(gpu_memory);
WEAK(nvtx_named);

static const struct stint_word_list *const s_lists[] = {
    [STINT_WORDS_BARRIER] = &stint_word_list_barrier,       [STINT_WORDS_GPU_KIND] = &stint_word_list_gpu_kind,
    [STINT_WORDS_EVENT] = &stint_word_list_event,           [STINT_WORDS_GPU_MEMORY] = &stint_word_list_gpu_memory,
    [STINT_WORDS_NVTX_NAMED] = &stint_word_list_nvtx_named,
};

const char *stint_word(enum stint_words words, unsigned value)
{
    const struct stint_word_list *list = s_lists[words];
    if (words == STINT_WORDS_STATUS)
        return stint_status_name((enum stint_status)value);
    return list && value < list->count ? list->words + value * list->size : "";
}
