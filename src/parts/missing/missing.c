/* Parts that a program was linked without, although something asks for them. Of libstint.a, a program has the parts
 * that it refers to, and those that its linker was asked for; stint.c has barriers only. */
#include <stddef.h>
#include <string.h>

#include "base/log.h"
#include "base/process.h"
#include "record/part.h"

void stint_missing_part_tell(const char *asked, const char *part)
{
    STINT_LOG(STINT_LOG_WARNING,
              "%s has no effect: the program was linked without the part of stint that does it; link libstint, or "
              "libstint.a with -Wl,-u,stint_part_%s, or all parts as CMake's stint::stint_static and pkg-config "
              "--static do",
              asked, part);
}

static void look_at_environment(void)
{
    static const char switches[][2][20] = {
        {"STINT_GPU", "gpu"},         {"STINT_COUNTERS", "gpu"},     {"STINT_NVTX", "nvtx"},
        {"STINT_TRACE", "recording"}, {"STINT_SAMPLE", "sampler"},   {"STINT_WINDOW", "control"},
        {"STINT_DELAY", "control"},   {"STINT_DURATION", "control"}, {"STINT_CHECKPOINT", "control"},
        {"STINT_CONTROL", "control"}, {"STINT_ADOPT", "contexts"},
    };
    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++) {
        const char *value = stint_env_text(switches[i][0]);
        if (value && strcmp(value, "off") != 0 && strcmp(value, "auto") != 0 && !stint_part_find(switches[i][1]))
            stint_missing_part_tell(switches[i][0], switches[i][1]);
    }
}

STINT_PART(missing) = {.name = "missing", .at[STINT_AT_START] = look_at_environment};
