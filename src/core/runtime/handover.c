/* What a stint that was injected into this program finds of this one: an ELF note, and the functions it refers to. */
#include "runtime/handover.h"

#include "record/part.h"
#include "record/thread.h"
#include "runtime/exit.h"
#include "runtime/fatal.h"
#include "runtime/missing.h"
#include "runtime/start.h"

int stint_runtime_is_injected;

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

static void report(void)
{
    stint_exit_report(0);
}

__attribute__((used)) const struct stint_inject_core stint_i_inject = {
    is_starting, attach, report, stint_exit_before_exec, stint_fatal_hide, stint_exit_also, &stint_copies_number,
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
