#include "cli/print_ceilings.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "ceiling/ceiling_file.h"
#include "ceiling/ceiling_measure.h"

static void put_line(const struct stint_ceilings *ceilings, const char *what, enum stint_ceiling first,
                     enum stint_ceiling last, double unit, const char *unit_name)
{
    const char *before = "";
    (void)printf("ok  %-10s ", what);
    for (unsigned i = first; i <= last; i++) {
        const char *word = stint_ceiling_word((enum stint_ceiling)i);
        if (!(ceilings->per_s[i] > 0))
            continue;
        word += strncmp(word, "tensor_", 7) == 0 ? 7 : 0;
        (void)printf("%s%s %.*f", before, word, unit < 1e12 ? 0 : 1, ceilings->per_s[i] / unit);
        before = ", ";
    }
    (void)printf("%s%s\n", *before ? " " : "", *before ? unit_name : "not measured: the driver took no kernel for it");
}

int stint_print_ceilings(void)
{
    struct stint_ceilings ceilings;
    char reason[256], path[PATH_MAX];
    if (stint_ceilings_measure(&ceilings, reason, sizeof reason)) {
        (void)printf("NO  %-10s %s\n", "measuring", reason);
        return 0;
    }
    put_line(&ceilings, "memory", STINT_CEILING_COPY, STINT_CEILING_L2, 1e9, "GB/s");
    put_line(&ceilings, "computing", STINT_CEILING_FP64, STINT_CEILING_BF16, 1e12, "TFLOP/s");
    put_line(&ceilings, "tensor", STINT_CEILING_TENSOR_FP64, STINT_CEILING_TENSOR_BF16, 1e12, "TFLOP/s");
    int error = stint_ceilings_write(&ceilings);
    if (error)
        (void)printf("NO  %-10s %s\n", "kept", strerror(error));
    else if (stint_ceiling_path(path, sizeof path) == 0)
        (void)printf("ok  %-10s for %s in %s\n", "kept", ceilings.device, path);
    return !error;
}
