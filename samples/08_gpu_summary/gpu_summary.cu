// What a GPU did, attributed to the scopes that launched it: copies from pageable and pinned memory, kernels in nested
// scopes and on two streams, a CUDA graph, managed memory, and a timer of events. Compiled by nvcc, it runs on the GPU
// if there is one; compiled as C++, it does the same on the CPU. The program counts what it launches, and compares that
// with stint's snapshot.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <stint/stint.hpp>

#ifdef __CUDACC__
#define ON_BOTH __host__ __device__
#else
#define ON_BOTH
#endif

namespace {

const size_t count = 1 << 20;
const int batches = 4, graph_launches = 10;

// ------------------------------------------------------------------------------------------ one element of each kernel

template <typename Number> struct scale {
    Number *values;
    Number by;

    ON_BOTH void operator()(size_t i) const { values[i] *= by; }
};

template <typename Number> struct add {
    const Number *from;
    Number *to;

    ON_BOTH void operator()(size_t i) const { to[i] += from[i]; }
};

struct square_root {
    float *values;

    ON_BOTH void operator()(size_t i) const { values[i] = sqrtf(values[i]); }
};

struct count_up {
    int *values;

    ON_BOTH void operator()(size_t i) const { values[i] = static_cast<int>(i); }
};

// ------------------------------------------------------------------------------------- which kernels belong to a scope

struct expectation {
    const char *scope;
    uint64_t kernels;
};

expectation expected[] = {{"scale", 0}, {"sum", 0}, {"graph", 0}, {"two streams", 0}, {"managed", 0}};

void expect(const char *scope, uint64_t kernels)
{
    for (expectation &each : expected)
        if (!std::strcmp(each.scope, scope))
            each.kernels += kernels;
}

// --------------------------------------------------------------------------------------------------- on GPU or on CPU

bool on_gpu = false;

#ifdef __CUDACC__

typedef cudaStream_t stream_type;

template <typename Element> __global__ void for_each(Element element, size_t elements)
{
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;

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

void choose_device()
{
    cudaDeviceProp properties;
    int devices = 0;
    const cudaError_t code = cudaGetDeviceCount(&devices);

    on_gpu = code == cudaSuccess && devices > 0;
    if (on_gpu) {
        CHECK(cudaGetDeviceProperties(&properties, 0));
        std::printf("on the GPU: %s\n", properties.name);
    } else {
        std::printf("on the CPU: CUDA finds no device (%s)\n", cudaGetErrorString(code));
    }
}

#else

typedef void *stream_type;

void choose_device()
{
    std::printf("on the CPU: compiled without CUDA\n");
}

#endif

template <typename Element> void launch(stream_type stream, Element element, size_t elements)
{
#ifdef __CUDACC__
    if (on_gpu) {
        const unsigned threads = 256;

        for_each<<<static_cast<unsigned>((elements + threads - 1) / threads), threads, 0, stream>>>(element, elements);
        return CHECK(cudaGetLastError());
    }
#endif
    (void)stream;
    for (size_t i = 0; i < elements; ++i)
        element(i);
}

// Kernels run asynchronously: without waiting for them, a timer would only measure their launch.
void wait()
{
#ifdef __CUDACC__
    if (on_gpu)
        CHECK(cudaDeviceSynchronize());
#endif
}

class stream {
public:
    stream()
    {
#ifdef __CUDACC__
        if (on_gpu)
            CHECK(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking));
#endif
    }
    ~stream()
    {
#ifdef __CUDACC__
        if (on_gpu)
            cudaStreamDestroy(handle_);
#endif
    }
    stream(const stream &) = delete;
    stream &operator=(const stream &) = delete;

    stream_type get() const
    {
        return handle_;
    }

private:
    stream_type handle_ = nullptr;
};

enum class where { device, pinned, managed };

// Memory of the processor that computes; on the CPU there is only one kind.
template <typename Value> class array {
public:
    explicit array(where place) : place_(place)
    {
#ifdef __CUDACC__
        if (on_gpu) {
            void **const to = reinterpret_cast<void **>(&values_);

            if (place == where::device)
                CHECK(cudaMalloc(to, count * sizeof(Value)));
            else if (place == where::pinned)
                CHECK(cudaMallocHost(to, count * sizeof(Value)));
            else
                CHECK(cudaMallocManaged(to, count * sizeof(Value)));
            return;
        }
#endif
        values_ = new Value[count];
    }
    ~array()
    {
#ifdef __CUDACC__
        if (on_gpu) {
            if (place_ == where::pinned)
                cudaFreeHost(values_);
            else
                cudaFree(values_);
            return;
        }
#endif
        delete[] values_;
    }
    array(const array &) = delete;
    array &operator=(const array &) = delete;

    void clear()
    {
#ifdef __CUDACC__
        if (on_gpu)
            return CHECK(cudaMemset(values_, 0, count * sizeof(Value)));
#endif
        std::fill(values_, values_ + count, Value());
    }

    // With cudaMemcpyDefault, CUDA finds out where the memory is.
    void copy_from(const Value *from)
    {
#ifdef __CUDACC__
        if (on_gpu)
            return CHECK(cudaMemcpy(values_, from, count * sizeof(Value), cudaMemcpyDefault));
#endif
        std::copy(from, from + count, values_);
    }

    void copy_to(Value *to) const
    {
#ifdef __CUDACC__
        if (on_gpu)
            return CHECK(cudaMemcpy(to, values_, count * sizeof(Value), cudaMemcpyDefault));
#endif
        std::copy(values_, values_ + count, to);
    }

    Value *get() const
    {
        return values_;
    }

private:
    Value *values_ = nullptr;
    where place_;
};

// Three kernels, captured into a graph once and launched often.
class graph {
public:
    graph(stream_type stream, float *values) : stream_(stream), values_(values)
    {
#ifdef __CUDACC__
        cudaGraph_t captured;

        if (!on_gpu)
            return;
        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        work();
        CHECK(cudaStreamEndCapture(stream, &captured));
        CHECK(cudaGraphInstantiateWithFlags(&executable_, captured, 0));
        CHECK(cudaGraphDestroy(captured));
#endif
    }
    ~graph()
    {
#ifdef __CUDACC__
        if (on_gpu)
            cudaGraphExecDestroy(executable_);
#endif
    }
    graph(const graph &) = delete;
    graph &operator=(const graph &) = delete;

    void launch_all()
    {
        expect("graph", 3);
#ifdef __CUDACC__
        if (on_gpu)
            return CHECK(cudaGraphLaunch(executable_, stream_));
#endif
        work();
    }

private:
    void work()
    {
        launch(stream_, scale<float>{values_, 4}, count);
        launch(stream_, square_root{values_}, count);
        launch(stream_, scale<float>{values_, 0.5f}, count); // back to 1, if it was 1
    }

    stream_type stream_;
    float *values_;
#ifdef __CUDACC__
    cudaGraphExec_t executable_ = nullptr;
#endif
};

// ------------------------------------------------------------------------------------------------------------ the work

struct state {
    std::vector<float> pageable = std::vector<float>(count, 1);
    array<float> pinned{where::pinned};
    array<float> a{where::device};
    array<float> b{where::device};
    array<double> precise{where::device};
    array<int> managed{where::managed};
    stream first;
    stream second;
};

void input(state &s)
{
    REGISTER_TIMER("input");
    std::fill(s.pinned.get(), s.pinned.get() + count, 2.0f);
    s.a.copy_from(s.pageable.data());
    s.b.copy_from(s.pinned.get());
    s.precise.clear();
}

// a: 1, b: 2 + 1 for each batch.
void batch(state &s)
{
    REGISTER_TIMER("batch");
    {
        REGISTER_TIMER("scale");
        launch(nullptr, scale<float>{s.a.get(), 1}, count);
        launch(nullptr, scale<double>{s.precise.get(), 1}, count);
        expect("scale", 2);
        {
            REGISTER_TIMER("sum"); // its kernel does not count for "scale"
            launch(nullptr, add<float>{s.a.get(), s.b.get()}, count);
            expect("sum", 1);
        }
    }
}

void replay(state &s)
{
    graph steps(s.first.get(), s.a.get());

    REGISTER_TIMER("graph");
    for (int i = 0; i < graph_launches; ++i)
        steps.launch_all();
    wait();
}

// One thread, two streams: the first one is also timed with events, which does not need CUPTI.
void two_streams(state &s)
{
    REGISTER_TIMER("two streams");
    {
        STINT_GPU_SCOPE("first stream", s.first.get());
        launch(s.first.get(), scale<float>{s.a.get(), 1}, count);
    }
    launch(s.second.get(), scale<float>{s.b.get(), 1}, count);
    expect("two streams", 1); // and one launch of "first stream"
    wait();
}

// The GPU writes and the CPU reads, so that pages migrate without a copy in the program.
bool touch_managed(state &s)
{
    REGISTER_TIMER("managed");
    launch(nullptr, count_up{s.managed.get()}, count);
    expect("managed", 1);
    wait();
    for (size_t i = 0; i < count; i += 1 << 12)
        if (s.managed.get()[i] != static_cast<int>(i))
            return false;
    return true;
}

bool output(state &s)
{
    REGISTER_TIMER("output");
    std::vector<float> a(count);

    s.a.copy_to(a.data());
    s.b.copy_to(s.pinned.get());
    for (size_t i = 0; i < count; ++i)
        if (a[i] != 1 || s.pinned.get()[i] != 2 + batches)
            return false;
    return true;
}

// ---------------------------------------------------------------------------------------------------------- comparison

// Returns how much of each kind of activity stint has seen.
uint64_t total_of(const stint::snapshot &snapshot, enum stint_gpu_kind kind)
{
    uint64_t total = 0;

    for (size_t i = 0; i < snapshot->gpu_activity_count; ++i)
        if (snapshot->gpu_activities[i].kind == kind)
            total += snapshot->gpu_activities[i].numbers.count;
    return total;
}

bool compare_scope(const stint::snapshot &snapshot, const expectation &each)
{
    const struct stint_stat *const stat = snapshot.find(each.scope);
    const uint64_t seen = stat ? stat->gpu_self.kernels : 0;

    std::printf("kernels of the scope %s: %llu, stint says %llu\n", each.scope,
                static_cast<unsigned long long>(each.kernels), static_cast<unsigned long long>(seen));
    return seen == each.kernels;
}

bool compare()
{
    const stint::snapshot snapshot;
    const uint64_t seen = total_of(snapshot, STINT_GPU_KERNEL);
    uint64_t launched = 1; // for "first stream"
    bool good = true;

    for (const expectation &each : expected) {
        launched += each.kernels;
        good = compare_scope(snapshot, each) && good;
    }
    std::printf("kernels in all: %llu, stint says %llu\n", static_cast<unsigned long long>(launched),
                static_cast<unsigned long long>(seen));
    std::printf("copies: 4, stint says %llu; timers of events: 1, stint says %llu\n",
                static_cast<unsigned long long>(total_of(snapshot, STINT_GPU_COPY)),
                static_cast<unsigned long long>(total_of(snapshot, STINT_GPU_SPAN)));
    return good && seen == launched && total_of(snapshot, STINT_GPU_COPY) == 4 &&
           total_of(snapshot, STINT_GPU_SPAN) == 1;
}

bool run(enum stint_status collecting)
{
    state s;
    bool good;

    input(s);
    for (int i = 0; i < batches; ++i)
        batch(s);
    wait(); // waits for the default stream, which the others do not wait for
    replay(s);
    two_streams(s);
    good = touch_managed(s);
    good = output(s) && good;
    return on_gpu && collecting == STINT_OK ? compare() && good : good;
}

} // namespace

int main()
{
    enum stint_status collecting;
    bool good;

    choose_device();
    collecting = stint_gpu_start(nullptr);
    std::printf("collecting: %s%s%s\n", stint_status_name(collecting), *stint_gpu_reason() ? ", " : "",
                stint_gpu_reason());
    {
        REGISTER_TIMER("run");
        good = run(collecting);
        std::printf("%s\n", good ? "all good" : "FAILED");
        std::fflush(stdout);
        stint_report_print(STINT_FORMAT_NVPROF);
    }
    return good ? EXIT_SUCCESS : EXIT_FAILURE; // the table is printed at exit
}
