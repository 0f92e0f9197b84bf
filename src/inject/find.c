#include "inject/find.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct search {
    const struct stint_inject_core *found;
    int others; /* there is another stint, of any version */
};

static size_t round_up(size_t size, size_t alignment)
{
    return (size + alignment - 1) / alignment * alignment;
}

/* The note contains an offset from its own address. */
static void look_at(struct search *search, uint32_t version, const char *content)
{
    int64_t distance;

    memcpy(&distance, content, sizeof distance);
    const struct stint_inject_core *core = (const struct stint_inject_core *)(const void *)(content + distance);
    if (core == &stint_i_inject)
        return;
    search->others = 1;
    if (version == STINT_INJECT_VERSION && !search->found)
        search->found = core;
}

static void look_through(struct search *search, const char *at, size_t size, size_t alignment)
{
    ElfW(Nhdr) note;

    while (size >= sizeof note) {
        const char *owner = at + sizeof note;

        memcpy(&note, at, sizeof note);
        size_t content = round_up(sizeof note + note.n_namesz, alignment);
        size_t end = round_up(content + note.n_descsz, alignment);
        if (content + note.n_descsz > size)
            return;
        if (note.n_namesz == sizeof STINT_INJECT_NOTE &&
            memcmp(owner, STINT_INJECT_NOTE, sizeof STINT_INJECT_NOTE) == 0 && note.n_descsz == sizeof(int64_t))
            look_at(search, note.n_type, at + content);
        if (end >= size)
            return;
        at += end;
        size -= end;
    }
}

static int look_in(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *const segment = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + segment->p_vaddr;

        if (segment->p_type == PT_NOTE)
            look_through(context, (const char *)at, segment->p_memsz, /* NOLINT(performance-no-int-to-ptr) */
                         segment->p_align == 8 ? 8 : 4);
    }
    return 0;
}

const struct stint_inject_core *stint_inject_find(int *others)
{
    struct search search = {NULL, 0};

    (void)dl_iterate_phdr(look_in, &search);
    if (others)
        *others = search.others;
    return search.found;
}
