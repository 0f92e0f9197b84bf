/* The public functions of barrier.h that record: they start the library, find the statistic, and read the clock. */
#include "stint/barrier.h"

#include <string.h>
#include <sys/time.h>

#include "barrier/barrier.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/process.h"
#include "model/model.h"
#include "record/part.h"
#include "record/registry.h"
#include "record/thread.h"
#include "runtime/runtime.h"
#include "stat/members.h"

/* ------------------------------------------------------------------------------------------------------------ calls */

/* A call as the caller made it. */
struct call {
    const struct stint_statset *set;
    const char *name;
    const char *tag;
    int64_t participants;
    int64_t id;
    enum stint_barrier_kind kind;
    const uint64_t *ns; /* NULL: arrives now */
};

/* The result of a call. Messages are written after all locks are released. */
struct outcome {
    enum stint_status status;
    int created;
    int warn; /* log the status */
    uint32_t participants;
    enum stint_barrier_kind kind;
};

/* Joins name and tag. There is room for one byte more than a name may have, so that a cut is noticed. */
static const char *join(char *joined, const char *name, const char *tag)
{
    if (!name)
        name = "";
    if (!tag || !*tag)
        return name;
    size_t used = strnlen(name, STINT_MAX_NAME + 1);
    size_t more = strnlen(tag, STINT_MAX_NAME + 1 - used);
    memcpy(joined, name, used);
    memcpy(joined + used, tag, more);
    joined[used + more] = '\0';
    return joined;
}

static struct stint_barrier_key key_of(const struct stint_name *name)
{
    return (struct stint_barrier_key){
        .set = name->set,
        .set_name = name->set->name,
        .name = name->text,
        .length = name->length,
        .hash = name->hash,
    };
}

/* Finds or makes the statistic and checks the call against it. Under the lock. */
static struct stint_barrier *admit(const struct call *call, const struct stint_barrier_key *key,
                                   struct outcome *outcome)
{
    struct stint_barrier *barrier = stint_barriers_find(key);
    if (!barrier) {
        outcome->status = stint_barriers_add(key, call->kind, call->participants, &barrier);
        outcome->created = !outcome->status;
    }
    if (!barrier)
        return NULL;
    outcome->participants = barrier->stat.participants;
    outcome->kind = barrier->stat.kind;
    if (call->participants != barrier->stat.participants || call->kind != barrier->stat.kind || call->id < 0 ||
        call->id >= call->participants)
        outcome->status = STINT_ERROR_INVALID_ARGUMENT;
    if (outcome->status && !barrier->warned)
        outcome->warn = barrier->warned = 1;
    return outcome->status ? NULL : barrier;
}

/* Reads the clock under the lock, so that times rise in the order of the calls. */
static struct outcome record(const struct call *call, const struct stint_barrier_key *key)
{
    struct outcome outcome = {STINT_OK, 0, 0, 0, call->kind};
    int negative = 0;
    stint_barriers_lock();
    struct stint_barrier *barrier = admit(call, key, &outcome);
    if (barrier)
        negative = stint_barrier_add(barrier, (uint32_t)call->id, call->ns ? *call->ns : stint_clock_now_ns());
    stint_barriers_unlock();
    if (negative)
        stint_count_dropped(&stint_dropped.negative);
    return outcome;
}

static void log_creation(const struct call *call, const char *name)
{
    const char *kind = call->kind == STINT_BARRIER_END ? "barrierEndStat" : "barrierDeltaStat";
    const char *warning = call->kind == STINT_BARRIER_END ? "endBarrier" : "barrierDelta";
    char rate[STINT_NUMBER_SIZE];
    stint_number_general(
        rate, (double)stint_barrier_threshold((uint32_t)call->participants, stint_barrier_get_display().show));
    STINT_LOG(STINT_LOG_INFO, " create %s: %s %s warning rate: %s", kind, name, warning, rate);
}

static void log_refusal(const struct call *call, const char *name, const struct outcome *outcome)
{
    if (outcome->status != STINT_ERROR_INVALID_ARGUMENT)
        STINT_LOG(STINT_LOG_ERROR, "barrier [%s]: not recorded: %s (the limits are %d barriers and %d participants)",
                  name, stint_status_string(outcome->status), STINT_MAX_BARRIERS, STINT_MAX_PARTICIPANTS);
    else if (call->kind != outcome->kind)
        STINT_LOG(STINT_LOG_ERROR, "barrier [%s]: it takes %s, but was called with %s", name,
                  outcome->kind == STINT_BARRIER_END ? "arrivals" : "durations",
                  call->kind == STINT_BARRIER_END ? "an arrival" : "a duration");
    else if (call->participants != outcome->participants)
        STINT_LOG(STINT_LOG_ERROR, "barrier [%s]: it has %u participants, but was called with %lld", name,
                  outcome->participants, (long long)call->participants);
    else
        STINT_LOG(STINT_LOG_ERROR, "barrier [%s]: participant %lld is not in the range from 0 to %u", name,
                  (long long)call->id, outcome->participants - 1);
}

/* Returns 1 for the first refusal that belongs to no statistic. */
static int is_first_without_statistic(void)
{
    static int s_warned;
    return !__atomic_exchange_n(&s_warned, 1, __ATOMIC_RELAXED);
}

static void tell(const struct call *call, const char *name, const struct outcome *outcome)
{
    if (outcome->created)
        log_creation(call, name);
    if (!outcome->status)
        return;
    stint_count_dropped(&stint_dropped.barriers);
    if (outcome->warn || (outcome->status != STINT_ERROR_INVALID_ARGUMENT && is_first_without_statistic()))
        log_refusal(call, name, outcome);
}

/* Begins a section that a signal handler on the same thread must not enter, if there is anything to record. */
static enum stint_status begin_barrier(int64_t participants, int *recording)
{
    *recording = 0;
    if (participants <= 2)
        return STINT_OK;
    enum stint_status status = stint_runtime_start();
    if (status || !stint_registry_enabled())
        return status;
    if (!stint_guard_begin()) {
        stint_count_dropped(&stint_dropped.reentrant);
        return STINT_ERROR_BUSY;
    }
    *recording = 1;
    return STINT_OK;
}

static enum stint_status add_span(const struct call *call)
{
    char joined[STINT_MAX_NAME + 2];
    int recording;
    enum stint_status status = begin_barrier(call->participants, &recording);
    if (!recording)
        return status;
    struct stint_name name = stint_registry_name(call->set, join(joined, call->name, call->tag));
    struct stint_barrier_key key = key_of(&name);
    struct outcome outcome = record(call, &key);
    stint_guard_end();
    tell(call, name.text, &outcome);
    return outcome.status;
}

enum stint_status stint_i_barrier_arrive(struct stint_statset *set, const char *name, int64_t participants, int64_t id,
                                         const char *tag)
{
    return add_span(&(struct call){set, name, tag, participants, id, STINT_BARRIER_END, NULL});
}

enum stint_status stint_i_barrier_at(struct stint_statset *set, const char *name, int64_t participants, int64_t id,
                                     struct timeval time, const char *tag)
{
    uint64_t ns = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
    return add_span(&(struct call){set, name, tag, participants, id, STINT_BARRIER_END, &ns});
}

enum stint_status stint_i_barrier_report(struct stint_statset *set, const char *name, int64_t participants, int64_t id,
                                         uint64_t delta_us, const char *tag)
{
    uint64_t ns = delta_us * 1000u;
    return add_span(&(struct call){set, name, tag, participants, id, STINT_BARRIER_DELTA, &ns});
}

enum stint_status stint_barrier_arrive(struct stint_statset *set, const char *name, int64_t participants, int64_t id)
{
    return stint_i_barrier_arrive(set, name, participants, id, NULL);
}

enum stint_status stint_barrier_arrive_at(struct stint_statset *set, const char *name, int64_t participants, int64_t id,
                                          uint64_t time_us)
{
    uint64_t ns = time_us * 1000u;
    return add_span(&(struct call){set, name, NULL, participants, id, STINT_BARRIER_END, &ns});
}

enum stint_status stint_barrier_delta(struct stint_statset *set, const char *name, int64_t participants, int64_t id,
                                      uint64_t delta_us)
{
    return stint_i_barrier_report(set, name, participants, id, delta_us, NULL);
}

/* ------------------------------------------------------------------------------------------------------------ check */

static enum stint_status look(const struct stint_barrier_key *key, int64_t participants)
{
    enum stint_status status = STINT_OK;
    stint_barriers_lock();
    const struct stint_barrier *barrier = stint_barriers_find(key);
    if (barrier && barrier->stat.participants != participants)
        status = STINT_ERROR_INVALID_ARGUMENT;
    else if (barrier && barrier->stat.pending)
        status = STINT_ERROR_INCOMPLETE;
    stint_barriers_unlock();
    return status;
}

enum stint_status stint_i_barrier_check(struct stint_statset *set, const char *name, int64_t participants,
                                        const char *tag)
{
    char joined[STINT_MAX_NAME + 2];
    int recording;
    enum stint_status status = begin_barrier(participants, &recording);
    if (!recording)
        return status;
    struct stint_name joined_name = stint_registry_name(set, join(joined, name, tag));
    struct stint_barrier_key key = key_of(&joined_name);
    status = look(&key, participants);
    stint_guard_end();
    if (status)
        STINT_LOG(STINT_LOG_ERROR, "%s: invalid barrier data", joined_name.text);
    return status;
}

enum stint_status stint_barrier_check(struct stint_statset *set, const char *name, int64_t participants)
{
    return stint_i_barrier_check(set, name, participants, NULL);
}

/* ------------------------------------------------------------------------------------------------------------ reset */

static enum stint_status zero_one(const struct stint_statset *set, const char *name, enum stint_reset how)
{
    struct stint_name key_name = stint_registry_name(set, name);
    struct stint_barrier_key key = key_of(&key_name);
    stint_barriers_lock();
    struct stint_barrier *barrier = stint_barriers_find(&key);
    if (barrier)
        stint_barrier_zero(barrier, how);
    stint_barriers_unlock();
    return barrier ? STINT_OK : STINT_ERROR_NOT_FOUND;
}

/* The statistics of a set, or all if `set` is NULL. Inside the guard. */
static void zero_barriers(const struct stint_statset *set, enum stint_reset how)
{
    stint_barriers_lock();
    stint_barriers_zero(set, how);
    stint_barriers_unlock();
}

enum stint_status stint_barrier_reset(struct stint_statset *set, const char *name, enum stint_reset how)
{
    enum stint_status status = stint_runtime_start();
    if (status)
        return status;
    if (!stint_guard_begin())
        return STINT_ERROR_BUSY;
    if (name)
        status = zero_one(set, name, how);
    else
        zero_barriers(set ? set : stint_registry_set_at(0), how);
    stint_guard_end();
    if (status)
        STINT_LOG(STINT_LOG_ERROR, "%s is not registed in %s", name, stint_statset_name(set));
    return status;
}

/* When recording is switched, calls are missing from the rounds in progress. */
static void drop_rounds(void)
{
    if (!stint_guard_begin())
        return;
    stint_barriers_lock();
    stint_barriers_drop_rounds();
    stint_barriers_unlock();
    stint_guard_end();
}

/* ------------------------------------------------------------------------------------------------------------ start */

static void read_environment(void)
{
    struct stint_barrier_display display = stint_barrier_get_display();
    stint_barrier_set_display(
        (enum stint_barrier_show)stint_env_choice("STINT_BARRIER_SHOW", "auto|always|never", (size_t)display.show),
        (unsigned)stint_env_number("STINT_BARRIER_LOWEST", display.lowest, 0, STINT_MAX_PARTICIPANTS));
}

static void reset_in_child(void)
{
    stint_barriers_reset_lock();
    zero_barriers(NULL, STINT_RESET_ALL);
}

static int knows_barrier(const struct stint_snapshot *snapshot, const char *set, const char *name)
{
    for (size_t i = 0; i < snapshot->barrier_count; i++)
        if (strcmp(snapshot->barriers[i].set, set) == 0 && strcmp(snapshot->barriers[i].name, name) == 0)
            return 1;
    return 0;
}

enum stint_status stint_barrier_print(struct stint_statset *set, const char *name)
{
    struct stint_snapshot *snapshot;
    enum stint_status status = stint_snapshot_take(&snapshot);
    if (status)
        return status;
    if (name && !knows_barrier(snapshot, stint_statset_name(set), name)) {
        STINT_LOG(STINT_LOG_ERROR, "%s is not registed in %s", name, stint_statset_name(set));
        status = STINT_ERROR_NOT_FOUND;
    } else {
        status = stint_report_log(stint_report_barriers, snapshot, stint_statset_name(set), name);
    }
    stint_snapshot_free(snapshot);
    return status;
}

STINT_HAS_ROWS(barriers);
STINT_PART(barrier) = {
    .name = "barrier",
    .at[STINT_AT_START] = read_environment,
    .at[STINT_BEFORE_FORK] = stint_barriers_lock,
    .at[STINT_AFTER_FORK] = stint_barriers_unlock,
    .at[STINT_IN_CHILD] = reset_in_child,
    .at[STINT_AT_SWITCH] = drop_rounds,
    .collect = stint_barriers_collect,
    .reset = zero_barriers,
};
