// A network of the size of LeNet-5 learns the labels of some images: each operation says what it computes, so that
// `stint ops` knows the layer, the direction, FLOPs and bytes of each kernel. Compiled by nvcc, it runs on the GPU if
// there is one, and cuBLAS multiplies its matrices if it was there; compiled as C++, it does the same on the CPU. Before
// it learns, its gradients are compared with differences of the loss.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <stint/stint.hpp>

#include "matrices.h"

#ifdef __CUDACC__
#define ON_BOTH __host__ __device__
#else
#define ON_BOTH
#endif

namespace {

const int batch = 2, classes = 10, steps = 20;

// ---------------------------------------------------------------------------------------------------- on GPU or on CPU

[[maybe_unused]] bool on_gpu = false;

#ifdef __CUDACC__

template <typename Element> __global__ void for_each(Element element, int elements)
{
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < elements)
        element(i);
}

void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
    std::exit(EXIT_FAILURE);
}

#define CHECK(call) check(call, #call)

#endif

void choose_device()
{
#ifdef __CUDACC__
    int devices = 0;

    on_gpu = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
#endif
    std::printf("on the %s\n", on_gpu ? "GPU" : "CPU");
}

template <typename Element> void launch(Element element, int elements)
{
#ifdef __CUDACC__
    if (on_gpu) {
        for_each<<<(elements + 127) / 128, 128>>>(element, elements);
        return CHECK(cudaGetLastError());
    }
#endif
    for (int i = 0; i < elements; ++i)
        element(i);
}

// What the host reads next has been computed.
void wait()
{
#ifdef __CUDACC__
    if (on_gpu)
        CHECK(cudaDeviceSynchronize());
#endif
}

// Memory that both processors may use. It lives as long as the program.
template <typename Number> Number *allocate(int count)
{
    const size_t bytes = static_cast<size_t>(count) * sizeof(Number);
    void *memory = nullptr;

#ifdef __CUDACC__
    if (on_gpu) {
        CHECK(cudaMallocManaged(&memory, bytes));
        CHECK(cudaMemset(memory, 0, bytes));
        wait();
        return static_cast<Number *>(memory);
    }
#endif
    memory = std::calloc(1, bytes);
    if (!memory)
        std::exit(EXIT_FAILURE);
    return static_cast<Number *>(memory);
}

// ------------------------------------------------------------------------------------------------------------- tensors

// Images, channels, height, width; their values, and the gradients of the loss by them.
template <typename Number> struct tensor {
    int n, c, h, w;
    Number *values, *gradients;

    tensor(int n_, int c_, int h_, int w_)
        : n(n_), c(c_), h(h_), w(w_), values(allocate<Number>(n_ * c_ * h_ * w_)),
          gradients(allocate<Number>(n_ * c_ * h_ * w_))
    {
    }

    ON_BOTH int size() const { return n * c * h * w; }
    ON_BOTH int at(int in, int ic, int ih, int iw) const { return ((in * c + ic) * h + ih) * w + iw; }
};

template <typename Number> enum stint_element element_of();
template <> enum stint_element element_of<float>() { return STINT_FP32; }
template <> enum stint_element element_of<double>() { return STINT_FP64; }

#define SHAPE(of) STINT_TENSOR(element_of<Number>(), (of).n, (of).c, (of).h, (of).w)
#define VECTOR(of) STINT_TENSOR(element_of<Number>(), (of).size())
#define MATRIX(of) STINT_TENSOR(element_of<Number>(), (of).n, (of).c)

// ------------------------------------------------------------------------------------------------------------- kernels

template <typename Number> struct convolve {
    tensor<Number> in, weight, bias, out;

    ON_BOTH void operator()(int i) const
    {
        const int q = i % out.w, p = i / out.w % out.h, k = i / (out.w * out.h) % out.c,
                  n = i / (out.w * out.h * out.c);
        Number sum = bias.values[k];

        for (int c = 0; c < in.c; ++c)
            for (int r = 0; r < weight.h; ++r)
                for (int s = 0; s < weight.w; ++s)
                    sum += in.values[in.at(n, c, p + r, q + s)] * weight.values[weight.at(k, c, r, s)];
        out.values[i] = sum;
    }
};

template <typename Number> struct convolve_input {
    tensor<Number> in, weight, out;

    ON_BOTH void operator()(int i) const
    {
        const int x = i % in.w, y = i / in.w % in.h, c = i / (in.w * in.h) % in.c, n = i / (in.w * in.h * in.c);
        Number sum = 0;

        for (int k = 0; k < out.c; ++k)
            for (int r = 0; r < weight.h; ++r)
                for (int s = 0; s < weight.w; ++s)
                    if (y >= r && y - r < out.h && x >= s && x - s < out.w)
                        sum += out.gradients[out.at(n, k, y - r, x - s)] * weight.values[weight.at(k, c, r, s)];
        in.gradients[i] = sum;
    }
};

template <typename Number> struct convolve_weight {
    tensor<Number> in, weight, out;

    ON_BOTH void operator()(int i) const
    {
        const int s = i % weight.w, r = i / weight.w % weight.h, c = i / (weight.w * weight.h) % weight.c,
                  k = i / (weight.w * weight.h * weight.c);
        Number sum = 0;

        for (int n = 0; n < out.n; ++n)
            for (int p = 0; p < out.h; ++p)
                for (int q = 0; q < out.w; ++q)
                    sum += out.gradients[out.at(n, k, p, q)] * in.values[in.at(n, c, p + r, q + s)];
        weight.gradients[i] = sum;
    }
};

template <typename Number> struct spread_bias {
    tensor<Number> bias, out;

    ON_BOTH void operator()(int i) const { out.values[i] = bias.values[i % out.c]; }
};

template <typename Number> struct sum_bias {
    tensor<Number> out, bias;

    ON_BOTH void operator()(int k) const
    {
        Number sum = 0;

        for (int n = 0; n < out.n; ++n)
            for (int i = 0; i < out.h * out.w; ++i)
                sum += out.gradients[(n * out.c + k) * out.h * out.w + i];
        bias.gradients[k] = sum;
    }
};

template <typename Number> struct rectify {
    tensor<Number> of;

    ON_BOTH void operator()(int i) const { of.values[i] = of.values[i] > 0 ? of.values[i] : 0; }
};

template <typename Number> struct rectify_gradient {
    tensor<Number> of;

    ON_BOTH void operator()(int i) const { of.gradients[i] = of.values[i] > 0 ? of.gradients[i] : 0; }
};

template <typename Number> struct pool {
    tensor<Number> in, out;

    ON_BOTH int largest(int i) const
    {
        const int q = i % out.w, p = i / out.w % out.h, plane = i / (out.w * out.h);
        int best = (plane * in.h + 2 * p) * in.w + 2 * q;
        const int others[] = {best + 1, best + in.w, best + in.w + 1};

        for (int other : others)
            best = in.values[other] > in.values[best] ? other : best;
        return best;
    }
    ON_BOTH void operator()(int i) const { out.values[i] = in.values[largest(i)]; }
};

// Windows do not overlap.
template <typename Number> struct pool_gradient {
    tensor<Number> in, out;

    ON_BOTH void operator()(int i) const
    {
        const int q = i % out.w, p = i / out.w % out.h, plane = i / (out.w * out.h);
        const int best = pool<Number>{in, out}.largest(i), first = (plane * in.h + 2 * p) * in.w + 2 * q;
        const int all[] = {first, first + 1, first + in.w, first + in.w + 1};

        for (int each : all)
            in.gradients[each] = each == best ? out.gradients[i] : 0;
    }
};

// The gradients of the loss are (softmax - 1 of the label) / batch.
template <typename Number> struct lose {
    tensor<Number> scores;
    const int *labels;
    Number *losses;

    ON_BOTH void operator()(int n) const
    {
        const Number *all = scores.values + n * scores.c;
        Number most = all[0], sum = 0;

        for (int i = 0; i < scores.c; ++i)
            most = all[i] > most ? all[i] : most;
        for (int i = 0; i < scores.c; ++i)
            sum += std::exp(all[i] - most);
        losses[n] = std::log(sum) + most - all[labels[n]];
        for (int i = 0; i < scores.c; ++i)
            scores.gradients[n * scores.c + i] = (std::exp(all[i] - most) / sum - (i == labels[n])) / Number(scores.n);
    }
};

template <typename Number> struct descend {
    tensor<Number> of;
    Number rate;

    ON_BOTH void operator()(int i) const { of.values[i] -= rate * of.gradients[i]; }
};

// ------------------------------------------------------------------------------------------------------------- network

double random_number()
{
    static uint64_t state = 1;

    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return static_cast<double>(state >> 11) / 4503599627370496.0 - 1; // from -1 to 1
}

// A convolution, with what follows it; one with the size of its input is a layer that connects all with all.
template <typename Number> struct layer {
    const char *name;
    tensor<Number> &in;
    tensor<Number> weight, bias, out, pooled;
    bool rectifies, pools, is_first;

    layer(const char *name_, tensor<Number> &in_, int channels, int width, bool rectifies_, bool pools_, bool is_first_)
        : name(name_), in(in_), weight(channels, in_.c, width, width), bias(1, channels, 1, 1),
          out(in_.n, channels, in_.h - width + 1, in_.w - width + 1),
          pooled(in_.n, channels, pools_ ? out.h / 2 : 1, pools_ ? out.w / 2 : 1), rectifies(rectifies_), pools(pools_),
          is_first(is_first_)
    {
        for (int i = 0; i < weight.size(); ++i)
            weight.values[i] = static_cast<Number>(random_number() / std::sqrt(weight.size() / channels));
    }

    // A matrix, which cuBLAS multiplies if it is there.
    bool multiplies() const
    {
#ifdef WITH_CUBLAS
        return on_gpu && weight.h == 1;
#else
        return false;
#endif
    }

    void connect()
    {
        if (!multiplies())
            return launch(convolve<Number>{in, weight, bias, out}, out.size());
#ifdef WITH_CUBLAS
        launch(spread_bias<Number>{bias, out}, out.size());
        matrices::forward(in.n, in.c, out.c, in.values, weight.values, out.values);
#endif
    }

    void connect_back()
    {
        if (!multiplies())
            return launch(convolve_input<Number>{in, weight, out}, in.size());
#ifdef WITH_CUBLAS
        matrices::backward_input(in.n, in.c, out.c, in.gradients, weight.values, out.gradients);
#endif
    }

    // The sequence joins the backward pass to this one.
    void forward(uint64_t sequence)
    {
        if (weight.h > 1) {
            STINT_OP("conv2d", STINT_FPROP, name, sequence, SHAPE(in), SHAPE(weight), VECTOR(bias));
            connect();
        } else {
            STINT_OP("linear", STINT_FPROP, name, sequence, MATRIX(in), MATRIX(weight), VECTOR(bias));
            connect();
        }
        if (rectifies) {
            STINT_OP("relu", STINT_FPROP, name, sequence + 1, SHAPE(out));
            launch(rectify<Number>{out}, out.size());
        }
        if (pools) {
            STINT_OP("max_pool2d", STINT_FPROP, name, sequence + 2, SHAPE(out), STINT_NUMBERS(2, 2));
            launch(pool<Number>{out, pooled}, pooled.size());
        }
    }

    void backward(uint64_t sequence)
    {
        if (pools) {
            STINT_OP_BACKWARD("max_pool2d_backward", sequence + 2);
            launch(pool_gradient<Number>{out, pooled}, pooled.size());
        }
        if (rectifies) {
            STINT_OP_BACKWARD("relu_backward", sequence + 1);
            launch(rectify_gradient<Number>{out}, out.size());
        }
        if (is_first) {
            // Nobody needs the gradient of the images: the last list says which gradients are wanted.
            STINT_OP("convolution_backward", STINT_BPROP, name, sequence, SHAPE(out), SHAPE(in), SHAPE(weight),
                     STINT_NUMBERS(bias.size()), STINT_NUMBERS(1, 1), STINT_NUMBERS(0, 0), STINT_NUMBERS(1, 1),
                     STINT_NUMBERS(0), STINT_NUMBERS(0, 0), STINT_NUMBERS(1), STINT_NUMBERS(0, 1, 1));
            gradients();
            return;
        }
        if (weight.h > 1) {
            STINT_OP_BACKWARD("conv2d_backward", sequence);
            connect_back();
            gradients();
        } else {
            STINT_OP_BACKWARD("linear_backward", sequence);
            connect_back();
            gradients();
        }
    }

    void gradients()
    {
        if (!multiplies())
            launch(convolve_weight<Number>{in, weight, out}, weight.size());
#ifdef WITH_CUBLAS
        else
            matrices::backward_weight(in.n, in.c, out.c, in.values, weight.gradients, out.gradients);
#endif
        launch(sum_bias<Number>{out, bias}, bias.size());
    }

    void update(Number rate)
    {
        STINT_OP("_foreach_add_", STINT_OPTIM, name, 0, SHAPE(weight), VECTOR(bias), SHAPE(weight), VECTOR(bias));
        launch(descend<Number>{weight, rate}, weight.size());
        launch(descend<Number>{bias, rate}, bias.size());
    }
};

template <typename Number> struct network {
    tensor<Number> images;
    int *labels;
    Number *losses;
    layer<Number> conv1, conv2, fc1, fc2, fc3;

    network()
        : images(batch, 1, 28, 28), labels(allocate<int>(batch)), losses(allocate<Number>(batch)),
          conv1("conv1", images, 6, 5, true, true, true), conv2("conv2", conv1.pooled, 16, 5, true, true, false),
          fc1("fc1", flat(conv2.pooled), 120, 1, true, false, false), fc2("fc2", fc1.out, 84, 1, true, false, false),
          fc3("fc3", fc2.out, classes, 1, false, false, false)
    {
    }

    // The same values as one row for each image.
    static tensor<Number> &flat(tensor<Number> &of)
    {
        static tensor<Number> rows(of);

        rows.c = of.c * of.h * of.w;
        rows.h = rows.w = 1;
        return rows;
    }

    Number forward(uint64_t step)
    {
        layer<Number> *const layers[] = {&conv1, &conv2, &fc1, &fc2, &fc3};
        uint64_t sequence = step * 100;
        Number loss = 0;

        for (layer<Number> *each : layers)
            each->forward(sequence += 10);
        {
            STINT_OP("cross_entropy_loss", STINT_FPROP, "loss", sequence + 10, MATRIX(fc3.out),
                     STINT_TENSOR(STINT_INT32, batch));
            launch(lose<Number>{fc3.out, labels, losses}, batch);
        }
        wait();
        for (int i = 0; i < batch; ++i)
            loss += losses[i] / batch;
        return loss;
    }

    void backward(uint64_t step)
    {
        layer<Number> *const layers[] = {&fc3, &fc2, &fc1, &conv2, &conv1};
        uint64_t sequence = step * 100 + 60;

        for (layer<Number> *each : layers)
            each->backward(sequence -= 10);
        wait();
    }

    void update(Number rate)
    {
        layer<Number> *const layers[] = {&conv1, &conv2, &fc1, &fc2, &fc3};

        for (layer<Number> *each : layers)
            each->update(rate);
    }

    // Stripes whose direction and width are those of their class, and noise.
    void draw()
    {
        for (int n = 0; n < batch; ++n) {
            labels[n] = static_cast<int>((random_number() + 1) * 0.4999 * classes);
            const double angle = labels[n] * 0.31, width = 2.0 + labels[n] % 3;

            for (int y = 0; y < images.h; ++y)
                for (int x = 0; x < images.w; ++x)
                    images.values[images.at(n, 0, y, x)] = static_cast<Number>(
                        std::sin((x * std::cos(angle) + y * std::sin(angle)) * 3.14 / width) + 0.3 * random_number());
        }
    }
};

// --------------------------------------------------------------------------------------------------------------- check

// Returns how far a gradient is from the difference of the loss, at most.
double worst_gradient(network<double> &net, tensor<double> &of)
{
    const double h = 1e-6;
    double worst = 0;

    for (int i = 0; i < of.size(); i += 1 + of.size() / 3) {
        const double value = of.values[i];

        of.values[i] = value + h;
        const double above = net.forward(0);

        of.values[i] = value - h;
        const double below = net.forward(0);

        of.values[i] = value;
        worst = std::fmax(worst, std::fabs((above - below) / (2 * h) - of.gradients[i]));
    }
    return worst;
}

bool gradients_are_right()
{
    STINT_SCOPE("check");
    static network<double> net;
    layer<double> *const layers[] = {&net.conv1, &net.conv2, &net.fc1, &net.fc2, &net.fc3};
    double worst = 0;

    net.draw();
    net.forward(0);
    net.backward(0);
    for (layer<double> *each : layers) {
        worst = std::fmax(worst, worst_gradient(net, each->weight));
        worst = std::fmax(worst, worst_gradient(net, each->bias));
    }
    std::printf("gradients: %s\n", worst < 1e-7 ? "right" : "wrong");
    return worst < 1e-7;
}

bool learns()
{
    static network<float> net;
    float first = 0, last = 0;

    net.draw();
    for (int step = 1; step <= steps; ++step) {
        STINT_SCOPE("step");
        last = net.forward(static_cast<uint64_t>(step));
        first = step == 1 ? last : first;
        net.backward(static_cast<uint64_t>(step));
        net.update(0.2f);
    }
    wait();
    std::printf("loss: %.2f at first, %s at last\n", static_cast<double>(first),
                last < first / 2 ? "less" : "not less");
    return last < first / 2;
}

} // namespace

int main()
{
    choose_device();
    stint_gpu_start(nullptr);
    const bool right = gradients_are_right(), less = learns();

    return right && less ? EXIT_SUCCESS : EXIT_FAILURE;
}
