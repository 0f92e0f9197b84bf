#include <stint/paddle.hpp>
