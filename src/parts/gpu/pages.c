/* Memory straight from the system, for tables that are reserved at their full size but mostly stay empty. */
#include "gpu/pages.h"

#include <string.h>
#include <sys/mman.h>

void *stint_pages_map(size_t size)
{
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return pages == MAP_FAILED ? NULL : pages;
}

void stint_pages_zero(void *pages, size_t size)
{
    if (pages && madvise(pages, size, MADV_DONTNEED)) /* refused where memory is locked */
        memset(pages, 0, size);
}
