/* Lists of ranges of addresses; and, where libdw is there, those of functions that have no names any more, as the
 * section .eh_frame states them for whoever unwinds the stack. */
#include "symbols/symbols.h"

#include <stdlib.h>

#ifdef STINT_HAS_LIBDW
#include <elfutils/libdw.h>
#include <gelf.h>
#include <string.h>
#endif

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

#ifdef STINT_HAS_LIBDW

/* Addresses relative to their own place, in four signed bytes, as every compiler for Linux writes them. */
enum { RELATIVE_32 = 0x1b };

static Elf_Data *find_frames(Elf *elf, GElf_Shdr *header)
{
    size_t names;
    if (elf_getshdrstrndx(elf, &names))
        return NULL;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        const char *name = gelf_getshdr(section, header) ? elf_strptr(elf, names, header->sh_name) : NULL;
        if (name && strcmp(name, ".eh_frame") == 0 && header->sh_type != SHT_NOBITS)
            return elf_rawdata(section, NULL);
    }
    return NULL;
}

/* How addresses are written in the entries that belong to this one: by the letter R, behind those of L and P. */
static int encoding_of(const Dwarf_CIE *common)
{
    const uint8_t *data = common->augmentation_data;
    size_t left = common->augmentation_data_size;
    const char *letter = common->augmentation;
    if (!letter || *letter++ != 'z' || !data)
        return -1;
    for (; *letter && left; letter++) {
        size_t size = 1;
        if (*letter == 'R')
            return *data;
        if (*letter == 'P')
            size += (*data & 7) == 3 ? 4 : 8;
        else if (*letter != 'L')
            size = 0;
        if (size > left)
            return -1;
        data += size;
        left -= size;
    }
    return -1;
}

static void add_range(struct stint_array *ranges, struct stint_arena *arena, const Dwarf_FDE *entry, uint64_t place)
{
    int32_t relative;
    uint32_t size;
    if (entry->end - entry->start < (ptrdiff_t)(sizeof relative + sizeof size))
        return;
    memcpy(&relative, entry->start, sizeof relative);
    memcpy(&size, entry->start + sizeof relative, sizeof size);
    uint64_t begin = place + (uint64_t)(int64_t)relative;
    struct stint_range *range = size ? stint_array_add(ranges, arena, sizeof *range) : NULL;
    if (range)
        *range = (struct stint_range){begin, begin + size, NULL};
}

/* Entries name the common one by its offset; one follows the other, so that the last is remembered. */
struct common {
    Dwarf_Off offset;
    int encoding;
};

static int encoding_at(const unsigned char *ident, Elf_Data *data, Dwarf_Off offset, struct common *last)
{
    Dwarf_CFI_Entry entry;
    Dwarf_Off next;
    if (last->offset != offset) {
        *last = (struct common){offset, -1};
        if (dwarf_next_cfi(ident, data, 1, offset, &next, &entry) == 0 && dwarf_cfi_cie_p(&entry))
            last->encoding = encoding_of(&entry.cie);
    }
    return last->encoding;
}

void stint_code_ranges_read(struct stint_array *ranges, struct stint_arena *arena, Elf *elf)
{
    GElf_Shdr header;
    struct common last = {.offset = (Dwarf_Off)-1};
    Elf_Data *data = find_frames(elf, &header);
    const unsigned char *ident = (const unsigned char *)elf_getident(elf, NULL);
    Dwarf_CFI_Entry entry;
    Dwarf_Off next = 0;
    for (Dwarf_Off at = 0; data && ident && dwarf_next_cfi(ident, data, 1, at, &next, &entry) == 0; at = next) {
        if (dwarf_cfi_cie_p(&entry) || encoding_at(ident, data, entry.fde.CIE_pointer, &last) != RELATIVE_32)
            continue;
        uint64_t offset = (uint64_t)(entry.fde.start - (const uint8_t *)data->d_buf);
        add_range(ranges, arena, &entry.fde, header.sh_addr + offset);
    }
    stint_range_list_sort(ranges);
}

#endif
