/* Macros for the tables of rows' members, for the files that define these, and for no others. */
#ifndef STINT_STAT_MEMBER_MACROS_H
#define STINT_STAT_MEMBER_MACROS_H

#include "stat/builder.h"
#include "stat/order.h"

/* The members of struct ROW, which each table defines. Most keys have the name of the member. A table does not compile
 * if a member's size does not fit its type. */
enum {
    SIZE_TEXTS = sizeof(struct stint_row_list),
    SIZE_U32 = sizeof(uint32_t),
    SIZE_U64 = sizeof(uint64_t),
    SIZE_I64 = sizeof(int64_t),
    SIZE_NUMBER = sizeof(double),
    SIZE_SQUARES = sizeof(double),
    SIZE_EXACT = sizeof(double),
    SIZE_SWITCH = sizeof(int),
    SIZE_TEXT = sizeof(const char *),
    SIZE_NAME = 16,
    SIZE_WORD = sizeof(enum stint_status),
    SIZE_INDEX = sizeof(size_t),
    SIZE_CONTEXT = sizeof(size_t),
    SIZE_BINS = sizeof(const struct stint_bin *),
    SIZE_DIMENSIONS = 3 * sizeof(uint32_t),
    SIZE_SPREAD = sizeof(const struct stint_spread *),
    SIZE_AVG = sizeof(struct stint_numbers),
    SIZE_P50 = SIZE_AVG,
    SIZE_P90 = SIZE_AVG,
    SIZE_P99 = SIZE_AVG,
    SIZE_STDDEV = SIZE_AVG
};

/* NOLINTBEGIN(bugprone-macro-parentheses): members' names */
#define AT(member) (uint16_t) offsetof(ROW, member)
#define CHECKED(type, member) (0 * sizeof(char[sizeof(((ROW *)0)->member) == SIZE_##type ? 1 : -1]))
#define MERGED(merge, key, type, of, presence, member)                                                                 \
    {                                                                                                                  \
        key, STINT_MEMBER_##type, of, STINT_MEMBER_##presence, STINT_MERGE_##merge,                                    \
            (uint16_t)(AT(member) + CHECKED(type, member))                                                             \
    }
#define MEMBER(key, type, of, presence, member) MERGED(KEEP, key, type, of, presence, member)
#define MERGE(merge, type, member) MERGED(merge, #member, type, 0, OPTIONAL, member)
#define SUM(type, member) MERGE(SUM, type, member)
#define SUM_IF_SET(type, member) MERGED(SUM, #member, type, 0, IF_SET, member)
#define OPTIONAL(type, member) MEMBER(#member, type, 0, OPTIONAL, member)
#define NEEDED(type, member) MEMBER(#member, type, 0, NEEDED, member)
#define IF(presence, type, member) MEMBER(#member, type, 0, IF_##presence, member)
#define WORD(presence, words, member) MEMBER(#member, WORD, STINT_WORDS_##words, presence, member)
#define INDEX(presence, rows, member) MEMBER(#member, INDEX, STINT_ROWS_##rows, presence, member)
#define NAMED(presence, place, member) MEMBER(#member, TEXT, STINT_TEXT_##place, presence, member)

/* A value made of several members, or of none. */
#define MADE(key, type, of, at)                                                                                        \
    {                                                                                                                  \
        key, STINT_MEMBER_##type, of, STINT_MEMBER_OPTIONAL, STINT_MERGE_KEEP, at                                      \
    }
#define OBJECT(key, rows, member) MADE(key, OBJECT, STINT_ROWS_##rows, AT(member))
#define ROWS(key, rows, member) MADE(key, ROWS, STINT_ROWS_##rows, AT(member))
#define DERIVED(key, rows, member) MADE(key, DERIVED, STINT_ROWS_##rows, AT(member))
#define SAMPLES(key, type, rows, member)                                                                               \
    {                                                                                                                  \
        key, STINT_MEMBER_##type, STINT_ROWS_##rows, STINT_MEMBER_IF_SET, STINT_MERGE_KEEP, AT(member)                 \
    }

/* The members of a struct stint_numbers called numbers. */
#define COUNTS                                                                                                         \
    MEMBER("count", U64, 0, OPTIONAL, numbers.count), MEMBER("recursive", U64, 0, OPTIONAL, numbers.recursive),        \
        MEMBER("total_ns", U64, 0, OPTIONAL, numbers.total_ns), MEMBER("self_ns", U64, 0, OPTIONAL, numbers.self_ns),  \
        MEMBER("min_ns", U64, 0, OPTIONAL, numbers.min_ns), MEMBER("max_ns", U64, 0, OPTIONAL, numbers.max_ns),        \
        MEMBER("cpu_ns", U64, 0, IF_SET, numbers.cpu_ns),                                                              \
        MEMBER("square_ns2", SQUARES, 0, OPTIONAL, numbers.square_ns2),                                                \
        MEMBER("overhead_ns", U64, 0, OPTIONAL, numbers.overhead_ns),                                                  \
        MEMBER("self_overhead_ns", U64, 0, OPTIONAL, numbers.self_overhead_ns),                                        \
        MEMBER("raw_min_ns", U64, 0, IF_SET, numbers.raw_min_ns),                                                      \
        MEMBER("raw_max_ns", U64, 0, IF_SET, numbers.raw_max_ns),                                                      \
        MEMBER("running", U64, 0, OPTIONAL, numbers.running),                                                          \
        MEMBER("running_ns", U64, 0, OPTIONAL, numbers.running_ns),                                                    \
        MEMBER("left_out", U64, 0, IF_SET, numbers.left_out), MEMBER("error_ns", NUMBER, 0, IF_SET, numbers.error_ns), \
        MEMBER("self_error_ns", NUMBER, 0, IF_SET, numbers.self_error_ns)
#define SPREAD(key, member) MEMBER(key, SPREAD, STINT_ROWS_SPREAD, IF_SET, member)
#define BINS MADE("bins", BINS, 0, AT(numbers.bins)), MEMBER("raw_bins", BINS, 0, IF_SET, numbers.raw_bins)
#define DISTRIBUTION                                                                                                   \
    MEMBER("avg_ns", AVG, 0, OPTIONAL, numbers), MEMBER("p50_ns", P50, 0, OPTIONAL, numbers),                          \
        MEMBER("p90_ns", P90, 0, OPTIONAL, numbers), MEMBER("p99_ns", P99, 0, OPTIONAL, numbers),                      \
        MEMBER("stddev_ns", STDDEV, 0, OPTIONAL, numbers), BINS

/* A table: of a part of another row; of an object in the snapshot; of a list there. */
#define TABLE(row, table) .members = table, .count = sizeof(table) / sizeof *(table), .size = sizeof(row)
#define WHOLE(row, table, object) TABLE(row, table), .at = offsetof(struct stint_snapshot, object)
#define LIST(row, list) WHOLE(row, s_##list, list), .is_list = 1
#define NUMBERS(row) .numbers = offsetof(row, numbers)
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
