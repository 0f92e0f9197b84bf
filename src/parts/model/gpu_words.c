/* Names of copies, waits and memory, from tables that serve in both directions: to write a report, and to read one. */
#include "model/model.h"

#include <string.h>

#define DIRECTION(constant, code, from, to, nsys_move)                                                                 \
    [STINT_GPU_##constant] = {#constant,      "[CUDA memcpy " code "]", "[CUDA Unified Memory memcpy " code "]",       \
                              "Memcpy " code, from "-to-" to,           from " To " to,                                \
                              nsys_move}

const struct stint_gpu_direction_words stint_gpu_direction_words[STINT_GPU_DIRECTIONS] = {
    [STINT_GPU_DIRECTION_UNKNOWN] = {"UNKNOWN", "[CUDA memcpy]", "[CUDA Unified Memory memcpy]", "Memcpy", "Unknown",
                                     "", 0},
    DIRECTION(HTOD, "HtoD", "Host", "Device", 11),
    DIRECTION(DTOH, "DtoH", "Device", "Host", 12),
    DIRECTION(HTOA, "HtoA", "Host", "Array", 0),
    DIRECTION(ATOH, "AtoH", "Array", "Host", 0),
    DIRECTION(ATOA, "AtoA", "Array", "Array", 0),
    DIRECTION(ATOD, "AtoD", "Array", "Device", 0),
    DIRECTION(DTOA, "DtoA", "Device", "Array", 0),
    DIRECTION(DTOD, "DtoD", "Device", "Device", 13),
    DIRECTION(HTOH, "HtoH", "Host", "Host", 0),
    DIRECTION(PTOP, "PtoP", "Peer", "Peer", 0),
};

const struct stint_gpu_wait_words stint_gpu_wait_words[STINT_GPU_WAITS] = {
    [STINT_GPU_WAIT_UNKNOWN] = {"UNKNOWN", "[CUDA synchronize]", "synchronize", "Unknown"},
    [STINT_GPU_WAIT_EVENT] = {"EVENT_SYNCHRONIZE", "[CUDA event synchronize]", "Event Sync", "Event sync"},
    [STINT_GPU_WAIT_STREAM_EVENT] = {"STREAM_WAIT_EVENT", "[CUDA stream wait event]", "Stream Wait Event",
                                     "Stream wait event"},
    [STINT_GPU_WAIT_STREAM] = {"STREAM_SYNCHRONIZE", "[CUDA stream synchronize]", "Stream Sync", "Stream sync"},
    [STINT_GPU_WAIT_CONTEXT] = {"CONTEXT_SYNCHRONIZE", "[CUDA context synchronize]", "Context Sync", "Context sync"},
};

const char stint_gpu_fault_names[STINT_GPU_FAULTS][40] = {
    [STINT_GPU_FAULT_HOST] = "[CUDA Unified Memory CPU page faults]",
    [STINT_GPU_FAULT_DEVICE] = "[CUDA Unified Memory GPU page faults]",
    [STINT_GPU_FAULT_THRASHING] = "[CUDA Unified Memory thrashing]",
};

const char *stint_gpu_name(enum stint_gpu_kind kind, enum stint_gpu_direction direction, enum stint_gpu_wait wait)
{
    const struct stint_gpu_direction_words *words = &stint_gpu_direction_words[direction];
    switch (kind) {
    case STINT_GPU_COPY:
        return words->copy;
    case STINT_GPU_UNIFIED:
        return words->nsys_move ? words->move : stint_gpu_direction_words[STINT_GPU_DIRECTION_UNKNOWN].move;
    case STINT_GPU_SET:
        return "[CUDA memset]";
    case STINT_GPU_SYNC:
        return stint_gpu_wait_words[wait].name;
    case STINT_GPU_FAULT:
    case STINT_GPU_KERNEL:
    case STINT_GPU_SPAN:
    case STINT_GPU_OVERHEAD:
    case STINT_GPU_UNMEASURED:
        break;
    }
    return NULL;
}

enum stint_gpu_direction stint_gpu_direction_of(enum stint_gpu_kind kind, const char *name)
{
    int is_move = kind == STINT_GPU_UNIFIED;
    for (int i = 0; (kind == STINT_GPU_COPY || is_move) && i < STINT_GPU_DIRECTIONS; i++) {
        const struct stint_gpu_direction_words *words = &stint_gpu_direction_words[i];
        if (strcmp(name, is_move ? words->move : words->copy) == 0)
            return (enum stint_gpu_direction)i;
    }
    return STINT_GPU_DIRECTION_UNKNOWN;
}

enum stint_gpu_wait stint_gpu_wait_of(enum stint_gpu_kind kind, const char *name)
{
    for (int i = 0; kind == STINT_GPU_SYNC && i < STINT_GPU_WAITS; i++)
        if (strcmp(name, stint_gpu_wait_words[i].name) == 0)
            return (enum stint_gpu_wait)i;
    return STINT_GPU_WAIT_UNKNOWN;
}

const char *stint_gpu_memory_name(enum stint_gpu_memory_kind kind)
{
#define NAME(constant, word, name) [STINT_GPU_MEMORY_##constant] = name,
    static const char names[][15] = {STINT_GPU_MEMORY_ROWS(NAME)};
#undef NAME
    return kind > STINT_GPU_MEMORY_UNKNOWN && (unsigned)kind < STINT_GPU_MEMORY_KINDS ? names[kind] : "";
}

/* ------------------------------------------------------------------------------------------------------------- JSON */

static const char s_events[][11] = {
    [STINT_GPU_KERNEL] = "kernel",   [STINT_GPU_COPY] = "copy",         [STINT_GPU_SET] = "set",
    [STINT_GPU_UNIFIED] = "unified", [STINT_GPU_SPAN] = "span",         [STINT_GPU_SYNC] = "sync",
    [STINT_GPU_FAULT] = "fault",     [STINT_GPU_OVERHEAD] = "overhead", [STINT_GPU_UNMEASURED] = "unmeasured",
    [STINT_WORD_API] = "api",
};
const struct stint_word_list stint_word_list_event = STINT_WORD_LIST(s_events);
const struct stint_word_list stint_word_list_gpu_kind = {s_events[0], sizeof s_events[0], STINT_GPU_KINDS};

#define MEMORY_WORD(constant, word, name) [STINT_GPU_MEMORY_##constant] = word,
static const char s_memory[][15] = {STINT_GPU_MEMORY_ROWS(MEMORY_WORD)};
const struct stint_word_list stint_word_list_gpu_memory = STINT_WORD_LIST(s_memory);
