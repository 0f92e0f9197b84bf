/* Lists of ranges of addresses; and those of functions that have no names any more, as the sections .eh_frame_hdr and
 * .eh_frame state them for whoever unwinds the stack. */
#include "symbols/symbols.h"

#include <stdlib.h>
#include <string.h>

static int by_begin(const void *a, const void *b)
{
    const struct stint_range *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

void stint_range_list_sort(struct stint_array *ranges)
{
    if (ranges->count)
        qsort(ranges->items, ranges->count, sizeof(struct stint_range), by_begin);
}

const struct stint_range *stint_range_list_find(const struct stint_array *ranges, uint64_t address)
{
    const struct stint_range *all = ranges->items;
    size_t low = 0, high = ranges->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < all[low - 1].end ? &all[low - 1] : NULL;
}

/* -------------------------------------------------------------------------------------------------------- .eh_frame */

/* .eh_frame_hdr: a sorted table of where functions begin and of their descriptions in .eh_frame. All numbers are
 * distances from where it is loaded, as every linker for Linux writes them. */
struct head {
    uint8_t version, frames_encoding, count_encoding, table_encoding;
    int32_t frames;
    uint32_t count;
};

enum { FOUR_BYTES = 0x03, RELATIVE_TO_HEAD = 0x3b };

/* A description: its first function is so far from this number's place, and so long. */
struct description {
    uint32_t length, common;
    int32_t begin;
    uint32_t size;
};

static int read_head(const struct stint_elf_section *section, struct head *head)
{
    if (section->size < sizeof *head)
        return -1;
    memcpy(head, section->bytes, sizeof *head);
    return head->version == 1 && head->count_encoding == FOUR_BYTES && head->table_encoding == RELATIVE_TO_HEAD ? 0
                                                                                                                : -1;
}

/* Adds the function if its description agrees on where it begins. */
static void add_range(struct stint_array *ranges, struct stint_arena *arena, const struct stint_elf_section *frames,
                      uint64_t begin, uint64_t place)
{
    struct description description;
    uint64_t offset = place - frames->address;
    if (offset > frames->size || frames->size - offset < sizeof description)
        return;
    memcpy(&description, frames->bytes + offset, sizeof description);
    uint64_t stated = place + offsetof(struct description, begin) + (uint64_t)(int64_t)description.begin;
    if (stated != begin || !description.size || begin + description.size < begin)
        return;
    struct stint_range *range = stint_array_add(ranges, arena, sizeof *range);
    if (range)
        *range = (struct stint_range){begin, begin + description.size, NULL};
}

void stint_code_ranges_read(struct stint_array *ranges, struct stint_arena *arena, const struct stint_elf *elf)
{
    struct stint_elf_section section, frames;
    struct head head;
    int32_t row[2];
    if (stint_elf_find_section(elf, ".eh_frame_hdr", &section) || stint_elf_find_section(elf, ".eh_frame", &frames) ||
        read_head(&section, &head))
        return;
    size_t rows = (section.size - sizeof head) / sizeof row;
    for (size_t i = 0; i < head.count && i < rows; i++) {
        memcpy(row, section.bytes + sizeof head + i * sizeof row, sizeof row);
        add_range(ranges, arena, &frames, section.address + (uint64_t)(int64_t)row[0],
                  section.address + (uint64_t)(int64_t)row[1]);
    }
    stint_range_list_sort(ranges);
}
