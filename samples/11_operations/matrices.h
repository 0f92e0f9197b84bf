// Products of matrices by cuBLAS, if it was there when this was compiled. Matrices are stored by rows, without gaps;
// cuBLAS takes them by columns, so that each is transposed.
#ifndef MATRICES_H
#define MATRICES_H

#ifdef WITH_CUBLAS

#include <cstdio>
#include <cstdlib>

#include <cublas_v2.h>

namespace matrices {

inline void check(cublasStatus_t code)
{
    if (code == CUBLAS_STATUS_SUCCESS)
        return;
    std::fprintf(stderr, "cuBLAS: %s\n", cublasGetStatusString(code));
    std::exit(EXIT_FAILURE);
}

inline cublasHandle_t handle()
{
    static cublasHandle_t all = nullptr;

    if (!all)
        check(cublasCreate(&all));
    return all;
}

inline cublasStatus_t gemm(cublasOperation_t of_a, cublasOperation_t of_b, int m, int n, int k, const float *a,
                           int rows_a, const float *b, int rows_b, float keeps, float *c)
{
    const float one = 1;

    return cublasSgemm(handle(), of_a, of_b, m, n, k, &one, a, rows_a, b, rows_b, &keeps, c, m);
}

inline cublasStatus_t gemm(cublasOperation_t of_a, cublasOperation_t of_b, int m, int n, int k, const double *a,
                           int rows_a, const double *b, int rows_b, double keeps, double *c)
{
    const double one = 1;

    return cublasDgemm(handle(), of_a, of_b, m, n, k, &one, a, rows_a, b, rows_b, &keeps, c, m);
}

// out[n][k] += in[n][c] weight[k][c]
template <typename Number> void forward(int n, int c, int k, const Number *in, const Number *weight, Number *out)
{
    check(gemm(CUBLAS_OP_T, CUBLAS_OP_N, k, n, c, weight, c, in, c, Number(1), out));
}

// in[n][c] = out[n][k] weight[k][c]
template <typename Number> void backward_input(int n, int c, int k, Number *in, const Number *weight, const Number *out)
{
    check(gemm(CUBLAS_OP_N, CUBLAS_OP_N, c, n, k, weight, c, out, k, Number(0), in));
}

// weight[k][c] = out[n][k] in[n][c]
template <typename Number>
void backward_weight(int n, int c, int k, const Number *in, Number *weight, const Number *out)
{
    check(gemm(CUBLAS_OP_N, CUBLAS_OP_T, c, k, n, in, c, out, k, Number(0), weight));
}

} // namespace matrices

#endif
#endif
