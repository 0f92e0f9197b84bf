/* The part of the interface between NVTX v3 and its tools that stint uses, declared here so that stint builds without
 * NVTX's headers. tests/unit/parts/nvtx/abi_check.c compares it with the headers where they are installed. */
#ifndef STINT_NVTX_ABI_H
#define STINT_NVTX_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "nvtx/entry_points.h"

/* -------------------------------------------------------------------------------------------------------- attaching */

typedef const void *stint_nvtx_get_table_fn(uint32_t table);

enum { STINT_NVTX_TABLE_CALLBACKS = 1, STINT_NVTX_TABLE_VERSION = 3 };

/* The version of NVTX that this is written for. */
enum { STINT_NVTX_VERSION = 3 };

typedef void stint_nvtx_any_fn(void);

struct stint_nvtx_callbacks {
    size_t size;
    /* table[callback] receives a pointer to the place where the callback's address is stored. Returns 1, or 0 if the
     * module is unknown. */
    int (*module)(int module, stint_nvtx_any_fn ***(*table), unsigned *count);
};

struct stint_nvtx_version_info {
    size_t size;
    uint32_t version;
    uint32_t reserved;
    void (*set_version)(uint32_t version);
};

enum { STINT_NVTX_CORE = 1, STINT_NVTX_CUDA = 2, STINT_NVTX_CUDART = 4, STINT_NVTX_CORE2 = 5 };

/* STINT_NVTX_MARK_EX and so on: the numbers of callbacks, each in the table of its module. */
#define STINT_NVTX_NUMBER(module, callback, number, ...) STINT_NVTX_##callback = (number),
enum { STINT_NVTX_ENTRIES(STINT_NVTX_NUMBER) };
#undef STINT_NVTX_NUMBER

/* ----------------------------------------------------------------------------------------------------------- events */

/* What push and pop return if levels are not tracked. */
enum { STINT_NVTX_UNTRACKED = -2 };

enum { STINT_NVTX_TEXT_NONE, STINT_NVTX_TEXT_ASCII, STINT_NVTX_TEXT_WIDE, STINT_NVTX_TEXT_REGISTERED };

union stint_nvtx_text {
    const char *ascii;
    const wchar_t *wide;
    const void *registered;
};

enum {
    STINT_NVTX_PAYLOAD_NONE,
    STINT_NVTX_PAYLOAD_U64,
    STINT_NVTX_PAYLOAD_I64,
    STINT_NVTX_PAYLOAD_F64,
    STINT_NVTX_PAYLOAD_U32,
    STINT_NVTX_PAYLOAD_I32,
    STINT_NVTX_PAYLOAD_F32
};

/* `pointer` points to `payload_count` elements of stint_nvtx_data. */
#define STINT_NVTX_PAYLOAD_EXTENDED ((int32_t)0xDFBD0009)

union stint_nvtx_number {
    uint64_t u64;
    int64_t i64;
    double f64;
    uint32_t u32;
    int32_t i32;
    float f32;
    const void *pointer;
};

enum { STINT_NVTX_COLOR_NONE, STINT_NVTX_COLOR_ARGB };

struct stint_nvtx_attributes {
    uint16_t version;
    uint16_t size; /* of the caller's structure: members beyond it do not exist */
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type;
    int32_t payload_count; /* of an extended payload */
    union stint_nvtx_number payload;
    int32_t text_type;
    union stint_nvtx_text text;
};

enum {
    STINT_NVTX_IS_THREAD = 0x10003,    /* the system's thread id */
    STINT_NVTX_IS_CU_DEVICE = 0x40001, /* a handle of CUDA's driver */
    STINT_NVTX_IS_CU_CONTEXT = 0x40002,
    STINT_NVTX_IS_CU_STREAM = 0x40003,
    STINT_NVTX_IS_CU_EVENT = 0x40004,
    STINT_NVTX_IS_CUDA_DEVICE = 0x50000, /* a handle of CUDA's runtime */
    STINT_NVTX_IS_CUDA_STREAM = 0x50001,
    STINT_NVTX_IS_CUDA_EVENT = 0x50002
};

struct stint_nvtx_resource_attributes {
    uint16_t version;
    uint16_t size;
    int32_t type;
    union {
        const void *pointer;
        uint64_t handle;
    } identifier;
    int32_t text_type;
    union stint_nvtx_text text;
};

/* ------------------------------------------------------------------------------------------------------- extensions */

struct stint_nvtx_segment {
    size_t id;
    size_t slot_count;
    intptr_t *slots; /* slots[callback] takes the callback's address */
};

struct stint_nvtx_module {
    uint16_t nvtx_version;
    uint16_t size;
    uint16_t id;
    uint16_t compatibility;
    size_t segment_count;
    struct stint_nvtx_segment *segments;
    intptr_t (*get_export)(uint32_t id);
    const void *info;
};

/* Versions of the payload extension that programs were built with. The structures are the same in all versions, except
 * that those of 0x0103 may end before their `extension`. So are the numbers of the functions that a version has:
 *
 *     0x0103 of 2022  schemas and enumerations only; NCCL 2.16 to 2.21
 *     0x0103 of 2024  also events that consist of payloads only, and scopes; NCCL since 2.22
 *     0x0104          NVTX 3.2 and later; deferred events were added without a new version
 *
 * Version 0x0101 of the counter extension had other structures; it was never released. */
enum {
    STINT_NVTX_PAYLOAD_MODULE = 2,
    STINT_NVTX_PAYLOAD_FIRST_COMPATIBILITY = 0x0103,
    STINT_NVTX_PAYLOAD_COMPATIBILITY = 0x0104
};
enum { STINT_NVTX_COUNTER_MODULE = 4, STINT_NVTX_COUNTER_COMPATIBILITY = 0x0102 };

/* One payload: `size` bytes (SIZE_MAX if the caller does not know the size), laid out as the schema or predefined type
 * says. */
struct stint_nvtx_data {
    uint64_t schema;
    size_t size;
    const void *bytes;
};

/* Ids chosen by the caller are less than the first dynamic id; ids made by the tool start there. */
#define STINT_NVTX_FIRST_DYNAMIC_ID (UINT64_C(1) << 32)
#define STINT_NVTX_FIRST_STATIC_ID (UINT64_C(1) << 24)

/* The predefined types that stint needs. 1 to 10 are C's char to unsigned long long, 11 to 18 are int8_t to uint64_t;
 * from 3 on, signed and unsigned types alternate. */
enum {
    STINT_NVTX_TYPE_CHAR = 1,
    STINT_NVTX_TYPE_U64 = 18,
    STINT_NVTX_TYPE_FLOAT = 19,
    STINT_NVTX_TYPE_DOUBLE = 20,
    STINT_NVTX_TYPE_LONG_DOUBLE = 21,
    STINT_NVTX_TYPE_SIZE = 22,
    STINT_NVTX_TYPE_ADDRESS = 23,
    STINT_NVTX_TYPE_WCHAR = 24,
    STINT_NVTX_TYPE_CHAR8 = 25,
    STINT_NVTX_TYPE_CHAR16 = 26,
    STINT_NVTX_TYPE_CHAR32 = 27,
    STINT_NVTX_TYPE_BYTE = 32,
    STINT_NVTX_TYPE_INT128 = 33,
    STINT_NVTX_TYPE_UINT128 = 34,
    STINT_NVTX_TYPE_FLOAT16 = 42,
    STINT_NVTX_TYPE_FLOAT32 = 43,
    STINT_NVTX_TYPE_FLOAT64 = 44,
    STINT_NVTX_TYPE_FLOAT128 = 45,
    STINT_NVTX_TYPE_BF16 = 50,
    STINT_NVTX_TYPE_TF32 = 52,
    STINT_NVTX_TYPE_CATEGORY = 68,
    STINT_NVTX_TYPE_COLOR = 69,
    STINT_NVTX_TYPE_SCOPE_ID = 70,
    STINT_NVTX_TYPE_PID32 = 71,
    STINT_NVTX_TYPE_PID64 = 72,
    STINT_NVTX_TYPE_TID32 = 73,
    STINT_NVTX_TYPE_TID64 = 74,
    STINT_NVTX_TYPE_CSTRING = 75,
    STINT_NVTX_TYPE_CSTRING_UTF8 = 76,
    STINT_NVTX_TYPE_CSTRING_UTF16 = 77,
    STINT_NVTX_TYPE_CSTRING_UTF32 = 78,
    STINT_NVTX_TYPE_REGISTERED = 80,
    STINT_NVTX_TYPE_SELECTOR = 100
};

/* Flags of an entry: where its data is, whether it is an array (any of the array bits), and what it means. */
enum {
    STINT_NVTX_ENTRY_POINTER = 1 << 1,
    STINT_NVTX_ENTRY_ELSEWHERE = STINT_NVTX_ENTRY_POINTER | 1 << 2 | 1 << 3,
    STINT_NVTX_ENTRY_ARRAY = 7 << 4,
    STINT_NVTX_ENTRY_ARRAY_FIXED = 1 << 4,
    STINT_NVTX_ENTRY_MESSAGE = 1 << 10,
    STINT_NVTX_ENTRY_TIMESTAMP = 2 << 10
};

struct stint_nvtx_entry {
    uint64_t flags;
    uint64_t type; /* predefined, or the id of a schema */
    const char *name;
    const char *description;
    uint64_t detail; /* an array's or a string's length */
    uint64_t offset; /* 0: after the previous entry */
    const void *semantics;
    const void *reserved;
};

enum { STINT_NVTX_SCHEMA_STATIC = 1, STINT_NVTX_SCHEMA_DYNAMIC = 2 };

enum { STINT_NVTX_SCHEMA_DEEP_COPY = 1 << 1 };

/* Bits of `fields`: a field whose bit is not set has no value. */
enum {
    STINT_NVTX_SCHEMA_HAS_NAME = 1 << 1,
    STINT_NVTX_SCHEMA_HAS_TYPE = 1 << 2,
    STINT_NVTX_SCHEMA_HAS_FLAGS = 1 << 3,
    STINT_NVTX_SCHEMA_HAS_ENTRIES = 1 << 4,
    STINT_NVTX_SCHEMA_HAS_COUNT = 1 << 5,
    STINT_NVTX_SCHEMA_HAS_SIZE = 1 << 6,
    STINT_NVTX_SCHEMA_HAS_ALIGNMENT = 1 << 7,
    STINT_NVTX_SCHEMA_HAS_ID = 1 << 8
};

struct stint_nvtx_schema_attributes {
    uint64_t fields;
    const char *name;
    uint64_t type;
    uint64_t flags;
    const struct stint_nvtx_entry *entries;
    size_t entry_count;
    size_t size;
    size_t alignment; /* of packed structs; 0: natural alignment */
    uint64_t id;
    void *extension;
};

enum { STINT_NVTX_ENUM_HAS_SIZE = 1 << 4, STINT_NVTX_ENUM_HAS_ID = 1 << 5 };

struct stint_nvtx_enum_attributes {
    uint64_t fields;
    const char *name;
    const void *entries;
    size_t entry_count;
    size_t size;
    uint64_t id;
    void *extension;
};

struct stint_nvtx_scope_attributes {
    size_t size;
    const char *path;
    uint64_t parent;
    uint64_t id;
};

struct stint_nvtx_time_domain_attributes {
    uint64_t scope;
    uint64_t timestamp_type;
    uint64_t id;
    uint64_t flags;
    int64_t resolution;
    uint64_t start;
};

struct stint_nvtx_event_batch {
    uint64_t schema;
    size_t size;
    const void *events;
    uint64_t scope;
    uint64_t flags;
    const void *flex;
    size_t flex_size;
    size_t flex_offset;
};

struct stint_nvtx_counter_attributes {
    size_t size;
    uint64_t schema; /* or a predefined type */
    const char *name;
    const char *description;
    uint64_t scope;
    const void *semantics;
    uint64_t id;
};

struct stint_nvtx_counter_batch {
    uint64_t counter;
    const void *samples;
    size_t size;
    uint64_t flags;
    const int64_t *timestamps;
    size_t timestamps_size;
};

#endif
