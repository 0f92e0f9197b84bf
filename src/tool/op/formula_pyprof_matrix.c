/* PyProf's own rules for functions that multiply matrices. */
#include "op/formula_pyprof.h"

const char *stint_op_pyprof_cores(const char *kernel, const char *otherwise)
{
    static const char words[] = "h884 s884 h1688 s1688 hmma i8816 16816 dgrad_1x1_stride_2x2 first_layer_wgrad_kernel "
                                "conv1x1 conv2d_c1_k1 direct_group xmma_implicit_gemm xmma_sparse_conv "
                                "xmma_warp_specialized_implicit_gemm xmma_gemm xmma_sparse_gemm c1688";
    return has_one_of(kernel, words) ? "1" : otherwise;
}

/* -------------------------------------------------------------------------------------------------------- products */

static amount areas(amount m, amount n, amount k)
{
    return SUM(PRODUCT(m, n), PRODUCT(m, k), PRODUCT(n, k));
}

/* mm, bmm, addmm: the rule's `flops` is the first matrix, `back` their dimensions. */
static int product(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    tensor a, b;
    if (tensor_at(ask, rule->flops, &a) || tensor_at(ask, rule->flops + 1, &b) || a.dims != rule->back ||
        b.dims != rule->back || a.type != b.type)
        return -1;
    amount batch = rule->back == 3 ? stint_op_dim(&a, 0) : of(1);
    amount m = stint_op_dim(&a, -2), k = stint_op_dim(&a, -1), n = stint_op_dim(&b, -1);
    if (rule->back == 3)
        put_u64(text, "B=", batch);
    put_matrices(text, n, m, k, a.type);
    cost(found, PRODUCT(of(2), batch, m, n, k), PRODUCT(item_bytes(&a), batch, areas(m, n, k)));
    found->tc = stint_op_pyprof_cores(ask->kernel, "0");
    return 0;
}

#define NO_PRODUCT "kernelPointwiseApply2 reduce_1Block_kernel elementwise_kernel"

static int matmul(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    struct stint_piece kernel = {ask->kernel, strlen(ask->kernel)};
    tensor a, b;
    (void)rule;
    if (tensor_at(ask, 0, &a) || tensor_at(ask, 1, &b) || !a.dims || !b.dims || a.type != b.type ||
        !has_one_of(ask->kernel, NO_PRODUCT " dot_kernel gemm gemv"))
        return -1;
    tensor batches[] = {{a.shape, a.dims > 2 ? a.dims - 2 : 0, a.type}, {b.shape, b.dims > 2 ? b.dims - 2 : 0, b.type}};
    amount m = a.dims > 1 ? stint_op_dim(&a, -2) : of(1), n = b.dims > 1 ? stint_op_dim(&b, -1) : of(1);
    amount k = stint_op_dim(&a, -1);
    put_key_shape(text, "A=", &a);
    put_key_shape(text, "B=", &b);
    put_type(text, a.type);
    found->tc = is_one_of(kernel, NO_PRODUCT " dot_kernel") ? "-" : stint_op_pyprof_cores(ask->kernel, "0");
    if (is_one_of(kernel, NO_PRODUCT))
        cost(found, of(0), PRODUCT(of(2), stint_op_bytes(&a)));
    else /* without the batch */
        cost(found, PRODUCT(of(2), stint_op_broadcast(batches, 2), m, n, k), PRODUCT(item_bytes(&a), areas(m, n, k)));
    return 0;
}

/* Only the last summand is in bytes. */
static void linear_product(pyprof_ask *ask, pyprof *found, output *text, const tensor *x, const tensor *w)
{
    tensor batch = {x->shape, x->dims - 1, x->type};
    amount m = stint_op_dim(w, 0), k = stint_op_dim(w, 1), n = stint_op_elements(&batch);
    amount flops = PRODUCT(of(2), m, n, k), bytes = SUM(PRODUCT(m, n), PRODUCT(m, k), PRODUCT(n, k, item_bytes(x)));
    found->tc = stint_op_pyprof_cores(ask->kernel, "0");
    if (ask->is_backward && ask->sub > 1) {
        put_key_shape(text, "X=", x);
        put_key_shape(text, "W=", w);
        put_type(text, x->type);
        cost(found, of(0), of(0));
        return;
    }
    int is_weights = ask->is_backward && ask->sub; /* most likely */
    put_u64(text, "M=", ask->is_backward ? k : m);
    if (batch.dims == 1 || is_weights)
        put_u64(text, "N=", is_weights ? m : n);
    else
        put_key_shape(text, "N=", &batch);
    if (is_weights && batch.dims != 1)
        put_key_shape(text, "K=", &batch);
    else
        put_u64(text, "K=", is_weights ? n : ask->is_backward ? m : k);
    put_type(text, x->type);
    cost(found, flops, bytes);
}

static int linear(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    tensor x, w;
    (void)rule;
    if (tensor_at(ask, 0, &x) || tensor_at(ask, 1, &w) || !x.dims || w.dims != 2 || x.type != w.type)
        return -1;
    if (has_one_of(ask->kernel, "gemm gemv dot_kernel splitKreduce_kernel reduce_1Block_kernel cutlass")) {
        linear_product(ask, found, text, &x, &w);
        return 0;
    }
    if (!has_one_of(ask->kernel, "kernelReduceContigDim kernelReduceNoncontigDim_shared elementwise_kernel "
                                 "reduce_kernel kernelPointwiseApply2 2d_grouped_direct_kernel"))
        return -1;
    tensor batch = {x.shape, x.dims - 1, x.type};
    amount elements = PRODUCT(stint_op_dim(&w, 0), stint_op_elements(&batch));
    found->op = "bias";
    put_u64(text, "M=", stint_op_dim(&w, 0));
    if (batch.dims == 1)
        put_u64(text, "N=", stint_op_dim(&batch, 0));
    else
        put_key_shape(text, "N=", &batch);
    put_type(text, x.type);
    cost(found, elements, PRODUCT(of(2), elements, item_bytes(&x)));
    return 0;
}

/* ---------------------------------------------------------------------------------------------------- convolutions */

/* Numbers of conv1d have a first dimension of 1. */
struct convolution {
    amount n, c, k, g;
    amount h[2], r[2], p[2], pad[2], stride[2], dilation[2];
    enum stint_op_type type;
};

/* Argument `at`, or the one of that name: a number, or a number for each dimension. */
static amount number_of(pyprof_ask *ask, size_t at, const char *name, size_t index, uint64_t standard)
{
    value *found = argument(ask, at);
    if (!found || found->name.length)
        found = argument_named(ask, name);
    if (!found)
        return of(standard);
    if (found->kind == STINT_OP_NUMBER && found->number >= 0)
        return of((uint64_t)found->number);
    if (found->kind != STINT_OP_NUMBERS || index >= found->count)
        return stint_op_unknown();
    int64_t number = stint_op_numbers(ask->operation, found)[index];
    return number < 0 ? stint_op_unknown() : of((uint64_t)number);
}

static int read_convolution(pyprof_ask *ask, struct convolution *read)
{
    tensor i, w;
    if (tensor_at(ask, 0, &i) || tensor_at(ask, 1, &w) || i.dims != w.dims || i.dims < 3 || i.dims > 4 ||
        i.type != w.type)
        return -1;
    *read = (struct convolution){.n = stint_op_dim(&i, 0),
                                 .c = stint_op_dim(&i, 1),
                                 .k = stint_op_dim(&w, 0),
                                 .g = number_of(ask, 6, "groups", 0, 1),
                                 .type = i.type};
    for (size_t d = 0; d < 2; d++) {
        int is_missing = !d && i.dims == 3;
        size_t at = i.dims == 3 ? 0 : d;
        read->h[d] = is_missing ? of(1) : stint_op_dim(&i, d ? -1 : -2);
        read->r[d] = is_missing ? of(1) : stint_op_dim(&w, d ? -1 : -2);
        read->stride[d] = is_missing ? of(1) : number_of(ask, 3, "stride", at, 1);
        read->pad[d] = is_missing ? of(0) : number_of(ask, 4, "padding", at, 0);
        read->dilation[d] = is_missing ? of(1) : number_of(ask, 5, "dilation", at, 1);
        amount reach = SUM(PRODUCT(stint_op_minus(read->r[d], of(1)), read->dilation[d]), of(1));
        amount room = SUM(read->h[d], read->pad[d], read->pad[d]);
        read->p[d] = room.value < reach.value
                         ? stint_op_unknown()
                         : SUM(stint_op_quotient(stint_op_minus(room, reach), read->stride[d]), of(1));
        if (read->p[d].state)
            return -1;
    }
    return read->g.state || !read->g.value ? -1 : 0;
}

static void put_convolution(output *text, const struct convolution *c)
{
    const struct {
        const char *key;
        amount number;
    } all[] = {{"N=", c->n},
               {"C=", c->c},
               {"H=", c->h[0]},
               {"W=", c->h[1]},
               {"K=", c->k},
               {"P=", c->p[0]},
               {"Q=", c->p[1]},
               {"R=", c->r[0]},
               {"S=", c->r[1]},
               {"ph=", c->pad[0]},
               {"pw=", c->pad[1]},
               {"U=", c->stride[0]},
               {"V=", c->stride[1]},
               {"dh=", c->dilation[0]},
               {"dw=", c->dilation[1]},
               {"g=", c->g}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        put_u64(text, all[i].key, all[i].number);
    put_type(text, c->type);
}

/* One kernel of all groups, or with few exceptions one for each. */
static void convolution_cost(pyprof_ask *ask, pyprof *found, struct convolution c)
{
    int is_all = has_one_of(ask->kernel, "2d_grouped_direct_kernel spatialDepthwiseConvolutionUpdateOutput");
    amount g = is_all ? c.g : of(1);
    c.c = is_all ? c.c : stint_op_quotient(c.c, c.g);
    c.k = is_all ? c.k : stint_op_quotient(c.k, c.g);
    amount outputs = PRODUCT(c.n, c.k, c.p[0], c.p[1]), filter = PRODUCT(c.c, c.r[0], c.r[1]);
    amount elements = SUM(PRODUCT(c.n, c.c, c.h[0], c.h[1]), stint_op_quotient(PRODUCT(c.k, filter), g), outputs);
    cost(found, stint_op_quotient(PRODUCT(of(2), outputs, filter), g), PRODUCT(elements, stint_op_item_bytes(c.type)));
    found->is_float = 1;
}

static int convolution(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    struct convolution c;
    (void)rule;
    if (read_convolution(ask, &c))
        return -1;
    put_convolution(text, &c);
    found->tc = stint_op_pyprof_cores(ask->kernel, "-");
    amount outputs = PRODUCT(c.n, c.k, c.p[0], c.p[1]);
    if (has_one_of(ask->kernel,
                   "nchwToNhwc nhwcToNchw OffsetsKernel generateWinogradTilesKernel winogradWgradData "
                   "winogradWgradOutput winogradWgradDelta compute_gemm_pointers flip_filter fft2d_r2c_ fft2d_c2r_ "
                   "fft1d_r2c fft1d_c2r scaleTensor_kernel"))
        return 0;
    if (has_one_of(ask->kernel,
                   "_s884cudnn_ _s1688cudnn_ _scudnn_ 2d_grouped_direct_kernel "
                   "cudnn::detail::implicit_convolve_sgemm cudnn::detail::dgrad2d_alg1_1 "
                   "cudnn::detail::wgrad_alg0_engine cudnn::detail::dgrad_engine dgrad_1x1_stride_2x2 "
                   "spatialDepthwiseConvolutionUpdateOutput winograd3x3Kernel _sgemm_ fermiPlusCgemmLDS128_batched "
                   "_gcgemm_"))
        convolution_cost(ask, found, c);
    else if (has_one_of(ask->kernel, "calc_bias_diff"))
        cost(found, outputs, PRODUCT(of(2), outputs, stint_op_item_bytes(c.type)));
    return 0;
}

/* --------------------------------------------------------------------------------------------- LSTMCell and GRUCell */

static uint64_t digits_of(const char *text)
{
    uint64_t number = 0;
    for (int i = 0; i < 4 && text[i] >= '0' && text[i] <= '9'; i++)
        number = 10 * number + (uint64_t)(text[i] - '0');
    return number;
}

/* The tile of a product, "128x64" of "volta_sgemm_128x64_nt". Returns 0 if the name has none. */
static int read_tile(const char *kernel, uint64_t *x, uint64_t *y)
{
    for (const char *at = strchr(kernel, 'x'); at; at = strchr(at + 1, 'x')) {
        const char *from = at;
        while (from > kernel && from[-1] >= '0' && from[-1] <= '9')
            from--;
        if (from == at || from == kernel || from[-1] != '_' || at - from > 4)
            continue;
        *x = digits_of(from);
        *y = digits_of(at + 1);
        return 1;
    }
    return 0;
}

static void put_cell_product(pyprof *found, output *text, int is_layer, amount m, amount n, amount k,
                             enum stint_op_type type)
{
    stint_text_string(text, is_layer ? "gemm=layer," : "gemm=recur,");
    put_matrices(text, m, n, k, type);
    cost(found, PRODUCT(of(2), m, n, k), PRODUCT(stint_op_item_bytes(type), areas(m, n, k)));
}

/* Backward, the kernel's name and grid tell which of the products it is. Returns whether it is one. */
static int backward_cell(pyprof_ask *ask, pyprof *found, output *text, const tensor *x, const tensor *h, amount gates)
{
    uint64_t tile_x, tile_y;
    size_t length = strlen(ask->kernel);
    const char *kind = length > 3 ? ask->kernel + length - 3 : "";
    if (!has_one_of(ask->kernel, "sgemm 884gemm hgemm") || !read_tile(ask->kernel, &tile_x, &tile_y))
        return 0;
    amount m = of(tile_x * ask->grid[0]), n = of(tile_y * ask->grid[1]), rows = stint_op_dim(x, 0);
    int is_recurrent = m.value == stint_op_dim(h, 1).value, is_layer = m.value == stint_op_dim(x, 1).value;
    int is_data = strcmp(kind, "_nn") == 0;
    if ((!is_data && strcmp(kind, "_nt") != 0) || (!is_recurrent && !is_layer))
        return 0;
    if (is_data && is_recurrent)
        n = rows;
    put_cell_product(found, text, !is_recurrent, m, n, is_data ? gates : rows, x->type);
    return 1;
}

/* Of each three kernels, the first multiplies the input, the second the state, and the third has what is left. */
static int cell(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule)
{
    tensor x, h;
    (void)rule;
    if (tensor_at(ask, 0, &x) || tensor_at(ask, 1, &h) || x.dims != 2 || h.dims != 2 || x.type != h.type)
        return -1;
    uint64_t count = is_one_of(ask->operation->module, "LSTMCell") ? 4 : 3;
    amount width = stint_op_dim(&h, 1), gates = PRODUCT(of(count), width), rows = stint_op_dim(&x, 0);
    found->tc = strstr(ask->kernel, "gemm") ? stint_op_pyprof_cores(ask->kernel, "0") : "-";
    if (!ask->is_backward && ask->sub % 3 < 2) {
        int is_layer = ask->sub % 3 == 0;
        put_cell_product(found, text, is_layer, gates, rows, is_layer ? stint_op_dim(&x, 1) : width, x.type);
        return 0;
    }
    if (ask->is_backward && backward_cell(ask, found, text, &x, &h, gates))
        return 0;
    stint_text_string(text, "cell=");
    stint_text_put(text, ask->operation->module.text, ask->operation->module.length);
    stint_text_string(text, ",");
    put_u64(text, "X=", stint_op_dim(&x, 1));
    put_u64(text, "H=", width);
    put_u64(text, "B=", rows);
    put_type(text, x.type);
    if (!ask->is_backward)
        cost(found, of(0), PRODUCT(of(2 * count + 3), width, rows, item_bytes(&x)));
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ rules */

const struct stint_op_pyprof_rule stint_op_pyprof_matrix[] = {
    {"linear", linear, 0, 0, 0},
    {"conv1d conv2d", convolution, 0, 0, 0},
    {"matmul __matmul__", matmul, 0, 0, 0},
    {"mm", product, 0, 0, 2},
    {"bmm", product, 0, 0, 3},
    {"addmm addmm_", product, 1, 0, 2},
    {NULL, NULL, 0, 0, 0},
};

const struct stint_op_pyprof_rule stint_op_pyprof_cells_forward[] = {
    {"forward", cell, 0, 0, 0},
    {NULL, NULL, 0, 0, 0},
};
