// What only C++ has: exceptions, classes, templates, lambdas. tests/golden/nvtx_calls_cpp.txt has the calls that a tool
// gets.
#include <stint/annotate.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

STINT_DOMAIN_DEFINE(s_app, "app");

void throw_from(int depth)
{
    STINT_FUNCTION_RANGE(STINT_COLOR_AMBER, 0, depth);
    if (depth == 0)
        throw std::string("deep");
    throw_from(depth - 1);
}

void exceptions()
{
    STINT_RANGE("outer");
    try {
        STINT_RANGE_IN(&s_app, "try");
        throw_from(2);
    } catch (const std::string &what) {
        STINT_RANGE_DYNAMIC(("caught " + what).c_str());
    }
}

class object {
public:
    object() { STINT_FUNCTION_RANGE(); }
    ~object() { STINT_FUNCTION_RANGE(STINT_COLOR_BROWN); }
    object(const object &) = delete;
    object &operator=(const object &) = delete;
    void operator()() const { STINT_FUNCTION_RANGE(); }
};

template <typename Number> void instance(Number number)
{
    STINT_RANGE("instance", STINT_COLOR_NONE, 0, number); // one call site for each type
}

enum unscoped { FIRST = 1 };

void classes_and_templates()
{
    const object made;
    made();
    instance(1);
    instance(std::size_t{2});
    instance(2.5F);
    instance(true);
    instance('a');
    instance(FIRST);
    [] {
        STINT_RANGE("lambda");
        STINT_MARK_IN(STINT_DOMAIN("app"), "in a lambda");
    }();
}

} // namespace

int main()
{
    exceptions();
    classes_and_templates();
    STINT_RANGE_END(STINT_RANGE_START("last"));
}
