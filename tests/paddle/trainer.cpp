// A program as they were written for PaddlePaddle's paddle/utils/Stat.h, which names nothing of stint: a trainer's batch
// loop with its log period, a parameter server's barriers, a GPU profiler test. check.sh compares what it prints.

#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "paddle/utils/Stat.h"

namespace paddle {

class Layer {
public:
    explicit Layer(const std::string &name) : name_(name) {}

    const std::string &getName() const { return name_; }

    double forward(double x)
    {
        REGISTER_TIMER_INFO("ForwardTimer", getName().c_str());
        for (int i = 0; i < 1000; ++i)
            x = x * 0.5 + 1.0;
        return x;
    }

    double backward(double x)
    {
        REGISTER_TIMER_INFO("BackwardTimer", getName().c_str());
        REGISTER_TIMER_DYNAMIC(getName() + ".backward");
        return x * 0.25;
    }

private:
    std::string name_;
};

class Server {
public:
    Server() : statSet_(new StatSet("server")), trainers_(4) {}

    void addGradient(int trainer, int64_t delta)
    {
        REGISTER_BARRIER_DELTA_SERVER_SET(*statSet_, "forwardbackwardDelta", trainers_, trainer, delta,
                                          isSparse_ ? "_sparseUpdater" : "_denseUpdater");
        REGISTER_SLOW_NODES_PROBE(*statSet_, "SLOW_NODES", trainers_, trainer, "_handled");
        REGISTER_TIMER_DYNAMIC("addGradCore", -1, *statSet_);
        sum_ += delta;
    }

    void passFinish()
    {
        CHECK_BARRIER_TIMER(*statSet_, "SLOW_NODES", trainers_, "_handled");
        statSet_->printAllStatus();
        statSet_->reset(false);
    }

private:
    std::unique_ptr<StatSet> statSet_;
    uint16_t trainers_;
    bool isSparse_ = false;
    int64_t sum_ = 0;
};

static double trainOneBatch(std::vector<Layer> &layers, double x)
{
    REGISTER_TIMER("TrainBatch");
    {
        REGISTER_TIMER("forwardBackward");
        for (auto &layer : layers)
            x = layer.forward(x);
        for (auto &layer : layers)
            x = layer.backward(x);
    }
    REGISTER_TIMER("finishBatch", /* threshold */ 0);
    return x;
}

static void trainOnePass(std::vector<Layer> &layers)
{
    double x = 1.0;
    for (int batch = 1; batch <= 6; ++batch) {
        x = trainOneBatch(layers, x);
        if (batch % 3 == 0) { // --log_period=3
            globalStat.setThreadInfo(true);
            globalStat.printAllStatus();
            globalStat.reset();
        }
    }
}

} // namespace paddle

using namespace paddle; // NOLINT

static void testBilinearFwdBwd()
{
    REGISTER_GPU_PROFILER("testBilinearFwdBwd", "numSamples = 10, channels = 16, imgSizeX = 64, imgSizeY = 64");
    REGISTER_TIMER_INFO("testBilinearFwdBwd", "numSamples = 10, channels = 16, imgSizeX = 64, imgSizeY = 64");
    std::thread worker([] { REGISTER_TIMER("worker"); });
    worker.join();
}

int main()
{
    REGISTER_GPU_PROFILER("RecursiveProfilingTest", "numSamples = 10, channels = 16, imgSizeX = 64, imgSizeY = 64");
    std::vector<Layer> layers = {Layer("conv1"), Layer("fc2")};
    Server server;
    uint64_t start = 0;

    FOR_TIMING(start = nowInMicroSec());
    trainOnePass(layers);
    globalStat.setThreadInfo(false);
    for (int64_t round = 0; round < 5; ++round)
        for (int trainer = 0; trainer < 4; ++trainer)
            server.addGradient(trainer, 1000 * trainer);
    server.passFinish();
    {
        REGISTER_TIMER_SET("wholePass", start);
        testBilinearFwdBwd();
    }

    StatPtr stat = getStat("samples");
    stat->addSample(1500);
    stat->addSample(2501);
    {
        TimerOnce timer(stat.get(), "info", uint64_t(-1), false, nowInMicroSec());
    }
    std::cerr << stat->getName() << " by thread: " << stat->getThreadInfo() << std::endl;
    globalStat.printStatus("worker");
    globalStat.printStatus("nobody");
    globalStat.deleteStat("worker");
    globalStat.printAllStatus();
    return 0;
}
