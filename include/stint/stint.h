/* stint/stint.h - scoped timers, statistics and reports: includes every C header but annotate.h. Read timer.h first. */
#ifndef STINT_STINT_H
#define STINT_STINT_H

#include "stint/adopt.h"
#include "stint/barrier.h"
#include "stint/counters.h"
#include "stint/gpu.h"
#include "stint/gpu_scope.h"
#include "stint/op.h"
#include "stint/profiler.h"
#include "stint/report.h"
#include "stint/statset.h"
#include "stint/status.h"
#include "stint/timer.h"
#include "stint/version.h"

#endif
