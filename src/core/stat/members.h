/* What each row of a snapshot consists of: a table of its members, each with its key, and with what becomes of it when
 * two rows for the same thing are added up. All code that writes rows, reads them back, makes columns of them or merges
 * them uses these tables, so a new member is one line in members.c. */
#ifndef STINT_STAT_MEMBERS_H
#define STINT_STAT_MEMBERS_H

#include "stat/words.h"
#include "stint/statset.h"

/* The kinds of rows, and of objects in them. Rows only refer to rows of kinds before theirs, or to earlier ones of
 * their own. */
enum stint_row_kind {
    STINT_ROWS_SNAPSHOT, /* the report as a whole */
    STINT_ROWS_PROCESS,
    STINT_ROWS_CLOCK,
    STINT_ROWS_OVERHEAD,
    STINT_ROWS_DROPPED,
    STINT_ROWS_THREADS,
    STINT_ROWS_STATS,
    STINT_ROWS_THREAD_STATS,
    STINT_ROWS_CONTEXTS,
    STINT_ROWS_BARRIERS,
    STINT_ROWS_BARRIER_TOTAL,
    STINT_ROWS_SLOWEST,
    STINT_ROWS_GPU,
    STINT_ROWS_GPU_DEVICES,
    STINT_ROWS_GPU_MEMORY,
    STINT_ROWS_GPU_ACTIVITIES,
    STINT_ROWS_GPU_CHARGES,
    STINT_ROWS_GPU_INSTANCES,
    STINT_ROWS_GPU_EVENTS,
    STINT_ROWS_GPU_USE,
    STINT_ROWS_SPREAD,
    STINT_ROWS_NVTX,
    STINT_ROWS_NVTX_VALUES,
    STINT_ROWS_NVTX_NAMES,
    STINT_ROWS_PROCESSES,
    STINT_ROWS_SAMPLING,
    STINT_ROWS_SAMPLE_MODULES,
    STINT_ROWS_SAMPLE_FRAMES,
    STINT_ROWS_SAMPLE_STACKS,
    STINT_ROWS_SAMPLE_THREADS,
    STINT_ROWS_SAMPLE_COUNTS,
    STINT_ROW_KINDS
};

enum stint_member_type {
    /* Of the report itself. */
    STINT_MEMBER_FORMAT,
    STINT_MEMBER_VERSION,
    STINT_MEMBER_TEXTS, /* pointer and count of texts */

    /* One value. */
    STINT_MEMBER_U32,
    STINT_MEMBER_U64,
    STINT_MEMBER_I64,
    STINT_MEMBER_NUMBER,  /* double, to three decimals */
    STINT_MEMBER_SQUARES, /* double, square_ns2 of numbers */
    STINT_MEMBER_EXACT,   /* double, finite, with all the digits needed to read back the same number */
    STINT_MEMBER_SWITCH,  /* int, true or false */
    STINT_MEMBER_TEXT,    /* const char *, NULL for "" */
    STINT_MEMBER_NAME,    /* char[16] */
    STINT_MEMBER_WORD,    /* enum, by the words `of` */
    STINT_MEMBER_EVENT,   /* an event's kind, or the word for a call; made of the whole row */
    STINT_MEMBER_INDEX,   /* size_t, place of a row `of`; SIZE_MAX is null */
    STINT_MEMBER_CONTEXT, /* size_t, place of a calling context, or one of the two words for none */

    /* Several values. */
    STINT_MEMBER_DIMENSIONS, /* uint32_t[3] */
    STINT_MEMBER_BINS,       /* pointer and count */
    STINT_MEMBER_OBJECT,     /* of kind `of` */
    STINT_MEMBER_ROWS,       /* pointer and count of rows `of` */
    STINT_MEMBER_SPREAD,     /* const struct stint_spread * */
    STINT_MEMBER_PARTS,      /* a statistic's rows of thread_stats, which are no member of it */

    /* Values that follow from others and are not read back. The first ones are computed from the numbers at `at`. */
    STINT_MEMBER_AVG,
    STINT_MEMBER_P50,
    STINT_MEMBER_P90,
    STINT_MEMBER_P99,
    STINT_MEMBER_STDDEV,
    STINT_MEMBER_USE, /* struct stint_gpu_use, left out if nothing was used */
    STINT_MEMBER_MEASURED,
    STINT_MEMBER_OVERHEAD
};

/* When a member is written. */
enum stint_member_presence {
    STINT_MEMBER_OPTIONAL,     /* always written; a report may lack it */
    STINT_MEMBER_NEEDED,       /* always written; a report has to have it */
    STINT_MEMBER_IF_SET,       /* written if it is not 0; an object if its first member is not, a list if it has rows */
    STINT_MEMBER_IF_INSTANCE,  /* written if the event has an instance; this and the following are for events */
    STINT_MEMBER_IF_ON_DEVICE, /* written for what a device did */
    STINT_MEMBER_IF_KERNEL,
    STINT_MEMBER_IF_GRAPH,
    STINT_MEMBER_IF_PEER
};

/* Where a row in a builder has its texts. */
enum stint_text_place {
    STINT_TEXT_COPY,
    STINT_TEXT_SET, /* it is a set's name */
    STINT_TEXT_POOL /* in few different ones, each of which is there once */
};

/* What becomes of a member when a row is added to one for the same thing. */
enum stint_member_merge {
    STINT_MERGE_KEEP,  /* it stays, or is merged with others by the table's function */
    STINT_MERGE_SUM,   /* of switches, whether one of them is on */
    STINT_MERGE_COUNT, /* as a sum; while it is 0, the row has no values, and nothing is least or first in it */
    STINT_MERGE_MIN,
    STINT_MERGE_MAX,
    STINT_MERGE_OR,
    STINT_MERGE_FIRST, /* that of the first row with values */
    STINT_MERGE_FILL   /* the first that is not 0, or "" */
};

/* Without pointers, so that the tables need no relocation. */
struct stint_member {
    char key[19];
    uint8_t type;               /* enum stint_member_type */
    uint8_t of;                 /* enum stint_row_kind, stint_words or stint_text_place, as the type says */
    unsigned char presence : 4; /* enum stint_member_presence */
    unsigned char merge : 4;    /* enum stint_member_merge */
    uint16_t at;                /* offset in the row */
};

struct stint_builder;
struct stint_ordering;

/* Merges what members do not say, before they are merged. Returns whether nothing else is to be merged. */
typedef int stint_row_merge_fn(struct stint_builder *builder, void *into, const void *from);

/* Puts the builder's rows of a kind in order, into the snapshot. Returns 0, or -1 if there is no memory. */
typedef int stint_row_order_fn(struct stint_ordering *ordering, enum stint_row_kind kind);

struct stint_row_table {
    const struct stint_member *members;
    uint16_t count;   /* of members, at most 64 */
    uint16_t size;    /* of a row */
    uint16_t at;      /* offset of the list, or of the object, in the snapshot; 0: it is a part of another row */
    uint8_t is_list;  /* the snapshot has a list of them */
    uint8_t keys;     /* the first so many members say what the row is of; 0: no two rows are of the same thing */
    uint16_t numbers; /* offset of a struct stint_numbers that is added up; 0: none */
    stint_row_merge_fn *merge; /* may be NULL */
    stint_row_order_fn *order; /* NULL: rows stay as they were added */
};

/* Whether a member's key is one of `keys`, each of which stands between blanks. */
int stint_member_is_among(const struct stint_member *member, const char *keys);

extern const struct stint_row_table stint_row_tables[STINT_ROW_KINDS];

/* Whether a member is one value: a number, a text, true or false. The sum of squares, which only stint uses, does not
 * count as one. */
static inline int stint_member_is_value(const struct stint_member *member)
{
    return (member->type >= STINT_MEMBER_U32 && member->type <= STINT_MEMBER_CONTEXT &&
            member->type != STINT_MEMBER_SQUARES) ||
           (member->type >= STINT_MEMBER_AVG && member->type <= STINT_MEMBER_STDDEV);
}

/* How a snapshot stores a list: a pointer and a count. */
struct stint_row_list {
    const void *rows;
    size_t count;
};

#endif
