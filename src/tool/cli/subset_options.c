/* Reads which part of a recording is wanted, finds the time of a range by its name and index, and takes the part. */
#include "cli/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "stint/nvtx_stats.h"

/* ------------------------------------------------------------------------------------------------------------- time */

static const struct unit {
    const char *name;
    uint64_t ns;
} s_units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}, {"", 1}};

static const struct unit *unit_of(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof s_units / sizeof s_units[0]; i++)
        if (strlen(s_units[i].name) == length && strncmp(text, s_units[i].name, length) == 0)
            return &s_units[i];
    return NULL;
}

/* Adds one more digit. Returns 0, or -1 if the number gets too large for a time. */
static int add_digit(uint64_t *value, char digit)
{
    if (*value > (uint64_t)INT64_MAX / 10 - 1)
        return -1;
    *value = *value * 10 + (uint64_t)(digit - '0');
    return 0;
}

/* Reads "1.5ms" exactly; fractions of a nanosecond are cut off. Returns 0 or -1. */
static int read_time(const char *text, size_t length, uint64_t *ns)
{
    size_t digits = strspn(text, "0123456789"), decimals = 0;
    uint64_t whole = 0, part = 0;
    if (digits > length)
        return -1;
    for (size_t i = 0; i < digits; i++)
        if (add_digit(&whole, text[i]))
            return -1;
    if (text[digits] == '.')
        decimals = strspn(text + digits + 1, "0123456789");
    size_t number = digits + (text[digits] == '.') + decimals;
    const struct unit *unit = number <= length && digits + decimals ? unit_of(text + number, length - number) : NULL;
    if (!unit || whole > (uint64_t)INT64_MAX / unit->ns)
        return -1;
    for (uint64_t i = 0, place = unit->ns / 10; i < decimals; i++, place /= 10)
        part += place * (uint64_t)(text[digits + 1 + i] - '0');
    *ns = whole * unit->ns + part;
    return 0;
}

int stint_subset_time(void *value, const struct stint_option *option, const char *text)
{
    struct stint_subset_options *options = value;
    struct stint_subset *subset = &options->subset;
    const char *slash = strchr(text, '/');
    size_t first = slash ? (size_t)(slash - text) : 0, second = slash ? strlen(slash + 1) : 0;
    subset->from_ns = 0;
    subset->to_ns = UINT64_MAX;
    options->is_asked_for = options->has_time = 1;
    if (slash && first + second && (!first || read_time(text, first, &subset->from_ns) == 0) &&
        (!second || read_time(slash + 1, second, &subset->to_ns) == 0) && subset->from_ns < subset->to_ns)
        return 0;
    stint_cli_say(
        "--%s %.60s: expected START/END since the start of the recording, such as 1.5s/2s, 200ms/ or /1000000 (ns)",
        option->name, text);
    return -1;
}

/* ------------------------------------------------------------------------------------------------------------ range */

enum { NAME_SIZE = 4096 };

/* RANGE[@DOMAIN][/INDEX], taken apart. */
struct range {
    char name[NAME_SIZE];
    char domain[NAME_SIZE];
    int has_domain;
    uint64_t index;
};

/* Copies up to one of the characters that end it; a backslash takes the next one as it is. Returns where it ends. */
static const char *copy_part(char *out, const char *text, const char *ends)
{
    size_t used = 0;
    for (; *text && !strchr(ends, *text); text++) {
        if (*text == '\\' && text[1])
            text++;
        if (used < NAME_SIZE - 1)
            out[used++] = *text;
    }
    out[used] = '\0';
    return text;
}

static int parse_range(struct range *range, const char *text)
{
    *range = (struct range){.has_domain = 0};
    text = copy_part(range->name, text, "@/");
    if (*text == '@') {
        range->has_domain = 1;
        text = copy_part(range->domain, text + 1, "/");
    }
    if (!range->name[0])
        return -1;
    if (!*text)
        return 0;
    size_t digits = strspn(++text, "0123456789");
    if (!digits || digits > 18 || text[digits])
        return -1;
    range->index = strtoull(text, NULL, 10);
    return 0;
}

int stint_subset_range(void *value, const struct stint_option *option, const char *text)
{
    struct stint_subset_options *options = value;
    struct range range;
    options->is_asked_for = 1;
    options->range = text;
    if (parse_range(&range, text) == 0)
        return 0;
    stint_cli_say("--%s %.60s: expected RANGE or RANGE@DOMAIN, with /N for occurrence N, counted from 0; write @ and / "
                  "in names as \\@ and \\/",
                  option->name, text);
    return -1;
}

/* The domain of a set of ranges, "" for the default one and for scopes. */
static const char *domain_of(const char *set)
{
    static const char *const kinds[] = {STINT_NVTX_START_END_SET, STINT_NVTX_SET};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t length = strlen(kinds[i]);
        if (strncmp(set, kinds[i], length) == 0 && set[length] == ':')
            return set + length + 1;
    }
    return "";
}

static int is_range(const struct range *range, const struct stint_event *event)
{
    if (event->kind != STINT_EVENT_SCOPE && event->kind != STINT_EVENT_RANGE)
        return 0;
    if (strcmp(event->name, range->name) != 0)
        return 0;
    return strcmp(range->domain, "*") == 0 || strcmp(range->domain, domain_of(event->set)) == 0;
}

/* Narrows the subset to the time of the range. Returns 0, or -1 after saying why not. */
static int find_range(const char *text, struct stint_subset *subset, struct stint_event_source *source,
                      const char *path)
{
    struct range range;
    struct stint_event event;
    uint64_t seen = 0;
    int more = parse_range(&range, text) || source->begin(source) ? -1 : 1;
    while (more > 0 && (more = source->next(source, &event)) > 0) {
        if (!is_range(&range, &event) || seen++ < range.index)
            continue;
        uint64_t end_ns = event.end_ns > event.start_ns ? event.end_ns : event.start_ns + 1;
        subset->from_ns = event.start_ns > subset->from_ns ? event.start_ns : subset->from_ns;
        subset->to_ns = end_ns < subset->to_ns ? end_ns : subset->to_ns;
        return 0;
    }
    if (more < 0)
        stint_cli_say("%s: %s", path, source->reason);
    else if (seen)
        stint_cli_say("--filter-nvtx %.200s: %s has %" PRIu64 " of these ranges, counted from 0", text, path, seen);
    else
        stint_cli_say("--filter-nvtx %.200s: %s has no such range among its events", text, path);
    return -1;
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

int stint_subset_process(void *value, const struct stint_option *option, const char *text)
{
    struct stint_subset_options *options = value;
    unsigned long long number = 0;
    int failed = stint_option_number(option, text, 1, INT64_MAX, &number);
    options->is_asked_for = options->subset.has_pid = 1;
    options->subset.pid = (int64_t)number;
    return failed;
}

int stint_subset_device(void *value, const struct stint_option *option, const char *text)
{
    struct stint_subset_options *options = value;
    unsigned long long number = 0;
    int failed = stint_option_number(option, text, 0, UINT32_MAX, &number);
    options->is_asked_for = options->subset.has_device = 1;
    options->subset.device = (uint32_t)number;
    return failed;
}

/* -------------------------------------------------------------------------------------------------------- snapshots */

static int has_scopes(const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->stat_count; i++)
        if (strcmp(snapshot->stats[i].set, STINT_API_SET) != 0)
            return 1;
    return 0;
}

/* Whether the recording has an event, or, if `of_scope`, one of a scope or range. */
static int has_event(struct stint_event_source *source, int of_scope)
{
    struct stint_event event;
    int more = source && source->begin(source) == 0;
    while (more && (more = source->next(source, &event) > 0))
        if (!of_scope || event.kind == STINT_EVENT_SCOPE || event.kind == STINT_EVENT_RANGE)
            return 1;
    return 0;
}

static struct stint_snapshot *take(const struct stint_profile *profile, const struct stint_subset *subset,
                                   const char *path, uint64_t *kept)
{
    struct stint_snapshot *snapshot = stint_subset_take(profile->snapshot, profile->events, subset, kept);
    if (!snapshot)
        (void)stint_cli_say_unread(path, profile->events, "for this part of the recording");
    return snapshot;
}

struct stint_snapshot *stint_subset_of(const struct stint_subset_options *options, const struct stint_profile *profile,
                                       const char *path, size_t trace, struct stint_subset *taken)
{
    struct stint_subset subset = options->subset;
    uint64_t kept = 0;
    if (!options->has_time)
        subset.to_ns = UINT64_MAX;
    subset.counts = 1;
    subset.trace = trace;
    if (options->range && profile->events && find_range(options->range, &subset, profile->events, path))
        return NULL;
    struct stint_snapshot *snapshot = profile->events ? take(profile, &subset, path, &kept) : NULL;
    if (profile->events && !snapshot)
        return NULL;
    if (!kept && !has_event(profile->events, 0))
        stint_cli_say("%s has only statistics, but filters need events: record with stint run --store FILE", path);
    else if (!kept)
        stint_cli_say("%s has events, but none of them matches the filters", path);
    else if (has_scopes(profile->snapshot) && !has_event(profile->events, 1))
        stint_cli_say("%s has no events of scopes: the report shows only GPU work and calls", path);
    *taken = subset;
    if (kept)
        return snapshot;
    stint_snapshot_free(snapshot);
    return NULL;
}

struct stint_snapshot *stint_subset_trace(const struct stint_profile *profile, const char *path, size_t trace)
{
    struct stint_subset subset = {.to_ns = UINT64_MAX, .trace = trace};
    uint64_t kept;
    return take(profile, &subset, path, &kept);
}
