/* The note by which other stints find this one, and the functions it refers to; finds all stints that are linked into a
 * process by their notes, and numbers them, so that each writes files of its own. */
#include "runtime/runtime.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/process.h"
#include "base/whole_file.h"
#include "record/part.h"
#include "record/thread.h"

/* ------------------------------------------------------------------------------------------------------------- note */

int stint_runtime_is_injected;

static int s_number; /* 0: this stint has not started */

/* While stint starts, it looks for an NVTX tool that it can tell of its timers. If stint itself is that tool, NVTX
 * calls back. */
static int is_starting(void)
{
    if (stint_runtime_is_ours())
        return 0;
    if (!stint_guard_begin())
        return 1;
    stint_guard_end();
    return 0;
}

static int attach(const char *name, const void *offer)
{
    const struct stint_part *part = stint_part_find(name);
    if (is_starting())
        return 0;
    if (!part && stint_missing_part_tell)
        stint_missing_part_tell("stint run", name);
    return part ? part->attach(offer) : 0;
}

static int prepare(const char *name, const void *offer)
{
    const struct stint_part *part = stint_runtime_is_ours() ? stint_part_find(name) : NULL;
    return part ? part->attach(offer) : 0;
}

static void write_report(void)
{
    stint_exit_report(0);
}

__attribute__((used)) const struct stint_inject_core stint_i_inject = {
    is_starting,     attach,    prepare, write_report, stint_exit_before_exec, stint_handler_exchange,
    stint_exit_also, &s_number,
};

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

/* Assembler, because C has no constant for the distance between two objects. */
__asm__(".pushsection .note.stint, \"a\", %note\n"
        ".balign 4\n"
        ".long 2f - 1f\n"
        ".long 4f - 3f\n"
        ".long " TEXT(STINT_INJECT_VERSION) "\n"
                                            "1: .asciz \"" STINT_INJECT_NOTE "\"\n"
                                            "2: .balign 4\n"
                                            "3: .quad stint_i_inject - 3b\n"
                                            "4: .popsection\n");

/* --------------------------------------------------------------------------------------------------------- search */

struct search {
    stint_copies_visit_fn *visit;
    void *context;
};

static size_t align_up(size_t size, size_t alignment)
{
    return (size + alignment - 1) / alignment * alignment;
}

/* The note contains an offset from its own address. */
static void look_at(const struct search *search, uint32_t version, const char *content)
{
    int64_t distance;
    memcpy(&distance, content, sizeof distance);
    search->visit(search->context, version, (const struct stint_inject_core *)(const void *)(content + distance));
}

static void look_through(const struct search *search, const char *at, size_t size, size_t alignment)
{
    ElfW(Nhdr) note;
    while (size >= sizeof note) {
        const char *owner = at + sizeof note;
        memcpy(&note, at, sizeof note);
        size_t content = align_up(sizeof note + note.n_namesz, alignment);
        size_t end = align_up(content + note.n_descsz, alignment);
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

void stint_copies_visit(stint_copies_visit_fn *visit, void *context)
{
    struct search search = {visit, context};
    (void)dl_iterate_phdr(look_in, &search);
}

/* ----------------------------------------------------------------------------------------------------------- number */

/* Whether stints of other versions have started is unknown; those that have use names without a number. */
static void count(void *unused, uint32_t version, const struct stint_inject_core *core)
{
    int number = version == STINT_INJECT_VERSION ? __atomic_load_n(core->number, __ATOMIC_RELAXED) : 1;
    (void)unused;
    if (core == &stint_i_inject)
        number = 0;
    else if (version == STINT_INJECT_VERSION)
        core->exit_also(stint_i_inject.report); /* its _exit may take precedence over that of a plugin */
    if (number >= s_number)
        __atomic_store_n(&s_number, number + 1, __ATOMIC_RELAXED);
}

/* The dynamic linker calls for one thread at a time, so that no two stints take the same number. It does so under a
 * lock, which a thread of the parent may have held when this process was forked. */
void stint_copies_start(void)
{
    if (stint_process_is(STINT_LOADED))
        stint_copies_visit(count, NULL);
    else
        s_number = 1;
}

/* Recordings are folders. */
static int is_device(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

enum stint_status stint_copies_prepare(char *out, size_t size, const char *pattern)
{
    char mark[32];
    long space = stint_process_namespace();
    enum stint_status status = stint_path_prepare_here(out, size, pattern);
    if (status || (s_number < 2 && !space) || is_device(out))
        return status;
    (void)snprintf(mark, sizeof mark, space ? "copy%d-%ld" : "copy%d", s_number, space);
    return stint_path_put_mark(out, size, mark) ? STINT_ERROR_INVALID_ARGUMENT : STINT_OK;
}
