#include "op/op_scan.h"

#include <string.h>

#include "stint_test.h"

/* Names as profilers have printed them, cut where a name only goes on with parameters. */
struct expected {
    const char *word, *kernel;
};

static void assert_words(const struct expected *expected, size_t count, enum stint_op_work work)
{
    for (size_t i = 0; i < count; i++) {
        const char *word = stint_op_tensor_cores_word(stint_op_tensor_cores(expected[i].kernel, work));
        if (word[0] != expected[i].word[0] || word[1] != expected[i].word[1])
            fail_msg("%s for %s", word, expected[i].kernel);
    }
}

TEST(kernels_with_tensor_cores_are_known_by_instruction_or_library)
{
    static const struct expected expected[] = {
        {"1", "volta_h884gemm_128x64_ldg8_nn"},
        {"1", "volta_fp16_s884cudnn_fp16_256x64_ldg8_relu_exp_small_nhwc2nchw_tn_v1"},
        {"1", "turing_fp16_s1688gemm_fp16_256x128_ldg8_f2f_tn"},
        {"1", "turing_h1688cudnn_128x128_ldg8_relu_exp_medium_nhwc_tn_v1"},
        {"1", "ampere_fp16_s16816gemm_fp16_64x64_sliced1x2_ldg8_relu_f2f_stages_64x6_tn"},
        {"1", "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_nn"},
        {"1", "trt_ampere_h16816gemm_128x64_ldg8_nn_v1"},
        {"1", "void cutlass::Kernel2<cutlass_80_tensorop_f16_s16816gemm_relu_f16_128x128_32x4_tn_align8>(Params)"},
        {"1", "void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x64_16x6_nn_align4>(Params)"},
        {"1", "cutlass_75_tensorop_bf16_s1688gemm_bf16_256x128_nn_align1"},
        {"1", "cutlass_80_tensorop_d884gemm_64x64_16x4_nn_align1"},
        {"1", "cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_16x16_128x2_tn_align8"},
        {"1", "cutlass_tensorop_s1688fprop_optimized_tf32_128x64_16x6_nhwc_align4"},
        {"1", "cutlass3x_sm90_tensorop_s64x128x16gemm_f16_f16_f32_f16_f16_128x128x64_2x1x1_0_ttt_align8"},
        {"1", "sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize192x128x32_stage3_warpsize4x2x1_tensor16x8x16_kernel"},
        {"1",
         "sm90_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_"
         "cublas"},
        {"1", "sm90_xmma_gemm_f32f32_tf32f32_f32_nt_n_tilesize128x128x32_warpgroupsize1x1x1_execute_kernel__5x_cublas"},
        {"1",
         "sm89_xmma_gemm_e4m3bf16_e4m3f32_f32_tn_n_tilesize64x64x64_stage5_warpsize2x2x1_execute_kernel__5x_cublas"},
        {"1", "sm80_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x64x64"},
        {"1",
         "sm80_xmma_gemm_f64f64_f64f64_f64_nn_n_tilesize64x64x16_stage4_warpsize2x2x1_tensor8x8x4_execute_kernel__5x_"
         "cublas"},
        {"1", "sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc_tilesize128x32x32_stage4_warpsize4x1x1_g1_"
              "tensor16x8x16_execute_kernel__5x_cudnn"},
        {"1", "sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nchw_tilesize128x64x32"},
        {"1",
         "void xmma_cudnn::gemm::kernel<xmma_cudnn::implicit_gemm::fprop::Kernel_traits<xmma_cudnn::Ampere_hmma_fp16_"
         "traits>>"},
        {"1", "nvjet_tst_256x256_64x3_1x2_h_bz_coopA_NNT"},
        {"1", "nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_TNT"},
        {"1", "nvjet_sm100_tst_64x16_64x16_2x4_2cta_h_bz_splitK_TNT"},
        {"1", "nvjet_sm120_tst_mma_64x64x128_3_32x32x128_tmaAB_alignCD4_bz_TNNN"},
        {"1", "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4, false, false, cutlass::"
              "bfloat16_t>>"},
        {"1",
         "void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<64, 128, 128>>"},
        {"1", "void cutlass::device_kernel<flash::enable_sm90_or_later<flash::FlashAttnFwdSm90<>>>"},
        {"1", "cudnn_generated_fort_native_sdpa_sm80_flash_fprop_f16_knob_3_64x64x64_4x1x1"},
        {"1", "fmha_cutlassF_bf16_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel<>::Params)"},
        {"1", "fmha_cutlassF_f16_aligned_32x128_rf_sm75"},
        {"1", "fmha_cutlassF_f32_aligned_64x64_rf_sm80"},
        {"1", "fmha_v2_flash_attention_bf16_64_128_S_q_paged_kv_256_sm90_kernel"},
        {"1",
         "void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cute::SM90_64x128x16_F32BF16BF16_SS<>>>"},
        {"1", "void deep_gemm::fp8_gemm_kernel<2112u, 7168u>"},
    };
    assert_words(expected, TEST_COUNT(expected), STINT_OP_WORK_MATRIX);
    assert_words(expected, TEST_COUNT(expected), STINT_OP_WORK_UNKNOWN);
    assert_words(expected, TEST_COUNT(expected), STINT_OP_WORK_OTHER); /* something is fused */
}

TEST(kernels_that_multiply_without_them_are_known_too)
{
    static const struct expected expected[] = {
        {"0", "ampere_sgemm_128x128_nn"},
        {"0", "volta_sgemm_128x64_tn"},
        {"0", "volta_dgemm_64x64_nn"},
        {"0", "maxwell_fp16_sgemm_fp16_128x64_nn"},
        {"0", "void cutlass::Kernel2<cutlass_80_simt_sgemm_128x64_8x5_nn_align1>(Params)"},
        {"0", "cutlass_simt_sgemm_128x128_8x2_nn_align1"},
        {"0", "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize64x64x8_stage3_warpsize1x4x1_ffma_aligna4_alignc4_execute_"
              "kernel_"
              "_5x_cublas"},
        {"0", "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize64x64x8_execute_kernel__5x_cublas"},
        {"0", "ampere_scudnn_128x64_relu_xregs_large_nn_v1"},
        {"0", "ampere_scudnn_winograd_128x128_ldg1_ldg4_mobile_relu_tile148t_nt_v1"},
        {"0", "void cudnn::cnn::implicit_convolve_sgemm<float, float, 128, 5, 5, 3, 3, 3, 1, false>"},
        {"0", "void precomputed_convolve_sgemm<float, 1024, 5, 5, 4, 3, 3, 1, false>"},
        {"0", "void cudnn::winograd::winograd3x3Kernel<float, float, 1, 4, 8>"},
        {"0", "void gemv2T_kernel_val<int, int, float, float, float, float, 128, 16, 4, 4, false>"},
        {"0", "void gemmSN_TN_kernel<float, 128, 16, 2, 4, 4, 4, true>"},
        {"0", "void dot_kernel<float, 128, 0, cublasDotParams<>>"},
        {"0", "void at::native::conv_depthwise2d_forward_kernel<3, float, int>"},
        {"0", "fmha_cutlassF_f32_aligned_64x64_rf_sm75"},
    };
    assert_words(expected, TEST_COUNT(expected), STINT_OP_WORK_MATRIX);
    assert_words(expected, TEST_COUNT(expected), STINT_OP_WORK_UNKNOWN);
}

TEST(kernels_that_help_or_do_something_else_do_not_apply)
{
    static const struct expected helpers[] = {
        {"-", "void cublasLt::splitKreduce_kernel<32, 16, int, float, __half, float, __half, true>"},
        {"-", "void cudnn::ops::nchwToNhwcKernel<__half, __half, float, false, true>"},
        {"-", "void fft2d_r2c_32x32<float, false, 0u, false>"},
        {"-", "void pytorch_flash::flash_fwd_splitkv_combine_kernel<Flash_fwd_kernel_traits<64>>"},
        {"-", "void pytorch_flash::flash_bwd_dot_do_o_kernel<true, Flash_bwd_kernel_traits<64>>"},
        {"-", "void cudnn::cnn::reduce_wgrad_nchw_helper<float, float>(void*, void*, void const*, void*, int, int)"},
        {"-", "sm90_xmma_wgrad_indexed_implicit_gemm_f32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x128x32_"
              "warpgroupsize1x1x1_g1_execute_split_k_kernel__5x_cudnn"},
        {"-", "void cutlass__5x_cudnn::Kernel<cutlass::reduction::kernel::ReduceSplitK<MatrixShape<4, 128>>>(Params)"},
        {"-", "void cublasLt::epilogue::impl::globalKernel<8, 32, float, __half>"},
        {"-", "void scal_kernel<float, float, 1, true, 6, 5, 5, 3>"},
        {"-", "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<TensorListMetadata<1>>"},
        {"-", "void cudnn::engines_precompiled::scalePackedTensor_kernel<float, float>(long, float*, float)"},
        {"-", "triton_poi_fused_bmm_0"},
        {"-", "triton_per_fused_native_dropout_backward_sum_view_3"},
        {"-", "triton_red_fused_convolution_backward_max_pool2d_with_indices"},
    };
    static const struct expected others[] = {
        {"-", "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>, "
              "at::detail::Array<char*, 3>>"},
        {"-", "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>"},
        {"-", "triton_poi_fused_add_gelu_mul_0"},
    };
    static const struct expected unknown[] = {
        {"na", "triton_tem_fused_bmm_0"},
        {"na", "fused_fused_decode3_fused_NT_matmul21_cast21_add5_silu2_kernel_1"},
        {"na", "sm80_xmma_new"},
        {"na", "sm80_xmma_gemm_f32f32_x"},
        {"na", "fmha_cutlassF_f32_aligned"},
        {"na", "my_1884_kernel<1688>"},
        {"na", ""},
        {"na", "s"},
    };
    assert_words(helpers, TEST_COUNT(helpers), STINT_OP_WORK_MATRIX);
    assert_words(others, TEST_COUNT(others), STINT_OP_WORK_OTHER);
    assert_words(unknown, TEST_COUNT(unknown), STINT_OP_WORK_MATRIX);
    assert_words(unknown, TEST_COUNT(unknown), STINT_OP_WORK_UNKNOWN);
}

TEST(names_of_kernels_that_multiply_have_types)
{
    static const struct expected expected[] = {
        {"bf16", "nvjet_sm90_tst_320x128_64x3_1x2_h_bz_coopB_NNT"},
        {"fp16", "nvjet_sm90_hsh_128x128_64x6_2x4_h_bz_NTT"},
        {"bf16", "nvjet_tst_256x128_64x4_2x1_v_bz_coopA_TNT"},
        {"fp32", "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize64x64x8_stage3_warpsize1x4x1_ffma_aligna4_alignc4"},
        {"tf32", "sm90_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize128x128x32_warpgroupsize1x1x1"},
        {"tf32", "sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nchw_tilesize128x64x32"},
        {"bf16", "sm80_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize32x32x64"},
        {"fp16", "sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize32x32x64"},
        {"fp16", "void cutlass::Kernel2<cutlass_75_tensorop_f16_s1688gemm_f16_128x128_tn_align1>(Params)"},
        {"bf16", "void cutlass::Kernel2<cutlass_75_tensorop_bf16_s1688gemm_bf16_128x256_tn_align1>(Params)"},
        {"tf32", "void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x128_16x4_nt_align4>(Params)"},
        {"fp32", "void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nt_align1>(Params)"},
        {"fp16", "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_nn"},
        {"fp16", "volta_fp16_s884cudnn_fp16_256x64_ldg8_relu_f2f_exp_small_nhwc_tn_v1"},
        {"bf16", "fmha_cutlassF_bf16_aligned_64x64_rf_sm80(Params)"},
        {"fp16", "fmha_cutlassF_f16_aligned_64x64_rf_sm80(Params)"},
        {"fp64", "volta_dgemm_128x64_nn"},
        {"fp16", "volta_h884gemm_128x64_ldg8_nn"},
        {"fp16", "trt_ampere_h16816gemm_128x64_ldg8_nn_v1"},
        {"fp64", "cutlass_80_tensorop_d884gemm_64x64_16x4_nn_align1"},
        {"fp16", "cutlass3x_sm90_tensorop_s64x128x16gemm_f16_f16_f32_f16_f16_128x128x64_2x1x1_0_ttt_align8"},
        {"na", "cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x64"}, /* also of bf16 */
        {"na", "gemmSN_NN_kernel"},
        {"na", "nvjet_"},
        {"na", "nvjet_sm90"},
        {"na", ""},
    };
    for (size_t i = 0; i < TEST_COUNT(expected); i++)
        if (strcmp(stint_op_type_name(stint_op_kernel_type(expected[i].kernel)), expected[i].word) != 0)
            fail_msg("%s is %s", expected[i].kernel, stint_op_type_name(stint_op_kernel_type(expected[i].kernel)));
}
