#include "gpu/correlate.h"
