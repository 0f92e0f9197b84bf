/* Tells by the names of kernels whether they use Tensor Cores. */
#include "op/op_scan.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ------------------------------------------------------------------------------------------------------------ words */

/* Parts of names, whatever their case. The first one that occurs decides. */
static const struct {
    enum stint_op_tensor_cores use;
    const char *words; /* with a blank between */
} s_names[] = {
    {STINT_OP_TC_UNUSED, "ffma _simt_ opclasssimt"},
    /* What prepares the operands of others, or combines what they made. */
    {STINT_OP_TC_NONE,
     "splitkreduce splitk_reduce nchwtonhwc nhwctonchw offsetskernel generatewinogradtiles winogradwgrad "
     "winogradforwarddata winogradforwardfilter winogradforwardoutput compute_gemm_pointers flip_filter "
     "fft2d_ fft1d_ scaletensor scalepackedtensor combine_kernel dot_do_o convert_dq clear_dkvaccum "
     "attnfwdcombine attnbwdpreprocess attnbwdpostprocess reducesplitk reduce_wgrad init_device_workspace "
     "execute_split_k_kernel "
     "scal_kernel globalkernel multi_tensor_apply amp_update_scale triton_poi_ triton_per_ triton_red_"},
    /* Instructions, and tiles of CUTLASS' atoms for these; libraries that have kernels for nothing else. */
    {STINT_OP_TC_USED,
     "hmma imma qmma omma dmma bmma hgmma igmma qgmma bgmma wgmma utcmma tcgen05 tensorop sm75_16x8x8 "
     "sm80_16x8x sm89_16x8x sm90_64x sm100_mma sm120_16x8x nvjet flash_fwd flash_bwd flashattnfwd "
     "flashattnbwd _sdpa_sm fmha_v2 fmhasm fp8_gemm"},
    {STINT_OP_TC_UNUSED,
     "sgemm dgemm cgemm zgemm hgemm gemmsn scudnn dcudnn gemv gemmk1 dot_kernel winograd3x3 "
     "depthwise direct_kernel dgrad2d_alg1 dgrad_engine wgrad_alg0_engine wgrad_alg1_engine wgrad2d_alg0"},
};

enum { NAMES = sizeof s_names / sizeof s_names[0] };

/* Returns where the word is in the name, whatever its case; NULL if it is not there. */
static const char *find_word(const char *name, const char *word, size_t length)
{
    for (; *name; name++)
        if (strncasecmp(name, word, length) == 0)
            return name;
    return NULL;
}

static int has_one_of(const char *name, const char *words)
{
    while (*words) {
        size_t length = strcspn(words, " ");
        if (find_word(name, words, length))
            return 1;
        words += length + (words[length] == ' ');
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------- shapes and types */

/* Whether a name has the shape of an instruction behind the letter of its type: "s16816gemm", "h884cudnn". */
static int has_instruction(const char *name)
{
    static const char *const shapes[] = {"884", "1688", "16816", "8816", "8832", "16832", "16864", "161616", "83232"};
    for (const char *at = name + 1; *name && *at; at++) {
        if (!is_digit(*at) || is_digit(at[-1]) || !strchr("shdicbqo", at[-1]))
            continue;
        size_t length = strspn(at, "0123456789");
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
            if (strlen(shapes[i]) == length && memcmp(at, shapes[i], length) == 0)
                return 1;
    }
    return 0;
}

/* Takes types that follow each other without anything between, "f16f32", and returns what is behind them. */
static const char *skip_types(const char *at)
{
    static const char *const types[] = {"tf32", "bf16", "f64", "f32", "f16", "i8", "i32", "u8", "e4m3", "e5m2"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strncmp(at, types[i], strlen(types[i])) == 0) {
            at += strlen(types[i]);
            i = (size_t)-1;
        }
    return at;
}

/* "sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_…": the second group of types is what is multiplied and added up. fp32 needs
 * no Tensor Cores; some names also have the instruction's shape, as "tensor16x8x16". */
static enum stint_op_tensor_cores by_types(const char *name)
{
    if (strstr(name, "_tensor"))
        return STINT_OP_TC_USED;
    for (const char *at = strchr(name, '_'); at; at = strchr(at + 1, '_')) {
        const char *end = skip_types(at + 1);
        if (end == at + 1 || *end != '_')
            continue;
        const char *second = end + 1;
        if (skip_types(second) == second)
            return STINT_OP_TC_UNKNOWN;
        return strncmp(second, "f32", 3) == 0 ? STINT_OP_TC_UNUSED : STINT_OP_TC_USED;
    }
    return STINT_OP_TC_UNKNOWN;
}

/* "fmha_cutlassF_bf16_aligned_64x64_rf_sm80", of PyTorch: Tensor Cores from sm70 on, for fp32, in three products of
 * tf32, from sm80 on. */
static enum stint_op_tensor_cores by_architecture(const char *name)
{
    const char *sm = strstr(name, "_sm");
    int is_fp32 = strstr(name, "_f32_") != NULL, version = 0;
    if (!sm)
        return STINT_OP_TC_UNKNOWN;
    for (sm += strlen("_sm"); is_digit(*sm) && version < 1000; sm++)
        version = 10 * version + (*sm - '0');
    if (!version)
        return STINT_OP_TC_UNKNOWN;
    return version >= (is_fp32 ? 80 : 70) ? STINT_OP_TC_USED : STINT_OP_TC_UNUSED;
}

/* -------------------------------------------------------------------------------------------------------------- use */

static enum stint_op_tensor_cores by_name(const char *name)
{
    for (size_t i = 0; i < NAMES; i++) {
        if (s_names[i].use == STINT_OP_TC_USED && has_instruction(name))
            return STINT_OP_TC_USED;
        if (has_one_of(name, s_names[i].words))
            return s_names[i].use;
    }
    if (strstr(name, "xmma_"))
        return by_types(name);
    if (strstr(name, "fmha_cutlass"))
        return by_architecture(name);
    return STINT_OP_TC_UNKNOWN;
}

enum stint_op_tensor_cores stint_op_tensor_cores(const char *kernel, enum stint_op_work work)
{
    enum stint_op_tensor_cores use = by_name(kernel);
    return use == STINT_OP_TC_UNKNOWN && work == STINT_OP_WORK_OTHER ? STINT_OP_TC_NONE : use;
}

/* ------------------------------------------------------------------------------------------------------------ types */

/* "nvjet_sm90_tst_…", of cuBLAS: a letter for each of the inputs, what is added up, and the result. */
static enum stint_op_type by_letter(const char *name)
{
    const char *at = strstr(name, "nvjet_");
    if (!at)
        return STINT_OP_TYPE_UNKNOWN;
    at += strlen("nvjet_");
    if (strncmp(at, "sm", 2) == 0 && strchr(at, '_'))
        at = strchr(at, '_') + 1;
    return *at == 'h' ? STINT_OP_FP16 : *at == 't' ? STINT_OP_BF16 : STINT_OP_TYPE_UNKNOWN;
}

/* The first part that occurs decides. An instruction of Tensor Cores without a type is that of tf32. */
enum stint_op_type stint_op_kernel_type(const char *kernel)
{
    static const struct {
        const char *part;
        enum stint_op_type type;
    } parts[] = {
        {"_h884", STINT_OP_FP16},          {"_h1688", STINT_OP_FP16},        {"_h16816", STINT_OP_FP16},
        {"_d884", STINT_OP_FP64},          {"gemm_f16", STINT_OP_FP16},      {"fp16", STINT_OP_FP16},
        {"f16f16", STINT_OP_FP16},         {"_f16_s", STINT_OP_FP16},        {"lassF_f16", STINT_OP_FP16},
        {"lassB_f16", STINT_OP_FP16},      {"bf16", STINT_OP_BF16},          {"e4m3", STINT_OP_FP8_E4M3},
        {"e5m2", STINT_OP_FP8_E5M2},       {"i8i8", STINT_OP_INT8},          {"tf32", STINT_OP_TF32},
        {"tensorop_s1688", STINT_OP_TF32}, {"f64f64_f64f64", STINT_OP_FP64}, {"f32f32_f32f32", STINT_OP_FP32},
        {"sgemm", STINT_OP_FP32},          {"dgemm", STINT_OP_FP64},         {"scudnn", STINT_OP_FP32},
        {"dcudnn", STINT_OP_FP64},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strstr(kernel, parts[i].part))
            return parts[i].type;
    return by_letter(kernel);
}

/* ------------------------------------------------------------------------------------------------------------ words */

const char *stint_op_tensor_cores_word(enum stint_op_tensor_cores use)
{
    static const char *const words[] = {"na", "1", "0", "-"};
    return words[use];
}
