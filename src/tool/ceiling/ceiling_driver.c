/* What measuring asks of the driver: its functions, under the names that libcuda has for them, opened at run time; and
 * kernels in PTX that do nothing but one instruction or one way of moving memory, over and over. */
#include "ceiling/ceiling_driver.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- driver */

const char *stint_ceiling_library_open(const char *library, const struct stint_ceiling_function *functions,
                                       size_t count, void *structure)
{
    void *opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!opened)
        return library;
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(opened, functions[i].name);
        if (!function)
            return functions[i].name;
        memcpy((char *)structure + functions[i].place, &function, sizeof function);
    }
    return NULL;
}

#define LIBRARY "libcuda.so.1"

static const struct stint_ceiling_function s_functions[] = {
    {offsetof(struct stint_cuda, init), "cuInit"},
    {offsetof(struct stint_cuda, version), "cuDriverGetVersion"},
    {offsetof(struct stint_cuda, count), "cuDeviceGetCount"},
    {offsetof(struct stint_cuda, name), "cuDeviceGetName"},
    {offsetof(struct stint_cuda, attribute), "cuDeviceGetAttribute"},
    {offsetof(struct stint_cuda, retain), "cuDevicePrimaryCtxRetain"},
    {offsetof(struct stint_cuda, release), "cuDevicePrimaryCtxRelease_v2"},
    {offsetof(struct stint_cuda, push), "cuCtxPushCurrent_v2"},
    {offsetof(struct stint_cuda, pop), "cuCtxPopCurrent_v2"},
    {offsetof(struct stint_cuda, allocate), "cuMemAlloc_v2"},
    {offsetof(struct stint_cuda, free), "cuMemFree_v2"},
    {offsetof(struct stint_cuda, set), "cuMemsetD32_v2"},
    {offsetof(struct stint_cuda, load), "cuModuleLoadData"},
    {offsetof(struct stint_cuda, unload), "cuModuleUnload"},
    {offsetof(struct stint_cuda, function), "cuModuleGetFunction"},
    {offsetof(struct stint_cuda, launch), "cuLaunchKernel"},
    {offsetof(struct stint_cuda, make_event), "cuEventCreate"},
    {offsetof(struct stint_cuda, record), "cuEventRecord"},
    {offsetof(struct stint_cuda, wait), "cuEventSynchronize"},
    {offsetof(struct stint_cuda, elapsed), "cuEventElapsedTime"},
    {offsetof(struct stint_cuda, destroy_event), "cuEventDestroy_v2"},
    {offsetof(struct stint_cuda, device), "cuCtxGetDevice"},
};

const char *stint_cuda_open(struct stint_cuda *cuda)
{
    return stint_ceiling_library_open(LIBRARY, s_functions, sizeof s_functions / sizeof s_functions[0], cuda);
}

/* ------------------------------------------------------------------------------------------------------------- code */

/* A table says which devices have which kernels. */

enum { UNROLL = 8, WARP = 32, WARPS = 4, ANY = 1000 };

enum form { COPY, READ, FMA, MMA, WGMMA };

/* Instructions of each form, and how many registers they take: of the result, and of both factors. `chains` are
 * independent of each other, and hide how long an instruction takes. */
struct instruction {
    struct stint_code code; /* first */
    enum form form;
    const char *name;
    const char *result, *factor; /* types of registers */
    unsigned results, a, b, chains;
};

#define TIMES(chains, flops) ((double)UNROLL * (chains) * (flops))
#define MOVE(ceiling, form, bytes)                                                                                     \
    {                                                                                                                  \
        {ceiling, 70, ANY, 256, 8, bytes}, form, "", "", "", 0, 0, 0, 0                                                \
    }
#define FUSED(ceiling, least, name, type, flops)                                                                       \
    {                                                                                                                  \
        {ceiling, least, ANY, 256, 8, TIMES(8, flops)}, FMA, name, type, type, 1, 1, 1, 8                              \
    }
/* M by N by K, by a warp or by a group of four. */
#define MATRIX(ceiling, least, most, name, result, factor, results, a, b, m, n, k)                                     \
    {                                                                                                                  \
        {ceiling, least, most, 256, 4, TIMES(6, 2.0 * (m) * (n) * (k) / WARP)}, MMA, name, result, factor, results, a, \
            b, 6                                                                                                       \
    }
#define GROUP(ceiling, name, k)                                                                                        \
    {                                                                                                                  \
        {ceiling, 90, 90, WARP * WARPS, 2, TIMES(1, 2.0 * 64 * 256 * (k) / (WARP * WARPS))}, WGMMA, name, "f32",       \
            "b32", 128, 1, 1, 1                                                                                        \
    }

static const struct instruction s_all[] = {
    MOVE(STINT_CEILING_COPY, COPY, 2.0 * STINT_CODE_ITEM_BYTES),
    MOVE(STINT_CEILING_READ, READ, STINT_CODE_ITEM_BYTES),
    MOVE(STINT_CEILING_L2, READ, STINT_CODE_ITEM_BYTES),
    FUSED(STINT_CEILING_FP64, 70, "fma.rn.f64", "f64", 2),
    FUSED(STINT_CEILING_FP32, 70, "fma.rn.f32", "f32", 2),
    FUSED(STINT_CEILING_FP16, 70, "fma.rn.f16x2", "b32", 4),
    FUSED(STINT_CEILING_BF16, 80, "fma.rn.bf16x2", "b32", 4),
    MATRIX(STINT_CEILING_TENSOR_FP64, 80, ANY, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "f64", "f64", 2, 1, 1,
           8, 8, 4),
    MATRIX(STINT_CEILING_TENSOR_FP64, 90, 90, "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", "f64", "f64", 4, 8,
           4, 16, 8, 16),
    MATRIX(STINT_CEILING_TENSOR_TF32, 80, ANY, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "f32", "b32", 4, 4,
           2, 16, 8, 8),
    MATRIX(STINT_CEILING_TENSOR_FP16, 80, ANY, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "f32", "b32", 4, 4,
           2, 16, 8, 16),
    MATRIX(STINT_CEILING_TENSOR_BF16, 80, ANY, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "f32", "b32", 4,
           4, 2, 16, 8, 16),
    GROUP(STINT_CEILING_TENSOR_TF32, "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32", 8),
    GROUP(STINT_CEILING_TENSOR_FP16, "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16", 16),
    GROUP(STINT_CEILING_TENSOR_BF16, "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16", 16),
};

const struct stint_code *stint_code_at(size_t index)
{
    return index < sizeof s_all / sizeof s_all[0] ? &s_all[index].code : NULL;
}

/* ------------------------------------------------------------------------------------------------------------ write */

struct page {
    char *text;
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void put(struct page *page, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(page->text + page->used, STINT_CODE_SIZE - page->used, format, arguments);
    va_end(arguments);
    page->used += (size_t)length;
}

/* "{%d0,%d1}" */
static void put_list(struct page *page, const char *letter, unsigned first, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        put(page, "%s%%%s%u", i ? "," : "{", letter, first + i);
    put(page, "}");
}

/* %rd0 and %rd1 are the addresses, %rd2 the items, %r0 the times, %rd3 the thread, %rd4 the threads, %rd5 where it
 * writes a result. */
static void put_begin(struct page *page, const struct instruction *one)
{
    int is_group = one->form == WGMMA, is_new = one->code.least >= 80;
    put(page, ".version %s\n.target sm_%u%s\n.address_size 64\n",
        one->code.least >= 90 ? "8.0"
        : is_new              ? "7.0"
                              : "6.0",
        one->code.least, is_group ? "a" : "");
    put(page,
        ".visible .entry " STINT_CODE_ENTRY
        "(.param .u64 from, .param .u64 to, .param .u64 items, .param .u32 times)\n{\n"
        ".reg .pred %%p<2>;\n.reg .b32 %%r<24>;\n.reg .b64 %%rd<12>;\n"
        "ld.param.u64 %%rd0,[from];\nld.param.u64 %%rd1,[to];\nld.param.u64 %%rd2,[items];\n"
        "ld.param.u32 %%r0,[times];\ncvta.to.global.u64 %%rd0,%%rd0;\ncvta.to.global.u64 %%rd1,%%rd1;\n"
        "mov.u32 %%r1,%%ctaid.x;\nmov.u32 %%r2,%%ntid.x;\nmov.u32 %%r3,%%tid.x;\nmad.lo.u32 %%r4,%%r1,%%r2,%%r3;\n"
        "cvt.u64.u32 %%rd3,%%r4;\nmov.u32 %%r5,%%nctaid.x;\nmul.lo.u32 %%r6,%%r5,%%r2;\ncvt.u64.u32 %%rd4,%%r6;\n"
        "shl.b64 %%rd5,%%rd3,3;\nadd.u64 %%rd5,%%rd1,%%rd5;\n");
}

static void put_again(struct page *page)
{
    put(page, "sub.u32 %%r0,%%r0,1;\nsetp.ne.u32 %%p0,%%r0,0;\n@%%p0 bra AGAIN;\n");
}

/* A thread moves STINT_CODE_ITEMS items that are as far apart as there are threads, then the next ones. */
static void put_moves(struct page *page, const struct instruction *one)
{
    put(page, "shl.b64 %%rd6,%%rd4,4;\nmov.u32 %%r7,0;\nAGAIN:\nmov.u64 %%rd7,%%rd3;\nNEXT:\n"
              "shl.b64 %%rd8,%%rd7,4;\nadd.u64 %%rd9,%%rd1,%%rd8;\nadd.u64 %%rd8,%%rd0,%%rd8;\n");
    for (unsigned i = 0; i < STINT_CODE_ITEMS; i++)
        put(page, "ld.global.cg.v4.b32 {%%r%u,%%r%u,%%r%u,%%r%u},[%%rd8];\nadd.u64 %%rd8,%%rd8,%%rd6;\n", 8 + 4 * i,
            9 + 4 * i, 10 + 4 * i, 11 + 4 * i);
    for (unsigned i = 0; i < STINT_CODE_ITEMS; i++)
        if (one->form == COPY)
            put(page, "st.global.v4.b32 [%%rd9],{%%r%u,%%r%u,%%r%u,%%r%u};\nadd.u64 %%rd9,%%rd9,%%rd6;\n", 8 + 4 * i,
                9 + 4 * i, 10 + 4 * i, 11 + 4 * i);
        else
            for (unsigned k = 0; k < 4; k++)
                put(page, "xor.b32 %%r7,%%r7,%%r%u;\n", 8 + 4 * i + k);
    put(page, "mad.lo.u64 %%rd7,%%rd4,%u,%%rd7;\nsetp.lt.u64 %%p1,%%rd7,%%rd2;\n@%%p1 bra NEXT;\n", STINT_CODE_ITEMS);
    put_again(page);
    if (one->form == READ)
        put(page, "st.global.b32 [%%rd5],%%r7;\n");
}

/* Values come from memory, so that no compiler knows them. */
static void put_registers(struct page *page, const struct instruction *one)
{
    unsigned results = one->results * one->chains;
    put(page, ".reg .%s %%d<%u>;\n.reg .%s %%a<%u>;\n.reg .%s %%b<%u>;\n", one->result, results, one->factor, one->a,
        one->factor, one->b);
    for (unsigned i = 0; i < results; i++)
        put(page, "ld.global.%s %%d%u,[%%rd0+%u];\n", one->result, i, 8 * i);
    for (unsigned i = 0; i < one->a; i++)
        put(page, "ld.global.%s %%a%u,[%%rd0+%u];\n", one->factor, i, 2048 + 8 * i);
    for (unsigned i = 0; i < one->b; i++)
        put(page, "ld.global.%s %%b%u,[%%rd0+%u];\n", one->factor, i, 2560 + 8 * i);
}

/* Shared memory for two matrices without swizzling, filled with the first factor, and what describes them: addresses,
 * and how far apart their parts of 8 rows of 16 bytes are. */
static void put_shared(struct page *page)
{
    uint64_t apart = (uint64_t)(256 / 16) << 32 | (uint64_t)(128 / 16) << 16;
    put(page,
        ".shared .align 128 .b8 kept[16384];\nmov.u32 %%r8,kept;\nshl.b32 %%r9,%%r3,7;\nadd.u32 %%r9,%%r8,%%r9;\n");
    for (unsigned i = 0; i < 8; i++)
        put(page, "st.shared.v4.b32 [%%r9+%u],{%%a0,%%a0,%%a0,%%a0};\n", 16 * i);
    put(page,
        "bar.sync 0;\nfence.proxy.async;\nshr.u32 %%r8,%%r8,4;\ncvt.u64.u32 %%rd6,%%r8;\nor.b64 %%rd6,%%rd6,%llu;\n"
        "add.u64 %%rd7,%%rd6,%u;\nsetp.eq.u32 %%p1,0,0;\n",
        (unsigned long long)apart, 2048 / 16);
}

static void put_one(struct page *page, const struct instruction *one, unsigned chain)
{
    unsigned first = chain * one->results;
    if (one->form == FMA) {
        put(page, "%s %%d%u,%%d%u,%%a0,%%b0;\n", one->name, first, first);
        return;
    }
    put(page, "%s ", one->name);
    put_list(page, "d", first, one->results);
    put(page, ",");
    if (one->form == WGMMA) {
        put(page, "%%rd6,%%rd7,%%p1,1,1%s;\n", strstr(one->name, "tf32") ? "" : ",0,0");
        return;
    }
    put_list(page, "a", 0, one->a);
    put(page, ",");
    put_list(page, "b", 0, one->b);
    put(page, ",");
    put_list(page, "d", first, one->results);
    put(page, ";\n");
}

/* All results are needed, or a compiler leaves them out. */
static void put_result(struct page *page, const struct instruction *one)
{
    const char *join = strcmp(one->result, "b32") == 0 ? "xor" : "add";
    for (unsigned i = 1; i < one->results * one->chains; i++)
        put(page, "%s.%s %%d0,%%d0,%%d%u;\n", join, one->result, i);
    put(page, "st.global.%s [%%rd5],%%d0;\n", one->result);
}

static void put_sums(struct page *page, const struct instruction *one)
{
    put_registers(page, one);
    if (one->form == WGMMA)
        put_shared(page);
    put(page, "AGAIN:\n%s", one->form == WGMMA ? "wgmma.fence.sync.aligned;\n" : "");
    for (unsigned i = 0; i < UNROLL; i++)
        for (unsigned chain = 0; chain < one->chains; chain++)
            put_one(page, one, chain);
    if (one->form == WGMMA)
        put(page, "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n");
    put_again(page);
    put_result(page, one);
}

void stint_code_write(const struct stint_code *code, char text[STINT_CODE_SIZE])
{
    const struct instruction *one = (const struct instruction *)(const void *)code;
    struct page page = {.text = text};
    put_begin(&page, one);
    if (one->form == COPY || one->form == READ)
        put_moves(&page, one);
    else
        put_sums(&page, one);
    put(&page, "ret;\n}\n");
}
