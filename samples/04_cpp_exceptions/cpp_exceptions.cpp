// In C++, a destructor ends each scope, even when an exception passes through it.
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <string>

#include <stint/stint.h>

namespace {

// Throws std::invalid_argument unless `field` begins with a number.
double to_number(const std::string &field)
{
    REGISTER_TIMER("to_number");
    return std::stod(field);
}

// The first field is the kind of record, which becomes the name of the scope.
double read_record(const std::string &line)
{
    std::istringstream fields(line);
    std::string kind, field;
    double sum = 0;

    fields >> kind;
    REGISTER_TIMER_DYNAMIC(("record " + kind).c_str());
    while (fields >> field)
        sum += to_number(field);
    return sum;
}

} // namespace

int main()
{
    static const char *const lines[] = {"price 1.5 2.5 4", "weight 10 heavy 30", "price 0.5 0.5"};
    double sum = 0;
    int good = 0, bad = 0;

    for (int i = 0; i < 3000; ++i) {
        try {
            REGISTER_TIMER("line");
            sum += read_record(lines[i % 3]);
            ++good;
        } catch (const std::invalid_argument &) {
            REGISTER_TIMER("bad line");
            ++bad;
        }
    }
    std::printf("%d good, %d bad, sum %.0f\n", good, bad, sum);
}
