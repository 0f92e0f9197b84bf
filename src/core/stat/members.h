/* What each row of a snapshot consists of: a table of its members, each with its key, and with what becomes of it when
 * two rows for the same thing are added up. All code that writes rows, reads them back, makes columns of them or merges
 * them uses these tables, so a new member is one line in a table. */
#ifndef STINT_STAT_MEMBERS_H
#define STINT_STAT_MEMBERS_H

#include <stddef.h>

#include "stint/statset.h"

/* ROW(KIND, table): the kinds of rows, and of objects in them. Rows only refer to rows of kinds before theirs, or to
 * earlier ones of their own. Each has a table, stint_rows_<table>: those of the core are in members.c, those of what
 * parts collect in src/parts/model, which a program may be linked without. */
#define STINT_ROW_LIST(ROW)                                                                                            \
    ROW(SNAPSHOT, snapshot) /* the report as a whole */                                                                \
    ROW(PROCESS, process)                                                                                              \
    ROW(CLOCK, clock)                                                                                                  \
    ROW(OVERHEAD, overhead)                                                                                            \
    ROW(DROPPED, dropped)                                                                                              \
    ROW(THREADS, threads)                                                                                              \
    ROW(STATS, stats)                                                                                                  \
    ROW(THREAD_STATS, thread_stats)                                                                                    \
    ROW(CONTEXTS, contexts)                                                                                            \
    ROW(BARRIERS, barriers)                                                                                            \
    ROW(BARRIER_TOTAL, barrier_total)                                                                                  \
    ROW(SLOWEST, slowest)                                                                                              \
    ROW(GPU, gpu)                                                                                                      \
    ROW(GPU_DEVICES, gpu_devices)                                                                                      \
    ROW(GPU_MEMORY, gpu_memory)                                                                                        \
    ROW(GPU_ACTIVITIES, gpu_activities)                                                                                \
    ROW(GPU_CHARGES, gpu_charges)                                                                                      \
    ROW(GPU_INSTANCES, gpu_instances)                                                                                  \
    ROW(GPU_EVENTS, gpu_events)                                                                                        \
    ROW(GPU_USE, gpu_use)                                                                                              \
    ROW(SPREAD, spread)                                                                                                \
    ROW(NVTX, nvtx)                                                                                                    \
    ROW(NVTX_VALUES, nvtx_values)                                                                                      \
    ROW(NVTX_NAMES, nvtx_names)                                                                                        \
    ROW(PROCESSES, processes)                                                                                          \
    ROW(SAMPLING, sampling)                                                                                            \
    ROW(SAMPLE_MODULES, sample_modules)                                                                                \
    ROW(SAMPLE_FRAMES, sample_frames)                                                                                  \
    ROW(SAMPLE_STACKS, sample_stacks)                                                                                  \
    ROW(SAMPLE_THREADS, sample_threads)                                                                                \
    ROW(SAMPLE_COUNTS, sample_counts)

#define STINT_I_ROW_KIND(kind, table) STINT_ROWS_##kind,
enum stint_row_kind { STINT_ROW_LIST(STINT_I_ROW_KIND) STINT_ROW_KINDS };

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
    STINT_MEMBER_KIND,    /* a word, by the words `of`, that the table's function makes of the whole row */
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
    STINT_MEMBER_DERIVED, /* an object of kind `of`, left out if all of it is 0 */
    STINT_MEMBER_MEASURED,
    STINT_MEMBER_OVERHEAD
};

/* When a member is written. */
enum stint_member_presence {
    STINT_MEMBER_OPTIONAL,     /* always written; a report may lack it */
    STINT_MEMBER_NEEDED,       /* always written; a report has to have it */
    STINT_MEMBER_IF_SET,       /* written if it is not 0; an object if its first member is not, a list if it has rows */
    STINT_MEMBER_IF_INSTANCE,  /* this and the following: the table's function says whether it is written */
    STINT_MEMBER_IF_ON_DEVICE, /* what a device did */
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

    /* What few tables need; each may be NULL. */
    int (*derive)(struct stint_snapshot *snapshot, struct stint_builder *builder); /* once all rows are in order: what
                                                                                      others have of these */
    int (*ignores)(const struct stint_member *member, const void *row); /* whether a key of the row is none */
    int (*has)(const struct stint_member *member, const void *row, const struct stint_snapshot *snapshot);
    unsigned (*word)(const void *row); /* of STINT_MEMBER_KIND */
};

/* What a member's value is for those that write or show it, whatever its type. */
enum stint_value_kind {
    STINT_VALUE_NONE,
    STINT_VALUE_UNSIGNED,
    STINT_VALUE_SIGNED,
    STINT_VALUE_REAL,
    STINT_VALUE_SWITCH, /* a number: 0 or not */
    STINT_VALUE_TEXT,
    STINT_VALUE_SEVERAL /* no single value */
};

struct stint_value {
    enum stint_value_kind kind;
    union {
        uint64_t number;
        int64_t integer;
        double real;
        const char *text;
    };
};

struct stint_value stint_member_value(const struct stint_row_table *table, const struct stint_member *member,
                                      const void *row);

/* ------------------------------------------------------------------------------------------------------------ words */

/* The words for kinds of things in JSON reports, shared by the code that writes them and the code that reads them: the
 * enumeration that they belong to. */
enum stint_words {
    STINT_WORDS_STATUS,     /* enum stint_status */
    STINT_WORDS_BARRIER,    /* enum stint_barrier_kind */
    STINT_WORDS_GPU_KIND,   /* enum stint_gpu_kind */
    STINT_WORDS_EVENT,      /* enum stint_gpu_kind, or STINT_WORD_API (model/model.h) for a call */
    STINT_WORDS_GPU_MEMORY, /* enum stint_gpu_memory_kind */
    STINT_WORDS_NVTX_NAMED  /* enum stint_nvtx_named */
};

/* Written in place of a calling context's position if there is none. */
#define STINT_WORD_NO_SCOPE "(no scope)"
#define STINT_WORD_UNATTRIBUTED "(unattributed)"

/* No enumeration has a value greater than this. */
enum { STINT_WORDS_MOST = 64 };

/* The words by value, one after the other in rows of an array. Without a pointer for each, which would need a
 * relocation. */
struct stint_word_list {
    const char *words;
    size_t size; /* of a row */
    unsigned count;
};

#define STINT_WORD_LIST(array)                                                                                         \
    {                                                                                                                  \
        (array)[0], sizeof(array)[0], sizeof(array) / sizeof(array)[0]                                                 \
    }

/* Those of what parts collect (src/parts/model), which a program may be linked without. */
extern const struct stint_word_list stint_word_list_barrier, stint_word_list_gpu_kind, stint_word_list_event,
    stint_word_list_gpu_memory, stint_word_list_nvtx_named;

/* Returns the word for a value, or "" if it has none. */
const char *stint_word(enum stint_words words, unsigned value);

/* ----------------------------------------------------------------------------------------------------------- values */

/* Whether a member's key is one of `keys`, each of which stands between blanks. */
int stint_member_is_among(const struct stint_member *member, const char *keys);

/* By kind; NULL: the program has no rows of this kind, as it was linked without the part. */
extern const struct stint_row_table *const stint_row_tables[STINT_ROW_KINDS];

/* A part that adds rows of a kind says so: then a program that is linked with it has their table. */
#define STINT_HAS_ROWS(table)                                                                                          \
    static const struct stint_row_table *const s_has_##table __attribute__((used)) = &stint_rows_##table

#define STINT_I_ROW_TABLE(kind, table) extern const struct stint_row_table stint_rows_##table;
STINT_ROW_LIST(STINT_I_ROW_TABLE)

/* Whether a member is one value: a number, a text, true or false. The sum of squares, which only stint uses, does not
 * count as one. */
static inline int stint_member_is_value(const struct stint_member *member)
{
    return (member->type >= STINT_MEMBER_U32 && member->type <= STINT_MEMBER_CONTEXT &&
            member->type != STINT_MEMBER_SQUARES) ||
           (member->type >= STINT_MEMBER_AVG && member->type <= STINT_MEMBER_STDDEV);
}

/* A number of 32 bits, and one with a fraction. */
static inline int stint_member_is_short(const struct stint_member *member)
{
    return member->type == STINT_MEMBER_U32 || member->type == STINT_MEMBER_SWITCH || member->type == STINT_MEMBER_WORD;
}

static inline int stint_member_is_real(const struct stint_member *member)
{
    return member->type >= STINT_MEMBER_NUMBER && member->type <= STINT_MEMBER_EXACT;
}

static inline const char *stint_member_text(const void *at)
{
    return *(const char *const *)at ? *(const char *const *)at : "";
}

/* Of values: whether one is 0, or ""; and less than 0, 0, or more if that of `a` is less than, equal to, or greater
 * than that of `b`. */
int stint_member_is_empty(const struct stint_member *member, const void *at);
int stint_member_compare(const struct stint_member *member, const void *a, const void *b);

/* How a snapshot stores a list: a pointer and a count. */
struct stint_row_list {
    const void *rows;
    size_t count;
};

#endif
